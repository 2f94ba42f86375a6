// The contenders of ./dev bench patterns: lido's shapes inside an object, and the same three patterns by hand.
#include <bench/contenders/lido.hpp>
#include <bench/harness/patterns.hpp>
#include <bench/workloads/patterns.hpp>

#include <lido/core.hpp>

namespace {

using bench::bullet;
using bench::pattern;

template <class C, std::size_t N>
bench::pattern_entry entry_of(pattern is, bool lido) {
    return {{is, lido}, N, &bench::spawn_at<C>, &bench::update_at<C>};
}

template <std::size_t... N>
std::vector<bench::pattern_entry> all_entries() {
    std::vector<bench::pattern_entry> all;
    const auto add = [&]<std::size_t Slots>() {
        all.push_back(entry_of<bench::lido_pool<lido::flag_pool<bullet, Slots>>, Slots>(pattern::flag, true));
        all.push_back(
            entry_of<bench::lido_pool<lido::inline_slot_pool<bullet, Slots>>, Slots>(pattern::free_list, true));
        all.push_back(
            entry_of<bench::lido_pool<lido::inline_dense_pool<bullet, Slots>>, Slots>(pattern::compaction, true));
        all.push_back(entry_of<bench::flags_by_hand<Slots>, Slots>(pattern::flag, false));
        all.push_back(entry_of<bench::free_list_by_hand<Slots>, Slots>(pattern::free_list, false));
        all.push_back(entry_of<bench::packed_by_hand<Slots>, Slots>(pattern::compaction, false));
    };
    (add.template operator()<N>(), ...);
    return all;
}

}  // namespace

const std::vector<bench::pattern_entry>& bench::pattern_entries() {
    static const std::vector<pattern_entry> all = all_entries<8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096>();
    return all;
}
