// Pools that mark what changes, so that lido::history saves in proportion to it: what save_1pct is about, and what the marks cost
// elsewhere. A save here is one of a history of two ticks.
#include <bench/contenders/lido.hpp>

namespace {

constexpr lido::options marking{.mark_changes = true};

template <class Pool>
struct marked : bench::lido_pool<Pool> {
    using base = bench::lido_pool<Pool>;
    using base::base;

    lido::history<2, Pool> past;
    std::uint32_t tick = 0;

    void save() { past.save(++tick, this->pool); }
    void save_changed() { past.save(++tick, this->pool); }
    void restore() { bench::check(static_cast<bool>(past.restore(tick, this->pool))); }

    static constexpr std::size_t most(std::string_view) { return lido::options{}.max_rows; }
    static constexpr bool in(std::string_view workload) {
        return workload == "save_1pct" || workload == "lifo" || workload == "churn" || workload == "get_hit" ||
               workload == "iterate100" || workload == "iterate50" || workload == "frame100" || workload == "frame1000";
    }
};

/// history copies bytes: not for elements that own something.
struct left_out {
    [[maybe_unused]] static constexpr bool fits = false;
};

template <class T>
using marked_slots = std::conditional_t<std::is_trivially_copyable_v<T>, marked<lido::slot_pool<T, marking>>, left_out>;
template <class T>
using marked_rows = std::conditional_t<std::is_trivially_copyable_v<T>, marked<lido::dense_pool<T, marking>>, left_out>;

const bool added = bench::add<marked_slots>("slot_pool/marked", bench::kind::lido) &&
                   bench::add<marked_rows>("dense_pool/marked", bench::kind::lido);

}  // namespace
