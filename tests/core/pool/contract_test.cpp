// Promise (S3.8, and the numbers of the README): what cannot throw is noexcept, nothing is virtual, bookkeeping is as small as stated,
// and elements are aligned in every storage.
#include "pool_cases.hpp"

#include <concepts>
#include <iterator>
#include <utility>

namespace pool_contract_test {

using namespace lido;
using namespace lido::test;

constexpr options bare{.generations = generation_rule::none};
constexpr options short_handles{.handle_bits = 32};
constexpr options wide{.max_rows = (std::uint32_t{1} << 20) + 1};
constexpr std::uint32_t many = std::uint32_t{1} << 18;

// --- at compile time --------------------------------------------------------------------------------------------------------

template <class Pool>
constexpr bool keeps_the_noexcept_contract() {
    using handle_type = typename Pool::handle_type;
    static_assert(requires(Pool& p, const Pool& c, handle_type handle, const typename Pool::value_type& object,
                           std::span<const handle_type> handles) {
        { p.get(handle) } noexcept;
        { c.get(handle) } noexcept;
        { c.contains(handle) } noexcept;
        { c.handle_of(object) } noexcept;
        { p.release(handle) } noexcept;
        { p.release(object) } noexcept;
        { p.release_n(handles) } noexcept;
        { p.clear() } noexcept;
        { c.size() } noexcept;
        { c.capacity() } noexcept;
        { c.max_capacity() } noexcept;
        { c.full() } noexcept;
        { c.empty() } noexcept;
        { c.why_refused() } noexcept;
        { c.name() } noexcept;
        { p.trim() } noexcept;
        { p.prepare(1u) } noexcept;
        { c.stats() } noexcept;
        { c.validate() } noexcept;
        { p.begin() } noexcept;
        { c.begin() } noexcept;
        { p.each() } noexcept;
        { ++p.begin() } noexcept;
        { *p.begin() } noexcept;
    });
    static_assert(std::is_nothrow_destructible_v<Pool>);
    // An acquire throws what the element's constructor throws, and nothing else.
    static_assert(noexcept(std::declval<Pool&>().acquire(1)) ==
                  std::is_nothrow_constructible_v<typename Pool::value_type, int>);
    static_assert(noexcept(std::declval<Pool&>().acquire_as(request{}, 1)) ==
                  std::is_nothrow_constructible_v<typename Pool::value_type, int>);
    return true;
}

/// One concept, no base class: nothing virtual, nothing to inherit from.
template <class Pool>
constexpr bool models_the_concept() {
    static_assert(lido::pool<Pool>);
    static_assert(acquires<Pool, int> && !acquires<Pool, int, int> && !acquires<Pool, const char*>);
    static_assert(!std::is_polymorphic_v<Pool> && !std::has_virtual_destructor_v<Pool>);
    static_assert(!std::is_copy_constructible_v<Pool> && !std::is_copy_assignable_v<Pool>);
    static_assert(std::same_as<typename Pool::handle_type::value_type, typename Pool::value_type>);
    static_assert(std::is_trivially_copyable_v<typename Pool::acquired_type>);
    static_assert(std::is_trivially_copyable_v<typename Pool::settings_type>);
    static_assert(std::is_nothrow_move_constructible_v<typename Pool::lease_type> &&
                  std::is_nothrow_move_assignable_v<typename Pool::lease_type> &&
                  !std::is_copy_constructible_v<typename Pool::lease_type>);
    static_assert(!std::is_polymorphic_v<typename Pool::lease_type>);
    return true;
}

template <class... Pools>
constexpr bool all_keep_their_word() {
    return (keeps_the_noexcept_contract<Pools>() && ...) && (models_the_concept<Pools>() && ...);
}
static_assert(
    all_keep_their_word<
        flag_pool<trivial16, 10>, flag_pool<throwing, 10, bare>, basic_flag_pool<string_owner, options{}, heap_storage>,
        slot_pool<trivial16>, slot_pool<immovable, options{.tracks = track::priority, .reuse_delay = 3}>,
        slot_pool<throwing, options{.order = reuse::lowest}, lent_storage>, inline_slot_pool<string_owner, 10>,
        dense_pool<trivial16>, dense_pool<move_only, options{.tracks = track::age, .reuse_delay = 3}, heap_storage>,
        dense_pool<delicate, wide, lent_storage>, inline_dense_pool<counting, 10, short_handles>>());

// Pools move without throwing, where their storage moves at all.
template <class Pool>
constexpr bool moves = std::is_nothrow_move_constructible_v<Pool> && std::is_nothrow_move_assignable_v<Pool>;
template <class Pool>
constexpr bool stays = !std::is_move_constructible_v<Pool> && !std::is_move_assignable_v<Pool>;
static_assert(moves<slot_pool<immovable>> && moves<slot_pool<throwing, options{}, heap_storage>> &&
              moves<slot_pool<trivial16, options{}, lent_storage>> && moves<dense_pool<move_only>> &&
              moves<dense_pool<trivial16, options{}, heap_storage>> &&
              moves<dense_pool<trivial16, options{}, lent_storage>> &&
              moves<basic_flag_pool<trivial16, options{}, heap_storage>>);
static_assert(stays<flag_pool<trivial16, 4>> && stays<inline_slot_pool<trivial16, 4>> &&
              stays<inline_dense_pool<trivial16, 4>>);

// Handles of another element, tag or width do not compile where one is asked for.
struct red;
static_assert(!std::convertible_to<handle<trivial16>, handle<trivial64>> &&
              !std::convertible_to<handle<trivial16, red>, handle<trivial16>> &&
              !std::convertible_to<handle32<trivial16>, handle<trivial16>> &&
              !std::convertible_to<std::uint64_t, handle<trivial16>>);
static_assert(
    std::same_as<slot_pool<trivial16, options{}, reserved_storage, red>::handle_type, handle<trivial16, red>>);
static_assert(std::same_as<dense_pool<trivial16, short_handles>::handle_type, handle32<trivial16>>);

// Sizes.
static_assert(sizeof(slot_pool<trivial16>::handle_type) == 8 &&
              sizeof(slot_pool<trivial16, short_handles>::handle_type) == 4);
static_assert(sizeof(slot_pool<trivial16>::acquired_type) == sizeof(void*) + 8);
static_assert(std::is_trivially_copyable_v<handle32<string_owner>> &&
              std::is_trivially_copyable_v<handle<string_owner>>);
static_assert(slot_pool<trivial16>::stable_addresses && flag_pool<trivial16, 4>::stable_addresses &&
              !dense_pool<trivial16>::stable_addresses);
static_assert(slot_pool<trivial16>::can_grow && dense_pool<trivial16>::can_grow &&
              !slot_pool<trivial16, options{}, heap_storage>::can_grow &&
              !basic_flag_pool<trivial16, options{}, reserved_storage>::can_grow);

// What iterates is what the shape says.
static_assert(std::forward_iterator<slot_pool<trivial16>::iterator> &&
              std::contiguous_iterator<dense_pool<trivial16>::iterator> &&
              std::contiguous_iterator<dense_pool<trivial16>::const_iterator>);

// --- bytes a slot -----------------------------------------------------------------------------------------------------------

/// Bytes beside the elements, a slot, as the pool says and as a buffer for it needs.
template <class T, template <class, options, class, class> class Shape, options Options>
void expect_bookkeeping(double stated) {
    using lent = Shape<T, Options, lent_storage, void>;
    const double needed = (static_cast<double>(lent::bytes_for(many)) - static_cast<double>(many) * sizeof(T)) /
                          static_cast<double>(many);
    EXPECT_NEAR(needed, stated, 0.01);
    std::vector<std::byte> buffer(lent::bytes_for(many));
    const lent pool{std::span<std::byte>(buffer)};
    EXPECT_EQ(pool.capacity(), many);
    EXPECT_NEAR(pool.stats().bookkeeping_per_slot, stated, 0.01);
    EXPECT_LE(pool.stats().bytes, buffer.size());
}

TEST(bytes_a_slot, slot_pool_needs_4_13_and_2_13_with_short_handles) {
    expect_bookkeeping<trivial16, slot_pool, options{}>(4.127);
    expect_bookkeeping<trivial64, slot_pool, short_handles>(2.127);
    expect_bookkeeping<trivial16, slot_pool, options{.order = reuse::lowest}>(4.127);
    EXPECT_LE(slot_pool<trivial16>(100).stats().bookkeeping_per_slot, 9.0);
}

TEST(bytes_a_slot, dense_pool_needs_9_and_12_past_a_million_rows) {
    expect_bookkeeping<trivial16, dense_pool, options{}>(9.0);
    expect_bookkeeping<trivial16, dense_pool, wide>(12.0);
    expect_bookkeeping<trivial16, dense_pool, short_handles>(8.0);
    EXPECT_EQ(dense_pool<trivial16>(7).stats().bookkeeping_per_slot, 9.0);
}

TEST(bytes_a_slot, flag_pool_without_generations_needs_one_bit) {  // S1.1
    EXPECT_EQ((flag_pool<trivial16, 64, bare>().stats().bookkeeping_per_slot), 1.0 / 8);
    EXPECT_EQ((flag_pool<trivial16, 640, bare>().stats().bookkeeping_per_slot), 1.0 / 8);
    EXPECT_EQ((flag_pool<trivial16, 100, bare>().stats().bookkeeping_per_slot), 2 * 8 / 100.0);  // two words
    EXPECT_EQ((flag_pool<trivial16, 1, bare>().stats().bookkeeping_per_slot), 8.0);
    EXPECT_EQ((flag_pool<trivial16, 640, bare>().stats().bytes), 640u * 16 + 640 / 8);
    EXPECT_EQ((flag_pool<trivial16, 64>().stats().bookkeeping_per_slot), 4 + 1.0 / 8);
}

TEST(bytes_a_slot, what_is_not_chosen_is_not_paid_for) {
    expect_bookkeeping<trivial16, slot_pool, options{.tracks = track::age}>(4.127 + 8);
    expect_bookkeeping<trivial16, slot_pool, options{.tracks = track::priority}>(4.127 + 17);
    expect_bookkeeping<trivial16, slot_pool, options{.reuse_delay = 5}>(4.127 + 0.125);
    expect_bookkeeping<trivial16, dense_pool, options{.tracks = track::age}>(9.0 + 8);
    expect_bookkeeping<trivial16, slot_pool, options{.headroom = true}>(4.127);
    expect_bookkeeping<trivial16, slot_pool, options{.mark_changes = true}>(4.127 + 0.125);
    expect_bookkeeping<trivial16, dense_pool, options{.mark_changes = true}>(9.0 + 0.125);
}

// --- alignment --------------------------------------------------------------------------------------------------------------

template <std::size_t Alignment>
struct alignas(Alignment) aligned {
    explicit aligned(int seed) noexcept : value(seed) {}
    int value;
};

template <class Pool>
void expect_aligned(Pool& pool) {
    int seed = 0;
    while (!pool.full()) {
        const auto one = pool.acquire(seed);
        ASSERT_TRUE(one);
        // Volatile, because the optimiser takes the alignment of an object for granted.
        const volatile std::uintptr_t address = reinterpret_cast<std::uintptr_t>(one.get());
        ASSERT_EQ(address % alignof(typename Pool::value_type), 0u);
        ASSERT_EQ(one->value, seed++);
    }
    EXPECT_GE(seed, 70);
}

template <std::size_t Alignment>
void expect_aligned_everywhere() {
    using T = aligned<Alignment>;
    constexpr options tracked_all{.tracks = track::priority, .reuse_delay = 3};
    const auto check = []<class Pool>(std::type_identity<Pool>) {
        const auto made = std::make_unique<made_pool<Pool>>(70);
        expect_aligned(made->pool());
    };
    check(std::type_identity<slot_pool<T, tracked_all, inline_storage<70>>>{});
    check(std::type_identity<slot_pool<T, options{}, heap_storage>>{});
    check(std::type_identity<slot_pool<T, tracked_all, lent_storage>>{});
    check(std::type_identity<slot_pool<T>>{});
    check(std::type_identity<dense_pool<T, options{}, inline_storage<70>>>{});
    check(std::type_identity<dense_pool<T, tracked_all, heap_storage>>{});
    check(std::type_identity<dense_pool<T, options{}, lent_storage>>{});
    check(std::type_identity<dense_pool<T, tracked_all>>{});
    check(std::type_identity<flag_pool<T, 70, bare>>{});
}

TEST(alignment, of_elements_holds_in_every_storage) {
    expect_aligned_everywhere<8>();
    expect_aligned_everywhere<64>();
    expect_aligned_everywhere<256>();
    expect_aligned_everywhere<8192>();  // more than a page
}

TEST(misuse_handler, is_replaced_for_the_program_and_null_brings_back_the_printing_one) {
    static int calls;
    calls = 0;
    const misuse_handler counting_handler = [](const misuse&) { ++calls; };
    const misuse_handler before = set_misuse_handler(counting_handler);
    EXPECT_EQ(set_misuse_handler(nullptr), counting_handler);
    flag_pool<trivial16, 4, options{.forensics = false}> pool({.name = "shots"});
    ::testing::internal::CaptureStderr();
    EXPECT_FALSE(pool.release(handle<trivial16>::of(3, 7)));
    const std::string printed = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(printed.find("shots: wild handle"), std::string::npos) << printed;
    EXPECT_NE(printed.find("slot 3, handle generation 7, slot generation 0"), std::string::npos) << printed;
    EXPECT_NE(set_misuse_handler(counting_handler), nullptr);
    EXPECT_FALSE(pool.release(handle<trivial16>::of(3, 7)));
    EXPECT_EQ(calls, 1);
    set_misuse_handler(before);
}

}  // namespace pool_contract_test
