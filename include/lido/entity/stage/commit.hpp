// A commit: what several staged copies do to their entities, all of it or nothing.
//
//   check    each entity lives, this role may, nothing came between, no lock of somebody else      what differs, is it valid
//   reserve  room in the journal for all entries
//   apply    history, entries, the new values, version + 1                                         nothing can fail from here on
//
// The same three steps whether the types are known (edit<T, U>), or not (any_edit): commit_part is one entity of either.
#pragma once

#include <lido/core/config.hpp>
#include <lido/entity/journal/journal.hpp>
#include <lido/entity/schema/schema_of.hpp>
#include <lido/entity/stage/entity_class.hpp>
#include <lido/entity/stage/refusal.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lido::entity_detail {

/// What an edit knows of one of its entities.
struct edit_part {
    any_entity_ref of;
    std::uint64_t version = 0;      ///< when the edit was opened, or has committed last
    std::uint64_t lock_number = 0;  ///< of the lock that it is made under
    field_set changed;              ///< by the check
    std::uint32_t bytes = 0;        ///< of the changed fields, by the check
    void* object = nullptr;         ///< found by the check
};

/// How many bytes the changed fields of a T have.
template <class T>
[[nodiscard]] LIDO_INLINE std::uint32_t bytes_of_fields(const field_set& changed) noexcept {
    std::uint32_t sum = 0;
    for_each_leaf<T>([&]<class L, std::size_t I>() {
        if (changed.has(I)) sum += static_cast<std::uint32_t>(sizeof(typename L::value));
    });
    return sum;
}

/// Fills the room of an update.
template <class T>
LIDO_INLINE void put_fields(const entry_room& room, const field_set& changed, const T& before,
                            const T& after) noexcept {
    std::byte* old = room.before.data();
    std::byte* now = room.after.data();
    for_each_leaf<T>([&]<class L, std::size_t I>() {
        if (!changed.has(I)) return;
        constexpr std::size_t size = sizeof(typename L::value);
        room.changed[I / 8] |= static_cast<std::byte>(1u << (I % 8));
        std::memcpy(old, &L::get(before), size);
        std::memcpy(now, &L::get(after), size);
        old += size;
        now += size;
    });
}

// The same where the type is not known.
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
