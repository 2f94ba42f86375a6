// The elements of the benchmarks as plain structs that can be taken apart, field by field.
#pragma once

#include <bench/elements.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

/// The numbers as a column of their own; a lookup reads e->is.
struct column_numbers {
    numbers is;
};

struct small_columns {
    float x, vx;
    column_numbers numbers;
};
/// A pass counts ages, so they are a column; what a lookup reads is one too. Together the bytes of the element.
template <std::size_t Size>
struct wide_columns {
    float x, y, vx, vy;
    std::uint32_t age;
    column_numbers numbers;
    std::array<float, (Size - 28) / sizeof(float)> others;
};
static_assert(sizeof(wide_columns<64>) == 64 && sizeof(wide_columns<256>) == 256);
struct owning_columns {
    float x, vx;
    column_numbers numbers;
    std::string name;
};

/// What a pass sees of a row: as an element does, update() and x.
struct small_row {
    float& x;
    float& vx;
    numbers& is;
    void update() noexcept {
        x += vx * step;
        ++is.age;
    }
};
struct wide_row {
    float &x, &y, &vx, &vy;
    std::uint32_t& age;
    void update() noexcept {
        x += vx * step;
        y += vy * step;
        ++age;
    }
};

/// The struct of columns for an element, and a new one of it.
template <class T>
struct in_columns;
template <>
struct in_columns<small_element> {
    using type = small_columns;
    static type make(std::uint32_t tag) { return {static_cast<float>(tag), 1.0f, {{0, tag}}}; }
};
template <std::size_t Size>
struct in_columns<wide_element<Size>> {
    using type = wide_columns<Size>;
    static type make(std::uint32_t tag) { return {static_cast<float>(tag), 1.0f, 1.0f, 0.5f, 0, {{0, tag}}, {}}; }
};
template <>
struct in_columns<owning_element> {
    using type = owning_columns;
    static type make(std::uint32_t tag) {
        return {static_cast<float>(tag), 1.0f, {{0, tag}}, "a name of thirty-two characters."};
    }
};

}  // namespace bench
