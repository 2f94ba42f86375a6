// An entry as it lies in the ring: a header of one line, then what it carries. 8-byte aligned, in one piece.
//
//    0        4        6    7    8        12       16       24       32          40       48        56            60
//   +--------+--------+----+----+--------+--------+--------+--------+-----------+--------+---------+-------------+--------------+
//   | size   | fields |kind| id | back   | entity | tick   | commit | generation| version| class id| local class | before/detail|
//   +--------+--------+----+----+--------+--------+--------+--------+-----------+--------+---------+-------------+--------------+
//   64
//   | changed fields, to whole 8 bytes | before | after | id | rest of the 8 bytes
//
//   size     bytes without the rest; so the bytes of `after` are what is left over
//   id       its length in the upper six bits; then "last of its commit" and "first of its commit"
//   back     bytes to the record before, pads not counted; 0 for the first of all
//   before   its bytes in the lower 24 bits, `detail` in the upper 8
//
// A pad is a record of which only size and kind (0) are there: it fills the end of the ring where a commit did not fit.
//
// Bytes and not packed numbers: a reader loads fields; a header that has to be decoded first would cost more than the line it saves.
#pragma once

#include <lido/core/config.hpp>
#include <lido/entity/journal/entry.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lido::entity_detail {

struct record_header {
    std::uint32_t size;
    std::uint16_t fields;
    std::uint8_t kind;
    std::uint8_t id_and_flags;
    std::uint32_t back;
    std::uint32_t entity;
    std::uint64_t tick;
    std::uint64_t commit;
    std::uint64_t generation;
    std::uint64_t version;
    std::uint64_t class_id;
    std::uint32_t local_class;
    std::uint32_t before_and_detail;

    static constexpr std::uint8_t first = 1;
    static constexpr std::uint8_t last = 2;
};
static_assert(sizeof(record_header) == 64 && offsetof(record_header, id_and_flags) == 7 &&
              offsetof(record_header, tick) == 16 && offsetof(record_header, before_and_detail) == 60);

/// The part of a header that a pad has, too.
struct record_start {
    std::uint32_t size;
    std::uint16_t fields;
    std::uint8_t kind;
    std::uint8_t id_and_flags;
};
static_assert(sizeof(record_start) == 8);

inline constexpr std::uint8_t pad_kind = 0;

[[nodiscard]] constexpr std::uint64_t whole_words(std::uint64_t bytes) noexcept {
    return (bytes + 7) & ~std::uint64_t{7};
}

/// Bytes of the set of changed fields in a record.
[[nodiscard]] constexpr std::uint32_t set_bytes(std::uint16_t fields) noexcept {
    return static_cast<std::uint32_t>(whole_words(changed_fields::bytes_for(fields)));
}

/// As `size` counts: without the rest of the last 8 bytes.
[[nodiscard]] constexpr std::uint32_t record_size(const entry_shape& shape) noexcept {
    return static_cast<std::uint32_t>(sizeof(record_header)) + set_bytes(shape.fields) + shape.before + shape.after +
           shape.id_size;
}

[[nodiscard]] inline record_start start_of(const std::byte* record) noexcept {
    record_start start;
    std::memcpy(&start, record, sizeof start);
    return start;
}

[[nodiscard]] inline record_header header_of(const std::byte* record) noexcept {
    record_header header;
    std::memcpy(&header, record, sizeof header);
    return header;
}

LIDO_INLINE void put_word(std::byte* to, std::uint64_t word) noexcept { std::memcpy(to, &word, sizeof word); }
/// The first of them at `to`.
LIDO_INLINE void put_pair(std::byte* to, std::uint32_t first, std::uint32_t second) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        put_word(to, std::uint64_t{first} | std::uint64_t{second} << 32);
    } else {
        put_word(to, std::uint64_t{second} | std::uint64_t{first} << 32);
    }
}
LIDO_INLINE void put_start(std::byte* record, const record_start& start) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        put_word(record, std::uint64_t{start.size} | std::uint64_t{start.fields} << 32 |
                             std::uint64_t{start.kind} << 48 | std::uint64_t{start.id_and_flags} << 56);
    } else {
        std::memcpy(record, &start, sizeof start);
    }
}

/// Word by word: GCC makes a whole header in small pieces on the stack and copies it in large ones, which waits for the stores (4 ns).
LIDO_INLINE void put_header(std::byte* record, const record_header& h) noexcept {
    put_start(record, {h.size, h.fields, h.kind, h.id_and_flags});
    put_pair(record + offsetof(record_header, back), h.back, h.entity);
    put_word(record + offsetof(record_header, tick), h.tick);
    put_word(record + offsetof(record_header, commit), h.commit);
    put_word(record + offsetof(record_header, generation), h.generation);
    put_word(record + offsetof(record_header, version), h.version);
    put_word(record + offsetof(record_header, class_id), h.class_id);
    put_pair(record + offsetof(record_header, local_class), h.local_class, h.before_and_detail);
}

/// Pre: a record, no pad.
[[nodiscard]] inline journal_entry entry_of(const std::byte* record, entry_number number) noexcept {
    const record_header h = header_of(record);
    const std::uint32_t id_size = h.id_and_flags >> 2;
    const std::uint32_t before = h.before_and_detail & entry_shape::max_bytes;
    const std::byte* const set = record + sizeof h;
    const std::byte* const old = set + set_bytes(h.fields);
    const std::byte* const id = record + h.size - id_size;
    return {.what = {.kind = static_cast<change_kind>(h.kind),
                     .detail = static_cast<std::uint8_t>(h.before_and_detail >> 24),
                     .local_class = h.local_class,
                     .of_class = h.class_id,
                     .entity = {h.entity},
                     .generation = {h.generation},
                     .version = {h.version},
                     .tick = {h.tick},
                     .commit = {h.commit}},
            .number = number,
            .first = (h.id_and_flags & record_header::first) != 0,
            .last = (h.id_and_flags & record_header::last) != 0,
            .changed = {set, h.fields},
            .before = {old, before},
            .after = {old + before, id},
            .id = {reinterpret_cast<const char*>(id), id_size}};
}

}  // namespace lido::entity_detail
