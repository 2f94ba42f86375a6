// What can happen to an entity, and what an entry of each kind carries.
//
//   kind                            changed fields   before             after          id
//   created                         none             none               whole entity   yes
//   updated                         one at least     changed fields     the same       none
//   pooled, destroyed, erased       none             whole entity       none           yes
//   locked, unlocked                none             none               a note         none
//   loading, loaded, load_refused   none             none               a note         yes
//   cut, confirmed, reset           none             none               none           none      made by the journal for a reader
//
// What the bytes of an entity or a field are, and of a note, is the writer's to say; a journal carries them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lido {

/// Part of files and messages: a number is never given to anything else.
enum class change_kind : std::uint8_t {
    created = 1,
    updated = 2,
    pooled = 3,
    destroyed = 4,
    erased = 5,
    locked = 6,
    unlocked = 7,
    loading = 8,
    loaded = 9,
    load_refused = 10,
    cut = 11,  ///< what the reader saw from entry number() on has not happened: the stage went back to tick `tick`
    confirmed = 12,  ///< nothing of the ticks up to and including `tick` can be taken back any more
    reset = 13,      ///< the stage is another one now (reset_cause): forget all, take a snapshot
};

inline constexpr std::uint8_t change_kinds = 14;  ///< every kind is smaller

/// Why a journal was reset: the `detail` of such an entry.
enum class reset_cause : std::uint8_t {
    loaded = 1,    ///< a game was loaded
    restored = 2,  ///< an earlier state was restored, from before what is confirmed
};

[[nodiscard]] constexpr const char* to_string(change_kind kind) noexcept {
    switch (kind) {
        case change_kind::created: return "created";
        case change_kind::updated: return "updated";
        case change_kind::pooled: return "pooled";
        case change_kind::destroyed: return "destroyed";
        case change_kind::erased: return "erased";
        case change_kind::locked: return "locked";
        case change_kind::unlocked: return "unlocked";
        case change_kind::loading: return "loading";
        case change_kind::loaded: return "loaded";
        case change_kind::load_refused: return "load refused";
        case change_kind::cut: return "cut";
        case change_kind::confirmed: return "confirmed";
        case change_kind::reset: return "reset";
    }
    return "unknown";
}

[[nodiscard]] constexpr const char* to_string(reset_cause cause) noexcept {
    switch (cause) {
        case reset_cause::loaded: return "a game was loaded";
        case reset_cause::restored: return "an earlier state was restored";
    }
    return "unknown";
}

/// It ends a life.
[[nodiscard]] constexpr bool is_end(change_kind kind) noexcept {
    return kind == change_kind::pooled || kind == change_kind::destroyed || kind == change_kind::erased;
}

/// Made by the journal for one reader, and not written by a stage.
[[nodiscard]] constexpr bool is_notice(change_kind kind) noexcept {
    return kind == change_kind::cut || kind == change_kind::confirmed || kind == change_kind::reset;
}

/// How much an entry carries.
struct entry_shape {
    std::uint16_t fields = 0;  ///< of the class, where a set of changed ones is carried: for `updated` alone
    std::uint8_t id_size = 0;
    std::uint32_t before = 0;  ///< bytes
    std::uint32_t after = 0;

    static constexpr std::size_t max_id = 63;
    static constexpr std::uint32_t max_bytes = (std::uint32_t{1} << 24) - 1;  ///< of each side: 24 bits of a record

    friend constexpr bool operator==(const entry_shape&, const entry_shape&) noexcept = default;
};

/// What is wrong with an entry of this kind that carries so much, in words; null when nothing is.
[[nodiscard]] constexpr const char* wrong_shape(change_kind kind, const entry_shape& shape) noexcept {
    if (shape.id_size > entry_shape::max_id) return "an id has 63 bytes at most";
    if (shape.before > entry_shape::max_bytes || shape.after > entry_shape::max_bytes)
        return "an entry carries 16 MiB at most of what was and of what is";
    if (kind == change_kind::updated) {
        if (shape.fields == 0) return "an update without a set of changed fields";
        return shape.id_size == 0 ? nullptr : "an update with an id";
    }
    if (shape.fields != 0) return "a set of changed fields in what is no update";
    const bool notice = is_notice(kind);
    if (notice && (shape.before != 0 || shape.after != 0)) return "bytes in a notice of the journal";
    if (notice || kind == change_kind::locked || kind == change_kind::unlocked) {
        if (shape.id_size != 0) return "an id where none belongs";
        return shape.before == 0 ? nullptr : "bytes of what was in a lock";
    }
    if (shape.id_size == 0) return "no id where one belongs";
    if (is_end(kind)) return shape.after == 0 ? nullptr : "bytes of what is in an end";
    return shape.before == 0 ? nullptr : "bytes of what was in a beginning";
}

}  // namespace lido
