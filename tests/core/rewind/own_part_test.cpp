// Promise (X1): a type of the program becomes a part of a save by naming `rewind_with`, beside pools and plain structs: all of them
// are restored, or none.
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rewind_own_part_test {

using namespace lido;

struct journal_rewind;

/// Owns memory, so it is no plain part; its lines are its state.
class journal {
public:
    using rewind_with = journal_rewind;
    std::vector<std::string> lines;
    int commits = 0;
};

struct journal_rewind {
    template <class Journal>
    struct staged {
        std::vector<std::string> lines;
    };

    static bool save(const journal& j, section& to) {
        using copy = std::vector<std::string>;
        std::byte* const room = to.begin(sizeof(copy), alignof(copy));
        if (room == nullptr) return false;
        to.owns(::new (static_cast<void*>(room)) copy(j.lines), 1);
        to.seal(&section_kind<journal>);
        return true;
    }
    static restore_result stage(journal&, const section& from, staged<journal>& out) {
        if (from.kind() != &section_kind<journal>) return {restore_error::other_parts};
        out.lines = *static_cast<const std::vector<std::string>*>(from.objects());
        return {};
    }
    static void commit(journal& j, staged<journal>& from) noexcept {
        j.lines = std::move(from.lines);
        ++j.commits;
    }
    static void write(const journal& j, image_writer& to) {
        to.put(number_of(image_part::first_of_programs));
        to.put(static_cast<std::uint32_t>(j.lines.size()));
        for (const std::string& line : j.lines) {
            to.put(static_cast<std::uint32_t>(line.size()));
            to.put_bytes(std::as_bytes(std::span(line)));
        }
    }
    static restore_result read(journal&, image_reader& from, staged<journal>& out) {
        if (from.take<std::uint8_t>() != number_of(image_part::first_of_programs)) return {restore_error::other_shape};
        const auto count = from.take<std::uint32_t>();
        if (!from.has(count, sizeof(std::uint32_t))) return {restore_error::truncated};
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto bytes = from.take_bytes(from.take<std::uint32_t>());
            if (!from.ok()) return {restore_error::truncated};
            out.lines.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
        return {};
    }
    static void hash(const journal& j, hasher& h) { hash_value_into(h, j.lines); }
};

static_assert(rewind_part<journal> && image_rewind_part<journal>);
static_assert(rewind_part<slot_pool<int>> && image_rewind_part<slot_pool<int>>);
static_assert(rewind_part<double> && image_rewind_part<double>);

TEST(own_part, X1_is_saved_and_restored_beside_pools) {
    slot_pool<int> pool(4);
    journal log;
    snapshot state;
    pool.acquire(1);
    log.lines = {"one"};
    ASSERT_TRUE(save(state, pool, log));
    const std::uint64_t before = state_hash(pool, log);
    pool.acquire(2);
    log.lines.emplace_back("two");
    EXPECT_NE(state_hash(pool, log), before);
    ASSERT_TRUE(restore(state, pool, log));
    EXPECT_EQ(log.lines, std::vector<std::string>{"one"});
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_EQ(state_hash(pool, log), before);
    pool.clear();
}

TEST(own_part, X1_is_not_changed_when_another_part_is_refused) {
    slot_pool<int> pool(4);
    slot_pool<int> small(1);
    journal log;
    log.lines = {"one"};
    for (int i = 0; i < 3; ++i) pool.acquire(i);
    std::vector<std::byte> image;
    save(image, log, pool);
    log.lines = {"later"};
    const restore_result result = restore(image, log, small);
    EXPECT_FALSE(result);
    EXPECT_EQ(log.lines, std::vector<std::string>{"later"});
    EXPECT_EQ(log.commits, 0);
    pool.clear();
}

TEST(own_part, X1_travels_in_an_image_and_is_refused_when_it_is_cut_short) {
    journal log;
    log.lines = {"one", "", "three"};
    std::vector<std::byte> image;
    save(image, log);
    journal other;
    ASSERT_TRUE(restore(image, other));
    EXPECT_EQ(other.lines, log.lines);
    EXPECT_EQ(state_hash(other), state_hash(log));
    for (std::size_t n = 0; n < image.size(); ++n) {
        journal untouched;
        EXPECT_FALSE(restore(std::span<const std::byte>(image).first(n), untouched)) << n;
        EXPECT_EQ(untouched.commits, 0);
    }
}

TEST(own_part, X1_is_kept_by_a_rewind_for_each_tick) {
    journal log;
    lido::rewind<3> past;
    for (std::uint64_t tick = 0; tick < 3; ++tick) {
        log.lines.push_back(std::to_string(tick));
        past.save(tick, log);
    }
    ASSERT_TRUE(past.restore(1, log));
    EXPECT_EQ(log.lines.size(), 2u);
}

}  // namespace rewind_own_part_test
