// S4.2, X1: when there is no memory for what a call of a world needs, it throws std::bad_alloc, and the world is one that works. Every
// allocation of a short game is refused once.
#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace world_out_of_memory_test {

using lido::any_ref;
using lido::snapshot;
using lido::ticks;

struct owning {
    std::vector<int> v;
    void on_acquire() { v.assign(3, 1); }
    void hash(lido::hasher& h) const { h.add(std::uint64_t{v.size()}); }
    void save(lido::image_writer& w) const { w.put(static_cast<std::uint32_t>(v.size())); }
    [[nodiscard]] bool load(lido::image_reader& r) {
        const auto n = r.take<std::uint32_t>();
        if (n > 9) return false;
        v.assign(n, 1);
        return true;
    }
};
struct waiting {
    static constexpr auto release = lido::on_confirm;
    int n = 0;
    void on_acquire() { n = 3; }
};
struct plain {
    int n = 0;
};
struct moved_in {
    using payload_type = std::unique_ptr<int>;
    std::unique_ptr<int> p;
    void on_acquire(std::unique_ptr<int> with) { p = std::move(with); }
};

/// One game, in which the nth allocation of all its calls is refused.
class short_of_memory {
public:
    explicit short_of_memory(std::size_t nth) : left_(nth) { refs_.reserve(100); }
    ~short_of_memory() { lido::test::refuse_allocation(0); }

    void play() {
        const lido::leaks allow = lido::leaks::allow;
        call([&] { world_.add<owning>("owning", {.prewarm = 2, .leaks = allow}); });
        call([&] { world_.add<waiting>("waiting", {.max_lifetime = ticks{4}, .leaks = allow}); });
        call([&] { world_.add<moved_in>("moved in", {.leaks = allow}); });
        for (int i = 0; i < 6; ++i)
            call([&] { world_.add<plain>("a class with a long name, number " + std::to_string(i), {.leaks = allow}); });
        call([&] { world_.name_call<owning>("call", [](owning&) {}); });
        for (int i = 0; i < 3; ++i) {
            call([&] { refs_.push_back(world_.spawn<owning>().reference()); });
            call([&] {
                const auto by = world_.acting(refs_.empty() ? any_ref{} : refs_.front());
                refs_.push_back(world_.spawn<waiting>().reference());
            });
            call([&] { static_cast<void>(world_.spawn("moved in", {}, lido::payload(std::make_unique<int>(4)))); });
            if (refs_.empty()) continue;
            call([&] { world_.after(refs_.front(), ticks{5}, lido::named{"call"}); });
            call([&] { world_.on_finished(refs_.front(), lido::named{"call"}); });
        }
        snapshot then;
        const std::uint64_t saved = world_.state_hash();
        call([&] { static_cast<void>(world_.save(then)); });
        EXPECT_EQ(world_.state_hash(), saved);
        call([&] { world_.tick(); });
        call([&] { world_.return_all<waiting>(); });
        const std::uint64_t later = world_.state_hash();
        bool restored = false;
        if (then) call([&] { restored = static_cast<bool>(world_.restore(then)); });
        EXPECT_EQ(world_.state_hash(), restored ? saved : later);
        call([&] { world_.remove<moved_in>(); });
        const std::uint64_t before = world_.state_hash();
        std::vector<std::byte> image;
        bool written = false;
        call([&] { written = static_cast<bool>(world_.save(image)); });
        EXPECT_EQ(world_.state_hash(), before);
        call([&] { world_.tick(); });
        const std::uint64_t ticked = world_.state_hash();
        restored = false;
        if (written) call([&] { restored = static_cast<bool>(world_.restore(image)); });
        EXPECT_EQ(world_.state_hash(), restored ? before : ticked);
        call([&] { world_.add<moved_in>("moved in", {.leaks = allow}); });
        if (!world_.has<owning>()) EXPECT_TRUE(world_.add<owning>("owning"));
        if (!world_.has<waiting>()) EXPECT_TRUE(world_.add<waiting>("waiting"));
        EXPECT_TRUE(world_.spawn<owning>());
        EXPECT_TRUE(world_.spawn<waiting>());
        world_.end();
    }

private:
    template <class F>
    void call(F&& f) {
        ++calls_;
        const lido::test::allocation_watch made;
        bool threw = false;
        lido::test::refuse_allocation(left_);
        LIDO_TRY { f(); }
        LIDO_CATCH_ALL { threw = true; }
        const bool refused = lido::test::allocation_was_refused();
        lido::test::refuse_allocation(0);
        EXPECT_FALSE(threw && !refused) << "it threw something else";
        left_ = refused || left_ == 0 || made.allocations() >= left_ ? 0 : left_ - made.allocations();
        const lido::verdict v = world_.validate();
        EXPECT_TRUE(v) << "call " << calls_ << ": " << v.broken;
        for (lido::class_number n = 0; n < world_.class_count(); ++n) {
            const auto s = world_.stats(n);
            if (s.name.empty()) continue;
            EXPECT_EQ(world_.class_of(s.name).number, n) << "call " << calls_;
            EXPECT_EQ(s.counters.spawned - s.counters.returned, s.pool.size) << "call " << calls_;
        }
    }

    lido::world world_{lido::role::client, {.rollback = 3}};
    std::vector<any_ref> refs_;
    std::size_t left_;
    int calls_ = 0;
};

#if LIDO_HAS_EXCEPTIONS
TEST(a_world_without_memory, S4_2_throws_and_works_on) {
    const lido::test::misuse_log log;
    std::size_t all = 0;
    {
        const lido::test::allocation_watch made;
        short_of_memory(0).play();
        all = made.allocations();
    }
    ASSERT_GT(all, 50u);
    for (std::size_t nth = 1; nth <= all; ++nth) {
        short_of_memory(nth).play();
        if (testing::Test::HasFailure()) FAIL() << "where allocation " << nth << " was refused";
    }
}
#endif

}  // namespace world_out_of_memory_test
