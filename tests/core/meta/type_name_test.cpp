// The promise: a type has one name and one identity, whichever compiler spelled it.
#include <lido/core/meta/type_name.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lido::test_names {

struct plain {};
class keyed {};
enum class colour { red, green };
union either {
    int i;
    float f;
};
struct outer {
    struct inner {};
};
template <class T, int N>
struct box {};
template <auto V>
struct value {};
struct structure {};   // begins like a keyword that is cut
struct class_room {};  // so does this one
struct unsigned_int {};
template <char C>
struct letter {};

}  // namespace lido::test_names

namespace meta_type_name_test {

namespace names = lido::test_names;
using lido::type_id;
using lido::type_name;

namespace {
struct hidden {};
namespace deeper {
struct hidden {};
}  // namespace deeper
}  // namespace

TEST(type_name, is_the_qualified_name) {
    EXPECT_EQ(type_name<names::plain>(), "lido::test_names::plain");
    EXPECT_EQ(type_name<names::outer::inner>(), "lido::test_names::outer::inner");
}

TEST(type_name, has_no_class_key) {
    EXPECT_EQ(type_name<names::keyed>(), "lido::test_names::keyed");
    EXPECT_EQ(type_name<names::colour>(), "lido::test_names::colour");
    EXPECT_EQ(type_name<names::either>(), "lido::test_names::either");
}

TEST(type_name, keeps_names_that_only_begin_like_a_keyword) {
    EXPECT_EQ(type_name<names::structure>(), "lido::test_names::structure");
    EXPECT_EQ(type_name<names::class_room>(), "lido::test_names::class_room");
    EXPECT_EQ(type_name<names::unsigned_int>(), "lido::test_names::unsigned_int");
}

TEST(type_name, spells_every_integer_in_one_way) {
    EXPECT_EQ(type_name<int>(), "int");
    EXPECT_EQ(type_name<unsigned>(), "unsigned int");
    EXPECT_EQ(type_name<short>(), "short");
    EXPECT_EQ(type_name<unsigned short>(), "unsigned short");
    EXPECT_EQ(type_name<long>(), "long");
    EXPECT_EQ(type_name<unsigned long>(), "unsigned long");
    EXPECT_EQ(type_name<long long>(), "long long");
    EXPECT_EQ(type_name<unsigned long long>(), "unsigned long long");
    EXPECT_EQ(type_name<char>(), "char");
    EXPECT_EQ(type_name<signed char>(), "signed char");
    EXPECT_EQ(type_name<unsigned char>(), "unsigned char");
    EXPECT_EQ(type_name<double>(), "double");
    EXPECT_EQ(type_name<long double>(), "long double");
}

TEST(type_name, has_spaces_only_between_words) {
    EXPECT_EQ(type_name<const char*>(), "const char*");
    EXPECT_EQ(type_name<int* const&>(), "int*const&");
    EXPECT_EQ(type_name<const volatile unsigned long>(), "const volatile unsigned long");
    EXPECT_EQ(type_name<int[3]>(), "int[3]");
    EXPECT_EQ((type_name<int (*)(long, char)>()), "int(*)(long,char)");
}

TEST(type_name, spells_template_arguments_in_one_way) {
    EXPECT_EQ((type_name<names::box<names::box<unsigned long, 1>, -2>>()),
              "lido::test_names::box<lido::test_names::box<unsigned long,1>,-2>");
    EXPECT_EQ((type_name<names::value<3U>>()), "lido::test_names::value<3>");
    EXPECT_EQ((type_name<names::value<true>>()), "lido::test_names::value<true>");
    EXPECT_EQ((type_name<names::value<names::colour::red>>()),
              "lido::test_names::value<lido::test_names::colour::red>");
    EXPECT_EQ((type_name<std::array<unsigned, 3>>()), "std::array<unsigned int,3>");
}

TEST(type_name, leaves_character_literals_alone) {
    EXPECT_EQ((type_name<names::letter<'a'>>()), "lido::test_names::letter<'a'>");
    EXPECT_EQ((type_name<names::letter<' '>>()), "lido::test_names::letter<' '>");
    EXPECT_EQ((type_name<names::letter<'<'>>()), "lido::test_names::letter<'<'>");
}

TEST(type_name, calls_an_unnamed_namespace_anonymous) {
    EXPECT_TRUE(type_name<hidden>().ends_with("(anonymous)::hidden")) << type_name<hidden>();
    EXPECT_TRUE(type_name<deeper::hidden>().ends_with("(anonymous)::deeper::hidden")) << type_name<deeper::hidden>();
    EXPECT_TRUE(type_name<std::vector<hidden>>().starts_with("std::vector<meta_type_name_test::(anonymous)::hidden"));
}

TEST(type_name, hides_the_inline_namespaces_of_the_standard_library) {
    EXPECT_TRUE(type_name<std::string>().starts_with("std::basic_string<char")) << type_name<std::string>();
}

// What MSVC prints, given to the same code that names types here.
template <std::size_t N>
std::string normalised(const char (&text)[N]) {
    return std::string{lido::detail::name_writer<2 * N + 16>{std::string_view{text, N - 1}}.text()};
}

TEST(type_name, normalises_what_msvc_prints) {
    EXPECT_EQ(normalised("struct lido::test_names::plain"), "lido::test_names::plain");
    EXPECT_EQ(normalised("class box<struct a::b,enum c>"), "box<a::b,c>");
    EXPECT_EQ(normalised("struct `anonymous-namespace'::hidden"), "(anonymous)::hidden");
    EXPECT_EQ(normalised("unsigned __int64"), "unsigned long long");
    EXPECT_EQ(normalised("const char * __ptr64"), "const char*");
    EXPECT_EQ(normalised("int (__cdecl*)(void)"), "int(*)(void)");
    EXPECT_EQ(normalised("std::__1::vector<int>"), "std::vector<int>");
}

TEST(type_name, ends_with_a_zero_for_c_interfaces) {
    constexpr std::string_view name = type_name<names::plain>();
    EXPECT_EQ(std::string{name.data()}, name);
}

TEST(type_name, is_a_constant) {
    static_assert(type_name<names::plain>() == "lido::test_names::plain");
    static_assert(type_id<names::plain>() != type_id<names::keyed>());
}

TEST(type_id, is_the_frozen_hash_of_the_name) {
    // From an implementation of its own, in another language. A change here breaks saves and traces.
    EXPECT_EQ(type_id<int>(), 0xe6dcb97d89cda1e6U);
    EXPECT_EQ(type_id<unsigned long>(), 0x038f25caca37d26fU);
    EXPECT_EQ(type_id<names::plain>(), 0xdd0aba9e345c610cU);
}

TEST(type_id, tells_similar_types_apart) {
    const std::set<std::uint64_t> ids{
        type_id<int>(),
        type_id<const int>(),
        type_id<int*>(),
        type_id<int&>(),
        type_id<unsigned>(),
        type_id<names::box<int, 1>>(),
        type_id<names::box<int, 2>>(),
        type_id<names::plain>(),
        type_id<names::keyed>(),
    };
    EXPECT_EQ(ids.size(), 9U);
}

}  // namespace meta_type_name_test
