// Does a recycled object begin its next life as a fresh one would? In builds with forensics each one is compared, after its reset,
// with an object that is built anew from the same arguments; what differs has leaked from the last life, and is named.
//
// The fresh object is built beside the pool by the same constructor, create(), on_acquire(args…) and get(), then ended by release(),
// on_release() and destroy(), all of which therefore run once more an acquire. Where that has effects outside of the object, or the
// time is not to be had, settings.reset_check = false or lido::reports.resets = false turn it off.
//
// Compared is only what has a reset: on_acquire(args…), or on_release(), settings.get or settings.release for an acquire without
// arguments. An object that is taken as its last life left it, for its fields to be set by hand, is not.
// A class that cannot be taken apart is compared by bytes, if it owns nothing (trivially copyable) or has told what it keeps with
// kept_fields (`lido::kept<>` for nothing): the buffer that a class keeps inside is no leak, and cannot be told from one.
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/field_compare.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/report.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// How a T is compared.
template <class T>
inline constexpr bool compared_by_field = splittable<T>;
template <class T>
inline constexpr bool compared_by_byte =
    !splittable<T> && (std::is_trivially_copyable_v<T> || requires { typename T::kept_fields; });

/// A second object can be made from the same arguments: they can be copied, and the first had a reset at all.
template <class T, class... Args>
inline constexpr bool reset_checkable =
    (compared_by_field<T> || compared_by_byte<T>)&&(begins_by_hook<T, Args...> || taken_as_left<T, Args...>)&&(
        std::is_copy_constructible_v<std::remove_cvref_t<Args>> && ...);

/// Whether the fields of `now` that differ from those of `fresh` were found and named.
template <class T>
[[nodiscard]] bool name_differences(const T& now, const T& fresh, text_line& story) {
    difference found(story);
    found.fields(now, fresh, "");
    if (found.count() > 8) story.add(" and %u more", found.count() - 8);
    return found.count() != 0;
}

template <class T, class Hooks, class... Args>
class reset_check {
public:
    /// Before the reset, which may move from the arguments.
    explicit reset_check(const Hooks& hooks, const Args&... args) : hooks_(hooks), args_(args...) {}

    /// Whether there is a reset to be checked.
    [[nodiscard]] static bool due(const Hooks& hooks) noexcept {
        if (!hooks.settings().reset_check || !reports.resets.load(std::memory_order_relaxed)) return false;
        if (!hooks.template can_build<Args...>()) return false;
        return begins_by_hook<T, Args...> || ends_by_hook<T> || hooks.settings().get || hooks.settings().release;
    }

    /// After it. True when something is left of the last life; its names go to `story`.
    [[nodiscard]] bool leaks(const T& now, text_line& story) {
        difference found(story);
        if constexpr (compared_by_field<T>) {
            const fresh other(*this, 0);
            found.fields(now, *other, "");
        } else {
            const fresh zeros(*this, 0);
            const fresh ones(*this, 0xff);
            by_byte(now, *zeros, *ones, found);
        }
        if (found.count() > 8) story.add(" and %u more", found.count() - 8);
        return found.count() != 0;
    }

private:
    /// An object as the pool would make it, outside of the pool.
    class fresh {
    public:
        fresh(reset_check& check, int fill) : hooks_(check.hooks_) {
            std::memset(room_, fill, sizeof(room_));
            object_ = [&]<std::size_t... I>(std::index_sequence<I...>) {
                return hooks_.template build<Args...>(outside_, room_,
                                                      static_cast<Args&&>(std::get<I>(check.args_))...);
            }(std::index_sequence_for<Args...>{});
        }
        fresh(const fresh&) = delete;
        fresh& operator=(const fresh&) = delete;
        ~fresh() {
            hooks_.end(outside_, *object_);
            hooks_.destroy(outside_, *object_);
        }
        [[nodiscard]] const T& operator*() const noexcept { return *object_; }

    private:
        const Hooks hooks_;
        call_depth outside_ = 0;  // not a call inside of the pool
        alignas(T) std::byte room_[sizeof(T)];
        T* object_ = nullptr;
    };

    static void by_byte(const T& now, const T& zeros, const T& ones, difference& found) noexcept {
        if constexpr (requires { static_cast<bool>(now == zeros); }) {
            if (static_cast<bool>(now == zeros)) return;
        }
        bool ignored[sizeof(T)] = {};
        mark_kept(now, ignored, typename kept_of<T>::type{});
        const auto* const a = reinterpret_cast<const unsigned char*>(address_of(now));
        const auto* const b = reinterpret_cast<const unsigned char*>(address_of(zeros));
        const auto* const c = reinterpret_cast<const unsigned char*>(address_of(ones));
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            if (ignored[i] || b[i] != c[i] || a[i] == b[i]) continue;
            std::size_t to = i + 1;
            while (to < sizeof(T) && !ignored[to] && b[to] == c[to] && a[to] != b[to]) ++to;
            found.bytes(i, to);
            i = to;
        }
    }

    const Hooks hooks_;
    std::tuple<std::remove_cvref_t<Args>...> args_;
};

}  // namespace lido::detail
