// What a pool is (options, fixed at compile time) and how it behaves (settings, chosen at run time).
//
// An option buys bookkeeping: a pool that does not choose it has neither its bytes nor its instructions. A setting picks among
// what the options bought and is read on slow paths only, so it can come from a file.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/delegate.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace lido {

/// What happens to a slot that has used up its generations.
enum class generation_rule : std::uint8_t {
    retire,  ///< the slot is never used again, and counted: no handle ever aliases
    wrap,    ///< starts over: a handle kept for a whole turn aliases
    abort,   ///< the program ends with a message
    none,    ///< no generations at all (`flag_pool`): one bit a slot, and a handle means whatever lives in the slot now
};

/// What a pool remembers of its live objects so that a full pool can choose one to end.
enum class track : std::uint8_t {
    nothing,   ///<  0 bytes a slot
    age,       ///<  8 bytes a slot: replace_oldest in O(1)
    priority,  ///< 17 bytes a slot: replace_lowest and replace_oldest in O(1)
};

/// Which free slot is used next.
enum class reuse : std::uint8_t {
    recent,  ///< the one released last (it is warm); after a burst of releases (more than 32 in a row), in address order
    lowest,  ///< the one with the lowest index: live slots gather at the front, for a dearer acquire
    last,    ///< always the one released last, as in a stack of free slots: 4 bytes a slot more; `slot_pool` only
};

/// Priorities are 0 (the default, first to go) to 15.
/// Sixteen levels keep the whole order in one small table inside the pool; games name three to eight.
inline constexpr std::uint8_t max_priority = 15;

/// Kinds of request are 0 (the default) to 7.
inline constexpr unsigned max_kinds = 8;

struct options {
    /// 64 or 32: the width of the pool's handles.
    unsigned handle_bits = 64;

    /// With 32-bit handles: how many of them are the index; 0 takes 20. (64-bit handles are always 32 and 32.)
    unsigned index_bits = 0;

    generation_rule generations = generation_rule::retire;

    track tracks = track::nothing;

    /// `recycle_pool` only: settings.keep_ages decides, when a pool is made, whether this one tracks. Costs a test an acquire and a
    /// release; for pools whose on_full comes from a file.
    bool ages_by_setting = false;

    reuse order = reuse::recent;

    /// A released slot rests until this many others were released after it; cut short when nothing else is free.
    /// Costs 4 bytes for each step of delay and a bit a slot.
    std::uint32_t reuse_delay = 0;

    /// True makes `settings.headroom` available; costs one compare an acquire.
    bool headroom = false;

    /// How many kinds of request `settings.kind_caps` tells apart, up to max_kinds; costs one load and compare an acquire.
    unsigned kinds = 0;

    /// True lets lido::history save and restore in proportion to what changed. Costs a bit a slot and a store wherever an object
    /// can be changed: acquire, release, get, iteration that is not const.
    bool mark_changes = false;

    /// `dense_pool` and `column_pool` only: the most rows it will ever have. Up to 2^20 the bookkeeping is 9 bytes a row, above it 12.
    std::uint32_t max_rows = std::uint32_t{1} << 20;

    /// `slot_pool` and `recycle_pool` only: an end waits until its tick is confirmed, and a restore before that brings back the same
    /// object (parts/slots/limbo.hpp). Costs 24 bytes a slot, and 1 bit more in a slot_pool.
    bool confirmed_ends = false;

    /// Whether the pool keeps a diary of its lives, for reports (checks/diary.hpp): 64 bytes a slot, beside its storage. False
    /// spares a pool the diary in a build with LIDO_FORENSICS; in other builds no pool has one. Part of the type, so that files
    /// built with and without it never take one pool for the other.
    bool forensics = lido::forensics;

    friend constexpr bool operator==(const options&, const options&) = default;
};

/// What happens to the objects that are still active when their pool ends.
enum class leaks : std::uint8_t {
    report,  ///< they are destroyed; builds with LIDO_FORENSICS say how many there were and where they were acquired
    allow,   ///< they are destroyed: this pool's objects are meant to end with it
    leave,   ///< reported, and not destroyed: no destructor and no hook runs
    abort,   ///< reported in every build, and the program ends
};

