// Values as JSON, for stores, so that people can read and query what is in them, and for tools.
//
//   flag true · number 12 · enum its number · text "…" · bytes "0aff" · link {"id":"gate-1","generation":7}, or its bits without names
//   list and array […] · optional its value, or null · structure {"x":1,"y":2} · null in an optional that may hold one: [null]
//
// Reading takes what a wider or narrower type wrote as long as the value is one of this type's: a whole number for a real one, a real one
// without a fraction for a whole one, true for 1, a value for an optional, a shorter array.
#pragma once

#include <lido/entity/schema/field_names.hpp>
#include <lido/entity/schema/text_io.hpp>
#include <lido/entity/schema/value_bytes.hpp>
#include <lido/entity/schema/value_compare.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace lido::entity_detail {

/// Kinds whose own text can be null, which an optional has to tell from nothing. That of a real number can, too, but no commit lets such a
/// number pass.
template <class V>
inline constexpr bool can_be_null = kind_of<V> == field_kind::link || kind_of<V> == field_kind::optional;

inline void print_link(std::uint64_t bits, text_writer& to) noexcept {
    link_name name;
    if (bits == 0 || (to.links() != nullptr && (!to.links()->name_of(bits, name) || name.id.empty()))) {
        to.put("null");
    } else if (to.links() == nullptr) {
        to.put_whole(bits);
    } else {
        to.put("{\"id\":");
        to.put_string(name.id);
        to.put(",\"generation\":");
        to.put_whole(name.generation);
        to.put("}");
    }
}

template <class V>
void print_value(const V& value, text_writer& to) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::flag) {
        to.put(value ? "true" : "false");
    } else if constexpr (kind == field_kind::whole || kind == field_kind::enumerated) {
        using integer = integer_of<V>;
        using wide = std::conditional_t<std::is_signed_v<integer>, std::int64_t, std::uint64_t>;
        to.put_whole(static_cast<wide>(static_cast<integer>(value)));
    } else if constexpr (kind == field_kind::real) {
        to.put_real(value);
    } else if constexpr (kind == field_kind::text) {
        to.put_string(value.view());
    } else if constexpr (kind == field_kind::bytes) {
        to.put("\"");
        for (const std::byte b : value.view()) {
            constexpr const char* hex = "0123456789abcdef";
            const char pair[2] = {hex[static_cast<unsigned>(b) >> 4], hex[static_cast<unsigned>(b) & 15]};
            to.put({pair, 2});
        }
        to.put("\"");
    } else if constexpr (kind == field_kind::link) {
        print_link(value.to_bits(), to);
    } else if constexpr (kind == field_kind::list || kind == field_kind::array) {
        std::size_t count = 0;
        if constexpr (kind == field_kind::list) {
            count = value.size();
        } else {
            count = value_shape<V>::count;
        }
        to.put("[");
        for (std::size_t i = 0; i < count; ++i) {
            if (i != 0) to.put(",");
            print_value(value[i], to);
        }
        to.put("]");
    } else if constexpr (kind == field_kind::optional) {
        constexpr bool wrapped = can_be_null<typename V::value_type>;
        if (!value.has_value()) return to.put("null");
        if (wrapped) to.put("[");
        print_value(*value, to);
        if (wrapped) to.put("]");
    } else {
        static_assert(kind == field_kind::structure);
        to.put("{");
        for_each_leaf<V>([&]<class L, std::size_t I>() {
            if (I != 0) to.put(",");
            to.put_string(leaf_names<L>::name);
            to.put(":");
            print_value(L::get(value), to);
        });
        to.put("}");
    }
}

[[nodiscard]] inline double real_from(std::string_view number, bool& ok) noexcept {
    double value = 0;
#if defined(__cpp_lib_to_chars)
    const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
    ok = !number.empty() && read.ec == std::errc() && read.ptr == number.data() + number.size();
#else
    char digits[400] = {};  // the longest double without an exponent has 325 characters that matter
    ok = !number.empty() && number.size() < sizeof(digits);
    if (!ok) return 0;
    std::memcpy(digits, number.data(), number.size());
    value = std::strtod(digits, nullptr);
    ok = is_finite(value);
#endif
    return value;
}

/// A float is read as one: by way of a double it would be rounded twice.
[[nodiscard]] inline float short_real_from(std::string_view number, bool& ok) noexcept {
#if defined(__cpp_lib_to_chars)
    float value = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
    ok = !number.empty() && read.ec == std::errc() && read.ptr == number.data() + number.size();
    return value;
#else
    char digits[400] = {};
    ok = !number.empty() && number.size() < sizeof(digits);
    if (!ok) return 0;
    std::memcpy(digits, number.data(), number.size());
    const float value = std::strtof(digits, nullptr);
    ok = is_finite(value);
    return value;
#endif
}

template <class I>
[[nodiscard]] I whole_from(std::string_view number, bool& ok) noexcept {
    using wide = std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>;
    wide value = 0;
    const char* const end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, value);
    ok = !number.empty() && read.ec == std::errc() && read.ptr == end;
    if (!ok) {
        // "3.0" or "1e3": of a field that was a real number. Exact up to 2^53.
        const double real = real_from(number, ok);
        constexpr double exact = 9007199254740992.0;
        ok = ok && real >= (std::is_signed_v<I> ? -exact : 0.0) && real <= exact;
        if (ok) value = static_cast<wide>(real);
        ok = ok && static_cast<double>(value) == real;
    }
    ok = ok && value >= static_cast<wide>((std::numeric_limits<I>::min)()) &&
         value <= static_cast<wide>((std::numeric_limits<I>::max)());
    return ok ? static_cast<I>(value) : I{};
}

