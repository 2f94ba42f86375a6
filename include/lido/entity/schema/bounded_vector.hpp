// A vector of at most N elements inside of an object: what an inventory or a path is as a field.
//
//   bounded_vector<T, N>     0                              N * sizeof(T)
//                           +-----+-----+-----+-----+-----+------+
//                           | T 0 | T 1 |  …  | T{} | T{} | size |
//                           +-----+-----+-----+-----+-----+------+
//
// EV1. size <= N, and an element at or after size is T{}: nothing of what was removed stays behind.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/entity/schema/text.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace lido {

template <class T, std::size_t N>
class bounded_vector {
    static_assert(N >= 1 && N <= 65535, "lido: a bounded_vector holds 1 to 65535 elements");
    static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                  "lido: the elements of a bounded_vector are copied as bytes, and those that are not used are T{}: "
                  "the type must be trivially copyable and have a default");
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T>,
                  "lido: the elements of a bounded_vector are plain objects");

public:
    using value_type = T;
    static constexpr std::size_t max_size = N;

    constexpr bounded_vector() noexcept = default;

    /// False, and nothing changes, where it is full.
    constexpr bool push_back(const T& value) noexcept {
        if (size() == N) return false;
        items_[size_] = value;  // may be one of its own: nothing moves
        ++size_;
        return true;
    }

    /// Pre: not empty.
    constexpr void pop_back() noexcept {
        LIDO_VERIFY(!empty(), "bounded_vector: pop_back of an empty one");
        items_[--size_] = T{};
    }

    /// Removes element i; those after it move up. Pre: i < size().
    constexpr void erase(std::size_t i) noexcept {
        LIDO_VERIFY(i < size(), "bounded_vector: erase of an element that it does not have");
        for (std::size_t at = i + 1; at < size(); ++at) items_[at - 1] = items_[at];
        items_[--size_] = T{};
    }

    /// False, and nothing changes, where they are more than N. They may be its own.
    constexpr bool assign(std::span<const T> from) noexcept {
        if (from.size() > N) return false;
        const std::size_t count = from.size();
        for (std::size_t i = 0; i < count; ++i) items_[i] = from[i];
        return resize(count);
    }

    /// New elements are T{}. False, and nothing changes, where count is more than N.
    constexpr bool resize(std::size_t count) noexcept {
        if (count > N) return false;
        for (std::size_t i = count; i < size(); ++i) items_[i] = T{};
        size_ = static_cast<size_type>(count);
        return true;
    }

    constexpr void clear() noexcept { resize(0); }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_ <= N ? size_ : N; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr bool full() const noexcept { return size() == N; }

    /// Pre: i < size().
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept {
        LIDO_ASSERT(i < size(), "bounded_vector: an index that it does not have");
        return items_[i];
    }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const noexcept {
        LIDO_ASSERT(i < size(), "bounded_vector: an index that it does not have");
        return items_[i];
    }

    [[nodiscard]] constexpr T* data() noexcept { return items_; }
    [[nodiscard]] constexpr const T* data() const noexcept { return items_; }
    [[nodiscard]] constexpr T* begin() noexcept { return items_; }
    [[nodiscard]] constexpr T* end() noexcept { return items_ + size(); }
    [[nodiscard]] constexpr const T* begin() const noexcept { return items_; }
    [[nodiscard]] constexpr const T* end() const noexcept { return items_ + size(); }

    /// The size is one that this type can have. What the unused elements are is not looked at.
    [[nodiscard]] constexpr bool well_formed() const noexcept { return size_ <= N; }

    constexpr void hash(hasher& h) const
        requires hashable_state<T>
    {
        h.add(std::uint64_t{size()});
        for (const T& item : *this) h.add(item);
    }

    friend constexpr bool operator==(const bounded_vector& a, const bounded_vector& b) noexcept
        requires requires(const T& x) { static_cast<bool>(x == x); }
    {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!(a.items_[i] == b.items_[i])) return false;
        }
        return true;
    }

private:
    using size_type = entity_detail::count_type<N>;

    T items_[N] = {};
    size_type size_ = 0;
};

}  // namespace lido