/// What a pool does when every slot is taken. Growth comes first where it is allowed, then one of the endings:
/// `on_full::grow_to(4096).then(on_full::replace_oldest)`.
class on_full {
public:
    enum class ending : std::uint8_t { reject, replace_oldest, replace_lowest, replace_if, merge };

    static constexpr std::uint32_t no_growth = 0;
    static constexpr std::uint32_t unlimited = (std::numeric_limits<std::uint32_t>::max)();

    static const on_full reject;          ///< acquire returns null
    static const on_full replace_oldest;  ///< ends the object acquired longest ago; needs track::age or ::priority
    static const on_full
        replace_lowest;  ///< ends the oldest of the lowest priority not above the request's; track::priority
    static const on_full replace_if;  ///< ends the first object, in iteration order, that `settings.victim` accepts
    static const on_full merge;       ///< folds the newcomer into the first object that `settings.merge` accepts

    constexpr on_full() noexcept = default;

    /// Doubles the capacity when it is used up, until `cap` slots. Needs reserved_storage.
    [[nodiscard]] static constexpr on_full grow_to(std::uint32_t cap) noexcept { return {ending::reject, cap}; }

    /// Grows as far as handles, memory and address space reach.
    [[nodiscard]] static constexpr on_full grow() noexcept { return {ending::reject, unlimited}; }

    /// The same growth, and then the ending of `last`.
    [[nodiscard]] constexpr on_full then(on_full last) const noexcept { return {last.ending_, cap_}; }

    [[nodiscard]] constexpr ending at_the_end() const noexcept { return ending_; }
    [[nodiscard]] constexpr std::uint32_t cap() const noexcept { return cap_; }

    friend constexpr bool operator==(on_full, on_full) noexcept = default;

private:
    constexpr on_full(ending e, std::uint32_t cap) noexcept : ending_(e), cap_(cap) {}

    ending ending_ = ending::reject;
    std::uint32_t cap_ = no_growth;
};

inline constexpr on_full on_full::reject{ending::reject, no_growth};
inline constexpr on_full on_full::replace_oldest{ending::replace_oldest, no_growth};
inline constexpr on_full on_full::replace_lowest{ending::replace_lowest, no_growth};
inline constexpr on_full on_full::replace_if{ending::replace_if, no_growth};
inline constexpr on_full on_full::merge{ending::merge, no_growth};

/// Keeps the last part of a pool for requests that matter: once `above_percent` of the slots it may ever have are taken, or more, a
/// request below `priority` is refused. 80 % of 7 slots are 5.6: the sixth object still gets in, the seventh needs the priority.
struct headroom {
    std::uint16_t above_percent = 100;
    std::uint8_t priority = 0;
};

/// What one acquire may say of itself.
struct request {
    std::uint8_t priority = 0;
    std::uint8_t kind = 0;  ///< what kind_caps go by: bullets and the splinters of bullets, say
};

/// Why an acquire returned null.
enum class refusal : std::uint8_t {
    none,
    full,               ///< no free slot, and on_full ended in refusal
    headroom,           ///< free slots are kept for requests of a higher priority
    kind_cap,           ///< as many objects live as requests of this kind may fill the pool to
    merged,             ///< no object of its own: it was folded into another, merged_into() names it
    no_memory,          ///< the storage was refused memory
    slot_taken,         ///< reserve(): the slot is in use
    generation_passed,  ///< reserve(): the slot has already had that life or a later one
    out_of_range,       ///< reserve(): the handle names no life, or a slot beyond what the pool may have
    reentrant,  ///< asked from inside one of the pool's own callbacks that may not: on_evict, merge, or the end of an object
    cannot_replace,  ///< the element's constructor and move can both throw, so an object might be ended for nothing
    no_creator,      ///< recycle_pool: no default constructor and no settings.create to make a new object
};

