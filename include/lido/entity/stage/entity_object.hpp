// An entity, as an object of a world: what the program describes, what it keeps beside that, and what the stage knows of it.
//
//   | T data | context | head: id, generation, version, owner, lock, state |
//
// All of it is the stage's. Whoever gets one from the world sees a const object without members; data is read by stage.get() and changed by
// edits.
//
// EO1. Every member is set at the beginning of a life, by begin(), whether the object is new or was idle. Nothing else sets one up, but for
//      load(), which makes a new object of an image.
// EO2. Between the end of a life and the next one data and head are scrubbed: data is a T{}, and nobody is named.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/entity/identity/entity_id.hpp>
#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/identity/player.hpp>
#include <lido/entity/schema/schema_of.hpp>
#include <lido/entity/stage/entity_head.hpp>
#include <lido/entity/stage/entity_image.hpp>
#include <lido/world/confirmed.hpp>
#include <lido/world/end_reason.hpp>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace lido {

/// What `on_begin` is told of the life that begins.
struct entity_birth {
    any_entity_ref self;
    const entity_id& id;
    std::uint64_t generation;
    player owner;
};

namespace entity_detail {

struct no_context {
    friend constexpr bool operator==(no_context, no_context) noexcept = default;
};
template <class T>
struct context_in {
    using type = no_context;
};
template <class T>
    requires requires { typename T::context_type; }
struct context_in<T> {
    using type = typename T::context_type;
};

// Hooks are found beside the struct, as `describe` and `valid` are; each with the context or without.
template <class T, class C>
concept begins_with_context =
    requires(const T& data, C& context, const entity_birth& birth) { on_begin(data, context, birth); };
template <class T>
concept begins_by_itself = requires(const T& data, const entity_birth& birth) { on_begin(data, birth); };
template <class T, class C>
concept ends_with_context = requires(const T& data, C& context, entity_end how) { on_end(data, context, how); };
template <class T>
concept ends_by_itself = requires(const T& data, entity_end how) { on_end(data, how); };
template <class C>
concept has_reset = requires(C& context) { context.reset(); };

/// A class may say `static constexpr bool fresh = true;`: its objects have one life each.
template <class T>
inline constexpr bool is_fresh = requires { requires T::fresh; };

/// What a head is told of the life that begins.
struct entity_birth_facts {
    const entity_id& id;
    std::uint32_t id_tag;
    std::uint64_t generation;
    std::uint64_t version;
    player owner;
    bool persistent;
};

struct entity_access;

}  // namespace entity_detail

/// What a class keeps beside the described data of each entity: T::context_type, or nothing.
template <class T>
using context_of = typename entity_detail::context_in<T>::type;

template <class T>
class entity_object {
    static_assert(
        std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
        "lido: an entity's struct is copied as bytes and begins as T{}: it is trivially copyable and has a default "
        "constructor. What owns memory belongs into its context_type");
    using context_type = context_of<T>;
    static_assert(
        std::is_default_constructible_v<context_type> && std::is_copy_constructible_v<context_type> &&
            std::is_nothrow_move_constructible_v<context_type> && std::is_nothrow_move_assignable_v<context_type>,
        "lido: a context begins as C{}, is copied by saves and moved without a throw. What cannot be copied is "
        "given to the stage: stage.manage(ref, [x] { … })");

public:
    using belongs_to_a_stage = void;
    static constexpr auto release = on_confirm;
    static constexpr options pool_options = {};
    static constexpr bool hooks_as_meant = true;

    entity_object() = default;

    // --- for the world, which shows nobody an object that is not const ---------------------------------------------------------

    void on_release(end_reason why) noexcept {
        if (head_.phase == entity_detail::life_phase::none) return;
        if (head_.end == entity_end::none)
            head_.end = why == end_reason::undone ? entity_end::undone : entity_end::called_off;
        tell_end();
        scrub();
    }
    /// The stage has ended the life itself.
    [[nodiscard]] bool is_ending() const noexcept { return head_.phase == entity_detail::life_phase::ending; }
    [[nodiscard]] bool waits_for_another_life() const noexcept { return head_.end == entity_end::pooled; }

    void hash(hasher& h) const {
        h.add(schema_of<T>().hash(&data_, schema_of<T>().all()));
        head_.id.hash(h);
        h.add(head_.generation).add(head_.version).add(head_.owner.id);
        h.add(head_.lock_until).add(head_.lock_number).add(std::uint64_t{head_.persistent ? 1u : 0u});
    }

