// What a class of a world keeps of each object.
//
//   | object | its lifecycle | its lifetime's timer | who listens for its end | which birth it is, where ends wait for confirm |
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/delegate.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/meta/object_hooks.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_element.hpp>
#include <lido/world/confirmed.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/kept_object.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/lifecycle.hpp>
#include <lido/world/timing_wheel.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido::world_detail {

/// A lifetime, or a call that was asked for with `after`.
struct world_timer {
    std::uint64_t life;
    life_listeners::node_handle call;  ///< null: the life ends

    void save(image_writer& w) const {
        w.put(life);
        w.put(call.to_bits());
    }
    [[nodiscard]] bool load(image_reader& r) noexcept {
        life = r.take<std::uint64_t>();
        call = life_listeners::node_handle::from_bits(r.take<std::uint64_t>());
        return true;
    }
};
using world_wheel = timing_wheel<world_timer>;

/// Snapshots copy objects. One that cannot be copied and has `save` and `load` for images is copied by these.
template <class T>
concept saved_by_codec = !std::is_copy_constructible_v<T> && image_codec<T> && std::default_initializable<T>;

/// One that cannot be copied at all, of a class whose ends wait: a restore leaves it as it is. What is only seen or heard is such an
/// object: a sound that plays, a thing of the renderer.
template <class T>
concept kept_in_place = waits_for_confirm<T>() && !std::is_copy_constructible_v<T> && !saved_by_codec<T>;

template <class T>
concept world_savable =
    kept_in_place<T> || ((std::is_copy_constructible_v<T> || saved_by_codec<T>)&&(
                            std::is_trivially_copyable_v<T> || std::is_nothrow_move_constructible_v<T>));

/// Images hold objects as pools write them. What is read is made first, so that it takes a default constructor.
template <class T>
concept world_writable = image_element<T> && std::default_initializable<T> && world_savable<T>;

template <class T>
struct copied_by_codec {
    T object;

    copied_by_codec() = default;
    explicit copied_by_codec(T&& from) noexcept(std::is_nothrow_move_constructible_v<T>) : object(std::move(from)) {}
    copied_by_codec(const copied_by_codec& other) : object() {
        std::vector<std::byte> bytes;
        image_writer w(bytes);
        other.object.save(w);
        image_reader r(bytes);
        LIDO_VERIFY(object.load(r), "an object did not load what it has just saved");
    }
    copied_by_codec(copied_by_codec&&) noexcept(std::is_nothrow_move_constructible_v<T>) = default;
    copied_by_codec& operator=(const copied_by_codec&) = delete;
    copied_by_codec& operator=(copied_by_codec&&) noexcept(std::is_nothrow_move_assignable_v<T>) = default;
    ~copied_by_codec() = default;
};

/// What a class keeps of each object, whatever its type.
struct life_record {
    lifecycle life;
    world_wheel::timer lifetime;
    life_listeners::list finished;
};

template <class T>
struct held_object {
    using holder = std::conditional_t<saved_by_codec<T>, copied_by_codec<T>,
                                      std::conditional_t<kept_in_place<T>, kept_object<T>, T>>;

    holder held;

    // Constructors and no aggregate: GCC 12 takes an aggregate for default constructible though a member of it is not.
    held_object() noexcept(std::is_nothrow_default_constructible_v<T>)
        requires std::default_initializable<T>
        : held{} {}
    explicit held_object(const delegate<T()>& make)
        requires(!kept_in_place<T>)
        : held(make()) {}
    explicit held_object(const delegate<T()>& make)
        requires(kept_in_place<T>)
        : held(make) {}
};

/// Which birth a life is, where the class says that its ends wait.
template <class T, bool Waits = waits_for_confirm<T>()>
struct birth_record {};
template <class T>
struct birth_record<T, true> {
    spawn_key key;
};

/// The object first, so that its address is its record's.
template <class T>
struct world_record : held_object<T>, life_record, birth_record<T> {
    using held_object<T>::held;

    world_record() noexcept(std::is_nothrow_default_constructible_v<T>)
        requires std::default_initializable<T>
    = default;
    /// `ahead`: it is not for a life that begins, but waits first.
    explicit world_record(bool ahead)
        requires std::default_initializable<T>
    {
        if (ahead) world_hooks<T>::set_in_use(object(), false);
    }
    world_record(const delegate<T()>& make, bool ahead) : held_object<T>(make) {
        if (ahead) world_hooks<T>::set_in_use(object(), false);
    }

