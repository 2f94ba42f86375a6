// Promise (S3.1, S1.4): the columns stay in step. Whatever is done to a column pool of XP orbs, after every step each column holds,
// row by row, the field of the orb that a plain map holds under the row's handle.
#include "orb.hpp"

#include <lido/core/rewind/save.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lido::test {
namespace columns_orb_property {

struct quiet {
    misuse_handler before = set_misuse_handler([](const misuse&) {});
    quiet() = default;
    quiet(const quiet&) = delete;
    quiet& operator=(const quiet&) = delete;
    ~quiet() { set_misuse_handler(before); }
};

template <class Pool, class Make>
class in_step {
    using handle = typename Pool::handle_type;
    using T = typename Pool::value_type;
    using model = std::map<std::uint64_t, T>;

public:
    in_step(Pool& pool, Make make) : pool_(pool), make_(make) {}

    void play(std::uint64_t seed, int steps) {
        random_ = seed * 2 + 1;
        for (int i = 0; i < steps; ++i) {
            step(i);
            compare();
        }
    }

private:
    struct kept {
        snapshot state;
        std::vector<std::byte> image;
        model live;
        bool filled = false;
    };

    std::uint32_t next(std::uint32_t below) {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>((random_ >> 33) % below);
    }
    handle any_handle() {
        if (seen_.empty()) return {};
        return handle::from_bits(
            static_cast<typename handle::bits_type>(seen_[next(static_cast<std::uint32_t>(seen_.size()))]));
    }
    void lives(handle h, const T& value) {
        live_[h.to_bits()] = value;
        seen_.push_back(h.to_bits());
        if (seen_.size() > 300) seen_.erase(seen_.begin(), seen_.begin() + 150);
    }

    void step(int i) {
        const T value = make_(i);
        switch (next(20)) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4:
            case 5: acquire(value); break;
            case 6:
            case 7:
            case 8:
            case 9: {
                const handle h = any_handle();
                RC_ASSERT(pool_.release(h) == (live_.erase(h.to_bits()) == 1));
                break;
            }
            case 10: {
                if (pool_.empty()) break;
                const auto row = pool_.row(next(pool_.size()));
                live_.erase(pool_.handle_of(row).to_bits());
                RC_ASSERT(pool_.release(row));
                break;
            }
            case 11: {
                const std::uint32_t part = 2 + next(6);
                const auto gone = [part](const T& whole) { return whole_number(whole) % part == 0; };
                std::erase_if(live_, [&](const auto& one) { return gone(one.second); });
                pool_.release_if([&](auto row) { return gone(row); });
                break;
            }
            case 12: {
                const handle h = any_handle();
                if (const auto row = pool_.get(h)) {
                    *row = value;
                    live_.at(h.to_bits()) = value;
                } else {
                    RC_ASSERT(!live_.contains(h.to_bits()));
                }
                break;
            }
            case 13: {
                if (pool_.size() < 2) break;
                const std::uint32_t a = next(pool_.size());
                const std::uint32_t b = next(pool_.size());
                swap(pool_.row(a), pool_.row(b));
                if (a != b) {
                    std::swap(live_.at(pool_.handle_of_row(a).to_bits()), live_.at(pool_.handle_of_row(b).to_bits()));
                }
                break;
            }
            case 14: {
                const std::uint32_t slot = next(pool_.max_capacity());
                const handle wanted = handle::of(slot, 1 + 2 * next(4));
                if (pool_.reserve(wanted, value)) lives(wanted, value);
                break;
            }
            case 15: {
                std::array<handle, 5> some;
                const std::uint32_t size = pool_.size();
                if (size + 5 > pool_.capacity()) break;
                const std::uint32_t made = pool_.acquire_n(some, value);
                for (std::uint32_t k = 0; k < made; ++k) lives(some[k], value);
                break;
            }
            case 16: {
                kept& at = kept_[next(2)];
                RC_ASSERT(pool_.save(at.state));
                if constexpr (std::is_trivially_copyable_v<T>) pool_.save(at.image);
                at.live = live_;
                at.filled = true;
                break;
            }
            case 17: {
                kept& at = kept_[next(2)];
                if (!at.filled) break;
                if (std::is_trivially_copyable_v<T> && next(2) == 0) {
                    if constexpr (std::is_trivially_copyable_v<T>)
                        RC_ASSERT(static_cast<bool>(pool_.restore(at.image)));
                } else {
                    RC_ASSERT(static_cast<bool>(pool_.restore(at.state)));
                }
                live_ = at.live;
                break;
            }
            case 18: static_cast<void>(pool_.trim()); break;
            default:
                if (next(8) == 0) {
                    pool_.clear();
                    live_.clear();
                } else {
                    acquire(value);
                }
        }
    }

