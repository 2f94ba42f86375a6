// The re-entrancy matrix: what comes of every call on a pool that is made from inside of one of its own.
// docs/guide/reentrancy.md is the same for users.
//
//   ok      right: allowed, and everything agrees afterwards
//   told    refused: null, refusal::reentrant and a report
//   stop    stops: not allowed; builds with checks stop with a message, the others do not look
//   none    there is no such call; absent() says why, and why there is no row for a place
//   A .. b  known_fault: one of `faults`. Such a cell is made, too, and has to be faulty still: whoever mends it writes here what
//           is so then
#pragma once

#include "core/reentrancy/stage.hpp"

#include <array>
#include <ostream>

namespace lido::test::reentrancy::expected {

/// In which builds a fault can be seen.
enum class shows {
    always,
    crashes_before_the_check,  ///< with checks, and without AddressSanitizer; otherwise nobody looks
    under_asan,                ///< with poisoned memory; right otherwise
    unoptimised,               ///< an optimiser may leave the faulty step out, and then nobody looks
};

struct known_fault {
    const char* code;
    shows where;
    const char* sentence;
};

// clang-format off
inline constexpr std::array<known_fault, 0> faults{};
// clang-format on

struct row {
    shape of;
    element kind;
    event from;
    during in;
    const char* cells;
};
inline void PrintTo(const row& of, std::ostream* to) { *to << of.cells; }

using enum shape;
using enum element;
using enum event;

// clang-format off
inline constexpr row matrix[] = {
    //                                                         acq.  rel.  r._if clear iter. save  rest. trim  move
    // slot_pool of owners
    {slot_pool, owner, constructor, during::acquire,          "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, owner, constructor, during::replace,          "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {slot_pool, owner, destructor, during::release,           "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, owner, destructor, during::release_if,        "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, owner, destructor, during::clear,             "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, owner, destructor, during::restore,           "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, owner, destructor, during::replace,           "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, owner, on_evict, during::replace,             "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {slot_pool, owner, merge, during::replace,                "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {slot_pool, owner, victim, during::replace,               "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {slot_pool, owner, predicate, during::release_if,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // slot_pool of plain elements
    {slot_pool, plain, constructor, during::acquire,          "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, plain, constructor, during::replace,          "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {slot_pool, plain, on_evict, during::replace,             "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {slot_pool, plain, merge, during::replace,                "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {slot_pool, plain, victim, during::replace,               "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {slot_pool, plain, predicate, during::release_if,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // flag_pool of owners
    {flag_pool, owner, constructor, during::acquire,          "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, owner, constructor, during::replace,          "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {flag_pool, owner, destructor, during::release,           "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, owner, destructor, during::release_if,        "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, owner, destructor, during::clear,             "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, owner, destructor, during::restore,           "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, owner, destructor, during::replace,           "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, owner, on_evict, during::replace,             "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_pool, owner, merge, during::replace,                "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_pool, owner, victim, during::replace,               "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {flag_pool, owner, predicate, during::release_if,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // flag_pool of plain elements
    {flag_pool, plain, constructor, during::acquire,          "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, plain, constructor, during::replace,          "ok    ok    ok    ok    ok    ok    told  ok    stop"},
    {flag_pool, plain, on_evict, during::replace,             "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_pool, plain, merge, during::replace,                "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_pool, plain, victim, during::replace,               "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {flag_pool, plain, predicate, during::release_if,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // dense_pool of owners
    {dense_pool, owner, constructor, during::acquire,         "stop  stop  stop  stop  ok    ok    stop  stop  stop"},
    {dense_pool, owner, constructor, during::replace,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {dense_pool, owner, destructor, during::release,          "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {dense_pool, owner, destructor, during::release_if,       "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {dense_pool, owner, destructor, during::clear,            "stop  stop  stop  stop  stop  stop  stop  ok    stop"},
    {dense_pool, owner, destructor, during::restore,          "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {dense_pool, owner, destructor, during::replace,          "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {dense_pool, owner, moved, during::release,               "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {dense_pool, owner, moved, during::release_if,            "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {dense_pool, owner, moved, during::replace,               "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {dense_pool, owner, on_evict, during::replace,            "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {dense_pool, owner, merge, during::replace,               "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {dense_pool, owner, victim, during::replace,              "ok    ok    ok    ok    ok    ok    ok    ok    stop"},
    {dense_pool, owner, predicate, during::release_if,        "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // dense_pool of plain elements
    {dense_pool, plain, constructor, during::acquire,         "stop  stop  stop  stop  ok    ok    stop  stop  stop"},
    {dense_pool, plain, constructor, during::replace,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {dense_pool, plain, on_evict, during::replace,            "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {dense_pool, plain, merge, during::replace,               "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {dense_pool, plain, victim, during::replace,              "ok    ok    ok    ok    ok    ok    ok    ok    stop"},
    {dense_pool, plain, predicate, during::release_if,        "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // column_pool of owners
    {column_pool, owner, constructor, during::acquire,        "stop  stop  stop  stop  ok    ok    stop  stop  stop"},
    {column_pool, owner, constructor, during::replace,        "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {column_pool, owner, destructor, during::release,         "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {column_pool, owner, destructor, during::release_if,      "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {column_pool, owner, destructor, during::clear,           "stop  stop  stop  stop  stop  stop  stop  ok    stop"},
    {column_pool, owner, destructor, during::restore,         "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {column_pool, owner, destructor, during::replace,         "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {column_pool, owner, moved, during::release,              "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {column_pool, owner, moved, during::release_if,           "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {column_pool, owner, moved, during::replace,              "stop  stop  stop  stop  stop  stop  stop  stop  stop"},
    {column_pool, owner, on_evict, during::replace,           "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {column_pool, owner, merge, during::replace,              "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {column_pool, owner, victim, during::replace,             "ok    ok    ok    ok    ok    ok    ok    ok    stop"},
    {column_pool, owner, predicate, during::release_if,       "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // column_pool of plain elements
    {column_pool, plain, constructor, during::acquire,        "stop  stop  stop  stop  ok    ok    stop  stop  stop"},
    {column_pool, plain, constructor, during::replace,        "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {column_pool, plain, on_evict, during::replace,           "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {column_pool, plain, merge, during::replace,              "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {column_pool, plain, victim, during::replace,             "ok    ok    ok    ok    ok    ok    ok    ok    stop"},
    {column_pool, plain, predicate, during::release_if,       "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // flag_column_pool of owners
    {flag_column_pool, owner, constructor, during::acquire,   "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {flag_column_pool, owner, constructor, during::replace,   "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {flag_column_pool, owner, destructor, during::release,    "stop  stop  stop  stop  stop  stop  stop  ok    stop"},
    {flag_column_pool, owner, destructor, during::release_if, "stop  stop  stop  stop  stop  stop  stop  ok    stop"},
    {flag_column_pool, owner, destructor, during::clear,      "stop  stop  stop  stop  stop  stop  stop  ok    stop"},
    {flag_column_pool, owner, destructor, during::restore,    "stop  stop  stop  stop  stop  stop  stop  ok    stop"},
    {flag_column_pool, owner, destructor, during::replace,    "stop  stop  stop  stop  stop  stop  stop  ok    stop"},
    {flag_column_pool, owner, on_evict, during::replace,      "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_column_pool, owner, merge, during::replace,         "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_column_pool, owner, victim, during::replace,        "ok    ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_column_pool, owner, predicate, during::release_if,  "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // flag_column_pool of plain elements
    {flag_column_pool, plain, constructor, during::acquire,   "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {flag_column_pool, plain, constructor, during::replace,   "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {flag_column_pool, plain, on_evict, during::replace,      "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_column_pool, plain, merge, during::replace,         "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_column_pool, plain, victim, during::replace,        "ok    ok    ok    ok    ok    ok    ok    ok    stop"},
    {flag_column_pool, plain, predicate, during::release_if,  "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // recycle_pool of owners
    {recycle_pool, owner, constructor, during::acquire,       "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, destructor, during::release,        "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, destructor, during::release_if,     "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, destructor, during::clear,          "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, destructor, during::restore,        "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, on_evict, during::replace,          "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {recycle_pool, owner, merge, during::replace,             "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {recycle_pool, owner, victim, during::replace,            "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {recycle_pool, owner, predicate, during::release_if,      "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {recycle_pool, owner, on_acquire, during::acquire,        "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, on_acquire, during::replace,        "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, on_release, during::release,        "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, on_release, during::release_if,     "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, on_release, during::clear,          "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, on_release, during::restore,        "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, owner, on_release, during::replace,        "ok    ok    ok    ok    ok    told  told  ok    stop"},
    // recycle_pool of plain elements
    {recycle_pool, plain, constructor, during::acquire,       "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, plain, constructor, during::replace,       "ok    ok    ok    ok    ok    told  told  ok    stop"},
    {recycle_pool, plain, on_evict, during::replace,          "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {recycle_pool, plain, merge, during::replace,             "told  ok    ok    ok    ok    ok    ok    ok    stop"},
    {recycle_pool, plain, victim, during::replace,            "ok    ok    ok    ok    ok    ok    ok    ok    ok"},
    {recycle_pool, plain, predicate, during::release_if,      "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // recycled_list of owners
    {recycled_list, owner, constructor, during::acquire,      "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, destructor, during::release,       "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, destructor, during::release_if,    "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, destructor, during::clear,         "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, destructor, during::restore,       "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, predicate, during::release_if,     "stop  stop  stop  stop  ok    ok    stop  none  none"},
    {recycled_list, owner, on_acquire, during::acquire,       "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, on_release, during::release,       "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, on_release, during::release_if,    "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, on_release, during::clear,         "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, owner, on_release, during::restore,       "told  stop  stop  stop  ok    stop  stop  none  none"},
    // recycled_list of plain elements
    {recycled_list, plain, constructor, during::acquire,      "told  stop  stop  stop  ok    stop  stop  none  none"},
    {recycled_list, plain, predicate, during::release_if,     "stop  stop  stop  stop  ok    ok    stop  none  none"},
    // ring_pool of owners
    {ring_pool, owner, constructor, during::acquire,          "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, owner, constructor, during::replace,          "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, owner, destructor, during::release,           "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, owner, destructor, during::release_if,        "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, owner, destructor, during::clear,             "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, owner, destructor, during::restore,           "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, owner, destructor, during::replace,           "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, owner, on_evict, during::replace,             "told  ok    ok    ok    ok    ok    told  ok    stop"},
    {ring_pool, owner, predicate, during::release_if,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // ring_pool of plain elements
    {ring_pool, plain, constructor, during::acquire,          "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, plain, constructor, during::replace,          "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    {ring_pool, plain, on_evict, during::replace,             "told  ok    ok    ok    ok    ok    told  ok    stop"},
    {ring_pool, plain, predicate, during::release_if,         "stop  stop  stop  stop  ok    ok    stop  ok    stop"},
    // capped_list of owners
    {capped_list, owner, constructor, during::acquire,        "stop  stop  stop  stop  ok    ok    stop  none  none"},
    {capped_list, owner, constructor, during::replace,        "ok    ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, owner, destructor, during::release,         "stop  stop  stop  stop  stop  stop  stop  none  none"},
    {capped_list, owner, destructor, during::release_if,      "stop  stop  stop  stop  stop  stop  stop  none  none"},
    {capped_list, owner, destructor, during::clear,           "stop  stop  stop  stop  ok    ok    stop  none  none"},
    {capped_list, owner, destructor, during::restore,         "stop  stop  stop  stop  ok    ok    stop  none  none"},
    {capped_list, owner, destructor, during::replace,         "stop  stop  stop  stop  stop  stop  stop  none  none"},
    {capped_list, owner, moved, during::release,              "stop  stop  stop  stop  stop  stop  stop  none  none"},
    {capped_list, owner, moved, during::release_if,           "stop  stop  stop  stop  stop  stop  stop  none  none"},
    {capped_list, owner, on_evict, during::replace,           "told  ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, owner, merge, during::replace,              "told  ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, owner, victim, during::replace,             "ok    ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, owner, predicate, during::release_if,       "stop  stop  stop  stop  ok    ok    stop  none  none"},
    // capped_list of plain elements
    {capped_list, plain, constructor, during::acquire,        "stop  stop  stop  stop  ok    ok    stop  none  none"},
    {capped_list, plain, constructor, during::replace,        "ok    ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, plain, on_evict, during::replace,           "told  ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, plain, merge, during::replace,              "told  ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, plain, victim, during::replace,             "ok    ok    ok    ok    ok    ok    ok    none  none"},
    {capped_list, plain, predicate, during::release_if,       "stop  stop  stop  stop  ok    ok    stop  none  none"},
    // bytemap_pool of owners
    {bytemap_pool, owner, constructor, during::acquire,       "ok    ok    ok    stop  ok    ok    stop  ok    stop"},
    {bytemap_pool, owner, destructor, during::release,        "ok    ok    ok    stop  ok    ok    stop  ok    stop"},
    {bytemap_pool, owner, destructor, during::release_if,     "ok    ok    ok    stop  ok    ok    stop  ok    stop"},
    {bytemap_pool, owner, destructor, during::clear,          "ok    ok    ok    stop  ok    ok    stop  ok    stop"},
    {bytemap_pool, owner, destructor, during::restore,        "ok    ok    ok    stop  ok    ok    stop  ok    stop"},
    {bytemap_pool, owner, predicate, during::release_if,      "ok    ok    stop  stop  ok    ok    ok    ok    stop"},
    // bytemap_pool of plain elements
    {bytemap_pool, plain, constructor, during::acquire,       "ok    ok    ok    stop  ok    ok    stop  ok    stop"},
    {bytemap_pool, plain, predicate, during::release_if,      "ok    ok    stop  stop  ok    ok    ok    ok    stop"},
};
// clang-format on

/// Why there is no such cell; null where there is one.
[[nodiscard]] constexpr const char* absent(shape of, element kind, place at, call what) {
    if (of == capped_list && what == call::trim) return "a capped_list is inside its owner: there is nothing to trim";
    if (of == capped_list && what == call::move) return "a capped_list is neither copied nor moved";
    if (of == recycled_list && what == call::trim) return "a recycled_list has no trim: drop_idle() ends what waits";
    if (of == recycled_list && what == call::move) return "a recycled_list is neither copied nor moved";
    if (of == recycled_list && at.in == during::replace) return "a full recycled_list drops: nobody is replaced";
    const bool hook = at.from == on_acquire || at.from == on_release;
    if (hook && of != recycle_pool && of != recycled_list) return "only recycled objects have hooks";
    if (hook && kind == plain) return "this element has no hooks";
    if (at.from == destructor && kind == plain) return "this element has no destructor that does anything";
    if (at.from == moved && kind == plain) return "this element is moved as bytes";
    if (at.from == moved && of != dense_pool && of != column_pool && of != capped_list)
        return "objects stay where they are";
    if (at.from == moved && of == capped_list && at.in == during::replace)
        return "the newcomer takes the row of the one it replaces: nobody moves";
    if (of == bytemap_pool && at.in == during::replace) return "a full bytemap_pool refuses: nobody is replaced";
    if (of == ring_pool && (at.from == merge || at.from == victim))
        return "a ring_pool ends the oldest and asks nobody";
    if (of == recycle_pool && kind == owner && at.in == during::replace &&
        (at.from == constructor || at.from == destructor))
        return "a full recycle_pool begins a new life of the object that makes room: none is built or destroyed";
    return nullptr;
}

/// All there are, whether a shape has them or not.
inline constexpr place places[] = {
    {constructor, during::acquire},   {constructor, during::replace},  {destructor, during::release},
    {destructor, during::release_if}, {destructor, during::clear},     {destructor, during::restore},
    {destructor, during::replace},    {moved, during::release},        {moved, during::release_if},
    {moved, during::replace},         {on_evict, during::replace},     {merge, during::replace},
    {victim, during::replace},        {predicate, during::release_if}, {on_acquire, during::acquire},
    {on_acquire, during::replace},    {on_release, during::release},   {on_release, during::release_if},
    {on_release, during::clear},      {on_release, during::restore},   {on_release, during::replace},
};

}  // namespace lido::test::reentrancy::expected
