// How an entity is asked for, and what comes back; and how one ends.
#pragma once

#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/identity/player.hpp>
#include <lido/entity/stage/refusal.hpp>

#include <cstdint>
#include <string_view>

namespace lido {

/// All members have a default, so that a designated initialiser names only what differs.
struct creation {
    std::string_view id = {};  ///< empty: the stage makes one
    player owner = {};
    bool persistent = false;       ///< loaded from the store, and saved
    std::string_view key = {};     ///< of its row, where that is not the id
    std::uint64_t version = 0;     ///< the first one of the life; below 2^63
    std::uint64_t generation = 0;  ///< 0: the next one; else the least, which raises the stage's; below 2^63
    bool stored_id = false;        ///< for stores: the id was given by a stage, and may begin with ~
};

/// False when there is no entity; why() tells. What is kept for later is the reference.
template <class T>
class created : public stage_answer {
public:
    created() noexcept = default;
    created(entity_ref<T> which, const T* data) noexcept : which_(which), data_(data) {}
    created(const entity_detail::refusal_facts& facts) noexcept : stage_answer(facts) {}

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(which_); }
    [[nodiscard]] operator entity_ref<T>() const noexcept { return which_; }
    [[nodiscard]] operator any_entity_ref() const noexcept { return which_; }
    /// Why there is none, for code without types. Pre: there is none.
    [[nodiscard]] const entity_detail::refusal_facts& facts() const noexcept { return *facts_; }
    [[nodiscard]] entity_ref<T> reference() const noexcept { return which_; }

    /// Pre: there is one, and it is not loading. For use right away.
    [[nodiscard]] const T* operator->() const noexcept {
        LIDO_ASSERT(data_ != nullptr, "a refused creation was used as an entity: test it first");
        return data_;
    }
    [[nodiscard]] const T& operator*() const noexcept {
        LIDO_ASSERT(data_ != nullptr, "a refused creation was used as an entity: test it first");
        return *data_;
    }

private:
    entity_ref<T> which_;
    const T* data_ = nullptr;
};

/// The same, of a class that is known by its number only.
class created_entity : public stage_answer {
public:
    created_entity(any_entity_ref which) noexcept : which_(which) {}
    created_entity(const entity_detail::refusal_facts& facts) noexcept : stage_answer(facts) {}
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(which_); }
    [[nodiscard]] any_entity_ref reference() const noexcept { return which_; }

private:
    any_entity_ref which_;
};

/// What pool(), destroy() and erase() did.
enum class end_outcome : std::uint8_t {
    refused,
    pooled,
    destroyed,  ///< also by pool(), when as many wait as may (settings.idle)
    erased,
};

[[nodiscard]] constexpr const char* to_string(end_outcome outcome) noexcept {
    switch (outcome) {
        case end_outcome::refused: return "refused";
        case end_outcome::pooled: return "pooled";
        case end_outcome::destroyed: return "destroyed";
        case end_outcome::erased: return "erased";
    }
    return "unknown";
}

class end_result : public stage_answer {
public:
    end_result(end_outcome outcome) noexcept : outcome_(outcome) {}
    end_result(const entity_detail::refusal_facts& facts) noexcept : stage_answer(facts) {}

    [[nodiscard]] end_outcome outcome() const noexcept { return outcome_; }
    friend bool operator==(const end_result& r, end_outcome outcome) noexcept { return r.outcome_ == outcome; }

private:
    end_outcome outcome_ = end_outcome::refused;
};

/// What is done about changes that a store has not written when a persistent entity is pooled.
enum class unsaved : std::uint8_t {
    flush,   ///< they are written, detached from the entity
    refuse,  ///< the end is refused while there are any
};

/// A lock on an entity, as its holder knows it. Zero is none.
struct entity_lock {
    any_entity_ref of;
    std::uint64_t number = 0;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return number != 0; }
    friend constexpr bool operator==(const entity_lock&, const entity_lock&) noexcept = default;
};

struct end_options {
    lido::unsaved unsaved = lido::unsaved::flush;
    entity_lock under = {};  ///< the lock of whoever asks
};

class lock_result : public stage_answer {
public:
    explicit lock_result(entity_lock lock) noexcept : lock_(lock) {}
    lock_result(const entity_detail::refusal_facts& facts) noexcept : stage_answer(facts) {}

    [[nodiscard]] entity_lock lock() const noexcept { return lock_; }
    [[nodiscard]] operator entity_lock() const noexcept { return lock_; }

private:
    entity_lock lock_;
};

}  // namespace lido
