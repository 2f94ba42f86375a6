// An entry outside of the journal, in files and messages: the same bytes on every machine. docs/protocol/journal.md is its description.
//
//    0     1     2      3       4         8         16       24        32         40           48        56       60       62     63
//   +-----+-----+------+-------+---------+---------+--------+---------+----------+------------+---------+--------+--------+------+---+
//   |form |kind |flags |detail | size    | number  | tick   | commit  | class id | generation | version | entity | fields |id    | 0 |
//   +-----+-----+------+-------+---------+---------+--------+---------+----------+------------+---------+--------+--------+------+---+
//    64        68       72
//   | before   | after  | changed fields | bytes before | bytes after | id |
//
// Little endian, without padding; `size` is of all of it, so forms can follow one another. The number of the class in its stage stays at home.
//
// A form has one spelling: what read_entry takes, write_entry writes again, byte for byte.
#pragma once

#include <lido/entity/journal/entry.hpp>
#include <lido/entity/schema/byte_io.hpp>
#include <lido/entity/schema/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lido {

/// The first byte of a form. Another number is another form, which this reader refuses.
inline constexpr std::uint8_t entry_form_version = 1;

namespace entity_detail {

inline constexpr std::size_t form_header = 72;  // bytes

enum form_flags : std::uint8_t { form_first = 1, form_last = 2 };

/// Of the fields behind the last one, which no byte may name.
[[nodiscard]] constexpr bool has_strange_fields(std::span<const std::byte> set, std::uint16_t fields) noexcept {
    return fields % 8 != 0 && (std::to_integer<unsigned>(set.back()) >> (fields % 8)) != 0;
}

/// The ids that a stage gives.
[[nodiscard]] constexpr bool is_valid_id(std::string_view id) noexcept {
    return is_valid_text(id) &&
           std::none_of(id.begin(), id.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// What is wrong with the numbers of an entry, in words.
[[nodiscard]] constexpr const char* wrong_stamp(const journal_entry& e) noexcept {
    const stamp& s = e.what;
    if (is_notice(s.kind)) {
        if (!e.first || !e.last) return "a notice of the journal is a commit of its own";
        if (s.of_class != 0 || s.entity.value != 0 || s.generation.value != 0 || s.version.value != 0 ||
            s.commit.value != 0)
            return "a notice of the journal is of no entity";
        if (s.kind != change_kind::reset) return s.detail == 0 ? nullptr : "a detail where none belongs";
        const auto cause = static_cast<reset_cause>(s.detail);
        return cause == reset_cause::loaded || cause == reset_cause::restored ? nullptr : "a reset of an unknown cause";
    }
    if (s.of_class == 0) return "no class";
    return s.commit.value != 0 ? nullptr : "no commit";
}

}  // namespace entity_detail

/// How many bytes write_entry needs.
[[nodiscard]] constexpr std::size_t entry_form_bytes(const entry_shape& shape) noexcept {
    return entity_detail::form_header + changed_fields::bytes_for(shape.fields) + std::size_t{shape.before} +
           shape.after + shape.id_size;
}

/// Writes an entry. Returns how many bytes it took; 0, with `to` in any state, where there is not enough room.
///
/// `before` and `after` are written as they are. Where the reader is on another machine, or has the class in another revision, give a copy
/// of the entry whose two spans are the fields in a form of their own.
[[nodiscard]] inline std::size_t write_entry(const journal_entry& e, std::span<std::byte> to) noexcept {
    using namespace entity_detail;
    const entry_shape shape = e.shape();
    const std::size_t size = entry_form_bytes(shape);
    if (size > to.size()) return 0;
    byte_writer w(to);
    w.put(entry_form_version, 1);
    w.put(static_cast<std::uint8_t>(e.what.kind), 1);
    w.put((e.first ? unsigned{form_first} : 0u) | (e.last ? unsigned{form_last} : 0u), 1);
    w.put(e.what.detail, 1);
    w.put(size, 4);
    w.put(e.number.value, 8);
    w.put(e.what.tick.count, 8);
    w.put(e.what.commit.value, 8);
    w.put(e.what.of_class, 8);
    w.put(e.what.generation.value, 8);
    w.put(e.what.version.value, 8);
    w.put(e.what.entity.value, 4);
    w.put(shape.fields, 2);
    w.put(shape.id_size, 1);
    w.put(0, 1);
    w.put(shape.before, 4);
    w.put(shape.after, 4);
    if (shape.fields != 0) w.put_bytes(e.changed.bytes().data(), e.changed.bytes().size());
    w.put_bytes(e.before.data(), e.before.size());
    w.put_bytes(e.after.data(), e.after.size());
    w.put_bytes(e.id.data(), e.id.size());
    return w.ok() ? size : 0;
}

/// What a read of a form says. True where there is an entry.
struct [[nodiscard]] entry_form_result {
    std::size_t bytes = 0;  ///< that the entry took; the next one begins there
    const char* wrong =
        nullptr;  ///< what is wrong with the bytes, in words; null where nothing is, or more of them are needed
    bool incomplete = false;  ///< they may be the beginning of an entry: ask again with more of them

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return bytes != 0; }
    [[nodiscard]] constexpr const char* why() const noexcept {
        return wrong != nullptr ? wrong : incomplete ? "the bytes end before the entry does" : "read";
    }
};

/// Reads the entry at the front of `from`, whoever wrote it: what it gives keeps every rule of change.hpp, and refers to `from`. `local_class`
/// is 0. Refused, with `into` as it was, in words.
inline entry_form_result read_entry(std::span<const std::byte> from, journal_entry& into) noexcept {
    using namespace entity_detail;
    const auto refuse = [](const char* why) { return entry_form_result{0, why, false}; };
    if (!from.empty() && std::to_integer<std::uint8_t>(from[0]) != entry_form_version)
        return refuse("an entry of another form: this program reads form 1");
    if (from.size() < form_header) return {0, nullptr, true};
    byte_reader r(from);
    static_cast<void>(r.get(1));
    const std::uint64_t kind = r.get(1);
    const std::uint64_t flags = r.get(1);
    journal_entry e;
    e.what.detail = static_cast<std::uint8_t>(r.get(1));
    const std::uint64_t size = r.get(4);
    e.number = {r.get(8)};
    e.what.tick = {r.get(8)};
    e.what.commit = {r.get(8)};
    e.what.of_class = r.get(8);
    e.what.generation = {r.get(8)};
    e.what.version = {r.get(8)};
    e.what.entity = {static_cast<std::uint32_t>(r.get(4))};
    entry_shape shape;
    shape.fields = static_cast<std::uint16_t>(r.get(2));
    shape.id_size = static_cast<std::uint8_t>(r.get(1));
    const std::uint64_t zero = r.get(1);
    shape.before = static_cast<std::uint32_t>(r.get(4));
    shape.after = static_cast<std::uint32_t>(r.get(4));

    if (kind == 0 || kind >= change_kinds) return refuse("an entry of a kind that this program does not know");
    if (flags > (form_first | form_last) || zero != 0) return refuse("bits that mean nothing are set");
    e.what.kind = static_cast<change_kind>(kind);
    e.first = (flags & form_first) != 0;
    e.last = (flags & form_last) != 0;
    if (const char* wrong = wrong_shape(e.what.kind, shape)) return refuse(wrong);
    if (const char* wrong = wrong_stamp(e)) return refuse(wrong);
    if (size != entry_form_bytes(shape)) return refuse("the size is not that of what the entry carries");
    if (size > from.size()) return {0, nullptr, true};

    const std::span<const std::byte> set = r.get_bytes(changed_fields::bytes_for(shape.fields));
    e.before = r.get_bytes(shape.before);
    e.after = r.get_bytes(shape.after);
    const std::span<const std::byte> id = r.get_bytes(shape.id_size);
    e.id = {reinterpret_cast<const char*>(id.data()), id.size()};
    if (shape.fields != 0) {
        e.changed = {set.data(), shape.fields};
        if (has_strange_fields(set, shape.fields)) return refuse("a changed field that the class does not have");
        if (e.changed.size() == 0) return refuse("an update that changes no field");
    }
    if (!is_valid_id(e.id)) return refuse("an id that is not text, or has control characters");
    into = e;
    return {static_cast<std::size_t>(size), nullptr, false};
}

}  // namespace lido
