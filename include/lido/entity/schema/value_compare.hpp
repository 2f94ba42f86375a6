// Values as values: equal or not, hashed, and rounded to what the wire has. Bytes of padding never count, nor what a list or a cleared
// optional leaves unused.
//
// Real numbers are compared by their bits, so that memory and store keep exactly what was written: -0 is not 0, and a NaN, which no commit
// lets pass, is itself.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/entity/schema/field_names.hpp>
#include <lido/entity/schema/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::entity_detail {

template <class V>
[[nodiscard]] constexpr bool same_value(const V& a, const V& b) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::real) {
        return real_bits(a) == real_bits(b);
    } else if constexpr (kind == field_kind::optional) {
        return a.has_value() == b.has_value() && (!a.has_value() || same_value(*a, *b));
    } else if constexpr (kind == field_kind::list) {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!same_value(a.data()[i], b.data()[i])) return false;
        }
        return true;
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count; ++i) {
            if (!same_value(a[i], b[i])) return false;
        }
        return true;
    } else if constexpr (kind == field_kind::structure) {
        return !any_leaf<V>([&]<class L, std::size_t>() { return !same_value(L::get(a), L::get(b)); });
    } else {
        return a == b;
    }
}

/// The same for who knows only what the wire has of both: a difference below the step is none.
template <class V>
[[nodiscard]] constexpr bool same_on_wire(const V& a, const V& b, [[maybe_unused]] const number_range& range) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::real || kind == field_kind::whole || kind == field_kind::enumerated) {
        return quantise(a, range) == quantise(b, range);
    } else if constexpr (kind == field_kind::optional) {
        return a.has_value() == b.has_value() && (!a.has_value() || same_on_wire(*a, *b, range));
    } else if constexpr (kind == field_kind::list) {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!same_on_wire(a.data()[i], b.data()[i], range)) return false;
        }
        return true;
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count; ++i) {
            if (!same_on_wire(a[i], b[i], range)) return false;
        }
        return true;
    } else if constexpr (kind == field_kind::structure) {
        return !any_leaf<V>([&]<class L, std::size_t>() { return !same_on_wire(L::get(a), L::get(b), range_of<L>); });
    } else {
        return a == b;
    }
}

/// Makes of a value what arrives of it at the other end of the wire.
template <class V>
constexpr void round_to_wire(V& value, [[maybe_unused]] const number_range& range) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::real || kind == field_kind::whole || kind == field_kind::enumerated) {
        value = unquantise<V>(quantise(value, range), range);
    } else if constexpr (kind == field_kind::optional) {
        if (value.has_value()) round_to_wire(*value, range);
    } else if constexpr (kind == field_kind::list) {
        for (std::size_t i = 0; i < value.size(); ++i) round_to_wire(value.data()[i], range);
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count; ++i) round_to_wire(value[i], range);
    } else if constexpr (kind == field_kind::structure) {
        for_each_leaf<V>([&]<class L, std::size_t>() { round_to_wire(L::get(value), range_of<L>); });
    }
}

template <class V>
constexpr void add_to_hash(hasher& h, const V& value) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::flag || kind == field_kind::whole || kind == field_kind::enumerated) {
        h.add(static_cast<std::uint64_t>(value));
    } else if constexpr (kind == field_kind::real) {
        h.add(std::uint64_t{real_bits(value)});
    } else if constexpr (kind == field_kind::optional) {
        h.add(std::uint64_t{value.has_value()});
        if (value.has_value()) add_to_hash(h, *value);
    } else if constexpr (kind == field_kind::list) {
        h.add(std::uint64_t{value.size()});
        for (std::size_t i = 0; i < value.size(); ++i) add_to_hash(h, value.data()[i]);
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count; ++i) add_to_hash(h, value[i]);
    } else if constexpr (kind == field_kind::structure) {
        for_each_leaf_by_id<V>([&]<class L, std::size_t>() { add_to_hash(h, L::get(value)); });
    } else {
        value.hash(h);  // text, bytes, link
    }
}

/// The hash of what the wire has of a value.
template <class V>
constexpr void add_wire_to_hash(hasher& h, const V& value, [[maybe_unused]] const number_range& range) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::real || kind == field_kind::whole || kind == field_kind::enumerated) {
        h.add(quantise(value, range));
    } else if constexpr (kind == field_kind::optional) {
        h.add(std::uint64_t{value.has_value()});
        if (value.has_value()) add_wire_to_hash(h, *value, range);
    } else if constexpr (kind == field_kind::list) {
        h.add(std::uint64_t{value.size()});
        for (std::size_t i = 0; i < value.size(); ++i) add_wire_to_hash(h, value.data()[i], range);
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count; ++i) add_wire_to_hash(h, value[i], range);
    } else if constexpr (kind == field_kind::structure) {
        for_each_leaf_by_id<V>([&]<class L, std::size_t>() { add_wire_to_hash(h, L::get(value), range_of<L>); });
    } else {
        add_to_hash(h, value);
    }
}

}  // namespace lido::entity_detail
