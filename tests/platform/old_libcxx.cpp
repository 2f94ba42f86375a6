// A libc++ before 14 has neither std::bit_cast nor std::assume_aligned, and does not claim to.
#include "standard_headers.hpp"

#undef __cpp_lib_bit_cast
#undef __cpp_lib_assume_aligned
#define bit_cast is_not_in_this_library
#define assume_aligned is_not_in_this_library

#include <lido/core.hpp>
#include <lido/entity.hpp>
#include <lido/world.hpp>

static_assert(lido::detail::bits_as<std::uint32_t>(1.0f) == 0x3f800000u);

// The function is a template of the storages, and read in full only where it is used.
void use() {
    lido::slot_pool<int> reserved{64};
    lido::slot_pool<int, lido::options{}, lido::heap_storage> heap{64};
    lido::inline_slot_pool<int, 64> inside;
    std::byte buffer[1024];
    lido::slot_pool<int, lido::options{}, lido::lent_storage> lent{std::span<std::byte>(buffer)};
    reserved.acquire(1);
    heap.acquire(1);
    inside.acquire(1);
    lent.acquire(1);
    static_cast<void>(lido::state_hash(2.0f, 3.0));
}
