// slot_pool with 32-bit handles, and with the lowest free slot first.
#include <bench/contenders/lido.hpp>

namespace {

// generation_rule::wrap: 12 bits of generation are used up within a benchmark, and slots would retire one after the other.
constexpr lido::options short_handles{.handle_bits = 32, .generations = lido::generation_rule::wrap};
constexpr lido::options lowest{.order = lido::reuse::lowest};

template <class T>
struct handle32 : bench::lido_pool<lido::slot_pool<T, short_handles>> {
    using base = bench::lido_pool<lido::slot_pool<T, short_handles>>;
    using base::base;
    static constexpr std::size_t most(std::string_view) { return base::ref::max_slots; }
};

template <class T>
using lowest_first = bench::lido_pool<lido::slot_pool<T, lowest>>;

const bool added = bench::add<handle32>("slot_pool/handle32", bench::kind::lido) &&
                   bench::add<lowest_first>("slot_pool/lowest", bench::kind::lido);

}  // namespace
