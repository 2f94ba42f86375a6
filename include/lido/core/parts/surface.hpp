// The functions that every shape has in the same words: asked for an object, asked about itself, saved and restored.
//
// Stateless bases: no member, and no idea of slots, rows or memory. A shape derives from one of them and opens to it what it keeps
// private: limits() and counters() (exhaustion.hpp), book() (the diary), leases(), generation_of(index), and
//
//   take(request, args...)     begins a life from these arguments, or refuses
//   try_get(handle)            public: the object, or null
//
// What depends on the layout (release, contains, iteration, memory) is written in each shape. Rejected: these functions once per
// shape, as before; their seven copies had begun to differ.
#pragma once

#include <lido/core/base/acquired.hpp>
#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/null_use.hpp>
#include <lido/core/parts/bulk.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/rewind/save.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lido::detail {

/// For every shape, with or without handles.
template <class Pool>
class holder_surface {
public:
    /// Why the latest refused acquire or reserve was refused. A later success does not change it.
    [[nodiscard]] refusal why_refused() const noexcept { return self().limits().last(); }

    /// For reports.
    [[nodiscard]] const char* name() const noexcept { return self().limits().settings().name; }

    // --- rewind (see rewind/save.hpp) --------------------------------------------------------------------------------------

    /// The whole state into a snapshot, for restore() in this run. False when there is no memory for it.
    bool save(snapshot& to) const { return lido::save(to, self()); }

    /// The whole state as an image, for outside: a file, a network.
    void save(std::vector<std::byte>& to) const { lido::save(to, self()); }

    /// Exactly the saved state: the next acquire gives the handle it gave then. Handles made since are refused until then.
    /// Nothing changes when it is refused, or when a copy of an element throws.
    restore_result restore(const snapshot& from) { return lido::restore(from, self()); }
    restore_result restore(std::span<const std::byte> image) { return lido::restore(image, self()); }

    /// Equal for equal states on every compiler and machine.
    [[nodiscard]] std::uint64_t state_hash() const { return lido::state_hash(self()); }

protected:
    holder_surface() noexcept = default;
    holder_surface(const holder_surface&) noexcept = default;
    holder_surface& operator=(const holder_surface&) noexcept = default;
    ~holder_surface() = default;

    [[nodiscard]] LIDO_INLINE Pool& self() noexcept { return static_cast<Pool&>(*this); }
    [[nodiscard]] LIDO_INLINE const Pool& self() const noexcept { return static_cast<const Pool&>(*this); }
};

/// What a surface has to know of a shape before the shape is complete.
template <class T, class Handle, options Options, class Pointer = T*, class ConstPointer = const T*, bool Merges = true>
struct object_types {
    using value_type = T;
    using handle_type = Handle;
    using pointer = Pointer;
    using const_pointer = ConstPointer;

    static constexpr bool forensics = Options.forensics;
    static constexpr bool merges = Merges;

    /// Whether explain<Args...>() says in words why a life cannot begin from these arguments.
    static constexpr bool explains = false;

    /// A life can begin from these arguments, and cannot throw while it does.
    template <class... Args>
    static constexpr bool accepts = constructible<T, Args...>;
    template <class... Args>
    [[nodiscard]] static consteval bool nothrow() noexcept {
        return nothrow_constructible<T, Args...>();
    }
};

/// For shapes with handles.
template <class Pool, class Types>
class pool_surface : public holder_surface<Pool> {
    using handle_type = typename Types::handle_type;
    using pointer = typename Types::pointer;
    using const_pointer = typename Types::const_pointer;
    using acquired_type = acquired<typename Types::value_type, handle_type, pointer>;

public:
    /// Begins a life: an object from these arguments. False when refused: why_refused() tells.
    /// Throws: what the constructor throws; the pool is then as it was. Complexity: O(1), amortised over growth. What it invalidates
    /// is said by each shape.
    template <class... Args>
        requires(Types::template accepts<Args...>)
    LIDO_QUICK_ENTRY acquired_type acquire(Args&&... args) noexcept(Types::template nothrow<Args...>()) {
        [[maybe_unused]] const auto from = self().book().enter(LIDO_CALLER);
        return self().take(request{}, std::forward<Args>(args)...);
    }

    /// The same for a request that says how much it matters.
    template <class... Args>
        requires(Types::template accepts<Args...>)
    LIDO_QUICK_ENTRY acquired_type acquire_as(request wish,
                                              Args&&... args) noexcept(Types::template nothrow<Args...>()) {
        [[maybe_unused]] const auto from = self().book().enter(LIDO_CALLER);
        return self().take(wish, std::forward<Args>(args)...);
    }

