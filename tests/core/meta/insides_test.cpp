// What is seen of the inside of a type that is copied as bytes: pointers, wherever they are kept, and bytes that are bools.
#include <lido/core/delegate.hpp>
#include <lido/core/handle.hpp>
#include <lido/core/meta/insides.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace lido::test::meta_insides {

using detail::bools_are_sound;
using detail::pointers;
using detail::pointers_in;

template <class T>
inline constexpr bool has_pointers = pointers_in<T>() == pointers::some;
template <class T>
inline constexpr bool may_have_pointers = pointers_in<T>() == pointers::perhaps;
template <class T>
inline constexpr bool has_none = pointers_in<T>() == pointers::none;

template <class T>
struct with {
    int before = 0;
    T part{};
};

struct with_reference {
    int& to;
};

/// What cannot be split.
class sealed {
public:
    constexpr sealed() noexcept = default;
    [[nodiscard]] bool is_on() const noexcept { return on_; }

private:
    int count_ = 0;
    bool on_ = false;
    std::uint16_t rest_ = 0;
};
class sealed_pointer {
public:
    constexpr sealed_pointer() noexcept = default;
    [[nodiscard]] const int* get() const noexcept { return to_; }

private:
    const int* to_ = nullptr;
};
struct base {
    int a;
    bool flag;
};
struct derived : base {
    bool more;
    std::int8_t level;
    bool several[2];
};
struct derived_pointer : base {
    int* to;
};
/// The vector of many a math library.
struct vec3 {
    constexpr vec3() noexcept : at{} {}
    union {
        float at[3];
        float first;
    };
};
struct declared_free {
    constexpr declared_free() noexcept : wide(0) {}
    union {
        double wide;
        std::uint64_t bits;
    };
};

}  // namespace lido::test::meta_insides

template <>
inline constexpr bool lido::holds_no_pointer<lido::test::meta_insides::declared_free> = true;

namespace lido::test::meta_insides {

TEST(pointers_inside, are_seen_in_fields_arrays_and_nested_arrays) {
    EXPECT_TRUE(has_pointers<int*>);
    EXPECT_TRUE(has_pointers<with<int*>>);
    EXPECT_TRUE(has_pointers<with<int* const[2]>>);
    EXPECT_TRUE(has_pointers<with<int* [2][3]>>);
    EXPECT_TRUE((has_pointers<with<std::array<int*, 2>>>));
    EXPECT_TRUE((has_pointers<with<std::array<std::array<with<int*>, 2>, 2>>>));
    EXPECT_TRUE((has_pointers<with<void (*)(int)>>));
    EXPECT_TRUE((has_pointers<with<int sealed::*>>));
    EXPECT_TRUE((pointers_in<with_reference>() != pointers::none));
    EXPECT_TRUE((pointers_in<std::array<with_reference, 2>>() != pointers::none));
}

TEST(pointers_inside, are_seen_in_optionals_and_variants) {
    EXPECT_TRUE(has_pointers<with<std::optional<int*>>>);
    EXPECT_TRUE((has_pointers<with<std::variant<int, int*>>>));
    EXPECT_TRUE((has_none<with<std::optional<std::int64_t>>>));
    EXPECT_TRUE((has_none<with<std::variant<int, double>>>));
}

TEST(pointers_inside, are_suspected_in_what_cannot_be_split) {
    EXPECT_TRUE(may_have_pointers<with<std::string_view>>);
    EXPECT_TRUE(may_have_pointers<with<std::span<int>>>);
    EXPECT_TRUE((may_have_pointers<with<std::array<std::span<int>, 3>>>));
    EXPECT_TRUE(may_have_pointers<sealed_pointer>);
    EXPECT_TRUE(may_have_pointers<derived_pointer>);
    EXPECT_TRUE(may_have_pointers<std::reference_wrapper<int>>);
}

TEST(pointers_inside, are_not_suspected_where_the_compiler_sees_that_there_are_none) {
    EXPECT_TRUE(has_none<sealed>);
    EXPECT_TRUE(has_none<derived>);
    EXPECT_TRUE(has_none<handle<int*>>);
    EXPECT_TRUE(has_none<with<handle<int* [2]>>>);
    EXPECT_TRUE(has_none<vec3>);
    EXPECT_TRUE(has_none<with<declared_free>>);
}

/// For every byte of T: whether a value of 2 in it is refused.
template <class T>
std::array<bool, sizeof(T)> refused_bytes() {
    std::array<bool, sizeof(T)> refused{};
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        alignas(T) unsigned char bytes[sizeof(T)] = {};
        T& object = *::new (static_cast<void*>(bytes)) T{};
        EXPECT_TRUE(bools_are_sound(object));
        bytes[i] = 1;
        if (!bools_are_sound(object)) ADD_FAILURE() << "a byte that is 1 is refused: " << i;
        bytes[i] = 2;
        refused[i] = !bools_are_sound(object);
    }
    return refused;
}

TEST(bools_inside, are_found_in_an_array_of_the_standard_library) {
    struct part {
        std::array<bool, 3> on;
        std::uint8_t level;
        std::array<std::array<with<bool>, 1>, 1> deep;
    };
    EXPECT_EQ(refused_bytes<part>(),
              (std::array{true, true, true, false, false, false, false, false, true, false, false, false}));
}

TEST(bools_inside, are_found_in_a_struct_with_a_base) {
    static_assert(sizeof(derived) == 12);
    EXPECT_EQ(refused_bytes<derived>(),
              (std::array{false, false, false, false, true, false, false, false, true, false, true, true}));
}

TEST(bools_inside, are_found_behind_private_members) {
    static_assert(sizeof(sealed) == 8);
    EXPECT_EQ(refused_bytes<sealed>(), (std::array{false, false, false, false, true, false, false, false}));
}

TEST(bools_inside, are_found_in_an_enumeration_of_bools) {
    enum class side : bool { left, right };
    EXPECT_EQ(refused_bytes<with<side>>(), (std::array{false, false, false, false, true, false, false, false}));
}

TEST(bools_inside, are_found_in_optionals) {
    using maybe = std::optional<bool>;
    const auto with_bytes = [](unsigned char value, unsigned char engaged) {
        maybe is = true;
        const unsigned char bytes[] = {value, engaged};
        static_assert(sizeof(is) == sizeof(bytes));
        std::memcpy(static_cast<void*>(&is), bytes, sizeof(bytes));
        return bools_are_sound(is);
    };
    EXPECT_TRUE(with_bytes(0, 1));
    EXPECT_TRUE(with_bytes(1, 1));
    EXPECT_TRUE(with_bytes(7, 0));
    EXPECT_FALSE(with_bytes(7, 1));
    EXPECT_FALSE(with_bytes(1, 2));
}

TEST(bools_inside, are_found_in_variants_whose_index_must_exist) {
    using either = std::variant<std::uint8_t, bool>;
    const auto with_bytes = [](unsigned char value, unsigned char index) {
        either is = true;
        const unsigned char bytes[] = {value, index};
        static_assert(sizeof(is) == sizeof(bytes));
        std::memcpy(static_cast<void*>(&is), bytes, sizeof(bytes));
        return bools_are_sound(is);
    };
    EXPECT_TRUE(with_bytes(7, 0));
    EXPECT_TRUE(with_bytes(1, 1));
    EXPECT_FALSE(with_bytes(7, 1));
    EXPECT_FALSE(with_bytes(0, 2));
}

}  // namespace lido::test::meta_insides
