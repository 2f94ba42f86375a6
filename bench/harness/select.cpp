#include <bench/harness/select.hpp>

#include <algorithm>
#include <regex>
#include <set>

namespace bench {

namespace {

bool is_one_of(const std::string& text, std::initializer_list<const char*> list) {
    return std::any_of(list.begin(), list.end(), [&](const char* one) { return text == one; });
}

/// Only counted under callgrind.
bool is_single(const std::string& workload) { return is_one_of(workload, {"acquire", "release"}); }

/// The contenders of the plot of cost over N.
bool scales(const entry& e) {
    return e.size == 64 && is_one_of(e.workload, {"churn", "get_hit", "iterate100"}) &&
           is_one_of(e.name, {"slot_pool", "dense_pool", "raw LIFO", "raw array"});
}

std::set<std::size_t> full_counts(const entry& e) {
    if (is_single(e.workload)) return {};
    if (e.workload.starts_with("frame")) return {frame_n};
    if (e.workload == "grow") return e.size <= 64 ? std::set<std::size_t>{grow_n} : std::set<std::size_t>{};
    if (e.workload == "respawn" || e.workload == "memory") return {100'000, 1'000'000};
    std::set<std::size_t> counts{1'000, 100'000, 1'000'000};
    if (scales(e)) counts.insert({10'000, 10'000'000});
    return counts;
}

/// What --quick measures: the bars, and every contender at their size.
std::set<std::size_t> quick_counts(const entry& e) {
    if (is_single(e.workload) || e.workload == "grow") return {};
    if (e.size == 256) {
        // The bar on strides.
        const bool wanted = is_one_of(e.workload, {"iterate100", "get_hit"}) &&
                            is_one_of(e.name, {"slot_pool", "dense_pool", "raw array", "raw array/coloured"});
        return wanted ? std::set<std::size_t>{100'000} : std::set<std::size_t>{};
    }
    if (e.size != 64) return {};
    if (e.workload.starts_with("frame")) return {frame_n};
    std::set<std::size_t> counts{100'000};
    // Where flag_pool belongs, with the others beside it.
    if (e.workload.starts_with("get_") || is_one_of(e.workload, {"lifo", "churn", "iterate100", "recycled"})) {
        counts.insert(1'000);
    } else if (e.name == "flag_pool") {
        return {};
    }
    if (e.workload == "churn" && is_one_of(e.name, {"slot_pool/handle32", "slot_pool", "raw LIFO"})) {
        counts.insert(1'000'000);
    }
    if (e.workload == "respawn" && is_one_of(e.name, {"slot_pool", "mimalloc", "boost::pool", "sequential write"})) {
        counts.insert(1'000'000);
    }
    return counts;
}

std::set<std::size_t> tiny_counts(const entry& e) {
    if (is_single(e.workload)) return {};
    if (e.workload == "memory") return {20'000};  // fewer would hide in what the heap holds anyway
    // Past what dense_pool packs, so that its other map is in it too.
    if (e.least > 1'000)
        return e.workload == "grow" && e.size == 16 ? std::set<std::size_t>{e.least} : std::set<std::size_t>{};
    return {1'000};
}

std::set<std::size_t> instruction_counts(const entry& e) {
    const bool wanted =
        e.size == 16 && is_one_of(e.workload, {"acquire", "release", "get_hit", "iterate100", "iterate50", "churn"});
    if (e.name == "flag_pool" || e.name == "boost::object_pool")
        return wanted ? std::set<std::size_t>{1'000} : std::set<std::size_t>{};
    return wanted ? std::set<std::size_t>{10'000} : std::set<std::size_t>{};
}

std::set<std::size_t> counts_of(const run_options& options, const entry& e) {
    if (options.instructions) return instruction_counts(e);
    switch (options.how_much) {
        case extent::full: return full_counts(e);
        case extent::quick: return quick_counts(e);
        case extent::tiny: return tiny_counts(e);
    }
    return {};
}

std::size_t rank_of(const std::string& workload) {
    const auto& order = workload_order();
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), workload) - order.begin());
}

}  // namespace

std::string label_of(const chosen& c) {
    return c.what->workload + "/" + std::to_string(c.what->size) + "/" + std::to_string(c.n) + "/" + c.what->name;
}

int repetitions_of(const run_options& options, const chosen& c) {
    if (c.what->workload == "memory") return 1;
    // Set-up dominates there, and the figures differ by little.
    if (c.n >= 1'000'000) return std::min(options.repetitions, 3);
    return options.repetitions;
}

std::vector<chosen> select(const run_options& options) {
    std::vector<chosen> all;
    const std::regex filter(options.filter);
    for (const entry& e : entries()) {
        for (const std::size_t n : counts_of(options, e)) {
            if (n < e.least || n > e.most) continue;
            const chosen c{&e, n};
            if (options.filter.empty() || std::regex_search(label_of(c), filter)) all.push_back(c);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const chosen& a, const chosen& b) {
        const auto key = [](const chosen& c) {
            return std::make_tuple(rank_of(c.what->workload), c.what->element == "string", c.what->size, c.n);
        };
        return key(a) < key(b);
    });
    return all;
}

}  // namespace bench