    // For arguments that cannot begin a life. They return nothing, so `acquires<Pool, Args…>` is false.
    template <class... Args>
        requires(Types::explains && !Types::template accepts<Args...>)
    void acquire(Args&&...) {
        Types::template explain<Args...>();
    }
    template <class... Args>
        requires(Types::explains && !Types::template accepts<Args...>)
    void acquire_as(request, Args&&...) {
        Types::template explain<Args...>();
    }

    /// The same, released at the end of the lease's scope.
    template <class... Args>
        requires(Types::template accepts<Args...>)
    [[nodiscard]] LIDO_ENTRY lido::lease<Pool> lease(Args&&... args) {
        [[maybe_unused]] const auto from = self().book().enter(LIDO_CALLER);
        return lido::lease<Pool>(self(), self().leases(), self().take(request{}, std::forward<Args>(args)...));
    }

    /// Begins up to `out.size()` lives from the same arguments and writes their handles. Returns how many fit.
    /// Throws: what a constructor throws; the lives that this call began have then ended again and `out` holds nulls.
    template <class... Args>
        requires(Types::template accepts<const Args&...>)
    LIDO_ENTRY std::uint32_t acquire_n(std::span<handle_type> out, const Args&... args) {
        [[maybe_unused]] const auto from = self().book().enter_for_all(LIDO_CALLER);
        return acquire_each(self(), out, args...);
    }

    /// Ends each of them; returns how many lived.
    LIDO_ENTRY std::uint32_t release_n(std::span<const handle_type> handles) noexcept {
        [[maybe_unused]] const auto from = self().book().enter_for_all(LIDO_CALLER);
        return release_each(self(), handles);
    }

    /// The object, or null once its life has ended. Any bits may be asked about. With forensics, asking for a life that has ended is
    /// reported: where that is no mistake, ask try_get().
    [[nodiscard]] LIDO_QUICK_ENTRY pointer get(handle_type handle) noexcept {
        const pointer object = self().try_get(handle);
        if constexpr (Types::forensics) report_if_stale(object != nullptr, handle, LIDO_CALLER);
        return object;
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const_pointer get(handle_type handle) const noexcept {
        const const_pointer object = self().try_get(handle);
        if constexpr (Types::forensics) report_if_stale(object != nullptr, handle, LIDO_CALLER);
        return object;
    }

    /// Where the latest newcomer that on_full::merge folded lives on.
    [[nodiscard]] handle_type merged_into() const noexcept
        requires(Types::merges)
    {
        return self().limits().merged_into();
    }

protected:
    using holder_surface<Pool>::self;
    using common_surface = pool_surface;  ///< by which a class behind another surface knows this one

    LIDO_COLD acquired_type refuse(refusal why) noexcept {
        self().limits().refused(why, self().counters());
        return {};
    }

    /// False, so that release() can end in it.
    LIDO_COLD bool bad_release(handle_type handle) noexcept {
        if constexpr (requires { self().end_waits(handle); }) {
            ++self().counters().bad_releases;
            self().book().tell(what_is_wrong_with(handle));
            return false;
        }
        return self().limits().bad_release(self().book(), handle.index(), handle.generation(),
                                           self().generation_of(handle.index()), self().counters());
    }

    /// The same for an object that lies at `slot`, which may be no_slot, and is not alive.
    LIDO_COLD bool bad_release_at(std::uint32_t slot) noexcept {
        return self().limits().bad_release_of_object(self().book(), self().counters(), slot,
                                                     slot != no_slot ? self().generation_of(slot) - 1 : 0);
    }

private:
    /// With options::confirmed_ends, where the object of a life that has ended may be there still.
    LIDO_COLD misuse what_is_wrong_with(handle_type handle) const noexcept {
        return lido::detail::bad_release(self().name(), handle.index(), handle.generation(),
                                         self().generation_of(handle.index()), self().end_waits(handle));
    }

    LIDO_INLINE void report_if_stale(bool found, handle_type handle, const void* caller) const noexcept {
        if (found) return;
        if (!handle) return note_null_lookup(self().name(), caller);
        if constexpr (requires { self().end_waits(handle); })
            return self().book().tell_stale_get(what_is_wrong_with(handle), caller);
        self().book().tell_stale_get(lido::detail::bad_release(self().name(), handle.index(), handle.generation(),
                                                               self().generation_of(handle.index())),
                                     caller);
    }
};

}  // namespace lido::detail
