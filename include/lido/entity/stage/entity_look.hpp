// Entities as a tool sees them that knows no type: which classes there are, who lives, a slice at a time, and all there is to say of one.
// Nothing here changes anything.
//
//   lido::entity_place at;                                      // from the beginning
//   do {
//       at = stage.look_through(at, 256, [](const lido::entity_look& e) { … });     // 256 places, then the game goes on
//   } while (!stage.is_through(at));
//
//   if (const lido::entity_look e = stage.look_at(stage.find("gate-1"))) {
//       for (const lido::field_schema& f : e.schema().fields()) lido::class_schema::print(f, e.data(), out);
//   }
#pragma once

#include <lido/entity/identity/entity_id.hpp>
#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/identity/player.hpp>
#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/stage/entity_class.hpp>
#include <lido/entity/stage/history.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/ticks.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lido {

/// What is known of an entity without its type. The texts are copies.
struct entity_info {
    entity_id id;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    player owner;
    bool persistent = false;
    lock_name locked_by;  ///< empty: nobody
    ticks locked_until;

    [[nodiscard]] explicit operator bool() const noexcept { return !id.empty(); }
};

/// What is known of a class of entities without its type. Text and schema stay as long as the stage.
struct entity_class_info {
    class_number number = 0;
    class_id id = 0;
    std::string_view name = {};
    const class_schema* schema = nullptr;
    std::uint32_t live = 0;     ///< those that begin or are loading, too
    std::uint32_t idle = 0;     ///< that may wait for another life
    std::uint32_t history = 0;  ///< commits of each entity that are kept
    bool fresh = false;
    bool changeable = false;  ///< by this role

    [[nodiscard]] explicit operator bool() const noexcept { return schema != nullptr; }
};

/// Where a walk over all entities stands. Zero: at the beginning. It stays good whatever happens between two slices: who lives all the while
/// is seen exactly once.
struct entity_place {
    class_number of = 0;
    std::uint32_t slot = 0;

    friend constexpr auto operator<=>(const entity_place&, const entity_place&) noexcept = default;
};

/// One entity as it is now. False where that life has ended. Valid until anything of its stage changes.
class entity_look {
public:
    entity_look() noexcept = default;
    entity_look(const entity_detail::entity_class_base& of, any_entity_ref which, const entity_info& info,
                const std::byte* data, bool loading) noexcept
        : of_(&of), which_(which), info_(info), data_(data), loading_(loading) {}

    [[nodiscard]] explicit operator bool() const noexcept { return of_ != nullptr; }
    [[nodiscard]] any_entity_ref reference() const noexcept { return which_; }
    [[nodiscard]] const entity_info& info() const noexcept { return info_; }
    /// Its data is still to come.
    [[nodiscard]] bool loading() const noexcept { return loading_; }

    // Pre of all that follows: it is true.

    [[nodiscard]] std::string_view of_class() const noexcept { return of_->name(); }
    [[nodiscard]] const class_schema& schema() const noexcept { return of_->schema(); }
    /// The struct: what class_schema::print() and changed() take.
    [[nodiscard]] const void* data() const noexcept { return data_; }

    /// How many of its commits are kept.
    [[nodiscard]] std::uint32_t history_size() const noexcept { return of_->history().size(slot(), which_.life()); }
    /// 0 is the oldest. Pre: i < history_size().
    [[nodiscard]] past_version made(std::uint32_t i) const noexcept { return of_->history().version(slot(), i); }
    /// The struct as it was before that commit, and behind it.
    [[nodiscard]] const void* before(std::uint32_t i) const noexcept { return of_->history().before(slot(), i); }
    [[nodiscard]] const void* after(std::uint32_t i) const noexcept {
        return i + 1 < history_size() ? before(i + 1) : data_;
    }

private:
    [[nodiscard]] std::uint32_t slot() const noexcept { return entity_detail::slot_of(which_.life()); }

    const entity_detail::entity_class_base* of_ = nullptr;
    any_entity_ref which_;
    entity_info info_;
    const std::byte* data_ = nullptr;
    bool loading_ = false;
};

}  // namespace lido
