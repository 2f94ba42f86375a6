// What spawn() returns.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/options.hpp>
#include <lido/world/ref.hpp>

#include <cstdint>

namespace lido {

/// Why a spawn did not give an object. Recorded games hold the numbers: a new one goes to the end.
enum class spawn_refusal : std::uint8_t {
    none,
    no_class,          ///< the world has no such class; world.last_error() names those it has
    not_in_this_role,  ///< the class is there, and its settings do not let this role build it
    wrong_payload,     ///< the payload is of another type than the class takes; world.last_error() names both
    full,              ///< as many are active as may be, and on_full ended in refusal
    headroom,          ///< what is left is kept for requests of a higher priority
    kind_cap,          ///< as many are active as requests of this kind may fill the pool to
    merged,            ///< folded into an active object, which the answer names
    ended_at_once,     ///< it began, and was ended by one of its own hooks
    no_memory,
    no_creator,   ///< the class has no default constructor and no `create`
    making_room,  ///< asked by a hook or listener of an object that was just being ended to make room in this class
    ending,       ///< the class or the world is being ended
    world_closed,  ///< the world is being saved, restored or hashed, or ends are being confirmed: what runs meanwhile may only look
    slot_taken,         ///< spawn_under(): another life is in that slot, or its end is not over
    generation_passed,  ///< spawn_under(): the slot has had that life or a later one
    out_of_range,       ///< spawn_under(): the reference names no life, or a slot beyond what the class may have
    given_elsewhere,    ///< the references of this class come from outside: lives begin by spawn_under()
    owned,              ///< the objects of this class are entities: the stage they belong to creates them
    ambiguous_class,    ///< several classes have this type; world.last_error() names them: say which
};

[[nodiscard]] constexpr const char* to_string(spawn_refusal why) noexcept {
    switch (why) {
        case spawn_refusal::none: return "none";
        case spawn_refusal::no_class: return "the world has no such class";
        case spawn_refusal::ambiguous_class: return "several classes have this type";
        case spawn_refusal::not_in_this_role: return "the class is not built in this role";
        case spawn_refusal::wrong_payload: return "the payload has another type than the class takes";
        case spawn_refusal::full: return "full";
        case spawn_refusal::headroom: return "headroom is kept for higher priorities";
        case spawn_refusal::kind_cap: return "the cap for its kind is reached";
        case spawn_refusal::merged: return "folded into another object";
        case spawn_refusal::ended_at_once: return "ended by one of its own hooks";
        case spawn_refusal::no_memory: return "no memory";
        case spawn_refusal::no_creator: return "nothing says how to make a new object";
        case spawn_refusal::making_room: return "asked while an object of the class was ended to make room";
        case spawn_refusal::ending: return "the class is being ended";
        case spawn_refusal::world_closed:
            return "the world is being saved, restored, hashed or confirmed, and may only be looked at";
        case spawn_refusal::slot_taken: return "another life is in that slot";
        case spawn_refusal::generation_passed: return "the slot has had that life or a later one";
        case spawn_refusal::out_of_range: return "the reference names no life that this class may have";
        case spawn_refusal::owned: return "the class belongs to a stage, which creates its entities";
        case spawn_refusal::given_elsewhere: return "the references of this class are given elsewhere";
    }
    return "unknown";
}

namespace world_detail {

[[nodiscard]] constexpr spawn_refusal refusal_of(refusal why) noexcept {
    switch (why) {
        case refusal::none: return spawn_refusal::none;
        case refusal::headroom: return spawn_refusal::headroom;
        case refusal::kind_cap: return spawn_refusal::kind_cap;
        case refusal::merged: return spawn_refusal::merged;
        case refusal::no_memory: return spawn_refusal::no_memory;
        case refusal::no_creator: return spawn_refusal::no_creator;
        case refusal::reentrant: return spawn_refusal::making_room;
        case refusal::slot_taken: return spawn_refusal::slot_taken;
        case refusal::generation_passed: return spawn_refusal::generation_passed;
        case refusal::out_of_range: return spawn_refusal::out_of_range;
        default: return spawn_refusal::full;
    }
}

}  // namespace world_detail

/// False when there is no object; why() tells. For use right away: what is kept for later is the reference.
template <class T>
class spawned {
public:
    constexpr spawned() noexcept = default;
    constexpr spawned(T* object, ref<T> which) noexcept : object_(object), which_(which) {}
    constexpr spawned(spawn_refusal why, ref<T> which = {}) noexcept : which_(which), why_(why) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return object_ != nullptr; }
    [[nodiscard]] constexpr operator ref<T>() const noexcept { return which_; }
    [[nodiscard]] constexpr operator any_ref() const noexcept { return which_; }
    [[nodiscard]] constexpr ref<T> reference() const noexcept { return which_; }
    [[nodiscard]] constexpr spawn_refusal why() const noexcept { return why_; }

    /// Null when there is none.
    [[nodiscard]] constexpr T* get() const noexcept { return object_; }
    /// Pre: there is one.
    [[nodiscard]] constexpr T* operator->() const noexcept {
        LIDO_ASSERT(object_ != nullptr, "a refused spawn was used as an object: test it first");
        return object_;
    }
    /// Pre: there is one.
    [[nodiscard]] constexpr T& operator*() const noexcept {
        LIDO_ASSERT(object_ != nullptr, "a refused spawn was used as an object: test it first");
        return *object_;
    }

private:
    T* object_ = nullptr;
    ref<T> which_;
    spawn_refusal why_ = spawn_refusal::none;
};

/// Read as `why()`, like that of spawned<T>. Without the brackets, as it was in 0.1.0, it still compiles.
struct spawn_answer {
    spawn_refusal value = spawn_refusal::none;

    constexpr spawn_answer() noexcept = default;
    constexpr spawn_answer(spawn_refusal why) noexcept : value(why) {}
    [[nodiscard]] constexpr spawn_refusal operator()() const noexcept { return value; }
    [[nodiscard]] constexpr operator spawn_refusal() const noexcept { return value; }
};

/// The same where the type is not known: spawned by name.
struct any_spawned {
    any_ref which;
    spawn_answer why;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return why() == spawn_refusal::none; }
    [[nodiscard]] constexpr any_ref reference() const noexcept { return which; }
    [[nodiscard]] constexpr operator any_ref() const noexcept { return which; }
};

}  // namespace lido