[[nodiscard]] inline std::uint64_t parse_link(text_reader& from) noexcept {
    if (from.accept_word("null")) return 0;
    bool ok = true;
    if (from.links() == nullptr) {
        const auto bits = whole_from<std::uint64_t>(from.get_number(), ok);
        if (!ok) from.fail();
        return bits;
    }
    char id[longest_id];
    link_name name;
    from.expect('{');
    bool has_id = false;
    bool has_generation = false;
    do {
        char key[16];
        const std::string_view said(key, from.get_string(key));
        from.expect(':');
        if (said == "id" && !has_id) {
            name.id = {id, from.get_string(id)};
            has_id = true;
        } else if (said == "generation" && !has_generation) {
            name.generation = whole_from<std::uint64_t>(from.get_number(), ok);
            has_generation = ok;
            if (!ok) from.fail();
        } else {
            from.fail();
        }
    } while (from.ok() && from.accept(','));
    from.expect('}');
    std::uint64_t bits = 0;
    if (!from.ok() || !has_id || !has_generation || name.id.empty() || !from.links()->find(name, bits)) from.fail();
    return from.ok() ? bits : 0;
}

template <std::size_t N>
void parse_text(text_reader& from, text<N>& value) noexcept {
    value.clear();
    from.begin_string();
    char c[4];
    std::size_t size = 0;
    while (from.ok() && from.next_character(c, size)) {
        if (!value.append({c, size})) from.fail();
    }
}

template <std::size_t N>
void parse_bytes(text_reader& from, bytes<N>& value) noexcept {
    std::byte made[N];
    std::size_t digits = 0;
    from.begin_string();
    char c[4];
    std::size_t size = 0;
    while (from.ok() && from.next_character(c, size)) {
        const char d = c[0];
        const int digit = size != 1 ? -1 : d >= '0' && d <= '9' ? d - '0' : d >= 'a' && d <= 'f' ? d - 'a' + 10 : -1;
        if (digit < 0 || digits == 2 * N) {
            from.fail();
        } else if (digits % 2 == 0) {
            made[digits++ / 2] = static_cast<std::byte>(digit << 4);
        } else {
            made[digits++ / 2] |= static_cast<std::byte>(digit);
        }
    }
    if (digits % 2 != 0) from.fail();
    if (from.ok()) value.assign(std::span<const std::byte>(made, digits / 2));
}

template <class V>
void parse_value(text_reader& from, V& value) noexcept;

/// Members in any order, none twice; those that are not there keep their defaults, and names that nobody knows are passed over.
template <class S>
void parse_structure(text_reader& from, S& value) noexcept {
    value = S{};
    bool seen_before[leaves_of<S>::count + 1] = {};
    from.expect('{');
    if (from.accept('}')) return;
    do {
        char key[longest_name];
        const std::string_view name(key, from.get_string(key));
        from.expect(':');
        const bool known = any_leaf<S>([&]<class L, std::size_t I>() {
            for (const std::string_view own : leaf_names<L>::all) {
                if (own != name || seen_before[I]) continue;
                seen_before[I] = true;
                parse_value(from, L::get(value));
                return true;
            }
            return false;
        });
        if (!known) from.skip_value();
    } while (from.ok() && from.accept(','));
    from.expect('}');
}

/// After a failure of `from` the value is some value of its type.
template <class V>
void parse_value(text_reader& from, V& value) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::flag) {
        value = from.accept_word("true");
        if (value || from.accept_word("false")) return;
        bool ok = true;
        const auto number = whole_from<std::uint8_t>(from.get_number(), ok);
        if (!ok || number > 1) from.fail();
        value = number == 1;
    } else if constexpr (kind == field_kind::whole || kind == field_kind::enumerated) {
        bool ok = true;
        if (from.accept_word("true")) {
            value = static_cast<V>(1);
        } else if (from.accept_word("false")) {
            value = static_cast<V>(0);
        } else {
            value = static_cast<V>(whole_from<integer_of<V>>(from.get_number(), ok));
        }
        if (!ok) from.fail();
    } else if constexpr (kind == field_kind::real) {
        bool ok = true;
        if constexpr (sizeof(V) == 4) {
            value = short_real_from(from.get_number(), ok);
        } else {
            value = real_from(from.get_number(), ok);
        }
        if (!ok) from.fail();
    } else if constexpr (kind == field_kind::text) {
        parse_text(from, value);
    } else if constexpr (kind == field_kind::bytes) {
        parse_bytes(from, value);
    } else if constexpr (kind == field_kind::link) {
        value = V::from_bits(parse_link(from));
    } else if constexpr (kind == field_kind::list) {
        value.clear();
        from.expect('[');
        if (from.accept(']')) return;
        do {
            if (!value.resize(value.size() + 1)) return from.fail();
            parse_value(from, value.data()[value.size() - 1]);
        } while (from.ok() && from.accept(','));
        from.expect(']');
    } else if constexpr (kind == field_kind::array) {
        std::size_t i = 0;
        from.expect('[');
        if (from.accept(']')) return;
        do {
            if (i == value_shape<V>::count) return from.fail();
            parse_value(from, value[i++]);
        } while (from.ok() && from.accept(','));
        from.expect(']');
    } else if constexpr (kind == field_kind::optional) {
        constexpr bool wrapped = can_be_null<typename V::value_type>;
        value.reset();
        if (from.accept_word("null")) return;
        // A value of before the field was optional has no brackets.
        const bool opened =
            wrapped && kind_of<typename V::value_type> != field_kind::optional ? from.accept('[') : wrapped;
        if (wrapped && opened && kind_of<typename V::value_type> == field_kind::optional) from.expect('[');
        parse_value(from, value.emplace());
        if (opened) from.expect(']');
    } else {
        static_assert(kind == field_kind::structure);
        parse_structure(from, value);
    }
}

}  // namespace lido::entity_detail
