// dense_pool as it comes, and past 2^20 rows with the option that this takes.
#include <bench/contenders/lido.hpp>

namespace {

constexpr std::size_t plain_most = std::size_t{1} << 20;
constexpr lido::options many_rows{.max_rows = std::uint32_t{1} << 24};

template <class T>
struct dense_pool : bench::lido_pool<lido::dense_pool<T>> {
    using base = bench::lido_pool<lido::dense_pool<T>>;
    using base::base;
    static constexpr std::size_t most(std::string_view) { return plain_most; }
};

template <class T>
struct large_dense_pool : bench::lido_pool<lido::dense_pool<T, many_rows>> {
    using base = bench::lido_pool<lido::dense_pool<T, many_rows>>;
    using base::base;
    static constexpr bool in(std::string_view workload) {
        return workload == "grow" || workload == "churn" || workload == "get_hit" || workload == "iterate100";
    }
    static constexpr std::size_t least(std::string_view) { return plain_most + 1; }
};

const bool added = bench::add<dense_pool>("dense_pool", bench::kind::lido) &&
                   bench::add<large_dense_pool>("dense_pool", bench::kind::lido);

}  // namespace
