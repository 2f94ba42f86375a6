// What a pool is in the middle of while it calls code of its user: a constructor, a destructor, a callback. Whoever enters the pool
// from there asks, and is stopped or refused where the answer would be wrong.
//
//   const half_way::quick_scope now(limits_.now(), half_way::builds | half_way::beyond);    // around the element's constructor
//   LIDO_ASSERT(!limits_.now().is(half_way::builds), "...");                                // at each entry that changes the pool
//
// One byte, in every build, so that files built with and without checks agree on the layout of a pool.
#pragma once

#include <lido/core/base/config.hpp>

#include <cstdint>

namespace lido::detail {

class half_way {
public:
    enum : std::uint8_t {
        builds = 1,       ///< an element's constructor runs: nobody changes the pool
        ends = 2,         ///< an element's move or destructor runs: nobody changes the pool
        unreadable = 4,   ///< rows that count hold no whole object: no pass and no save
        beyond = 8,       ///< memory past the last row is in use: no trim
        asks = 16,        ///< a callback runs that chooses: the pool stays where it is
        calls_back = 32,  ///< on_evict or merge runs: the pool stays where it is, and a full one refuses
    };

    half_way() noexcept = default;
    // A pool that takes over another's settings is in the middle of nothing for that.
    half_way(const half_way&) noexcept {}
    half_way& operator=(const half_way&) noexcept { return *this; }
    ~half_way() = default;

    [[nodiscard]] LIDO_INLINE bool is(unsigned any_of) const noexcept { return (now_ & any_of) != 0; }

    /// Says so until its end, on top of what is said already.
    class scope {
    public:
        scope(half_way& pool, unsigned what) noexcept : pool_(pool), before_(pool.now_) {
            pool.now_ = static_cast<std::uint8_t>(before_ | what);
        }
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;
        ~scope() { pool_.now_ = before_; }

    private:
        half_way& pool_;
        std::uint8_t before_;
    };

    /// For fast paths: only builds with checks say so.
#if LIDO_CHECKS
    using quick_scope = scope;
#else
    struct quick_scope {
        LIDO_INLINE quick_scope(half_way&, unsigned) noexcept {}
    };
#endif

private:
    std::uint8_t now_ = 0;
};

/// What a table asks where it is entered: an element's own constructor, move and destructor must leave its pool alone, and so must some
/// callbacks. A stateless base of `Table`, which has limits(). `Sentences` says in the words of a shape what went wrong.
template <class Table, class Sentences>
class entry_checks {
public:
    LIDO_INLINE void expect_settled() const noexcept {
        LIDO_ASSERT(!now().is(half_way::builds), Sentences::built);
        LIDO_ASSERT(!now().is(half_way::ends), Sentences::ended);
    }
    /// Where it costs nothing in every build.
    void expect_settled_always() const noexcept {
        LIDO_VERIFY(!now().is(half_way::builds), Sentences::built);
        LIDO_VERIFY(!now().is(half_way::ends), Sentences::ended);
    }
    LIDO_INLINE void expect_readable() const noexcept { LIDO_ASSERT(!now().is(half_way::unreadable), Sentences::read); }
    void expect_unmoved() const noexcept {
        expect_settled_always();
        LIDO_VERIFY(!now().is(half_way::asks | half_way::calls_back), Sentences::moved);
    }
    void expect_trimmable() const noexcept { LIDO_VERIFY(!now().is(half_way::beyond), Sentences::trimmed); }

protected:
    entry_checks() noexcept = default;
    entry_checks(const entry_checks&) noexcept = default;
    entry_checks& operator=(const entry_checks&) noexcept = default;
    ~entry_checks() = default;

private:
    [[nodiscard]] LIDO_INLINE const half_way& now() const noexcept {
        return static_cast<const Table&>(*this).limits().now();
    }
};

}  // namespace lido::detail
