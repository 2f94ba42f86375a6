// The recycle pools of the conformance suite (S3.2, X3); see conformance_flag_test.cpp for how they were chosen. Elements that own
// something say how an idle one begins anew.
#include "conformance.hpp"

#include <utility>

namespace pool_conformance_recycle_test {

using namespace lido;
using namespace lido::test;

template <class E>
class renewed : public E {
public:
    using E::E;
    void on_acquire(int seed) noexcept(std::is_nothrow_constructible_v<E, int>&& std::is_nothrow_move_assignable_v<E>) {
        static_cast<E&>(*this) = E(seed);
    }
};

/// Cannot be assigned, so it keeps a seed of its own.
class renewed_immovable : public immovable {
public:
    explicit renewed_immovable(int seed) noexcept : immovable(seed), now_(seed) {}
    void on_acquire(int seed) noexcept { now_ = seed; }
    int read() const noexcept { return immovable::read() == torn ? torn : now_; }

private:
    int now_;
};

template <class T, options Options = options{}, class Storage = reserved_storage>
pool_case objects(const char* name) {
    return a_case<recycle_pool<T, Options, Storage>>(name);
}

using in_place = inline_storage<case_slots>;

constexpr options wrapping{.handle_bits = 32, .index_bits = 24, .generations = generation_rule::wrap};

const std::vector<pool_case> recycle_pools{
    objects<renewed<string_owner>>("reserved_string"),
    objects<renewed<counting>, options{.tracks = track::priority}>("reserved_counting_priority"),
    objects<renewed<throwing>, options{.tracks = track::age}>("reserved_throwing_age"),
    objects<trivial16, options{.generations = generation_rule::abort}>("reserved_trivial16_abort"),
    objects<renewed<counting>, options{.handle_bits = 32}, in_place>("inline_counting_short"),
    objects<trivial256, options{}, heap_storage>("heap_trivial256"),
    objects<renewed<move_only>, options{.headroom = true, .kinds = 2}, heap_storage>("heap_move_only_gates"),
    objects<renewed<counting>, wrapping, heap_storage>("heap_counting_wrap"),
    objects<over_aligned64, options{}, lent_storage>("lent_aligned"),
    objects<renewed_immovable, options{.tracks = track::priority}, lent_storage>("lent_immovable_priority"),
    objects<renewed<delicate>, options{}, lent_storage>("lent_delicate"),
};
LIDO_TEST_POOLS(recycle_pool, recycle_pools);

}  // namespace pool_conformance_recycle_test
