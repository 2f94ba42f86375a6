// What is said of a class of entities when it joins a stage, and of a stage when it is made.
#pragma once

#include <lido/entity/identity/player.hpp>
#include <lido/entity/journal/reader.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/ticks.hpp>

#include <cstddef>
#include <cstdint>

namespace lido {

/// How often changes of a class are sent to clients. Read by the net layer.
struct hertz {
    std::uint32_t times = 0;  ///< a second; 0: each tick
    friend constexpr bool operator==(hertz, hertz) noexcept = default;
};

/// All members have a default, so that a designated initialiser names only what differs.
struct entity_settings {
    /// The most objects that wait for another life. What is pooled beyond is destroyed.
    std::uint32_t idle = 64;

    /// Commits of each entity that can be looked at and undone; 0: none are kept.
    std::uint32_t history = 0;

    /// Objects to make before the first create.
    std::uint32_t prewarm = 0;

    /// How many may live before on_full decides; 0: as many as are prewarmed, at least one.
    std::uint32_t capacity = 0;

    /// It may grow, and reject. Entities are never replaced or merged.
    lido::on_full on_full = lido::on_full::grow();

    /// An entity that lives longer is pooled; 0: it lives as long as it likes.
    ticks max_lifetime = {};

    /// Where the class is built, and where it is changed. A client has mirrors, which only the net layer changes.
    role_set roles = {};
    role_set changed_by = {.client = false};

    without_owner owner_leaves = without_owner::keep;

    hertz rate = {};

    /// Said of entities that live when the stage ends. They are ended with the world whatever it is.
    lido::leaks leaks = lido::leaks::allow;
};

struct stage_settings {
    /// How many ticks stay open until confirm(): at least the world's. More than that is for a program whose past reaches further back than
    /// the ends that wait in its world, as a slider over the last ten seconds: world.confirm_all(), then restore.
    std::uint32_t rollback = 0;

    /// Bytes of the journal, made a power of two. 96 hold an update of 24.
    std::size_t journal_bytes = std::size_t{1} << 20;
    std::size_t journal_readers = 16;

    /// Which run of the program this is: part of generated ids. A program that keeps entities from run to run takes a new one each time.
    std::uint64_t run = 1;

    /// Ids that there is room for without asking for memory.
    std::size_t ids = 0;

    /// Memory for the copies that edits of a number of entities known at run time work on.
    std::size_t edit_bytes = std::size_t{64} << 10;

    /// What signals tell of.
    reads signals = reads::everything;
};

}  // namespace lido
