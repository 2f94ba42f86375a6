// A commit: what several staged copies do to their entities, all of it or nothing.
//
//   check    each entity lives, this role may, nothing came between, no lock of somebody else      what differs, is it valid
//   reserve  room in the journal for all entries
//   apply    history, entries, the new values, version + 1                                         nothing can fail from here on
//
// The same three steps whether the types are known (edit<T, U>: typed_part, commit_steps), or not (any_edit).
#pragma once

#include <lido/core/config.hpp>
#include <lido/entity/journal/journal.hpp>
#include <lido/entity/schema/schema_of.hpp>
#include <lido/entity/stage/entity_class.hpp>
#include <lido/entity/stage/refusal.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace lido::entity_detail {

/// What an edit knows of one of its entities.
struct edit_part {
    any_entity_ref of;
    std::uint64_t version;      ///< when the edit was opened, or has committed last
    std::uint64_t lock_number;  ///< of the lock that it is made under
};

/// Fields of a class with so many, while a commit is made: a register where that holds them.
template <std::size_t Count, bool Few = (Count <= 64)>
struct leaf_mask {
    std::uint64_t bits;

    LIDO_INLINE void clear() noexcept { bits = 0; }

    LIDO_INLINE void add(std::size_t field) noexcept { bits |= std::uint64_t{1} << field; }
    [[nodiscard]] LIDO_INLINE bool has(std::size_t field) const noexcept { return (bits >> field & 1) != 0; }
    [[nodiscard]] LIDO_INLINE bool empty() const noexcept { return bits == 0; }
    LIDO_INLINE void write(std::byte* set) const noexcept {
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(set, &bits, sizeof(bits));
        } else {
            for (unsigned i = 0; i < 8; ++i) set[i] = static_cast<std::byte>(bits >> (8 * i));
        }
    }
};
template <std::size_t Count>
struct leaf_mask<Count, false> {
    field_set bits;

    LIDO_INLINE void clear() noexcept { bits = {}; }
    LIDO_INLINE void add(std::size_t field) noexcept { bits.add(field); }
    [[nodiscard]] LIDO_INLINE bool has(std::size_t field) const noexcept { return bits.has(field); }
    [[nodiscard]] LIDO_INLINE bool empty() const noexcept { return bits.empty(); }
    LIDO_INLINE void write(std::byte* set) const noexcept {
        std::memset(set, 0, set_bytes(static_cast<std::uint16_t>(Count)));
        bits.for_each([set](std::size_t i) { set[i / 8] |= static_cast<std::byte>(1u << (i % 8)); });
    }
};

/// What a commit does with the fields of a T, unrolled: every offset, size and range is a constant, and nothing is called.
template <class T, class Leaves = leaves_of<T>, class Indexes = std::make_index_sequence<leaves_of<T>::count>>
struct commit_steps;
template <class T, class... L, std::size_t... I>
struct commit_steps<T, leaf_pack<L...>, std::index_sequence<I...>> {
    using mask = leaf_mask<sizeof...(L)>;
    static constexpr auto fields = static_cast<std::uint16_t>(sizeof...(L));

    /// Which fields differ, and how many bytes they have.
    LIDO_INLINE static void compare(const T& a, const T& b, mask& differing, std::uint32_t& bytes) noexcept {
        mask m;
        m.clear();
        std::uint32_t sum = 0;
        (compare_leaf<L, I>(a, b, m, sum), ...);
        differing = m;
        bytes = sum;
    }
    /// Whether every field keeps its rules. Which one does not is asked in typed_class::first_fault_of.
    [[nodiscard]] LIDO_INLINE static bool good(const T& object) noexcept { return (good_leaf<L>(object) && ...); }

    /// The changed fields into an entry, and into the object. Field by field: what the program has just written in small pieces is not read in
    /// large ones, which would wait for it.
    LIDO_INLINE static void apply(const mask& changed, std::byte* before, std::byte* after, T& live,
                                  const T& staged) noexcept {
        std::size_t at = 0;
        (apply_leaf<L>(changed.has(I), before, after, at, live, staged), ...);
    }

private:
    template <class Leaf, std::size_t Field>
    LIDO_INLINE static void compare_leaf(const T& a, const T& b, mask& differing, std::uint32_t& bytes) noexcept {
        if (typed_class<T>::template same<Leaf>(a, b)) return;
        differing.add(Field);
        bytes += static_cast<std::uint32_t>(sizeof(typename Leaf::value));
    }
    template <class Leaf>
    [[nodiscard]] LIDO_INLINE static bool good_leaf(const T& object) noexcept {
        using V = typename Leaf::value;
        if constexpr (kind_of<V> == field_kind::local) {
            return true;
        } else if constexpr (kind_of<V> == field_kind::real && range_of<Leaf>.has_min && range_of<Leaf>.has_max) {
            // Neither NaN nor an infinity lies between two finite bounds.
            return Leaf::get(object) >= from_word<V>(range_of<Leaf>.min) &&
                   Leaf::get(object) <= from_word<V>(range_of<Leaf>.max);
        } else {
            return fault_of(Leaf::get(object), range_of<Leaf>) == field_fault::none;
        }
    }
    template <class Leaf>
    LIDO_INLINE static void apply_leaf(bool changed, std::byte* before, std::byte* after, std::size_t& at, T& live,
                                       const T& staged) noexcept {
        constexpr std::size_t size = sizeof(typename Leaf::value);
        if (!changed) return;
        std::memcpy(before + at, &Leaf::get(live), size);
        if constexpr (size <= 16) {
            // Read once: the compiler cannot know that an entry does not lie where the copy does.
            std::byte now[size];
            std::memcpy(now, &Leaf::get(staged), size);
            std::memcpy(after + at, now, size);
            std::memcpy(static_cast<void*>(&Leaf::get(live)), now, size);
        } else {
            std::memcpy(after + at, &Leaf::get(staged), size);
            std::memcpy(static_cast<void*>(&Leaf::get(live)), &Leaf::get(staged), size);
        }
        at += size;
    }
};

/// The same of an entity whose type is known. Nothing is set but by load_part().
template <class T, class Class>
struct typed_part : edit_part {
    using type = T;
    using steps = commit_steps<T>;
    static constexpr std::uint64_t no_lives = ~std::uint64_t{0};

    typed_part() noexcept {}  // NOLINT(modernize-use-equals-default): a defaulted one would make a T

    Class* in;            ///< found when the edit was opened
    std::uint64_t lives;  ///< of the stage then: where it has the same now, the object is still there; else look for it
    entity_object<T>* object;  ///< found when the edit was opened
    union {
        T staged;
    };
};

// Where the type is not known.
[[nodiscard]] inline std::uint32_t bytes_of_fields(const class_schema& schema, const field_set& changed) noexcept {
    std::uint32_t sum = 0;
    changed.for_each([&](std::size_t i) { sum += schema.fields()[i].size; });
    return sum;
}
inline void put_fields(const entry_room& room, const class_schema& schema, const field_set& changed, const void* before,
                       const void* after) noexcept {
    std::byte* old = room.before.data();
    std::byte* now = room.after.data();
    changed.for_each([&](std::size_t i) {
        const field_schema& f = schema.fields()[i];
        room.changed[i / 8] |= static_cast<std::byte>(1u << (i % 8));
        std::memcpy(old, f.in(before), f.size);
        std::memcpy(now, f.in(after), f.size);
        old += f.size;
        now += f.size;
    });
}

/// What a commit did.
enum class commit_outcome : std::uint8_t { refused, unchanged, committed };

}  // namespace lido::entity_detail
