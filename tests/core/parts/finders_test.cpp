// The finders of free slots, each step against a plain model of what its comment promises:
// FI1 (given at most once), FI2 (never a retired one), FI3 (fresh ones last, lowest first), FI4 (none forgotten), FI5 (same calls,
// same slots: the model knows neither words nor pages).
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/free_stack.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace parts_finders_test {

using lido::detail::map_word;
using lido::detail::no_slot;

constexpr std::uint32_t last_generation = 8;  // four lives a slot

/// The last 64 released come first, newest first; then the free ones by 64 neighbours, lowest first; then fresh ones.
struct recent_model {
    std::vector<std::uint32_t> stack;
    std::set<std::uint32_t> loose;
    std::uint32_t fresh = 0;

    template <class Retired>
    std::uint32_t take(std::uint32_t capacity, Retired&& retired) {
        if (stack.empty() && !loose.empty()) {
            const std::uint32_t group = *loose.begin() / 64;
            while (!loose.empty() && *loose.begin() / 64 == group) {
                stack.insert(stack.begin(), *loose.begin());
                loose.erase(loose.begin());
            }
        }
        while (stack.empty() && fresh < capacity) {
            const std::uint32_t end = std::min(fresh / 64 * 64 + 64, capacity);
            for (; fresh < end; ++fresh) {
                if (!retired(fresh)) {
                    stack.insert(stack.begin(), fresh);
                }
            }
        }
        if (stack.empty()) {
            return no_slot;
        }
        const std::uint32_t slot = stack.back();
        stack.pop_back();
        return slot;
    }
    void give(std::uint32_t slot) {
        if (stack.size() == 64) {
            loose.insert(stack.begin(), stack.begin() + 32);
            stack.erase(stack.begin(), stack.begin() + 32);
        }
        stack.push_back(slot);
    }
    template <class Retired>
    void remove(std::uint32_t slot, Retired&& retired) {
        for (; fresh < slot; ++fresh) {
            if (!retired(fresh)) {
                loose.insert(fresh);
            }
        }
        fresh = std::max(fresh, slot + 1);
        std::erase(stack, slot);
        loose.erase(slot);
    }
    void trim(std::uint32_t limit) {
        std::erase_if(stack, [limit](std::uint32_t s) { return s >= limit; });
        loose.erase(loose.lower_bound(limit), loose.end());
        fresh = std::min(fresh, limit);
    }
    void reset() { *this = {}; }
};

/// The lowest free one.
struct lowest_model {
    std::set<std::uint32_t> loose;
    std::uint32_t fresh = 0;

    template <class Retired>
    std::uint32_t take(std::uint32_t capacity, Retired&& retired) {
        while (loose.empty() && fresh < capacity) {
            if (!retired(fresh)) {
                loose.insert(fresh);
            }
            ++fresh;
        }
        if (loose.empty()) {
            return no_slot;
        }
        const std::uint32_t slot = *loose.begin();
        loose.erase(loose.begin());
        return slot;
    }
    void give(std::uint32_t slot) { loose.insert(slot); }
    template <class Retired>
    void remove(std::uint32_t slot, Retired&& retired) {
        for (; fresh < slot; ++fresh) {
            if (!retired(fresh)) {
                loose.insert(fresh);
            }
        }
        fresh = std::max(fresh, slot + 1);
        loose.erase(slot);
    }
    void trim(std::uint32_t limit) {
        loose.erase(loose.lower_bound(limit), loose.end());
        fresh = std::min(fresh, limit);
    }
    void reset() { *this = {}; }
};

/// The one given last; then fresh ones.
struct last_model {
    std::vector<std::uint32_t> stack;
    std::uint32_t fresh = 0;

    template <class Retired>
    std::uint32_t take(std::uint32_t capacity, Retired&& retired) {
        if (stack.empty()) {
            while (fresh < capacity && retired(fresh)) ++fresh;
            return fresh < capacity ? fresh++ : no_slot;
        }
        const std::uint32_t slot = stack.back();
        stack.pop_back();
        return slot;
    }
    void give(std::uint32_t slot) { stack.push_back(slot); }
    template <class Retired>
    void remove(std::uint32_t slot, Retired&& retired) {
        for (std::uint32_t s = slot; s-- > fresh;) {
            if (!retired(s)) stack.push_back(s);
        }
        fresh = std::max(fresh, slot + 1);
        std::erase(stack, slot);
    }
    void trim(std::uint32_t limit) {
        std::erase_if(stack, [limit](std::uint32_t s) { return s >= limit; });
        fresh = std::min(fresh, limit);
    }
    void reset() { *this = {}; }
};

template <class Finder>
struct model_of;
template <>
struct model_of<lido::detail::last_first> {
    using type = last_model;
};
template <>
struct model_of<lido::detail::recent_first> {
    using type = recent_model;
};
template <>
struct model_of<lido::detail::lowest_first> {
    using type = lowest_model;
};
template <>
struct model_of<lido::detail::flag_scan> {
    using type = lowest_model;
};

/// What a pool does around its finder, and the same to the model.
template <class Finder, std::uint32_t Delay, bool Generations>
class harness {
    static constexpr bool scans = !Finder::uses_spare_words;
    static constexpr bool is_stack = std::is_same_v<Finder, lido::detail::last_first>;

public:
    using maps_type = lido::detail::slot_maps<std::uint16_t>;

    explicit harness(std::uint32_t slots)
        : capacity_(slots),
          occupied_(lido::detail::words_for(slots)),
          first_(lido::detail::spare_words::first_words(slots)),
          second_(lido::detail::spare_words::second_words(slots)),
          resting_(lido::detail::words_for(slots)),
          ring_(Delay + 1),
          generations_(slots),
          stack_(slots) {}

    maps_type maps() {
        return {.occupied = occupied_.data(),
                .spare_first = first_.data(),
                .spare_second = second_.data(),
                .resting = Delay != 0 ? resting_.data() : nullptr,
                .ring = ring_.data(),
                .generations = Generations ? generations_.data() : nullptr,
                .last = last_generation,
                .any_retired = any_retired_,
                .cache = is_stack ? stack_.data() : cache_};
    }

    [[nodiscard]] bool retired(std::uint32_t slot) const {
        return Generations && generations_[slot] == last_generation;
    }

    std::uint32_t take() {
        const std::uint32_t expected = model_take();
        std::uint32_t slot = finder_.quick() ? finder_.take_quick(cache_) : no_slot;
        if (slot == no_slot) {
            slot = finder_.take_known(maps());
        }
        while (slot == no_slot && finder_.fresh_left(capacity_)) {
            EXPECT_LE(finder_.fresh_need(capacity_), capacity_);
            slot = finder_.take_fresh(maps(), capacity_);
            if (scans) {
                break;
            }
        }
        if constexpr (Delay != 0) {
            if (slot == no_slot) {
                slot = rest_.pop(ring_.data(), resting_.data());
            }
        }
        EXPECT_EQ(slot, expected);
        if (slot == no_slot) {
            return no_slot;
        }
        EXPECT_FALSE(live_.contains(slot)) << "FI1: slot " << slot << " was given twice";
        EXPECT_FALSE(retired(slot)) << "FI2: retired slot " << slot;
        EXPECT_LT(slot, capacity_);
        lido::detail::set(occupied_.data(), slot);
        live_.insert(slot);
        return slot;
    }

    /// The constructor threw.
    void put_back(std::uint32_t slot) {
        lido::detail::clear(occupied_.data(), slot);
        live_.erase(slot);
        finder_.put_back(maps(), slot);
        model_.give(slot);
    }

    void release(std::uint32_t slot) {
        lido::detail::clear(occupied_.data(), slot);
        live_.erase(slot);
        if (Generations) {
            generations_[slot] = static_cast<std::uint16_t>(generations_[slot] + 2);
            if (retired(slot)) {
                any_retired_ = true;
                return;
            }
        }
        if constexpr (Delay != 0) {
            const std::uint32_t rested = rest_.push(ring_.data(), resting_.data(), slot);
            if (resting_model_.size() == Delay) {
                EXPECT_EQ(rested, resting_model_.front());
                resting_model_.pop_front();
            }
            resting_model_.push_back(slot);
            slot = rested;
            if (slot == no_slot) {
                return;
            }
        }
        finder_.give(maps(), slot);
        model_.give(slot);
    }

    void reserve(std::uint32_t slot) {
        if (live_.contains(slot) || retired(slot)) {
            return;
        }
        finder_.remove(maps(), slot);
        if constexpr (Delay != 0) {
            rest_.drop_if(ring_.data(), resting_.data(), [slot](std::uint32_t s) { return s == slot; });
            std::erase(resting_model_, slot);
        }
        model_.remove(slot, [this](std::uint32_t s) { return retired(s); });
        lido::detail::set(occupied_.data(), slot);
        live_.insert(slot);
    }

    void trim() {
        if (scans) {
            return;
        }
        const std::uint32_t limit = live_.empty() ? 0 : *live_.rbegin() + 1;
        finder_.trim_to(maps(), limit, capacity_);
        model_.trim(limit);
        if constexpr (Delay != 0) {
            rest_.drop_if(ring_.data(), resting_.data(), [limit](std::uint32_t s) { return s >= limit; });
            std::erase_if(resting_model_, [limit](std::uint32_t s) { return s >= limit; });
        }
    }

    void clear() {
        for (const std::uint32_t slot : std::vector<std::uint32_t>(live_.begin(), live_.end())) {
            release(slot);
        }
        if constexpr (Delay != 0) {
            rest_.drop_if(ring_.data(), resting_.data(), [](std::uint32_t) { return true; });
            resting_model_.clear();
        }
        finder_.reset(maps(), capacity_);
        model_.reset();
    }

    void rebuild() {
        std::fill(first_.begin(), first_.end(), 0);
        std::fill(second_.begin(), second_.end(), 0);
        finder_.rebuild(maps());
    }

    [[nodiscard]] const char* validate() { return finder_.validate(maps(), capacity_); }
    [[nodiscard]] const std::set<std::uint32_t>& live() const { return live_; }
    [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
    [[nodiscard]] std::uint32_t retired_count() const {
        std::uint32_t count = 0;
        for (std::uint32_t s = 0; s < capacity_; ++s) {
            count += retired(s) ? 1u : 0u;
        }
        return count;
    }

private:
    std::uint32_t model_take() {
        std::uint32_t slot =
            model_.take(capacity_, [this](std::uint32_t s) { return retired(s) || live_.contains(s); });
        if (slot == no_slot && !resting_model_.empty()) {
            slot = resting_model_.front();
            resting_model_.pop_front();
        }
        return slot;
    }

    std::uint32_t capacity_;
    Finder finder_;
    std::uint32_t cache_[lido::detail::recent_first::cache_size] = {};
    lido::detail::rest_queue<Delay> rest_;
    std::vector<map_word> occupied_;
    std::vector<map_word> first_;
    std::vector<map_word> second_;
    std::vector<map_word> resting_;
    std::vector<std::uint32_t> ring_;
    std::vector<std::uint16_t> generations_;
    std::vector<std::uint32_t> stack_;
    typename model_of<Finder>::type model_;
    std::deque<std::uint32_t> resting_model_;
    std::set<std::uint32_t> live_;
    bool any_retired_ = false;
};

template <class Finder, std::uint32_t Delay, bool Generations>
struct variant {
    using type = harness<Finder, Delay, Generations>;
    static constexpr bool generations = Generations;
};

template <class Variant>
class finder : public ::testing::Test {
protected:
    static std::uint32_t pick(const std::set<std::uint32_t>& from, std::uint64_t random) {
        auto at = from.lower_bound(static_cast<std::uint32_t>(random % (*from.rbegin() + 1)));
        return at == from.end() ? *from.begin() : *at;
    }
};

using variants =
    ::testing::Types<variant<lido::detail::recent_first, 0, false>, variant<lido::detail::recent_first, 0, true>,
                     variant<lido::detail::recent_first, 5, false>, variant<lido::detail::recent_first, 100, true>,
                     variant<lido::detail::lowest_first, 0, false>, variant<lido::detail::lowest_first, 0, true>,
                     variant<lido::detail::lowest_first, 5, false>, variant<lido::detail::lowest_first, 100, true>,
                     variant<lido::detail::last_first, 0, false>, variant<lido::detail::last_first, 0, true>,
                     variant<lido::detail::last_first, 5, false>, variant<lido::detail::last_first, 100, true>,
                     variant<lido::detail::flag_scan, 0, false>, variant<lido::detail::flag_scan, 0, true>>;
TYPED_TEST_SUITE(finder, variants);

TYPED_TEST(finder, gives_every_slot_exactly_once) {
    for (const std::uint32_t slots : {1u, 63u, 64u, 65u, 500u, 4097u}) {
        typename TypeParam::type h(slots);
        for (std::uint32_t i = 0; i < slots; ++i) {
            ASSERT_EQ(h.take(), i) << "fresh slots come lowest first";
        }
        ASSERT_EQ(h.take(), no_slot);
        ASSERT_EQ(h.live().size(), slots);
    }
}

TYPED_TEST(finder, follows_the_model_through_random_calls) {
    for (const std::uint32_t slots : {7u, 64u, 130u, 700u}) {
        typename TypeParam::type h(slots);
        std::uint64_t random = slots;
        for (int step = 0; step < 6000; ++step) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const std::uint64_t r = random >> 16;
            const unsigned choice = static_cast<unsigned>(random >> 58);  // 0..63
            // Long runs of one kind, so that caches fill and spill.
            const bool filling = (step / 150) % 2 == 0;
            if (choice < 40) {
                if (filling || h.live().empty()) {
                    static_cast<void>(h.take());
                } else {
                    h.release(this->pick(h.live(), r));
                }
            } else if (choice < 52) {
                if (!filling) {
                    static_cast<void>(h.take());
                } else if (!h.live().empty()) {
                    h.release(this->pick(h.live(), r));
                }
            } else if (choice < 56) {
                const std::uint32_t slot = h.take();
                if (slot != no_slot) {
                    h.put_back(slot);
                }
            } else if (choice < 59) {
                h.reserve(static_cast<std::uint32_t>(r % slots));
            } else if (choice == 59) {
                h.trim();
            } else if (choice == 60) {
                h.rebuild();
            } else if (choice == 61 && step % 5 == 0) {
                h.clear();
            }
            const char* broken = h.validate();
            ASSERT_EQ(broken, nullptr) << broken << ", step " << step << " of " << slots;
            ASSERT_FALSE(this->HasFailure()) << "step " << step << " of " << slots;
        }
        if (TypeParam::generations && slots == 7) {
            EXPECT_EQ(h.retired_count(), slots) << "a run that wore nothing out shows nothing of FI2";
        }
    }
}

TEST(recent_first, gives_the_slot_released_last) {
    harness<lido::detail::recent_first, 0, false> h(256);
    for (int i = 0; i < 200; ++i) {
        static_cast<void>(h.take());
    }
    h.release(17);
    h.release(150);
    h.release(3);
    EXPECT_EQ(h.take(), 3u);
    EXPECT_EQ(h.take(), 150u);
    EXPECT_EQ(h.take(), 17u);
    EXPECT_EQ(h.take(), 200u);
}

TEST(recent_first, gives_slots_in_address_order_after_a_burst_of_releases) {
    harness<lido::detail::recent_first, 0, false> h(640);
    for (int i = 0; i < 640; ++i) {
        static_cast<void>(h.take());
    }
    for (std::uint32_t s = 640; s-- != 0;) {
        h.release((s * 7) % 640);
    }
    for (int i = 0; i < 64; ++i) {
        static_cast<void>(h.take());  // what the cache still holds
    }
    std::uint32_t before = 0;
    std::uint32_t falls = 0;
    for (int i = 0; i < 500; ++i) {
        const std::uint32_t slot = h.take();
        falls += slot < before ? 1u : 0u;
        before = slot;
    }
    EXPECT_LE(falls, 1u);
}

TEST(flag_scan, has_no_state) { static_assert(sizeof(lido::detail::flag_scan) == 1); }

TEST(finder_validate, sees_a_slot_that_is_queued_twice_or_nowhere) {
    lido::detail::recent_first f;
    map_word occupied[2] = {};
    map_word first[1] = {};
    map_word second[1] = {};
    std::uint32_t cache[lido::detail::recent_first::cache_size] = {};
    const lido::detail::slot_maps<std::uint16_t> m{occupied, first,           second, nullptr, nullptr,
                                                   nullptr,  last_generation, false,  cache};
    const std::uint32_t a = f.take_fresh(m, 128);
    lido::detail::set(occupied, a);
    EXPECT_EQ(f.validate(m, 128), nullptr);
    const std::uint32_t was[2] = {cache[0], cache[1]};
    cache[1] = cache[0];
    EXPECT_STREQ(f.validate(m, 128), "FI1: the cache holds a slot twice");
    cache[1] = was[1];
    cache[0] = a;
    EXPECT_STREQ(f.validate(m, 128), "FI1: the cache holds a slot that is taken or resting");
    cache[0] = was[0];
    auto broken = f;
    --broken.cached;
    EXPECT_STREQ(broken.validate(m, 128), "FI4: a free slot is queued nowhere");
    cache[0] = 100;
    EXPECT_STREQ(f.validate(m, 128), "FI3: the cache holds a slot that was never used");
    cache[0] = was[0];
    EXPECT_STREQ(f.validate(m, 10), "FI3: fresh is past the capacity");
    first[0] = 1;
    EXPECT_STREQ(f.validate(m, 128), "FI4: the two levels of marks disagree");
}

}  // namespace parts_finders_test
