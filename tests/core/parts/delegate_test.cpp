// A callable of at most two pointers, by value.
#include <lido/core/delegate.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace parts_delegate_test {

using lido::delegate;

int twice(int x) { return 2 * x; }
int thrice(int x) noexcept { return 3 * x; }

TEST(delegate, is_three_pointers_and_trivially_copyable) {
    using d = delegate<int(int)>;
    static_assert(sizeof(d) == 3 * sizeof(void*));
    static_assert(std::is_trivially_copyable_v<d> && std::is_trivially_destructible_v<d>);
    static_assert(std::is_nothrow_default_constructible_v<d>);
    static_assert(std::is_nothrow_constructible_v<d, int (*)(int)>);
}

TEST(delegate, is_empty_by_default_and_from_nullptr) {
    const delegate<void()> none;
    const delegate<void()> null = nullptr;
    EXPECT_FALSE(none);
    EXPECT_FALSE(null);
    delegate<int(int)> call = twice;
    EXPECT_TRUE(call);
    call = nullptr;
    EXPECT_FALSE(call);
}

TEST(delegate, calls_a_function_and_a_noexcept_function) {
    const delegate<int(int)> a = twice;
    const delegate<int(int)> b = &thrice;
    EXPECT_EQ(a(7), 14);
    EXPECT_EQ(b(7), 21);
}

TEST(delegate, holds_two_captured_pointers) {
    int sum = 0;
    int calls = 0;
    const delegate<void(int)> add = [&sum, &calls](int x) {
        sum += x;
        ++calls;
    };
    add(3);
    add(4);
    EXPECT_EQ(sum, 7);
    EXPECT_EQ(calls, 2);
}

TEST(delegate, keeps_its_own_copy_of_what_it_was_made_from) {
    delegate<int()> call;
    {
        int value = 5;
        auto lambda = [value] { return value; };
        call = lambda;
        value = 6;
        static_cast<void>(value);
    }
    EXPECT_EQ(call(), 5);
}

TEST(delegate, copies_are_independent_of_the_original) {
    int a = 0;
    int b = 0;
    delegate<void()> first = [&a] { ++a; };
    const delegate<void()> copy = first;
    first = [&b] { b += 10; };
    copy();
    first();
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, 10);
    delegate<void()> assigned;
    assigned = copy;
    assigned();
    EXPECT_EQ(a, 2);
}

TEST(delegate, hands_references_and_move_only_arguments_through) {
    const delegate<void(std::string&)> append = [](std::string& s) { s += "!"; };
    std::string text = "so";
    append(text);
    EXPECT_EQ(text, "so!");

    const delegate<int(std::unique_ptr<int>)> read = [](std::unique_ptr<int> p) { return *p; };
    EXPECT_EQ(read(std::make_unique<int>(9)), 9);

    int target = 1;
    const delegate<int&()> reach = [&target]() -> int& { return target; };
    reach() = 4;
    EXPECT_EQ(target, 4);
}

TEST(delegate, converts_the_result_where_the_language_does) {
    const delegate<bool(const std::string&)> has_text = [](const std::string& s) { return static_cast<int>(s.size()); };
    EXPECT_TRUE(has_text("x"));
    EXPECT_FALSE(has_text(""));
}

TEST(delegate, drops_a_result_that_nobody_asked_for) {
    int calls = 0;
    const delegate<void()> call = [&calls] { return ++calls; };
    call();
    EXPECT_EQ(calls, 1);
}

TEST(delegate, is_not_made_from_what_cannot_be_called_with_its_arguments) {
    auto wrong = [](const std::string&) {};
    static_assert(!std::is_constructible_v<delegate<void(int)>, decltype(wrong)>);
    auto changes_itself = [n = 0]() mutable { return ++n; };
    static_assert(!std::is_constructible_v<delegate<int()>, decltype(changes_itself)>,
                  "a copy per call would lose the change");
}

#if LIDO_HAS_EXCEPTIONS
TEST(delegate, lets_exceptions_of_the_callable_through) {
    const delegate<void()> fails = [] { throw 7; };
    EXPECT_THROW(fails(), int);
}
#endif

TEST(delegate, has_as_much_room_as_it_is_asked_to_have) {
    using wide = delegate<int(), 32>;
    static_assert(sizeof(wide) == sizeof(void*) + 32);
    static_assert(std::is_trivially_copyable_v<wide>);
    struct four {
        long long a, b, c, d;
    };
    const four held{1, 2, 3, 4};
    const wide sum = [held] { return static_cast<int>(held.a + held.b + held.c + held.d); };
    EXPECT_EQ(sum(), 10);
}

TEST(delegate, made_from_an_empty_one_of_another_size_or_a_null_pointer_is_empty) {
    const delegate<int(int)> none;
    EXPECT_FALSE((delegate<int(int), 32>(none)));
    const delegate<int(int)> some = twice;
    const delegate<int(int), 32> wide = some;
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide(4), 8);
    int (*const nobody)(int) = nullptr;
    EXPECT_FALSE((delegate<int(int)>(nobody)));
}

}  // namespace parts_delegate_test
