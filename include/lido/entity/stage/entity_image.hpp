// One entity in an image: its head, and its struct, either as this build has it or as later builds can read it.
//
//   head     length, id | generation | version | owner | lock: until, number, length, by whom | persistent
//   exact    length, fields in the order of their ids (value_bytes.hpp) | what is neither sent nor saved | context
//   lasting  length, a JSON object of the saved fields (class_schema::store)
//
// Exact images are for another process of the same build, and hold links as they are: a restore gives classes the numbers that they had where
// the image was written, and lives their slots. Lasting ones are for saved games: links are names, and whatever has no name in the schema begins
// anew.
#pragma once

#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_element.hpp>
#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/schema/leaves.hpp>
#include <lido/entity/schema/schema_of.hpp>
#include <lido/entity/schema/value_bytes.hpp>
#include <lido/entity/stage/entity_head.hpp>
#include <lido/world/lasting_notes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lido::entity_detail {

/// What a stage tells its entities while they are written or read.
struct entity_notes : owning::lasting_notes {
    const link_names* names = nullptr;  ///< written: of links
    mutable std::vector<char> text;     ///< written: room for one entity

    /// Read: what is stored of the entity whose head that is. A view of the image.
    struct stored {
        const entity_head* head;
        std::string_view text;
    };
    std::vector<stored> all;
};

/// Counters of a stage that never come near their end; more was made up.
inline constexpr std::uint64_t most_counted = std::uint64_t{1} << 62;

// --- the head -------------------------------------------------------------------------------------------------------------------

inline void write_short_text(image_writer& w, std::string_view text) {
    w.put(static_cast<std::uint8_t>(text.size()));
    w.put_bytes(std::as_bytes(std::span<const char>(text)));
}
[[nodiscard]] inline std::string_view read_short_text(image_reader& r) noexcept {
    const std::span<const std::byte> bytes = r.take_bytes(r.take<std::uint8_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void write_head(image_writer& w, const entity_head& h) {
    write_short_text(w, h.id.view());
    w.put(h.generation);
    w.put(h.version);
    w.put(h.owner.id);
    w.put(h.lock_until);
    w.put(h.lock_number);
    write_short_text(w, h.lock_by.view());
    w.put(h.persistent);
}
[[nodiscard]] inline bool read_head(image_reader& r, entity_head& h) noexcept {
    if (h.id.assign(read_short_text(r)) != id_fault::none) return false;
    h.generation = r.take<std::uint64_t>();
    h.version = r.take<std::uint64_t>();
    h.owner.id = r.take<std::uint64_t>();
    h.lock_until = r.take<std::uint64_t>();
    h.lock_number = r.take<std::uint64_t>();
    if (!h.lock_by.assign(read_short_text(r))) return false;
    const auto persistent = r.take<std::uint8_t>();
    h.persistent = persistent != 0;
    h.phase = life_phase::living;
    const bool locked = h.lock_until != 0;
    return r.ok() && persistent <= 1 && h.generation != 0 && h.version < most_counted &&
           locked == (h.lock_number != 0) && locked != h.lock_by.empty();
}

// --- the struct as this build has it ----------------------------------------------------------------------------------------------

/// Null, or why the class has no exact image.
template <class T, class Context>
[[nodiscard]] constexpr const char* why_no_exact_image() noexcept {
    bool local = false;
    for_each_leaf<T>([&]<class L, std::size_t>() {
        if constexpr (kind_of<typename L::value> == field_kind::local)
            local = local || !image_element<typename L::value>;
    });
    if (local)
        return "a field that is neither sent nor saved may hold a pointer, which means nothing in another process; "
               "keep it "
               "in the context";
    if constexpr (!std::is_empty_v<Context> && !image_element<Context>) {
        return "its context is not plain bytes without pointers; give it `void save(lido::image_writer&) const` and "
               "`bool "
               "load(lido::image_reader&)`";
    }
    return nullptr;
}

template <class T>
consteval std::size_t most_bytes_of_fields() {
    std::size_t sum = 0;
    for_each_leaf<T>([&]<class L, std::size_t>() {
        if constexpr (kind_of<typename L::value> != field_kind::local) sum += most_bytes<typename L::value>();
    });
    return sum;
}

template <class T>
void write_fields(image_writer& w, const T& data) {
    constexpr std::size_t most = most_bytes_of_fields<T>();
    std::conditional_t<(most <= 1024), std::array<std::byte, most + 1>, std::vector<std::byte>> room{};
    if constexpr (most > 1024) room.resize(most);
    byte_writer to({room.data(), most});
    for_each_leaf_by_id<T>([&]<class L, std::size_t>() {
        if constexpr (kind_of<typename L::value> != field_kind::local) encode_value(L::get(data), to);
    });
    LIDO_VERIFY(to.ok(), "an entity takes more bytes than its schema says");
    w.put(static_cast<std::uint32_t>(to.written().size()));
    w.put_bytes(to.written());
    for_each_leaf<T>([&]<class L, std::size_t>() {
        if constexpr (kind_of<typename L::value> == field_kind::local && image_element<typename L::value>)
            write_element(w, L::get(data));
    });
}

/// Pre: `data` is a T{}. Ranges are not looked at.
template <class T>
[[nodiscard]] bool read_fields(image_reader& r, T& data) {
    byte_reader from(r.take_bytes(r.take<std::uint32_t>()));
    for_each_leaf_by_id<T>([&]<class L, std::size_t>() {
        if constexpr (kind_of<typename L::value> != field_kind::local) {
            if (from.ok()) decode_value(from, L::get(data));
        }
    });
    bool sound = r.ok() && from.done();
    for_each_leaf<T>([&]<class L, std::size_t>() {
        if constexpr (kind_of<typename L::value> == field_kind::local && image_element<typename L::value>)
            sound = sound && read_element(r, L::get(data));
    });
    return sound;
}

template <class Context>
void write_context([[maybe_unused]] image_writer& w, [[maybe_unused]] const Context& context) {
    if constexpr (!std::is_empty_v<Context> && image_element<Context>) write_element(w, context);
}
template <class Context>
[[nodiscard]] bool read_context([[maybe_unused]] image_reader& r, [[maybe_unused]] Context& context) {
    if constexpr (!std::is_empty_v<Context> && image_element<Context>) {
        return read_element(r, context);
    } else {
        return true;
    }
}

// --- the struct as later builds read it ----------------------------------------------------------------------------------------------

inline void write_stored(image_writer& w, const class_schema& schema, const void* data) {
    const auto& notes = *static_cast<const entity_notes*>(w.notes());
    if (notes.text.empty()) notes.text.resize(512);
    for (;;) {
        text_writer to({notes.text.data(), notes.text.size()}, notes.names);
        schema.store(data, to);
        if (to.ok()) {
            w.put(static_cast<std::uint32_t>(to.written().size()));
            w.put_bytes(std::as_bytes(std::span<const char>(to.written())));
            return;
        }
        notes.text.resize(notes.text.size() * 2);
    }
}
/// Notes it: links can be followed when all ids have been read.
[[nodiscard]] inline bool note_stored(image_reader& r, const entity_head& head) {
    const std::span<const std::byte> bytes = r.take_bytes(r.take<std::uint32_t>());
    if (!r.ok()) return false;
    static_cast<entity_notes*>(r.notes())->all.push_back(
        {&head, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    return true;
}

}  // namespace lido::entity_detail
