// What listeners hear of entities: entries of the journal, told in their order by deliver(), with the bytes of the entry. The live entity
// may be further, or gone.
//
//   stage.signals<door>().updated.connect([](const lido::entity_event& e) { if (e.changed("open")) … });
//   stage.on_released(gate, [](const lido::entity_event& e) { … });          // of one life, and gone with it
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/delegate.hpp>
#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/journal/entry.hpp>
#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/stage/life_things.hpp>
#include <lido/world/event.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace lido {

/// How the stage writes an entity into the journal.
///
///   the whole entity   | owner, 8 bytes | life, 8 bytes | the struct as it lies in memory |      life: its reference in this stage
///   changed fields     | field | field | ...      in order of declaration, each as it lies in memory
///   a change of owner  no field is changed; before and after have 8 bytes: the owners; detail is 1
struct entity_bytes {
    static constexpr std::size_t owner = sizeof(std::uint64_t);
    static constexpr std::size_t head = 2 * sizeof(std::uint64_t);  ///< in front of the struct
    static constexpr std::uint8_t owner_changed = 1;                ///< detail of an update
    static constexpr std::uint8_t persistent = 1;                   ///< detail of a creation
    static constexpr std::uint8_t was_persistent = 0x80;            ///< in the detail of an end, beside the end_reason
};

/// One change, as a listener hears of it. Valid during the call.
class entity_event {
public:
    entity_event(const journal_entry& entry, const class_schema& schema, any_entity_ref of,
                 std::string_view id) noexcept
        : entry_(entry), schema_(schema), of_(of), id_(id) {}

    [[nodiscard]] change_kind kind() const noexcept { return entry_.kind(); }
    /// Of the life, which may have ended since.
    [[nodiscard]] any_entity_ref reference() const noexcept { return of_; }
    /// Empty for an update of an entity that has ended since.
    [[nodiscard]] std::string_view id() const noexcept { return entry_.id.empty() ? id_ : entry_.id; }
    [[nodiscard]] std::uint64_t generation() const noexcept { return entry_.what.generation.value; }
    [[nodiscard]] std::uint64_t version() const noexcept { return entry_.what.version.value; }
    [[nodiscard]] ticks tick() const noexcept { return entry_.what.tick; }
    [[nodiscard]] const journal_entry& entry() const noexcept { return entry_; }
    [[nodiscard]] const class_schema& schema() const noexcept { return schema_; }

    [[nodiscard]] bool changed(std::string_view field) const noexcept {
        const field_schema* const f = schema_.find(field);
        return f != nullptr && entry_.changed.has(f->number);
    }
    [[nodiscard]] bool owner_changed() const noexcept {
        return kind() == change_kind::updated && entry_.what.detail == entity_bytes::owner_changed;
    }

    /// The field as the change left it; nothing where the change does not say, or the field is of another size.
    template <class V>
    [[nodiscard]] std::optional<V> after(std::string_view field) const noexcept {
        return value_in<V>(entry_.after, field);
    }
    /// As it was before.
    template <class V>
    [[nodiscard]] std::optional<V> before(std::string_view field) const noexcept {
        return value_in<V>(entry_.before, field);
    }

private:
    template <class V>
    [[nodiscard]] std::optional<V> value_in(std::span<const std::byte> bytes, std::string_view name) const noexcept {
        static_assert(std::is_trivially_copyable_v<V> && std::is_default_constructible_v<V>);
        const field_schema* const f = schema_.find(name);
        if (f == nullptr || f->size != sizeof(V) || bytes.empty() || owner_changed()) return std::nullopt;
        std::size_t at = entity_bytes::head + f->offset;
        if (kind() == change_kind::updated) {
            if (!entry_.changed.has(f->number)) return std::nullopt;
            at = 0;
            for (std::uint32_t i = 0; i < f->number; ++i) at += entry_.changed.has(i) ? schema_.fields()[i].size : 0;
        }
        if (at + sizeof(V) > bytes.size()) return std::nullopt;
        V value;
        std::memcpy(&value, bytes.data() + at, sizeof(V));
        return value;
    }

    const journal_entry& entry_;
    const class_schema& schema_;
    any_entity_ref of_;
    std::string_view id_;
};

/// The signals of a class. Wiring of the program: no part of a rewind.
struct entity_signals {
    event<const entity_event&> created;
    event<const entity_event&> updated;
    event<const entity_event&> released;   ///< the life is over, whichever way: kind() says which
    event<const entity_event&> destroyed;  ///< and the object is not used again

    [[nodiscard]] bool empty() const noexcept {
        return created.empty() && updated.empty() && released.empty() && destroyed.empty();
    }
};

/// Names one listener of one life. Zero names none.
struct entity_connection {
    std::uint64_t serial = 0;
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return serial != 0; }
};

namespace entity_detail {

using entity_call = delegate<void(const entity_event&), 32>;

enum class listens_to : std::uint8_t { updates, end };

struct life_listener {
    entity_call call;
    listens_to what = listens_to::updates;
};

/// The first of what listeners throw is passed on when all have been called: no listener is skipped for another's fault.
class first_exception {
public:
    template <class F>
    void keep(F&& f) {
        LIDO_TRY { f(); }
        LIDO_CATCH_ALL {
            if (first_ == nullptr) first_ = std::current_exception();
        }
    }
    void pass_on() {
        if (first_ != nullptr) std::rethrow_exception(first_);
    }

private:
    std::exception_ptr first_;
};

}  // namespace entity_detail
}  // namespace lido
