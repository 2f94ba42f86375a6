// Elements that check their own lifetime. Every object holds a magic word and its own address, and a registry knows
// every object that is alive, so that the use of a dead, never constructed, memcpy'd or twice destroyed object, or the
// construction of one on top of another, fails the running test at the moment it happens.
//
//   lifetime_scope scope;                       // fails the test if live objects differ at its end
//   tracked_throwing::fail_after(3);            // three operations succeed, the fourth throws injected_failure
//   EXPECT_EQ(tracked_copyable::counts().moves(), 0U);
//
// A different Tag gives a type with counters of its own.
#pragma once

#include <lido/core/config.hpp>

#include <gtest/gtest.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <unordered_set>

namespace lido::test {

/// Thrown by elements whose policy says that they may.
struct injected_failure {};

/// The operations that a throwing element can fail at.
enum class fail_on : unsigned { construct = 1, copy = 2, move = 4, all = 7 };

constexpr fail_on operator|(fail_on a, fail_on b) noexcept {
    return static_cast<fail_on>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct lifetime_counts {
    std::size_t default_constructed = 0;
    std::size_t value_constructed = 0;
    std::size_t copy_constructed = 0;
    std::size_t move_constructed = 0;
    std::size_t copy_assigned = 0;
    std::size_t move_assigned = 0;
    std::size_t destroyed = 0;
    std::size_t live = 0;
    std::size_t max_live = 0;

    std::size_t constructed() const noexcept {
        return default_constructed + value_constructed + copy_constructed + move_constructed;
    }
    std::size_t copies() const noexcept { return copy_constructed + copy_assigned; }
    std::size_t moves() const noexcept { return move_constructed + move_assigned; }

    friend bool operator==(const lifetime_counts&, const lifetime_counts&) = default;
};

/// What a tracked type allows. A value, so that a new variant is one line.
struct tracked_policy {
    bool default_constructible = true;
    bool copyable = true;
    bool movable = true;
    bool may_throw = false;
    std::size_t alignment = 8;
};

namespace lifetime_detail {

// Objects of every tracked type that are alive, by address. Behind a mutex, because concurrent pools are tested too.
class live_registry {
public:
    static live_registry& get() {
        static live_registry instance;
        return instance;
    }

    bool insert(const void* object) {
        const std::lock_guard lock{mutex_};
        return objects_.insert(object).second;
    }
    bool erase(const void* object) {
        const std::lock_guard lock{mutex_};
        return objects_.erase(object) != 0;
    }
    bool contains(const void* object) {
        const std::lock_guard lock{mutex_};
        return objects_.contains(object);
    }
    std::size_t size() {
        const std::lock_guard lock{mutex_};
        return objects_.size();
    }

private:
    std::mutex mutex_;
    std::unordered_set<const void*> objects_;
};

struct tracked_state {
    std::mutex mutex;
    lifetime_counts counts;
    bool armed = false;
    fail_on where = fail_on::all;
    std::size_t countdown = 0;
    std::size_t fired = 0;
};

// Deletes what the policy forbids; the work itself is in tracked_core, so every special member above can be defaulted.
template <bool Copyable, bool Movable>
struct transfer_gate {};

template <>
struct transfer_gate<false, true> {
    transfer_gate() = default;
    transfer_gate(const transfer_gate&) = delete;
    transfer_gate(transfer_gate&&) = default;
    transfer_gate& operator=(const transfer_gate&) = delete;
    transfer_gate& operator=(transfer_gate&&) = default;
    ~transfer_gate() = default;
};

template <>
struct transfer_gate<false, false> {
    transfer_gate() = default;
    transfer_gate(const transfer_gate&) = delete;
    transfer_gate(transfer_gate&&) = delete;
    transfer_gate& operator=(const transfer_gate&) = delete;
    transfer_gate& operator=(transfer_gate&&) = delete;
    ~transfer_gate() = default;
};

template <tracked_policy Policy, class Tag>
class alignas(Policy.alignment) tracked_core {
    static constexpr bool quiet = !Policy.may_throw;

public:
    tracked_core() noexcept(quiet) {
        step(fail_on::construct);
        begin(0, &lifetime_counts::default_constructed);
    }
    explicit tracked_core(int value) noexcept(quiet) {
        step(fail_on::construct);
        begin(value, &lifetime_counts::value_constructed);
    }
    tracked_core(const tracked_core& other) noexcept(quiet) {
        other.check("copied from");
        step(fail_on::copy);
        begin(other.value_, &lifetime_counts::copy_constructed);
        moved_from_ = other.moved_from_;
    }
    // NOLINTNEXTLINE(performance-noexcept-move-constructor): whether it throws is for the policy to say
    tracked_core(tracked_core&& other) noexcept(quiet) {
        other.check("moved from");
        step(fail_on::move);
        begin(other.value_, &lifetime_counts::move_constructed);
        moved_from_ = other.moved_from_;
        other.moved_from_ = true;
    }
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): plain values, which may be assigned to themselves
    tracked_core& operator=(const tracked_core& other) noexcept(quiet) {
        check("assigned to");
        other.check("copied from");
        step(fail_on::copy);
        value_ = other.value_;
        moved_from_ = other.moved_from_;
        bump(&lifetime_counts::copy_assigned);
        return *this;
    }
    // NOLINTNEXTLINE(performance-noexcept-move-constructor)
    tracked_core& operator=(tracked_core&& other) noexcept(quiet) {
        check("assigned to");
        other.check("moved from");
        step(fail_on::move);
        value_ = other.value_;
        const bool stale = other.moved_from_;
        other.moved_from_ = true;
        moved_from_ = stale;  // after the line above, so that a self-move keeps the value
        bump(&lifetime_counts::move_assigned);
        return *this;
    }
    ~tracked_core() {
        // A broken object is reported and not counted: it was never begun, or it has ended already.
        if (check("destroyed")) {
            live_registry::get().erase(this);
            const std::lock_guard lock{state().mutex};
            ++state().counts.destroyed;
            --state().counts.live;
        }
        magic_ = dead;
        self_ = nullptr;
    }

    /// The value it was made with. Reading an object that was moved from fails the test.
    int value() const {
        if (check("read") && moved_from_) {
            ADD_FAILURE() << "lifetime: an object that was moved from is read";
        }
        return value_;
    }
    void set(int value) {
        check("written");
        value_ = value;
        moved_from_ = false;
    }
    bool moved_from() const {
        check("read");
        return moved_from_;
    }
    /// True, without a failure, where a live object of this type is in order.
    bool intact() const noexcept { return fault() == nullptr; }

    /// What has happened to objects of this type since the start or the last reset.
    static lifetime_counts counts() {
        const std::lock_guard lock{state().mutex};
        return state().counts;
    }
    /// Forgets the history. Objects that are alive stay counted as live.
    static void reset_counts() {
        const std::lock_guard lock{state().mutex};
        const std::size_t live = state().counts.live;
        state().counts = {};
        state().counts.live = live;
        state().counts.max_live = live;
    }

    /// The next n chosen operations succeed and the one after throws injected_failure, once.
    static void fail_after(std::size_t n, fail_on where = fail_on::all)
        requires(Policy.may_throw)
    {
        const std::lock_guard lock{state().mutex};
        if (!has_exceptions) {
            ADD_FAILURE() << "lifetime: fail_after needs a build with exceptions";
        }
        state().armed = true;
        state().countdown = n;
        state().where = where;
    }
    static void never_fail()
        requires(Policy.may_throw)
    {
        const std::lock_guard lock{state().mutex};
        state().armed = false;
    }
    /// How many failures were thrown since the start of the program.
    static std::size_t failures_fired()
        requires(Policy.may_throw)
    {
        const std::lock_guard lock{state().mutex};
        return state().fired;
    }

private:
    static constexpr std::uint64_t alive = 0xa11fe0b1ec7a11feU;
    static constexpr std::uint64_t dead = 0xdeadc0dedeadc0deU;

    static tracked_state& state() {
        static tracked_state instance;
        return instance;
    }

    static void bump(std::size_t lifetime_counts::*what) {
        const std::lock_guard lock{state().mutex};
        ++(state().counts.*what);
    }

    static void step([[maybe_unused]] fail_on operation) noexcept(quiet) {
#if LIDO_HAS_EXCEPTIONS
        if constexpr (Policy.may_throw) {
            {
                const std::lock_guard lock{state().mutex};
                const bool chosen = (static_cast<unsigned>(state().where) & static_cast<unsigned>(operation)) != 0;
                if (!state().armed || !chosen) {
                    return;
                }
                if (state().countdown != 0) {
                    --state().countdown;
                    return;
                }
                state().armed = false;
                ++state().fired;
            }
            throw injected_failure{};
        }
#endif
    }

    void begin(int value, std::size_t lifetime_counts::*how) {
        // Volatile, because the optimiser takes the alignment of `this` for granted.
        const volatile std::uintptr_t address = reinterpret_cast<std::uintptr_t>(this);
        if (address % Policy.alignment != 0) {
            ADD_FAILURE() << "lifetime: an object is constructed at a misaligned address";
        }
        if (!live_registry::get().insert(this)) {
            ADD_FAILURE() << "lifetime: an object is constructed on top of a live one";
        }
        value_ = value;
        moved_from_ = false;
        self_ = this;
        magic_ = alive;
        const std::lock_guard lock{state().mutex};
        lifetime_counts& c = state().counts;
        ++(c.*how);
        ++c.live;
        c.max_live = c.live > c.max_live ? c.live : c.max_live;
    }

    const char* fault() const noexcept {
        if (magic_ == dead) {
            return "dead";
        }
        if (magic_ != alive) {
            return "never constructed (or overwritten)";
        }
        if (self_ != this) {
            return "copied or moved as bytes";
        }
        return live_registry::get().contains(this) ? nullptr : "not in the registry of live objects";
    }

    bool check(const char* use) const {
        const char* what = fault();
        if (what != nullptr) {
            ADD_FAILURE() << "lifetime: an object is " << use << " that is " << what;
        }
        return what == nullptr;
    }

    // Volatile, because the optimiser may drop what a destructor stores: to it, the object is gone.
    volatile std::uint64_t magic_;
    const tracked_core* volatile self_;
    volatile int value_;
    volatile bool moved_from_;
};

}  // namespace lifetime_detail

/// See the top of the file. Policy says what may be done with it, Tag makes it a type of its own.
template <tracked_policy Policy, class Tag = void>
class tracked : public lifetime_detail::tracked_core<Policy, Tag>,
                private lifetime_detail::transfer_gate<Policy.copyable, Policy.movable> {
    using core = lifetime_detail::tracked_core<Policy, Tag>;

public:
    tracked()
        requires(Policy.default_constructible)
    = default;
    explicit tracked(int value) noexcept(!Policy.may_throw) : core{value} {}
    tracked(const tracked&) = default;
    tracked(tracked&&) = default;  // NOLINT(performance-noexcept-move-constructor)
    tracked& operator=(const tracked&) = default;
    tracked& operator=(tracked&&) = default;  // NOLINT(performance-noexcept-move-constructor)
    ~tracked() = default;

    friend bool operator==(const tracked& a, const tracked& b) { return a.value() == b.value(); }
    friend auto operator<=>(const tracked& a, const tracked& b) { return a.value() <=> b.value(); }
};

using tracked_copyable = tracked<tracked_policy{}>;
using tracked_move_only = tracked<tracked_policy{.copyable = false}>;
using tracked_immovable = tracked<tracked_policy{.copyable = false, .movable = false}>;
using tracked_throwing = tracked<tracked_policy{.may_throw = true}>;
using tracked_aligned64 = tracked<tracked_policy{.alignment = 64}>;
using tracked_aligned128 = tracked<tracked_policy{.alignment = 128}>;
using tracked_no_default = tracked<tracked_policy{.default_constructible = false}>;

/// Fails the test when the number of live tracked objects, of all types, at its end differs from that at its start.
class lifetime_scope {
public:
    lifetime_scope() : before_{lifetime_detail::live_registry::get().size()} {}
    lifetime_scope(const lifetime_scope&) = delete;
    lifetime_scope& operator=(const lifetime_scope&) = delete;
    ~lifetime_scope() {
        const std::size_t after = lifetime_detail::live_registry::get().size();
        EXPECT_EQ(after, before_) << "lifetime: " << (after > before_ ? "objects outlive" : "objects died before")
                                  << " the scope that checks them";
    }

    /// Live objects now, over those at the start.
    std::ptrdiff_t live() const {
        return static_cast<std::ptrdiff_t>(lifetime_detail::live_registry::get().size()) -
               static_cast<std::ptrdiff_t>(before_);
    }

private:
    std::size_t before_;
};

}  // namespace lido::test
