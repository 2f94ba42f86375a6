// What a recycle_pool does to an object: makes it, begins and ends its lives, destroys it.
//
//   acquire(args…) of        a new object                                an idle one
//   T::on_acquire(args…)     create() or T(), then on_acquire(args…)     on_acquire(args…)
//   no arguments             create() or T()                             as its last life left it
//   T that owns nothing      T(args…)                                    T(args…), in its place
//   otherwise                does not compile
//
// Where T has no default constructor and there is no create(), a new object is T(args…), which counts as its on_acquire(args…).
//
// "T owns nothing" means a trivial destructor. Other types do not get `object = T(args…)`, which compiles for most of them: it
// throws away the very memory that the object was kept for, and nobody would see it.
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/meta/object_hooks.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/shapes/recycle/recycle_settings.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// A life of an idle T can begin from these arguments.
template <class T, class... Args>
concept recyclable = begins_by_hook<T, Args...> || sizeof...(Args) == 0 ||
                     (std::is_trivially_destructible_v<T> && constructible<T, Args...>);

/// acquire() without arguments of a T without on_acquire().
template <class T, class... Args>
inline constexpr bool taken_as_left = !begins_by_hook<T, Args...> && sizeof...(Args) == 0;

template <class T>
inline constexpr bool default_made = constructible<T>;

/// What calls the user's code counts it in `inside`, as long as it runs.
template <class T, class Handle, bool Confirms = false>
class recycle_hooks {
public:
    using settings_type = recycle_settings<T, Handle, Confirms>;

    explicit recycle_hooks(const settings_type& settings) noexcept : settings_(settings) { check_ends<T>(); }

    [[nodiscard]] const settings_type& settings() const noexcept { return settings_; }

    /// Whether a new object can be made without arguments.
    [[nodiscard]] bool can_create() const noexcept { return default_made<T> || static_cast<bool>(settings_.create); }

    /// Whether a new object can be made for an acquire with these.
    template <class... Args>
    [[nodiscard]] bool can_build() const noexcept {
        return constructible<T, Args...> || can_create();
    }

    /// A new object for the idle ones. Pre: can_create().
    T* create(call_depth& inside, void* place) const {
        const call running(inside);
        if (settings_.create) return ::new (place) T(settings_.create());
        if constexpr (default_made<T>) return construct<T>(place);
        return nullptr;
    }

    /// A new object whose life begins. Pre: can_build(). Throws: what making it or a hook throws; nothing is left at `place` then.
    template <class... Args>
    T* build(call_depth& inside, void* place, Args&&... args) const {
        const call running(inside);
        constexpr bool from_args = constructible<T, Args...>;
        if constexpr (!begins_by_hook<T, Args...> && !taken_as_left<T, Args...>) {
            return greet(inside, construct<T>(place, std::forward<Args>(args)...));
        } else {
            if constexpr (!default_made<T> && from_args) {
                if (!settings_.create) return greet(inside, construct<T>(place, std::forward<Args>(args)...));
            }
            T* const object = create(inside, place);
            if constexpr (begins_by_hook<T, Args...>) {
                LIDO_TRY { object_hooks<T>::begin(*object, std::forward<Args>(args)...); }
                LIDO_CATCH_ALL {
                    destroy(inside, *object);
                    LIDO_RETHROW;
                }
            }
            return greet(inside, object);
        }
    }

    /// An idle object whose life begins. Throws: what a hook throws; the object exists still, if survives<Args…>.
    template <class... Args>
    LIDO_INLINE T* begin([[maybe_unused]] call_depth& inside, T* object, Args&&... args) const {
        if constexpr (begins_by_hook<T, Args...>) {
            const call running(inside);
            object_hooks<T>::begin(*object, std::forward<Args>(args)...);
        } else if constexpr (!taken_as_left<T, Args...>) {
            const inner_call<T> running(inside);
            object = construct<T>(object, std::forward<Args>(args)...);
        }
        if (settings_.get) [[unlikely]] {
            const call running(inside);
            settings_.get(*object);
        }
        return object;
    }

    /// Whether begin() runs code of the user, which may change the pool.
    template <class... Args>
    [[nodiscard]] LIDO_INLINE bool calls_out_to_begin() const noexcept {
        if constexpr (begins_by_hook<T, Args...>) {
            return true;
        } else if constexpr (taken_as_left<T, Args...>) {
            return static_cast<bool>(settings_.get);
        } else {
            return calls_out<T> || static_cast<bool>(settings_.get);
        }
    }

    /// False where an idle object is built over, and building can fail.
    template <class... Args>
    [[nodiscard]] static consteval bool survives() noexcept {
        if constexpr (begins_by_hook<T, Args...> || taken_as_left<T, Args...>) {
            return true;
        } else {
            return nothrow_constructible<T, Args...>();
        }
    }

    /// Whether begin() can throw for reasons of T's own.
    template <class... Args>
    [[nodiscard]] static consteval bool begins_quietly() noexcept {
        if constexpr (begins_by_hook<T, Args...>) {
            return noexcept(object_hooks<T>::begin(std::declval<T&>(), std::declval<Args>()...));
        } else {
            return survives<Args...>();
        }
    }

    LIDO_INLINE void end(call_depth& inside, T& object) const noexcept {
        if (settings_.release) [[unlikely]] {
            const call running(inside);
            settings_.release(object);
        }
        if constexpr (ends_by_hook<T>) {
            const call running(inside);
            object_hooks<T>::end(object);
        }
    }

    void end_undone(call_depth& inside, T& object) const noexcept
        requires(hears_of_undone_ends<T>)
    {
        const call running(inside);
        object_hooks<T>::end_undone(object);
    }

    void end_again(call_depth& inside, T& object) const noexcept
        requires(hears_of_ends_again<T>)
    {
        const call running(inside);
        object_hooks<T>::end_again(object);
    }

    void destroy(call_depth& inside, T& object) const noexcept {
        const call running(inside);
        if (settings_.destroy) settings_.destroy(object);
        detail::destroy(address_of(object));
    }

    /// The end of an object does something.
    [[nodiscard]] bool ends_matter() const noexcept {
        return !std::is_trivially_destructible_v<T> || ends_by_hook<T> || settings_.release || settings_.destroy;
    }

    /// An object outside of the pool: for a full pool, which must not end anyone for a newcomer that cannot be made.
    class visitor {
    public:
        template <class... Args>
        explicit visitor(const recycle_hooks& hooks, Args&&... args)
            : hooks_(hooks), object_(hooks.build(outside_, room_, std::forward<Args>(args)...)) {}
        visitor(const visitor&) = delete;
        visitor& operator=(const visitor&) = delete;
        ~visitor() { hooks_.destroy(outside_, *object_); }
        [[nodiscard]] T& operator*() const noexcept { return *object_; }

    private:
        const recycle_hooks hooks_;
        call_depth outside_ = 0;  ///< what is done to it is no call inside of the pool
        alignas(T) std::byte room_[sizeof(T)];
        T* object_;
    };

private:
    using call = counted_call<true>;

    T* greet(call_depth& inside, T* object) const {
        if (!settings_.get) return object;
        LIDO_TRY { settings_.get(*object); }
        LIDO_CATCH_ALL {
            destroy(inside, *object);
            LIDO_RETHROW;
        }
        return object;
    }

    const settings_type& settings_;
};

}  // namespace lido::detail