[[nodiscard]] constexpr const char* to_string(refusal why) noexcept {
    switch (why) {
        case refusal::none: return "none";
        case refusal::full: return "full";
        case refusal::headroom: return "headroom is kept for higher priorities";
        case refusal::kind_cap: return "the cap for its kind is reached";
        case refusal::merged: return "folded into another object";
        case refusal::no_memory: return "no memory";
        case refusal::slot_taken: return "the slot is taken";
        case refusal::generation_passed: return "the slot has had that generation already";
        case refusal::out_of_range: return "the handle is out of the pool's range";
        case refusal::reentrant: return "asked from inside a callback that must not acquire";
        case refusal::cannot_replace: return "the element can throw while it replaces another";
        case refusal::no_creator: return "nothing says how to make a new object";
    }
    return "unknown";
}

namespace detail {

/// Ticks, where the pool's options buy them.
struct default_rollback {
    constexpr operator std::uint32_t() const noexcept { return 8; }
};

/// In place of a setting that the pool's options did not buy. Its constructors are written out and not consteval: it shares its byte with
/// the first setting, and where it is a constant Clang 14 stores a zero there.
struct no_rollback {
    constexpr no_rollback() noexcept {}                  // NOLINT(modernize-use-equals-default): it would be a constant
    constexpr no_rollback(default_rollback) noexcept {}  // NOLINT(google-explicit-constructor)
    template <std::integral N>
    constexpr no_rollback(N) noexcept {  // NOLINT: what is written in braces is to find it
        static_assert(sizeof(N) == 0, "lido: settings.rollback needs options::confirmed_ends");
    }
};

/// Ticks; a second at 60 a second would be 60, and games that predict play 4 to 12 again.
template <bool Confirms>
using rollback_setting = std::conditional_t<Confirms, std::uint32_t, no_rollback>;

}  // namespace detail

/// How a pool behaves. All members have a default, so that a designated initialiser names only what differs.
/// The callables must not throw: they run inside acquire(), which is noexcept where the element's constructor is.
/// `Ref` and `ConstRef` are what a pool of T gives for an object: T& and const T&, or the rows of a column_pool.
/// `Confirms` is options::confirmed_ends.
template <class T, class Handle, class Ref = T&, class ConstRef = const T&, bool Confirms = false>
struct pool_settings {
    /// For reports; must outlive the pool (a literal, usually).
    const char* name = "pool";

    lido::on_full on_full = lido::on_full::reject;

    /// Needs options::headroom.
    lido::headroom headroom = {};

    /// What becomes of objects that are active when the pool ends.
    lido::leaks leaks = lido::leaks::report;

    /// A report of requests that were refused (misuse_kind::dropped): 0, none, they are counted only. Otherwise of the first, and then of
    /// all since, at most once in so many ticks (lido::set_tick); in a program that tells no ticks, of the 1st, 10th, 100th, ...
    std::uint16_t report_drops = 0;

    /// Soft and hard caps: a request of kind k is refused once this many objects live, of whatever kind. 0: no cap of its own.
    /// Needs options::kinds.
    std::array<std::uint32_t, max_kinds> kind_caps = {};

    /// For on_full::replace_if: true for an object that may be ended.
    delegate<bool(ConstRef)> victim = {};

    /// For on_full::merge: true when it has folded the newcomer, which then never lives, into the existing object. Asked in
    /// iteration order. It may change the existing object; it must not change the pool.
    delegate<bool(Ref existing, const T& newcomer)> merge = {};

    /// Called with each object that on_full ends, while it is still alive. It may read the pool, and release objects, this one or others;
    /// this one ends in any case. An acquire from inside is refused; if the callback has released one first, it gets that slot
    /// and the outer acquire is refused instead (but for a ring_pool, which has its slot for the newcomer already). A
    /// capped_list names the object by its row.
    delegate<void(Handle, Ref)> on_evict = {};

    /// With options::confirmed_ends: how many ticks may be simulated again. An ended object keeps its slot until the tick that is so
    /// many after its own begins.
    LIDO_NO_UNIQUE_ADDRESS detail::rollback_setting<Confirms> rollback = detail::default_rollback{};
};

}  // namespace lido
