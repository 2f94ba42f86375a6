// Classes whose objects belong to a layer above the world: to a stage, whose entities they are. The world keeps, ticks, saves and shows them as
// it does all others, and whoever asks the world itself to begin, end or change one is refused: that would go past the layer's checks.
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/spawned.hpp>

#include <string_view>
#include <type_traits>

namespace lido {

template <class Transform>
class basic_world;

namespace world_detail {

template <class T, class Transform>
class class_pool;

/// T says so: `using belongs_to_a_stage = void;`.
template <class T>
concept owned_by_layer = requires { typename T::belongs_to_a_stage; };

/// What a world hands out of a T.
template <class T>
using handed_out = std::conditional_t<owned_by_layer<T>, const T, T>;

}  // namespace world_detail

/// For layers above the world that own classes of it, and not for programs: it goes past all that they check.
namespace owning {

struct lasting_notes;

/// The layer that owns classes of a world, as the world sees it.
class layer {
public:
    /// All lives have ended, and the classes are going.
    virtual void world_ends() noexcept = 0;

protected:
    ~layer() = default;
};

/// The class, as the layer reaches it: begin and end lives, find objects.
template <class T, class Transform>
using class_pool = world_detail::class_pool<T, Transform>;

/// How the layer that owns a class reaches it.
struct access {
    template <class T, class Transform>
    [[nodiscard]] static class_pool<T, Transform>* pool_of(basic_world<Transform>& world, class_number of) noexcept {
        static_assert(world_detail::owned_by_layer<T>);
        return world.template owned_pool<T>(of);
    }
    /// Null: the layer is going. False when the world has another one.
    template <class Transform>
    [[nodiscard]] static bool attach(basic_world<Transform>& world, layer* which) noexcept {
        if (which != nullptr && world.layer_ != nullptr) return false;
        world.layer_ = which;
        return true;
    }
    template <class Transform>
    static void start(basic_world<Transform>& world) {
        world.start_for_layer();
    }
    /// A restore of an image that is older than the program has been committed: what it dropped ends, and what it did not have is built.
    /// Throws: what constructors and hooks throw.
    template <class Transform>
    static void settle_lasting(basic_world<Transform>& world, const lasting_notes& notes) {
        world.settle_lasting(notes);
    }
    /// A hook, listener or waiting call is on the stack, or the world is being saved or restored.
    template <class World>
    [[nodiscard]] static bool busy(const World& world) noexcept {
        return world.busy();
    }
};

}  // namespace owning
}  // namespace lido
