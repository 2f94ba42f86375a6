// Calls of a world that wait for their tick and belong to no life: waves of enemies, the end of a round.
//
// The world's own ticks count: no class's pause or time scale touches them. Part of a rewind, as all timers are.
#pragma once

#include <lido/core/delegate.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/image_names.hpp>
#include <lido/world/named_calls.hpp>
#include <lido/world/ticks.hpp>
#include <lido/world/timing_wheel.hpp>
#include <lido/world/wheel_image.hpp>
#include <lido/world/wheel_rewind.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace lido::world_detail {

/// A call that waits. Not inside of world_calls: there it is no type yet that can be asked whether it has a codec.
struct world_call {
    /// Is called with the world_base. Room for a world and a reference, as in an event.
    using function = delegate<void(void* world), 32>;

    function f;
    class_id name = 0;  ///< 0: it has none; else f holds a bound_call (named_calls.hpp)

    void save(image_writer& w) const { write_named(w, f, name); }
    [[nodiscard]] bool load(image_reader& r) noexcept { return read_named(r, f, name); }
};

class world_calls {
public:
    using call = world_call::function;
    using wheel = timing_wheel<world_call>;

    [[nodiscard]] std::uint64_t start(ticks in, const call& f, class_id name = 0) {
        return wheel_.start(in, f, name).to_bits();
    }
    bool cancel(std::uint64_t timer) noexcept { return wheel_.cancel(wheel::timer::from_bits(timer)); }
    [[nodiscard]] std::uint32_t size() const noexcept { return wheel_.size(); }
    void clear() noexcept { wheel_.clear(); }
    [[nodiscard]] verdict validate() const noexcept { return wheel_.validate(); }
    /// One of them is on the stack.
    [[nodiscard]] bool busy() const noexcept { return depth_ != 0; }

    /// A tick of the world. noexcept: a call that throws would leave the others of its tick behind.
    void tick(void* world) noexcept {
        wheel_.advance([this, world](wheel::timer, const world_call& due) {
            ++depth_;
            due.f(world);
            --depth_;
        });
    }

    // --- rewind: two sections ----------------------------------------------------------------------------------------------

    static constexpr std::size_t sections = 2;

    [[nodiscard]] bool save(std::span<section> to) const {
        std::byte* const data = to[1].begin(wheel_rewind<wheel>::bytes(wheel_), alignof(std::uint64_t));
        if (data == nullptr) return false;
        wheel_rewind<wheel>::put(data, wheel_);
        to[1].seal(&section_kind<world_calls>);
        return rewind_of<wheel::node_pool>::save(wheel_.timers(), to[0]);
    }

    [[nodiscard]] restore_result stage(std::span<const section> from) {
        staged_.reset();
        if (from[1].kind() != &section_kind<world_calls>)
            return {restore_error::other_parts, "the snapshot was saved from another kind of world"};
        lists_ = &from[1];
        return rewind_of<wheel::node_pool>::stage(wheel_.timers(), from[0], staged_.emplace());
    }
    // --- image: one wheel ------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::string find_names(written_names& names) const {
        std::string wrong;
        wheel_.for_each([&](ticks, const world_call& waiting) {
            if (wrong.empty()) wrong = names.use(waiting.name, "the world", "a waiting call");
        });
        return wrong;
    }
    /// Pre: find_names() has said nothing.
    void write(image_writer& w) const { wheel_image<wheel>::write(wheel_, w); }
    /// As stage(), from bytes that may be hostile.
    [[nodiscard]] image_verdict read(image_reader& r, const read_names& names) {
        unstage();
        wheel& fresh = from_image_.emplace();
        if (const restore_result bad = wheel_image<wheel>::read(fresh, r); !bad) return {bad, "the world's calls"};
        for (auto&& [which, timer] : fresh.timers().each()) {
            if (image_verdict bad = names.restore(timer.value.f, timer.value.name, 0, "the world"); !bad) return bad;
        }
        return {};
    }

    /// Pre: stage() or read() has said yes.
    void commit(const named_calls& names) noexcept {
        if (from_image_) {
            wheel_ = std::move(*from_image_);
            from_image_.reset();
            return;
        }
        rewind_of<wheel::node_pool>::commit(wheel_.timers(), *staged_);
        wheel_.state() = wheel_rewind<wheel>::take(lists_->data());
        staged_.reset();
        if (names.empty()) return;
        for (auto&& [which, timer] : wheel_.timers().each()) names.rebind(timer.value.f, timer.value.name, 0);
    }
    void unstage() noexcept {
        staged_.reset();
        from_image_.reset();
    }

    /// Nothing for a world without such calls.
    void hash(hasher& h) const {
        wheel_.for_each([&h](ticks due, const world_call&) { h.add(due.count); });
        if (wheel_.size() != 0) h.add(std::uint64_t{wheel_.size()});
    }

private:
    wheel wheel_;
    std::uint32_t depth_ = 0;
    std::optional<staged_of<wheel::node_pool>> staged_;
    const section* lists_ = nullptr;
    std::optional<wheel> from_image_;
};

}  // namespace lido::world_detail
