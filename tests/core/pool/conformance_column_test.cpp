// The column pools and flag column pools of the conformance suite (S3.1, S1.1, X3): the elements of the others twice in one struct, so that every object is
// spread over three columns whose parts must stay together. See conformance_flag_test.cpp for how they were chosen.
#include "conformance.hpp"

namespace pool_conformance_column_test {

using namespace lido;
using namespace lido::test;

/// An element that a struct of braces can build from an int.
template <class E>
struct from_int : E {
    from_int() : from_int(0) {}
    from_int(int seed) noexcept(noexcept(E(seed))) : E(seed) {}  // NOLINT: implicit by purpose
};

template <class E>
struct parts {
    from_int<E> value;
    std::uint8_t low = static_cast<std::uint8_t>(value.read());
    from_int<E> echo = value.read();

    int read() const { return agreed(value.read(), low, echo.read()); }
    template <class Row>
    static int read(const Row& row) {
        const auto& [value, low, echo] = row;
        return agreed(value.read(), low, echo.read());
    }

    static void fail_after(std::size_t n)
        requires requires { E::fail_after(n); }
    {
        E::fail_after(n);
    }

private:
    static int agreed(int value, std::uint8_t low, int echo) {
        return value == echo && low == static_cast<std::uint8_t>(value) ? value : torn;
    }
};
static_assert(splittable<parts<trivial16>> && field_count<parts<string_owner>>() == 3);

template <class E, options Options = options{}, class Storage = reserved_storage>
pool_case columns(const char* name) {
    return a_case<column_pool<parts<E>, Options, Storage>>(name);
}

using in_place = inline_storage<case_slots>;

constexpr options priority_delay{.tracks = track::priority, .reuse_delay = 70};
constexpr options wide{.max_rows = (std::uint32_t{1} << 20) + 1};
constexpr options wrapping{.handle_bits = 32, .index_bits = 24, .generations = generation_rule::wrap};

const std::vector<pool_case> column_pools{
    columns<trivial16>("reserved_trivial16"),
    columns<string_owner, options{.tracks = track::age}>("reserved_string_age"),
    columns<trivial64, wide, in_place>("inline_trivial64_wide"),
    columns<move_only, priority_delay, in_place>("inline_move_only_priority_delay"),
    columns<trivial256, options{.handle_bits = 32, .reuse_delay = 5}, heap_storage>("heap_trivial256_short_delay"),
    columns<counting, wrapping, heap_storage>("heap_counting_short_wrap"),
    columns<over_aligned64, options{.generations = generation_rule::abort}, lent_storage>("lent_aligned_abort"),
    columns<delicate, options{.headroom = true}, lent_storage>("lent_fragile_headroom"),
};
LIDO_TEST_POOLS(column_pool, column_pools);

template <class E, options Options = options{}, class Storage = heap_storage>
pool_case flags(const char* name) {
    return a_case<flag_column_pool<parts<E>, Options, Storage>>(name);
}

constexpr options bare{.generations = generation_rule::none};

const std::vector<pool_case> flag_column_pools{
    flags<trivial16, options{}, in_place>("inline_trivial16"),
    flags<trivial64, bare, in_place>("inline_trivial64_bare"),
    flags<move_only, options{.handle_bits = 32}, in_place>("inline_move_only_short"),
    flags<string_owner, options{.tracks = track::age}>("heap_string_age"),
    flags<counting, bare>("heap_counting_bare"),
    flags<trivial256, wrapping>("heap_trivial256_short_wrap"),
    flags<over_aligned64, options{.generations = generation_rule::abort}, lent_storage>("lent_aligned_abort"),
    flags<delicate, options{.headroom = true}, lent_storage>("lent_fragile_headroom"),
    flags<counting, options{.tracks = track::priority}, reserved_storage>("reserved_counting_priority"),
};
LIDO_TEST_POOLS(flag_column_pool, flag_column_pools);

}  // namespace pool_conformance_column_test
