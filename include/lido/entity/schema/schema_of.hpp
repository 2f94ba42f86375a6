// Makes the class_schema of a struct, and the same questions for who knows the type, with every range known to the compiler.
#pragma once

#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/schema/field_check.hpp>
#include <lido/entity/schema/value_bytes.hpp>
#include <lido/entity/schema/value_compare.hpp>
#include <lido/entity/schema/value_fault.hpp>
#include <lido/entity/schema/value_spelling.hpp>
#include <lido/entity/schema/value_text.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace lido {

namespace entity_detail {

// --- one value ------------------------------------------------------------------------------------------------------------

template <class V>
inline constexpr bool is_one_number =
    kind_of<V> == field_kind::whole || kind_of<V> == field_kind::real || kind_of<V> == field_kind::enumerated;

template <class V>
struct typed_value {
    // Arrays cannot be copied by themselves.
    struct boxed {
        V value{};
    };

    static const V& at(const void* value) noexcept { return *static_cast<const V*>(value); }
    static V& at(void* value) noexcept { return *static_cast<V*>(value); }

    static void encode(const void* value, byte_writer& to) noexcept { encode_value(at(value), to); }
    static void decode(byte_reader& from, void* value) noexcept { decode_value(from, at(value)); }
    static void print(const void* value, text_writer& to) noexcept { print_value(at(value), to); }
    static bool parse(std::string_view text, link_names* links, void* value) noexcept {
        boxed made;
        std::memcpy(&made.value, value, sizeof(V));
        text_reader from(text, links);
        parse_value(from, made.value);
        if (!from.done()) return false;
        std::memcpy(value, &made.value, sizeof(V));
        return true;
    }
    static void hash(hasher& h, const void* value) noexcept { add_to_hash(h, at(value)); }
    static void hash_wire(hasher& h, const void* value, const number_range& range) noexcept {
        add_wire_to_hash(h, at(value), range);
    }
    static void round(void* value, const number_range& range) noexcept { round_to_wire(at(value), range); }
    static void spell(const number_range& range, text_writer& to) noexcept { spell_type<V>(range, to); }
    static std::uint64_t quantise(const void* value, [[maybe_unused]] const number_range& range) noexcept {
        if constexpr (is_one_number<V>) {
            return entity_detail::quantise(at(value), range);
        } else if constexpr (kind_of<V> == field_kind::flag) {
            return at(value) ? 1 : 0;
        } else {
            return 0;
        }
    }
    static void unquantise([[maybe_unused]] std::uint64_t steps, [[maybe_unused]] const number_range& range,
                           [[maybe_unused]] void* value) noexcept {
        if constexpr (is_one_number<V>) {
            at(value) = entity_detail::unquantise<V>(steps, range);
        } else if constexpr (kind_of<V> == field_kind::flag) {
            at(value) = steps != 0;
        }
    }
};

/// What is neither sent nor saved may be of any type: its bytes stay in this program.
template <class V>
struct untold_value {
    static void encode(const void* value, byte_writer& to) noexcept { to.put_bytes(value, sizeof(V)); }
    static void decode(byte_reader& from, void* value) noexcept {
        if (const auto got = from.get_bytes(sizeof(V)); from.ok()) std::memcpy(value, got.data(), sizeof(V));
    }
    static void print(const void*, text_writer& to) noexcept { to.put("null"); }
    static bool parse(std::string_view, link_names*, void*) noexcept { return false; }
    static void hash(hasher&, const void*) noexcept {}
    static void hash_wire(hasher&, const void*, const number_range&) noexcept {}
    static void round(void*, const number_range&) noexcept {}
    static void spell(const number_range& range, text_writer& to) noexcept { spell_type<V>(range, to); }
    static std::uint64_t quantise(const void*, const number_range&) noexcept { return 0; }
    static void unquantise(std::uint64_t, const number_range&, void*) noexcept {}
};

template <class Ops>
inline constexpr value_ops ops_in{Ops::encode,    Ops::decode, Ops::print,    Ops::parse,      Ops::hash,
                                  Ops::hash_wire, Ops::round,  Ops::quantise, Ops::unquantise, Ops::spell};

template <class V>
inline constexpr const value_ops* ops_of =
    &ops_in<std::conditional_t<kind_of<V> == field_kind::local, untold_value<V>, typed_value<V>>>;

template <class V>
[[nodiscard]] bool same_untold(const V& a, const V& b) noexcept {
    if constexpr (requires { static_cast<bool>(a == b); }) {
        return a == b;
    } else {
        static_assert(has_no_padding<V>(),
                      "lido: a field that is neither sent nor saved is compared with ==, which its type does not have");
        return std::memcmp(&a, &b, sizeof(V)) == 0;
    }
}

// --- fingerprints ---------------------------------------------------------------------------------------------------------

/// What both ends of a wire must agree on. Links fit each other whatever they link to.
template <class V>
constexpr void add_type_to_hash(hasher& h, [[maybe_unused]] const number_range& range) {
    constexpr field_kind kind = kind_of<V>;
    h.add(static_cast<std::uint64_t>(kind));
    if constexpr (is_one_number<V>) {
        h.add(std::uint64_t{sizeof(V)}).add(std::uint64_t{std::is_signed_v<integer_of<V>>});
        h.add(std::uint64_t{range.has_min}).add(range.min).add(std::uint64_t{range.has_max}).add(range.max);
        h.add(std::uint64_t{range.has_step}).add(range.step);
    } else if constexpr (kind == field_kind::text || kind == field_kind::bytes) {
        h.add(std::uint64_t{V::max_size});
    } else if constexpr (has_elements<V>) {
        h.add(std::uint64_t{value_shape<V>::count});
        add_type_to_hash<typename value_shape<V>::element>(h, range);
    } else if constexpr (kind == field_kind::structure) {
        for_each_leaf_by_id<V>([&]<class L, std::size_t>() {
            h.add(leaf_names<L>::id);
            add_type_to_hash<typename L::value>(h, range_of<L>);
        });
    }
}

template <class Leaf>
constexpr std::uint64_t make_fingerprint() {
    hasher h;
    h.add(leaf_names<Leaf>::id);
    add_type_to_hash<typename Leaf::value>(h, range_of<Leaf>);
    return h.digest();
}

template <class Leaf>
inline constexpr std::uint64_t fingerprint_of = make_fingerprint<Leaf>();

template <class T>
constexpr std::uint64_t make_class_fingerprint() {
    hasher h;
    for_each_leaf_by_id<T>([&]<class L, std::size_t>() {
        if (options_of<L>.sent_to() != seen::by_nobody) h.add(fingerprint_of<L>);
    });
    return h.digest();
}

// --- one class ------------------------------------------------------------------------------------------------------------

template <class T>
concept has_valid = requires(const T& object) { valid(object); };

template <class T>
consteval bool require_valid() {
    if constexpr (has_valid<T>) {
        static_assert(std::same_as<decltype(valid(std::declval<const T&>())), bool>,
                      "lido: `valid(const T&)` returns bool: true where the fields go together");
    } else {
        static_assert(
            !requires(T& object) { valid(object); },
            "lido: `valid` is asked about objects that it may not change: it takes const T&");
    }
    return true;
}

template <class T, std::int64_t N>
concept migrates_from = requires(const record& old, T& now) { migrate(from_revision<N>{}, old, now); };

template <class T>
consteval bool require_migrations() {
    constexpr std::int64_t revision = description_of<T>.revision;
    static_assert(
        !migrates_from<T, revision> && !migrates_from<T, revision + 1>,
        "lido: there is a `migrate` from the revision that the schema has now, or from a later one, which nobody will "
        "ever call: raise the revision in `describe`");
    return true;
}

template <class T>
struct typed_class {
    static const T& at(const void* object) noexcept { return *static_cast<const T*>(object); }

