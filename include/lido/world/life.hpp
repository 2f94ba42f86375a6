// life: what an object knows of itself, so that it can end itself without knowing its world.
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/ref.hpp>

#include <cstdint>

namespace lido {

namespace world_detail {

/// The class of a world, as a life sees it.
class life_owner {
public:
    life_owner(const life_owner&) = delete;
    life_owner& operator=(const life_owner&) = delete;
    /// Ends that life if it still lives. `from`: who asked.
    virtual bool end(source_place from, std::uint64_t life, end_reason why) noexcept = 0;
    /// The same, and its object is not kept for another life.
    virtual bool destroy(source_place from, std::uint64_t life) noexcept = 0;
    [[nodiscard]] virtual bool lives(std::uint64_t life) const noexcept = 0;
    [[nodiscard]] virtual class_number number() const noexcept = 0;

protected:
    life_owner() = default;
    ~life_owner() = default;
};

}  // namespace world_detail

/// One life of one object. Handed to objects that have `void set_life(lido::life)` as the life begins; lido::pooled has it.
/// Copies of an object that outlive its world must not ask it.
class life {
public:
    constexpr life() noexcept = default;
    constexpr life(world_detail::life_owner& owner, std::uint64_t which) noexcept : owner_(&owner), which_(which) {}

    /// Ends it, as world.return_to_pool(ref) would. False when it has ended before.
    LIDO_ENTRY bool end() const noexcept {
        return owner_ != nullptr && owner_->end(place_of_caller(LIDO_CALLER), which_, end_reason::itself);
    }
    /// Ends it, as world.destroy(ref) would: its object is not kept for another life. From inside one of its own hooks it is destroyed when
    /// that has come back; otherwise it is gone when this returns.
    LIDO_ENTRY bool destroy() const noexcept {
        return owner_ != nullptr && owner_->destroy(place_of_caller(LIDO_CALLER), which_);
    }
    [[nodiscard]] bool lives() const noexcept { return owner_ != nullptr && owner_->lives(which_); }
    [[nodiscard]] any_ref reference() const noexcept {
        return owner_ != nullptr ? any_ref(owner_->number(), which_) : any_ref();
    }

private:
    world_detail::life_owner* owner_ = nullptr;
    std::uint64_t which_ = 0;
};

}  // namespace lido