    /// Into an image (entity_image.hpp). Pre: no hook of it runs, and its stage has found nothing against it.
    void save(image_writer& w) const {
        entity_detail::write_head(w, head_);
        if (w.lasting()) return entity_detail::write_stored(w, schema_of<T>(), &data_);
        entity_detail::write_fields(w, data_);
        entity_detail::write_context(w, context_);
    }
    /// What is wrong beyond this entity its stage finds.
    [[nodiscard]] bool load(image_reader& r) {
        if (!entity_detail::read_head(r, head_)) return false;
        if (r.lasting()) return entity_detail::note_stored(r, head_);
        return entity_detail::read_fields(r, data_) && entity_detail::read_context(r, context_);
    }

private:
    friend struct entity_detail::entity_access;

    /// As EO1 says. Member by member where they are: a head that is made elsewhere is copied as it comes out of its own stores.
    LIDO_INLINE void begin(const T& data, context_type&& context,
                           const entity_detail::entity_birth_facts& birth) noexcept {
        std::memcpy(static_cast<void*>(&data_), &data, sizeof(T));
        if constexpr (!std::is_empty_v<context_type>) context_ = std::move(context);
        head_.id = birth.id;
        head_.id_tag = birth.id_tag;
        head_.generation = birth.generation;
        head_.version = birth.version;
        head_.owner = birth.owner;
        head_.lock_until = head_.lock_number = 0;
        head_.lock_by = {};
        head_.phase = entity_detail::life_phase::beginning;
        head_.end = entity_end::none;
        head_.persistent = birth.persistent;
    }

    void tell_begin([[maybe_unused]] const entity_birth& birth) {
        if constexpr (entity_detail::begins_with_context<T, context_type>) {
            on_begin(std::as_const(data_), context_, birth);
        } else if constexpr (entity_detail::begins_by_itself<T>) {
            on_begin(std::as_const(data_), birth);
        }
    }
    void tell_end() noexcept {
        if constexpr (entity_detail::ends_with_context<T, context_type>) {
            static_assert(noexcept(on_end(std::as_const(data_), context_, head_.end)),
                          "lido: on_end must be noexcept: the end of a life cannot fail");
            on_end(std::as_const(data_), context_, head_.end);
        } else if constexpr (entity_detail::ends_by_itself<T>) {
            static_assert(noexcept(on_end(std::as_const(data_), head_.end)),
                          "lido: on_end must be noexcept: the end of a life cannot fail");
            on_end(std::as_const(data_), head_.end);
        }
    }

    /// As EO2 says. A context with `reset()` keeps its memory for the next life of the object.
    void scrub() noexcept {
        if constexpr (entity_detail::has_reset<context_type>) {
            static_assert(noexcept(context_.reset()), "lido: reset() of a context must be noexcept");
            if (head_.end == entity_end::pooled) {
                context_.reset();
            } else {
                renew_context();
            }
        } else {
            renew_context();
        }
        const T nothing{};
        std::memcpy(static_cast<void*>(&data_), &nothing, sizeof(T));
        head_ = {};
    }
    void renew_context() noexcept {
        if constexpr (!std::is_empty_v<context_type>) {
            LIDO_TRY { context_ = context_type{}; }
            LIDO_CATCH_ALL {}
        }
    }

    T data_{};
    LIDO_NO_UNIQUE_ADDRESS context_type context_{};
    entity_detail::entity_head head_;
};

namespace entity_detail {

/// The stage's way in.
struct entity_access {
    template <class T>
    [[nodiscard]] static T& data(entity_object<T>& e) noexcept {
        return e.data_;
    }
    template <class T>
    [[nodiscard]] static context_of<T>& context(entity_object<T>& e) noexcept {
        return e.context_;
    }
    template <class T>
    [[nodiscard]] static entity_head& head(entity_object<T>& e) noexcept {
        return e.head_;
    }
    template <class T>
    LIDO_INLINE static void begin(entity_object<T>& e, const T& data, context_of<T>&& context,
                                  const entity_birth_facts& birth) noexcept {
        e.begin(data, std::move(context), birth);
    }
    /// Throws: what the hook throws.
    template <class T>
    static void tell_begin(entity_object<T>& e, any_entity_ref self) {
        e.tell_begin({self, e.head_.id, e.head_.generation, e.head_.owner});
    }
    template <class T>
    static void scrub(entity_object<T>& e) noexcept {
        e.head_.end = entity_end::called_off;
        e.scrub();
    }
    /// Another state takes the place of all lives: this one never was.
    template <class T>
    static void undo(entity_object<T>& e) noexcept {
        if (e.head_.phase == life_phase::none) return;
        e.head_.end = entity_end::undone;
        e.tell_end();
        e.scrub();
    }
};

}  // namespace entity_detail
}  // namespace lido
