// What a field is, in words for people: "f32 from 0 to 120 in steps of 0.5", "list of up to 4 {count i8 from 0 to 99, kind u16}". What goes
// into a fingerprint is in it, so that two programs whose fingerprints differ can say what differs.
#pragma once

#include <lido/entity/schema/field_names.hpp>
#include <lido/entity/schema/limits.hpp>
#include <lido/entity/schema/text_io.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::entity_detail {

template <class N>
void spell_number(std::uint64_t word, text_writer& to) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
        to.put_real(from_word<N>(word));
    } else if constexpr (std::is_signed_v<integer_of<N>>) {
        to.put_whole(static_cast<std::int64_t>(word));
    } else {
        to.put_whole(word);
    }
}

template <class N>
void spell_range(const number_range& range, text_writer& to) noexcept {
    if (range.has_min) {
        to.put(" from ");
        spell_number<N>(range.min, to);
    }
    if (range.has_max) {
        to.put(" to ");
        spell_number<N>(range.max, to);
    }
    if (range.has_step) {
        to.put(" in steps of ");
        if constexpr (std::is_floating_point_v<N>) {
            to.put_real(bits_as<double>(range.step));
        } else {
            to.put_whole(range.step);
        }
    }
}

template <class V>
void spell_type([[maybe_unused]] const number_range& range, text_writer& to) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::flag) {
        to.put("bool");
    } else if constexpr (kind == field_kind::whole || kind == field_kind::enumerated) {
        if (kind == field_kind::enumerated) to.put("enum ");
        to.put(std::is_signed_v<integer_of<V>> ? "i" : "u");
        to.put_whole(8 * sizeof(V));
        spell_range<V>(range, to);
    } else if constexpr (kind == field_kind::real) {
        to.put("f");
        to.put_whole(8 * sizeof(V));
        spell_range<V>(range, to);
    } else if constexpr (kind == field_kind::text || kind == field_kind::bytes) {
        to.put(kind == field_kind::text ? "text of up to " : "up to ");
        to.put_whole(V::max_size);
        to.put(" bytes");
    } else if constexpr (kind == field_kind::link) {
        to.put("link");
    } else if constexpr (has_elements<V>) {
        if constexpr (kind == field_kind::optional) {
            to.put("optional ");
        } else {
            to.put(kind == field_kind::list ? "list of up to " : "array of ");
            to.put_whole(value_shape<V>::count);
            to.put(" ");
        }
        spell_type<typename value_shape<V>::element>(range, to);
    } else if constexpr (kind == field_kind::structure) {
        to.put("{");
        bool first = true;
        for_each_leaf_by_id<V>([&]<class L, std::size_t>() {
            if (!first) to.put(", ");
            first = false;
            to.put(leaf_names<L>::name);
            to.put(" ");
            spell_type<typename L::value>(range_of<L>, to);
        });
        to.put("}");
    } else {
        to.put("local");
    }
}

}  // namespace lido::entity_detail