    static constexpr numbered_fault faults_together([[maybe_unused]] const T& object) {
        if constexpr (has_valid<T>) {
            if (!valid(object)) return {no_field, field_fault::refused};
        }
        return {no_field, field_fault::none};
    }

    static constexpr numbered_fault first_fault_of(const T& object) {
        numbered_fault found{no_field, field_fault::none};
        const bool any = any_leaf<T>([&]<class L, std::size_t I>() {
            if constexpr (kind_of<typename L::value> == field_kind::local) {
                return false;
            } else {
                found.fault = fault_of(L::get(object), range_of<L>);
                found.field = static_cast<std::uint32_t>(I);
                return found.fault != field_fault::none;
            }
        });
        if (any) return found;
        return faults_together(object);
    }

    template <class L>
    static constexpr bool same(const T& a, const T& b) noexcept {
        if constexpr (kind_of<typename L::value> == field_kind::local) {
            return same_untold(L::get(a), L::get(b));
        } else {
            return same_value(L::get(a), L::get(b));
        }
    }

    static constexpr field_set changed_between(const T& a, const T& b) noexcept {
        field_set set;
        for_each_leaf<T>([&]<class L, std::size_t I>() {
            if (!same<L>(a, b)) set.add(I);
        });
        return set;
    }

    static constexpr numbered_fault check_changes(const T& before, const T& after, field_set& changed) {
        numbered_fault found{no_field, field_fault::none};
        const bool any = any_leaf<T>([&]<class L, std::size_t I>() {
            if (same<L>(before, after)) return false;
            changed.add(I);
            if constexpr (kind_of<typename L::value> != field_kind::local) {
                found.fault = fault_of(L::get(after), range_of<L>);
            }
            if (found.fault == field_fault::none) return false;
            found.field = static_cast<std::uint32_t>(I);
            return true;
        });
        if (any) return found;
        return faults_together(after);
    }

