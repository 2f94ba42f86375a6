// Values as bytes: little endian, no padding, the same on every machine. Reading refuses what no writer writes: a flag or a presence that
// is neither 0 nor 1, a length above the type's, text that is none. It does not look at ranges; first_invalid does.
//
//   flag 1 byte · number its size · text, bytes, list: length in 1 byte up to 255, 2 up to 65535, then what it has
//   array: its elements · optional: 1 byte, then the value if it is 1 · structure: its leaves in order of their ids
//   link: 8 bytes as the stage has it; with names: length and id, then the generation in 8 bytes; null is an empty id and nothing more
#pragma once

#include <lido/entity/schema/byte_io.hpp>
#include <lido/entity/schema/field_names.hpp>
#include <lido/entity/schema/value_compare.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lido::entity_detail {

inline constexpr std::size_t longest_id = 63;  // bytes of an entity's id

/// The most bytes that a value takes.
template <class V>
consteval std::size_t most_bytes() {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::text || kind == field_kind::bytes) {
        return sizeof(count_type<V::max_size>) + V::max_size;
    } else if constexpr (kind == field_kind::link) {
        return 1 + longest_id + 8;
    } else if constexpr (kind == field_kind::list) {
        return sizeof(count_type<V::max_size>) + V::max_size * most_bytes<typename V::value_type>();
    } else if constexpr (kind == field_kind::array) {
        return value_shape<V>::count * most_bytes<typename value_shape<V>::element>();
    } else if constexpr (kind == field_kind::optional) {
        return 1 + most_bytes<typename V::value_type>();
    } else if constexpr (kind == field_kind::structure) {
        std::size_t sum = 0;
        for_each_leaf<V>([&]<class L, std::size_t>() { sum += most_bytes<typename L::value>(); });
        return sum;
    } else {
        return sizeof(V);
    }
}

inline void encode_link(std::uint64_t bits, byte_writer& to) noexcept {
    if (to.links() == nullptr) return to.put(bits, 8);
    link_name name;
    if (bits == 0 || !to.links()->name_of(bits, name)) name = {};
    if (name.id.size() > longest_id) return to.fail();
    to.put(name.id.size(), 1);
    to.put_bytes(name.id.data(), name.id.size());
    if (!name.id.empty()) to.put(name.generation, 8);
}

[[nodiscard]] inline std::uint64_t decode_link(byte_reader& from) noexcept {
    if (from.links() == nullptr) return from.get(8);
    const auto size = static_cast<std::size_t>(from.get(1));
    if (size > longest_id) from.fail();
    const auto id = from.get_bytes(size);
    if (!from.ok() || size == 0) return 0;
    link_name name{{reinterpret_cast<const char*>(id.data()), id.size()}, 0};
    name.generation = from.get(8);
    std::uint64_t bits = 0;
    if (!from.ok() || !is_valid_text(name.id) || !from.links()->find(name, bits)) from.fail();
    return from.ok() ? bits : 0;
}

template <class V>
void encode_value(const V& value, byte_writer& to) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::flag || kind == field_kind::whole || kind == field_kind::enumerated) {
        to.put(static_cast<std::uint64_t>(value), sizeof(V));
    } else if constexpr (kind == field_kind::real) {
        to.put(real_bits(value), sizeof(V));
    } else if constexpr (kind == field_kind::text || kind == field_kind::bytes) {
        to.put(value.size(), sizeof(count_type<V::max_size>));
        to.put_bytes(value.view().data(), value.size());
    } else if constexpr (kind == field_kind::link) {
        encode_link(value.to_bits(), to);
    } else if constexpr (kind == field_kind::list) {
        to.put(value.size(), sizeof(count_type<V::max_size>));
        for (std::size_t i = 0; i < value.size(); ++i) encode_value(value.data()[i], to);
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count; ++i) encode_value(value[i], to);
    } else if constexpr (kind == field_kind::optional) {
        to.put(value.has_value() ? 1 : 0, 1);
        if (value.has_value()) encode_value(*value, to);
    } else {
        static_assert(kind == field_kind::structure);
        for_each_leaf_by_id<V>([&]<class L, std::size_t>() { encode_value(L::get(value), to); });
    }
}

/// After a failure of `from` the value is some value of its type.
template <class V>
void decode_value(byte_reader& from, V& value) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::flag) {
        const std::uint64_t byte = from.get(1);
        if (byte > 1) from.fail();
        value = byte == 1;
    } else if constexpr (kind == field_kind::whole || kind == field_kind::enumerated) {
        value = from_word<V>(from.get(sizeof(V)));
    } else if constexpr (kind == field_kind::real) {
        value = bits_as<V>(static_cast<decltype(real_bits(value))>(from.get(sizeof(V))));
    } else if constexpr (kind == field_kind::text) {
        const auto got = from.get_bytes(static_cast<std::size_t>(from.get(sizeof(count_type<V::max_size>))));
        if (!value.assign({reinterpret_cast<const char*>(got.data()), got.size()})) from.fail();
    } else if constexpr (kind == field_kind::bytes) {
        if (!value.assign(from.get_bytes(static_cast<std::size_t>(from.get(sizeof(count_type<V::max_size>))))))
            from.fail();
    } else if constexpr (kind == field_kind::link) {
        value = V::from_bits(decode_link(from));
    } else if constexpr (kind == field_kind::list) {
        const auto count = static_cast<std::size_t>(from.get(sizeof(count_type<V::max_size>)));
        value.clear();
        if (!value.resize(count)) from.fail();
        for (std::size_t i = 0; i < value.size() && from.ok(); ++i) decode_value(from, value.data()[i]);
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count && from.ok(); ++i) decode_value(from, value[i]);
    } else if constexpr (kind == field_kind::optional) {
        const std::uint64_t byte = from.get(1);
        if (byte > 1) from.fail();
        value.reset();
        if (byte == 1) decode_value(from, value.emplace());
    } else {
        static_assert(kind == field_kind::structure);
        for_each_leaf_by_id<V>([&]<class L, std::size_t>() { decode_value(from, L::get(value)); });
    }
}

}  // namespace lido::entity_detail
