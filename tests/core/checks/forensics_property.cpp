// X6: whatever is done to a pool, a report about any handle it ever gave says what a plain list of all lives says.
//
// The model: every life that the pool has had, with the lines (told by blame) and ticks of its two ends. It knows all of them; a
// report must tell of the last two of a slot and of nothing that did not happen.
#include <lido/core.hpp>

#include "support/reporting.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#if LIDO_FORENSICS

namespace checks_forensics_property {

using lido::misuse_kind;

struct life {
    std::uint32_t acquired_line = 0;
    std::uint64_t acquired_tick = 0;
    std::uint32_t released_line = 0;
    std::uint64_t released_tick = 0;
    bool ended = false;
};

/// By slot and generation.
using history = std::map<std::pair<std::uint32_t, std::uint32_t>, life>;

struct shell {
    int value = 0;
};

std::string line_text(std::uint32_t line) { return "game.cpp:" + std::to_string(line); }

template <class Pool>
class under_test {
public:
    using handle_type = typename Pool::handle_type;

    explicit under_test() : pool_(12, {.name = "shells", .leaks = lido::leaks::allow}) {}

    void step() {
        const int what = *rc::gen::inRange(0, 100);
        lido::set_tick(++tick_);
        const lido::blame line(lido::caller{"game.cpp", ++line_});
        if (what < 40) {
            begin(pool_.acquire(1));
        } else if (what < 65) {
            if (const auto h = any_live()) {
                end(h);
                RC_ASSERT(pool_.release(h));
            }
        } else if (what < 70) {
            std::vector<handle_type> some(static_cast<std::size_t>(*rc::gen::inRange(1, 5)));
            if (pool_.size() + some.size() > pool_.capacity()) return;
            pool_.acquire_n(some, 2);
            for (const auto h : some) begin(h);
        } else if (what < 75) {
            for (auto [handle, object] : pool_.each()) {
                if (handle.index() % 2 == 0) end(handle);
            }
            std::vector<handle_type> gone;
            for (auto [handle, object] : pool_.each()) {
                if (handle.index() % 2 == 0) gone.push_back(handle);
            }
            pool_.release_n(gone);
        } else if (what < 77) {
            for (auto [handle, object] : pool_.each()) end(handle);
            pool_.clear();
        } else if (what < 80) {
            RC_ASSERT(pool_.save(saved_));
            saved_lives_ = lives_;
            has_saved_ = true;
        } else if (what < 83) {
            if (!has_saved_) return;
            RC_ASSERT(static_cast<bool>(pool_.restore(saved_)));
            rewind();
        } else {
            ask();
        }
    }

private:
    void begin(handle_type h) {
        if (!h) return;
        // A later life of the slot covers up the one before the last.
        lives_[{h.index(), h.generation()}] = {line_, tick_, 0, 0, false};
        begun_[{h.index(), h.generation()}] = {line_, tick_, 0, 0, false};
        issued_.push_back(h);
    }
    void end(handle_type h) {
        life& l = lives_[{h.index(), h.generation()}];
        l.released_line = line_;
        l.released_tick = tick_;
        l.ended = true;
    }

    [[nodiscard]] handle_type any_live() {
        std::vector<handle_type> all;
        for (auto [handle, object] : pool_.each()) all.push_back(handle);
        return all.empty() ? handle_type{} : *rc::gen::elementOf(all);
    }

    /// Lives that were undone never were. Ones that came back go on; where they were covered up, nothing is known of them.
    void rewind() {
        history now;
        for (const auto& [key, was] : saved_lives_) {
            const auto after = lives_.find(key);
            const bool covered = after == lives_.end() || lives_.count({key.first, key.second + 4}) != 0;
            if (covered) continue;
            life l = after->second;
            if (!was.ended) l.ended = false;
            now[key] = l;
        }
        lives_ = std::move(now);
    }

    /// The generation of the life that the slot has or had last.
    [[nodiscard]] std::uint32_t newest(std::uint32_t slot) const {
        std::uint32_t g = 0;
        for (const auto& [key, l] : lives_) {
            if (key.first == slot) g = std::max(g, key.second);
        }
        return g;
    }

    void ask() {
        if (issued_.empty()) return;
        const auto h = *rc::gen::elementOf(issued_);
        lido::test::reporting on;
        lido::set_tick(tick_);
        const bool found = pool_.get(h) != nullptr;
        RC_ASSERT(found == pool_.contains(h));
        if (found) {
            RC_ASSERT(on.log.count() == 0u);
            return;
        }
        RC_ASSERT(on.log.count() == 1u);
        const auto told = on.log.only();
        const auto known = lives_.find({h.index(), h.generation()});
        if (told.kind == misuse_kind::wild_handle) {
            // Its life was undone: either nothing is told of it, or that it was, and where it began.
            if (told.story.find("acquired") == std::string::npos) return;
            const life& was = begun_.at({h.index(), h.generation()});
            const std::string expected = "is of a life that a restore undid: acquired " + line_text(was.acquired_line) +
                                         " tick " + std::to_string(was.acquired_tick);
            if (told.story.find(expected) == std::string::npos)
                RC_FAIL("told: " + told.story + "; expected " + expected);
            return;
        }
        RC_ASSERT(told.kind == misuse_kind::stale_get);
        const bool remembered = known != lives_.end() && newest(h.index()) - h.generation() < 4;
        std::string expected;
        if (remembered) {
            const life& l = known->second;
            const std::string from = l.acquired_line != 0
                                         ? line_text(l.acquired_line) + " tick " + std::to_string(l.acquired_tick)
                                         : "an unknown place";  // it was covered up when a rewind brought it back
            expected = ": acquired " + from + ", released " + line_text(l.released_line) + " tick " +
                       std::to_string(l.released_tick);
            if (told.story.find(expected) == std::string::npos)
                RC_FAIL("told: " + told.story + "; expected" + expected);
        } else {
            RC_ASSERT(told.story.find("released " + line_text(0)) == std::string::npos);
        }
        RC_ASSERT(told.story.find("; used " + line_text(line_)) != std::string::npos);
    }

    Pool pool_;
    lido::snapshot saved_;
    history lives_;
    history begun_;  ///< undone ones, too; of two under one handle the later
    history saved_lives_;
    bool has_saved_ = false;
    std::vector<handle_type> issued_;
    std::uint32_t line_ = 0;
    std::uint64_t tick_ = 0;
};

template <class Pool>
class told_lives : public ::testing::Test {};
using shapes = ::testing::Types<lido::slot_pool<shell>, lido::dense_pool<shell>, lido::column_pool<shell>,
                                lido::flag_column_pool<shell>, lido::recycle_pool<shell>,
                                lido::slot_pool<shell, lido::options{.order = lido::reuse::lowest}>>;
TYPED_TEST_SUITE(told_lives, shapes);

TYPED_TEST(told_lives, X6_are_those_that_were) {
    EXPECT_TRUE(rc::check("a report about any handle agrees with the list of all lives", [] {
        under_test<TypeParam> pool;
        for (int i = 0; i < 150; ++i) pool.step();
    }));
    lido::set_tick(lido::no_tick);
}

}  // namespace checks_forensics_property

#endif