    [[nodiscard]] T& object() noexcept {
        if constexpr (saved_by_codec<T> || kept_in_place<T>) {
            return held.object;
        } else {
            return held;
        }
    }
    [[nodiscard]] const T& object() const noexcept { return const_cast<world_record*>(this)->object(); }

    /// An image has the object: lives in it are active, and their timers and listeners are beside them (class_image.hpp).
    void save(image_writer& w) const
        requires world_writable<T>
    {
        if constexpr (waits_for_confirm<T>()) {
            w.put(this->key.tick);
            w.put(this->key.spawner.life());
            w.put(this->key.spawner.class_of());
            w.put(this->key.ordinal);
        }
        if (!w.lasting()) return write_element(w, object());
        const std::size_t at = w.size();
        w.put(std::uint32_t{0});
        write_element(w, object());
        w.patch(at, static_cast<std::uint32_t>(w.size() - at - sizeof(std::uint32_t)));
    }
    [[nodiscard]] bool load(image_reader& r)
        requires world_writable<T>
    {
        life.begin();
        if constexpr (waits_for_confirm<T>()) {
            this->key.tick = r.take<std::uint64_t>();
            const auto spawner = r.take<std::uint64_t>();
            this->key.spawner = any_ref(r.take<class_number>(), spawner);
            this->key.ordinal = r.take<std::uint32_t>();
        }
        if (!r.lasting()) return read_element(r, object());
        image_reader own(r.take_bytes(r.take<std::uint32_t>()));
        if (!r.ok() || r.notes()->skip) return r.ok();
        own.set_notes(r.notes());
        return read_element(own, object()) && own.ok() && own.left() == 0;
    }

    void hash(hasher& h) const {
        h.add(static_cast<std::uint64_t>(life.state()));
        h.add(lifetime.to_bits());
        if constexpr (waits_for_confirm<T>()) {
            h.add(this->key.tick).add(std::uint64_t{this->key.spawner.class_of()}).add(this->key.spawner.life());
            h.add(std::uint64_t{this->key.ordinal});
        }
        if constexpr (hashable_state<T>) {
            hash_value_into(h, object());
        } else if constexpr (image_codec<T>) {
            std::vector<std::byte> bytes;
            image_writer w(bytes);
            object().save(w);
            h.add(bytes_checksum(bytes));
        }
    }
};

/// A record has no life of its own: what its class calls of the object (hooks.hpp), and when, is the class's to say.
template <class T>
struct record_hooks {
    using record = world_record<T>;

    /// At the end of a life the object has been told already. Here its end is certain at last, or a rewind undoes it.
    static void end(record& r) noexcept {
        if (r.life.state() == life_state::idle) return;
        if constexpr (waits_for_confirm<T>()) {
            if (r.life.state() == life_state::waiting) {
                world_hooks<T>::release(r.object(), r.life.why_ended());
                r.life.let_go();
                return;
            }
        }
        world_hooks<T>::set_in_use(r.object(), false);
        world_hooks<T>::release(r.object(), end_reason::undone);
        r.life.undo();
        r.lifetime = {};
        r.finished = {};
    }
    /// What a snapshot holds of the object, and of this record, is put here next.
    static void end_undone(record& r) noexcept
        requires(waits_for_confirm<T>())
    {
        world_hooks<T>::set_in_use(r.object(), true);
    }
    /// And here a snapshot of later is restored, in which the life has ended and waits.
    static void end_again(record& r) noexcept
        requires(waits_for_confirm<T>())
    {
        world_hooks<T>::set_in_use(r.object(), false);
        static_cast<void>(r.life.end(end_reason::undone));
        r.life.wait();
        r.lifetime = {};
        r.finished = {};
    }
    static constexpr bool only_comes_back = kept_in_place<T>;
    /// The pool's question as a life ends.
    [[nodiscard]] static bool waits_for_another_life(const record& r) noexcept
        requires(says_whether_it_waits<T> || waits_for_confirm<T>())
    {
        if constexpr (waits_for_confirm<T>()) {
            if (r.life.state() == life_state::waiting && r.life.why_ended() == end_reason::destroyed) return false;
        }
        if constexpr (says_whether_it_waits<T>) {
            return object_hooks<T>::waits_for_another_life(r.object());
        } else {
            return true;
        }
    }
};

/// Whether a hash of the world sees what an object holds.
template <class T>
inline constexpr bool world_hashable = hashable_state<T> || image_codec<T>;

}  // namespace lido::world_detail

template <class T>
struct lido::object_hooks<lido::world_detail::world_record<T>> : lido::world_detail::record_hooks<T> {};
