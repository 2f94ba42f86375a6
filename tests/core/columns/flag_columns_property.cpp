// Promise (S1.1): a flag column pool is the parallel arrays of old with an active flag: whatever is done to it, it gives the
// handles, the refusals and the fields that a plain model gives, which scans an array of flags for the first inactive row.
#include "orb.hpp"

#include <lido/core/flag_column_pool.hpp>
#include <lido/core/rewind/save.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace columns_flag_columns_property {

using namespace lido;
using namespace lido::test;

struct quiet {
    misuse_handler before = set_misuse_handler([](const misuse&) {});
    quiet() = default;
    quiet(const quiet&) = delete;
    quiet& operator=(const quiet&) = delete;
    ~quiet() { set_misuse_handler(before); }
};

/// The arrays by hand: a flag a row, and how many lives the row has had.
template <class Pool>
class by_hand {
    using T = typename Pool::value_type;
    using handle = typename Pool::handle_type;
    static constexpr bool counts = Pool::pool_options.generations != generation_rule::none;

public:
    explicit by_hand(std::uint32_t rows) : rows_(rows) {}

    struct row {
        std::optional<T> object;
        std::uint32_t generation = 0;
        std::uint64_t born = 0;
    };

    [[nodiscard]] handle acquire(const T& value, bool replace_oldest) {
        for (int attempt = 0; attempt < 2; ++attempt) {
            for (std::uint32_t i = 0; i < rows_.size(); ++i) {
                if (rows_[i].object) continue;
                begin(i, value);
                return handle_of(i);
            }
            if (!replace_oldest || rows_.empty()) return {};
            std::uint32_t oldest = 0;
            for (std::uint32_t i = 1; i < rows_.size(); ++i) {
                if (rows_[i].born < rows_[oldest].born) oldest = i;
            }
            end(oldest);
        }
        return {};
    }
    [[nodiscard]] bool reserve(handle wanted, const T& value) {
        const std::uint32_t i = wanted.index();
        if (i >= rows_.size() || rows_[i].object || (wanted.generation() & 1) == 0) return false;
        if (counts ? rows_[i].generation >= wanted.generation() : wanted.generation() != 1) return false;
        if (counts) rows_[i].generation = wanted.generation() - 1;
        begin(i, value);
        return true;
    }
    [[nodiscard]] const T* find(handle h) const {
        if (h.index() >= rows_.size() || !rows_[h.index()].object || handle_of(h.index()) != h) return nullptr;
        return &*rows_[h.index()].object;
    }
    bool release(handle h) {
        if (find(h) == nullptr) return false;
        end(h.index());
        return true;
    }
    template <class Gone>
    std::uint32_t release_if(Gone gone) {
        std::uint32_t done = 0;
        for (std::uint32_t i = 0; i < rows_.size(); ++i) {
            if (!rows_[i].object || !gone(*rows_[i].object)) continue;
            end(i);
            ++done;
        }
        return done;
    }
    void write(std::uint32_t i, const T& value) { rows_[i].object = value; }
    [[nodiscard]] const std::vector<row>& rows() const { return rows_; }
    [[nodiscard]] handle handle_of(std::uint32_t i) const { return handle::of(i, counts ? rows_[i].generation : 1); }

private:
    void begin(std::uint32_t i, const T& value) {
        rows_[i].object = value;
        ++rows_[i].generation;
        rows_[i].born = ++births_;
    }
    void end(std::uint32_t i) {
        rows_[i].object.reset();
        ++rows_[i].generation;
    }

    std::vector<row> rows_;
    std::uint64_t births_ = 0;
};

template <class Pool, class Make>
class in_step {
    using T = typename Pool::value_type;
    using handle = typename Pool::handle_type;
    using model = by_hand<Pool>;

public:
    in_step(Pool& pool, Make make, bool replaces)
        : pool_(pool), make_(make), replaces_(replaces), model_(pool.capacity()) {}

    void play(std::uint64_t seed, int steps) {
        random_ = seed * 2 + 1;
        for (int i = 0; i < steps; ++i) {
            step(i);
            compare();
        }
    }

private:
    std::uint32_t next(std::uint32_t below) {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>((random_ >> 33) % below);
    }
    handle any_handle() { return seen_.empty() ? handle{} : seen_[next(static_cast<std::uint32_t>(seen_.size()))]; }