    void acquire(const T& value) {
        const auto size = pool_.size();
        const auto one = pool_.acquire_as({.priority = static_cast<std::uint8_t>(next(4))}, value);
        if (!one) return;
        if (pool_.size() == size) {  // it replaced one: whichever is no longer there
            std::erase_if(live_, [&](const auto& old) {
                return !pool_.contains(handle::from_bits(static_cast<typename handle::bits_type>(old.first)));
            });
            RC_ASSERT(live_.size() + 1 == size);
        }
        lives(one.handle(), value);
    }

    static std::uint32_t whole_number(const T& whole) {
        if constexpr (std::is_same_v<T, orb>) {
            return static_cast<std::uint32_t>(whole.amount);
        } else {
            return whole.kind;
        }
    }

    void compare() {
        RC_ASSERT(pool_.validate().broken == nullptr);
        RC_ASSERT(pool_.size() == live_.size());
        std::vector<const T*> wanted;
        for (std::uint32_t row = 0; row < pool_.size(); ++row) {
            const auto found = live_.find(pool_.handle_of_row(row).to_bits());
            RC_ASSERT(found != live_.end());
            wanted.push_back(&found->second);
        }
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (
                [&] {
                    const auto column = std::as_const(pool_).template column<I>();
                    RC_ASSERT(column.size() == wanted.size());
                    for (std::size_t row = 0; row < wanted.size(); ++row) {
                        const auto fields = tie_fields(*wanted[row]);
                        if constexpr (std::is_array_v<field_type<T, I>>) {
                            RC_ASSERT(std::ranges::equal(column[row], std::get<I>(fields)));
                        } else {
                            RC_ASSERT(column[row] == std::get<I>(fields));
                        }
                    }
                }(),
                ...);
        }(std::make_index_sequence<Pool::columns>{});
    }

    Pool& pool_;
    Make make_;
    std::uint64_t random_ = 1;
    model live_;
    std::vector<std::uint64_t> seen_;
    std::array<kept, 2> kept_;
};

template <class Pool, class Make>
void check(std::uint32_t capacity, typename Pool::settings_type settings, Make make, int steps) {
    const quiet no_reports;
    EXPECT_TRUE(rc::check("columns stay in step", [&](std::uint64_t seed) {
        made_pool<Pool> made(capacity, settings);
        in_step<Pool, Make>(made.pool(), make).play(seed, steps);
    }));
}

// 4 generation bits: a slot has 7 lives and is then retired.
constexpr options short_lived{.handle_bits = 32, .index_bits = 28};
constexpr options ranked_resting{.tracks = track::priority, .reuse_delay = 6};

TEST(columns_in_step, xp_orbs_at_capacity_1024) { check<column_pool<orb>>(max_orbs, {}, orb_of, 250); }
TEST(columns_in_step, xp_orbs_in_a_small_pool) { check<inline_column_pool<orb, 20>>(20, {}, orb_of, 300); }
TEST(columns_in_step, Retiring) { check<column_pool<orb, short_lived, heap_storage>>(40, {}, orb_of, 300); }
TEST(columns_in_step, replacing_the_oldest) {
    check<column_pool<orb, ranked_resting>>(24, {.on_full = on_full::replace_oldest}, orb_of, 300);
}
TEST(columns_in_step, growing_then_replacing_the_lowest) {
    check<column_pool<orb, ranked_resting>>(3, {.on_full = on_full::grow_to(90).then(on_full::replace_lowest)}, orb_of,
                                            300);
}
TEST(columns_in_step, fields_that_own_memory) {
    check<column_pool<mixed, options{.tracks = track::age}, lent_storage>>(20, {.on_full = on_full::replace_oldest},
                                                                           mixed_of, 200);
}

}  // namespace columns_orb_property
}  // namespace lido::test
