// slot_pool with 32-bit handles, with the lowest free slot first, and in pages of 2 MiB.
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

/// For pools of many megabytes only: a small one would zero 2 MiB at its first touch.
template <class T>
struct in_huge_pages : bench::lido_pool<lido::slot_pool<T, lido::options{}, lido::huge_reserved_storage>> {
    using base = bench::lido_pool<lido::slot_pool<T, lido::options{}, lido::huge_reserved_storage>>;
    using base::base;
    static constexpr std::size_t least(std::string_view) { return 100'000; }
};

const bool added = bench::add<handle32>("slot_pool/handle32", bench::kind::lido) &&
                   bench::add<lowest_first>("slot_pool/lowest", bench::kind::lido) &&
                   bench::add<in_huge_pages>("slot_pool/huge", bench::kind::lido);

}  // namespace