    void step(int i) {
        const T value = make_(i);
        switch (next(16)) {
            case 0:
            case 1:
            case 2: {
                const handle h = any_handle();
                RC_ASSERT(pool_.release(h) == model_.release(h));
                break;
            }
            case 3: {
                const std::uint32_t part = 2 + next(6);
                const auto gone = [part](const T& whole) { return number(whole) % part == 0; };
                RC_ASSERT(pool_.release_if([&](auto row) { return gone(row); }) == model_.release_if(gone));
                break;
            }
            case 4: {
                const handle h = any_handle();
                const auto row = pool_.get(h);
                RC_ASSERT(static_cast<bool>(row) == (model_.find(h) != nullptr));
                if (!row) break;
                *row = value;
                model_.write(h.index(), value);
                break;
            }
            case 5: {
                const handle wanted = handle::of(next(pool_.capacity() + 2), 1 + next(6));
                const bool made = static_cast<bool>(pool_.reserve(wanted, value));
                RC_ASSERT(made == model_.reserve(wanted, value));
                if (made) seen_.push_back(wanted);
                break;
            }
            case 6: {
                RC_ASSERT(pool_.save(state_));
                if constexpr (std::is_trivially_copyable_v<T>) pool_.save(image_);
                kept_ = model_;
                break;
            }
            case 7: {
                if (!kept_) break;
                bool restored = false;
                if constexpr (std::is_trivially_copyable_v<T>) {
                    if (next(2) == 0) {
                        RC_ASSERT(static_cast<bool>(pool_.restore(image_)));
                        restored = true;
                    }
                }
                if (!restored) RC_ASSERT(static_cast<bool>(pool_.restore(state_)));
                model_ = *kept_;
                break;
            }
            case 8:
                if (next(6) == 0) {
                    pool_.clear();
                    model_.release_if([](const T&) { return true; });
                }
                break;
            default: {
                const handle wanted = model_.acquire(value, replaces_);
                RC_ASSERT(pool_.acquire(value).handle() == wanted);
                seen_.push_back(wanted);
                if (seen_.size() > 200) seen_.erase(seen_.begin(), seen_.begin() + 100);
            }
        }
    }

    static std::uint32_t number(const T& whole) {
        if constexpr (std::is_same_v<T, orb>) {
            return static_cast<std::uint32_t>(whole.amount);
        } else {
            return whole.kind;
        }
    }

    void compare() {
        RC_ASSERT(pool_.validate().broken == nullptr);
        std::uint32_t live = 0;
        std::uint32_t used = 0;
        for (std::uint32_t i = 0; i < model_.rows().size(); ++i) {
            const auto& wanted = model_.rows()[i];
            RC_ASSERT(pool_.lives(i) == wanted.object.has_value());
            if (!wanted.object) continue;
            ++live;
            used = i + 1;
            RC_ASSERT(T(std::as_const(pool_).row(i)) == *wanted.object);
            RC_ASSERT(pool_.handle_of_row(i) == model_.handle_of(i));
            if constexpr (std::is_same_v<T, orb>) {
                RC_ASSERT(pool_.template column<&orb::amount>()[i] == wanted.object->amount);
            }
        }
        RC_ASSERT(pool_.size() == live);
        RC_ASSERT(pool_.used() == used);
        std::uint32_t visited = 0;
        for (auto [key, row] : pool_.each()) {
            RC_ASSERT(model_.find(key) != nullptr && row.index() == key.index());
            ++visited;
        }
        RC_ASSERT(visited == live);
    }

    Pool& pool_;
    Make make_;
    bool replaces_;
    model model_;
    std::vector<handle> seen_;
    snapshot state_;
    std::vector<std::byte> image_;
    std::optional<model> kept_;
    std::uint64_t random_ = 1;
};

template <class Pool, class Make>
void play(Make make, typename Pool::settings_type settings, std::uint64_t seed) {
    const quiet no_reports;
    settings.leaks = leaks::allow;
    made_pool<Pool> made(12, settings);
    in_step<Pool, Make> both(made.pool(), make, settings.on_full == on_full::replace_oldest);
    both.play(seed, 50);
}

RC_GTEST_PROP(flag_columns, are_the_arrays_by_hand, (std::uint64_t seed)) {
    play<flag_column_pool<orb>>(&orb_of, {}, seed);
}
RC_GTEST_PROP(flag_columns, are_the_arrays_by_hand_without_generations, (std::uint64_t seed)) {
    play<inline_flag_column_pool<orb, 16, options{.generations = generation_rule::none}>>(&orb_of, {}, seed);
}
RC_GTEST_PROP(flag_columns, are_the_arrays_by_hand_with_fields_that_own_memory, (std::uint64_t seed)) {
    play<flag_column_pool<mixed, options{.handle_bits = 32}, lent_storage>>(&mixed_of, {}, seed);
}
RC_GTEST_PROP(flag_columns, replace_the_oldest_as_by_hand, (std::uint64_t seed)) {
    play<flag_column_pool<mixed, options{.tracks = track::age}, reserved_storage>>(
        &mixed_of, {.on_full = on_full::replace_oldest}, seed);
}

}  // namespace columns_flag_columns_property
