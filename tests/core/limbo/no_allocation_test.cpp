// S1.5, X2: ends that wait cost no allocation: release, begin_tick, confirm, save and restore are quiet once they are warm.
#include "support/allocation_counter.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace limbo_no_allocation_test {

// A diary has memory of its own for each slot that is used.
constexpr lido::options confirmed{.confirmed_ends = true, .forensics = false};

struct plain {
    int id = 0;
    int on_lives = 0;
};

/// Sixteen objects come and sixteen go in each tick, and every fifth tick is played again from three ticks before.
template <class Pool>
class churn {
public:
    void play(std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t tick = from; tick < to; ++tick) {
            if (tick % 5 == 4 && past_.has(tick - 3)) ok_ = ok_ && past_.restore(tick - 3, pool_, kept_);
            ok_ = ok_ && past_.save(tick, pool_, kept_) && pool_.begin_tick(tick);
            for (auto& each : kept_.all) {
                if (pool_.contains(each)) pool_.release(each);
                each = pool_.acquire(1).handle();
            }
            pool_.confirm(tick - 4);
        }
    }
    [[nodiscard]] bool ok() const { return ok_ && pool_.validate(); }

private:
    struct handles {
        typename Pool::handle_type all[16] = {};
    };
    Pool pool_{2000, {.leaks = lido::leaks::allow}};
    handles kept_;
    lido::rewind_buffer<9> past_;
    bool ok_ = true;
};

TEST(ends_that_wait, S1_5_X2_allocate_nothing_once_they_are_warm) {
    churn<lido::slot_pool<plain, confirmed>> slots;
    churn<lido::recycle_pool<plain, confirmed>> recycled;
    slots.play(10, 200);
    recycled.play(10, 200);
    const lido::test::allocation_watch watch;
    slots.play(200, 300);
    recycled.play(200, 300);
    EXPECT_TRUE(watch.quiet()) << watch.allocations() << " allocations";
    EXPECT_TRUE(slots.ok());
    EXPECT_TRUE(recycled.ok());
}

}  // namespace limbo_no_allocation_test