    static constexpr field_set changed_on_wire_between(const T& a, const T& b) noexcept {
        field_set set;
        for_each_leaf<T>([&]<class L, std::size_t I>() {
            if constexpr (options_of<L>.sent_to() != seen::by_nobody) {
                if (!same_on_wire(L::get(a), L::get(b), range_of<L>)) set.add(I);
            }
        });
        return set;
    }

    static numbered_fault first_fault(const void* object) { return first_fault_of(at(object)); }
    static field_set changed(const void* a, const void* b) noexcept { return changed_between(at(a), at(b)); }
    static field_set changed_on_wire(const void* a, const void* b) noexcept {
        return changed_on_wire_between(at(a), at(b));
    }

    static void migrate_all([[maybe_unused]] const record& old, [[maybe_unused]] void* now) {
        constexpr auto revisions = static_cast<std::size_t>(description_of<T>.revision);
        [&]<std::size_t... N>(std::index_sequence<N...>) {
            [[maybe_unused]] const auto from = [&]<std::int64_t R>() {
                if constexpr (migrates_from<T, R>) {
                    if (R >= old.revision()) migrate(from_revision<R>{}, old, *static_cast<T*>(now));
                }
            };
            (from.template operator()<static_cast<std::int64_t>(N) + 1>(), ...);
        }(std::make_index_sequence<revisions - 1>{});
    }

    static constexpr class_ops ops{first_fault, changed, changed_on_wire, migrate_all};
};

template <class T>
struct class_data {
    class_data() noexcept {
        for_each_leaf<T>([&]<class L, std::size_t I>() {
            field_schema& f = fields[I];
            constexpr leaf_options o = options_of<L>;
            f.name = leaf_names<L>::name;
            f.names = leaf_names<L>::all;
            f.id = leaf_names<L>::id;
            f.kind = kind_of<typename L::value>;
            f.send = o.sent_to();
            f.save = o.saved();
            f.number = static_cast<std::uint32_t>(I);
            // No constant expression has the offset of a member whose name nobody writes.
            f.offset = static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(&L::get(defaults)) -
                                                  reinterpret_cast<const std::byte*>(&defaults));
            f.size = static_cast<std::uint32_t>(sizeof(typename L::value));
            f.most_bytes = most_bytes<typename L::value>();
            if constexpr (kind_of<typename L::value> != field_kind::local) {
                f.links = judge_links<typename L::value>();
            }
            f.range = range_of<L>;
            f.fingerprint = fingerprint_of<L>;
            f.ops = ops_of<typename L::value>;
            if (f.sent()) made.sent_.add(I);
            if (f.save) made.saved_.add(I);
        });
        made.type_name_ = type_name<T>();
        made.revision_ = description_of<T>.revision;
        made.size_ = sizeof(T);
        made.alignment_ = alignof(T);
        made.fields_ = {fields.data(), count};
        made.by_id_ = leaves_by_id<T>;
        made.defaults_ = &defaults;
        made.ops_ = &typed_class<T>::ops;
        made.fingerprint_ = make_class_fingerprint<T>();
        made.all_ = field_set::first(count);
    }

    static constexpr std::size_t count = leaves_of<T>::count;

    const T defaults{};
    std::array<field_schema, count + 1> fields{};
    class_schema made;
};

/// What a program says at its first use of T, before anything that would make the compiler say it in its own way.
template <class T>
concept good_schema = require_schema<T>() && require_valid<T>() && require_migrations<T>();

}  // namespace entity_detail

/// The schema of T. The first call makes it; no call asks for memory.
template <class T>
[[nodiscard]] const class_schema& schema_of() noexcept {
    if constexpr (entity_detail::good_schema<T>) {
        static const entity_detail::class_data<T> data;
        return data.made;
    }
}

/// As class_schema::first_invalid, by number; inlined, with ranges that the compiler knows.
template <class T>
[[nodiscard]] constexpr entity_detail::numbered_fault first_fault(const T& object) {
    return entity_detail::typed_class<T>::first_fault_of(object);
}

/// The same for the fields that differ. Usable at compile time.
template <class T>
[[nodiscard]] constexpr field_set differing_fields(const T& a, const T& b) noexcept {
    return entity_detail::typed_class<T>::changed_between(a, b);
}

/// Both in one pass, for a commit: adds the fields that differ to `changed`, and returns the first of them that breaks its rules (then
/// `changed` has those up to it), or what `valid` says of `after`. Pre: nothing is wrong with the fields of `before`.
template <class T>
[[nodiscard]] constexpr entity_detail::numbered_fault check_changes(const T& before, const T& after,
                                                                    field_set& changed) {
    return entity_detail::typed_class<T>::check_changes(before, after, changed);
}

/// class_schema::fingerprint, at compile time.
template <class T>
[[nodiscard]] consteval std::uint64_t schema_fingerprint() {
    return entity_detail::make_class_fingerprint<T>();
}

}  // namespace lido
