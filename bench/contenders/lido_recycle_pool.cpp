// recycle_pool in the workloads of every pool, with elements that own nothing: what its bookkeeping costs.
#include <bench/contenders/lido.hpp>

namespace {

struct left_out {
    [[maybe_unused]] static constexpr bool fits = false;
};

/// Elements that own something are in recycled.cpp: they need an on_acquire().
template <class T>
using recycle_pool =
    std::conditional_t<std::is_trivially_destructible_v<T>, bench::lido_pool<lido::recycle_pool<T>>, left_out>;

const bool added = bench::add<recycle_pool>("recycle_pool", bench::kind::lido);

}  // namespace
