// Which options each shape honours: one function per shape, one sentence per option that it cannot have.
//
// A shape asserts its own function. An option that some shapes cannot have is refused here, and in no other header.
#pragma once

#include <lido/core/base/options.hpp>

namespace lido::detail {

struct option_rules {
    template <options Options>
    [[nodiscard]] static consteval bool dense() {
        static_assert(!Options.confirmed_ends,
                      "lido: dense_pool moves the last object into the hole that a release leaves, so an ended object "
                      "cannot wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
        static_assert(Options.generations != generation_rule::none,
                      "lido: only flag_pool works without generations; dense_pool needs them to tell stale handles");
        static_assert(Options.order == reuse::recent,
                      "lido: rows are always packed, so dense_pool has no reuse order to choose");
        return true;
    }

    template <options Options>
    [[nodiscard]] static consteval bool column() {
        static_assert(
            !Options.confirmed_ends,
            "lido: column_pool moves the last row into the hole that a release leaves, so an ended row cannot "
            "wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
        static_assert(Options.generations != generation_rule::none,
                      "lido: only flag_pool works without generations; column_pool needs them to tell stale handles");
        static_assert(Options.order == reuse::recent,
                      "lido: rows are always packed, so column_pool has no reuse order to choose");
        static_assert(
            !Options.mark_changes,
            "lido: column_pool keeps no change marks, because a pass over a bare column cannot tell which rows it "
            "wrote: use rewind<N>, which copies whole columns");
        return true;
    }

    template <options Options>
    [[nodiscard]] static consteval bool flag_column() {
        static_assert(
            !Options.confirmed_ends,
            "lido: flag_column_pool ends the fields of a row with its life, so an ended row cannot wait in its "
            "place: options::confirmed_ends needs slot_pool or recycle_pool");
        static_assert(
            Options.order == reuse::recent && Options.reuse_delay == 0,
            "lido: flag_column_pool always takes the lowest free row: it has neither a reuse order nor a reuse "
            "delay to choose");
        static_assert(
            !Options.mark_changes,
            "lido: flag_column_pool keeps no change marks, because a pass over a bare column cannot tell which "
            "rows it wrote: use rewind<N>");
        return true;
    }

    template <options Options>
    [[nodiscard]] static consteval bool ring() {
        static_assert(
            !Options.confirmed_ends,
            "lido: ring_pool ends its oldest object for each newcomer, so an ended one cannot wait in its place: "
            "options::confirmed_ends needs slot_pool or recycle_pool");
        static_assert(Options.generations != generation_rule::none,
                      "lido: only flag_pool works without generations; ring_pool needs them to tell stale handles");
        static_assert(Options.tracks == track::nothing,
                      "lido: a ring_pool is its own order of ages: it takes no options::tracks");
        static_assert(
            Options.order == reuse::recent && Options.reuse_delay == 0,
            "lido: a ring_pool uses its slots in turn: it has neither a reuse order nor a reuse delay to choose");
        static_assert(!Options.headroom && Options.kinds == 0,
                      "lido: a ring_pool refuses nobody: it has no headroom and no caps for kinds");
        static_assert(!Options.mark_changes, "lido: ring_pool keeps no change marks: save it with lido::rewind");
        return true;
    }

    template <options Options>
    [[nodiscard]] static consteval bool recycle() {
        static_assert(Options.generations != generation_rule::none,
                      "lido: only flag_pool works without generations; recycle_pool needs them to tell stale handles");
        static_assert(
            Options.order == reuse::recent,
            "lido: recycle_pool always takes the idle object released last, so it has no reuse order to choose");
        static_assert(
            Options.reuse_delay == 0,
            "lido: recycle_pool always takes the idle object released last; reuse_delay needs slot_pool or dense_pool");
        static_assert(
            !Options.mark_changes,
            "lido: lido::history copies elements as bytes, and recycle_pool is for elements that own memory: use "
            "lido::rewind, or slot_pool with mark_changes");
        return true;
    }

    template <options Options>
    [[nodiscard]] static consteval bool recycled_list() {
        static_assert(!Options.confirmed_ends,
                      "lido: recycled_list moves the last element into the hole that a removal leaves, so an ended one "
                      "cannot wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
        static_assert(
            Options.tracks == track::nothing && Options.order == reuse::recent && Options.reuse_delay == 0 &&
                !Options.mark_changes && !Options.ages_by_setting,
            "lido: a recycled_list drops when it is full and takes the object released last: it has no tracks, no "
            "reuse order, no reuse delay and no change marks");
        return true;
    }

    template <options Options>
    [[nodiscard]] static consteval bool capped_list() {
        static_assert(!Options.confirmed_ends,
                      "lido: capped_list moves the last element into the hole that a removal leaves, so an ended one "
                      "cannot wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
        static_assert(Options.reuse_delay == 0 && Options.order == reuse::recent && !Options.mark_changes,
                      "lido: a capped_list has no slots: it takes no reuse order, no reuse delay and no change marks");
        return true;
    }

    /// slot_pool and, where it `scans`, flag_pool.
    template <options Options, bool scans>
    [[nodiscard]] static consteval bool slot() {
        static_assert(!(scans && Options.confirmed_ends),
                      "lido: flag_pool keeps nothing but a bit a slot, so an ended object cannot wait in its place: "
                      "options::confirmed_ends needs slot_pool or recycle_pool");
        static_assert(!(Options.mark_changes && Options.confirmed_ends),
                      "lido: lido::history copies what changed as bytes and knows nothing of ends that wait: with "
                      "options::confirmed_ends use lido::rewind");
        static_assert(!(scans && Options.order == reuse::last),
                      "lido: flag_pool always takes the lowest free slot; reuse::last needs slot_pool");
        static_assert(!(scans && Options.reuse_delay != 0),
                      "lido: flag_pool always takes the lowest free slot; reuse_delay needs slot_pool or dense_pool");
        return true;
    }
};

}  // namespace lido::detail
