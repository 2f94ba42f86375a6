#include "store_collector.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace lido::inspect {

namespace {

/// Figures alone, unless something is wrong: a store that is well costs no allocation.
void fill(const store_source& from, store_figures& f) {
    static_cast<store_numbers&>(f) = from.numbers(from.store);
    f.trouble = from.trouble(from.store);
}

}  // namespace

void store_collector::add(std::uint32_t watch, std::string name, const store_source& source) {
    // Two of one name would be one line to Prometheus: the second becomes "saves 2".
    const auto taken = [this](std::string_view wanted) {
        return std::any_of(board_.latest.stores.begin(), board_.latest.stores.end(),
                           [wanted](const store_figures& s) { return s.name == wanted; });
    };
    std::string unique = name;
    for (int n = 2; taken(unique); ++n) unique = name + " " + std::to_string(n);
    store_figures figures;
    figures.id = next_store_++;
    figures.name = std::move(unique);
    figures.database = source.describe(source.store);
    fill(source, figures);
    stores_.push_back({watch, figures.id, source});
    board_.latest.stores.push_back(std::move(figures));
}

bool store_collector::remove(std::uint32_t watch) noexcept {
    const auto at =
        std::find_if(stores_.begin(), stores_.end(), [watch](const store_watch& s) { return s.watch == watch; });
    if (at == stores_.end()) return false;
    std::erase_if(board_.latest.stores, [id = at->id](const store_figures& s) { return s.id == id; });
    stores_.erase(at);
    return true;
}

void store_collector::collect() {
    // Both are in the order in which they were added.
    for (std::size_t i = 0; i < stores_.size(); ++i) fill(stores_[i].source, board_.latest.stores[i]);
}

}  // namespace lido::inspect
