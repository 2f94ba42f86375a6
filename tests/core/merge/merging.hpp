// What the tests of merge_pass share: motes that fold, and the plain model of a pass.
#pragma once

#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/merge_pass.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lido::test {

template <class N>
struct mote_of {
    N x, y;
    std::int32_t amount;
    std::int32_t kind;

    friend bool operator==(const mote_of&, const mote_of&) = default;
};
using mote = mote_of<float>;
using whole_mote = mote_of<std::int32_t>;

// A field of an object, whether the pool gives a row or a reference.
template <class Ref>
decltype(auto) x_in(Ref&& r) {
    if constexpr (requires { r.x; }) {
        return (r.x);
    } else {
        return r.template get<0>();
    }
}
template <class Ref>
decltype(auto) y_in(Ref&& r) {
    if constexpr (requires { r.y; }) {
        return (r.y);
    } else {
        return r.template get<1>();
    }
}
template <class Ref>
decltype(auto) amount_in(Ref&& r) {
    if constexpr (requires { r.amount; }) {
        return (r.amount);
    } else {
        return r.template get<2>();
    }
}
template <class Ref>
decltype(auto) kind_in(Ref&& r) {
    if constexpr (requires { r.kind; }) {
        return (r.kind);
    } else {
        return r.template get<3>();
    }
}

inline constexpr auto where = [](const auto& m) { return std::pair{x_in(m), y_in(m)}; };

/// Always folds, and moves the survivor, which must not matter before the next run.
inline constexpr auto add_up = [](auto&& into, const auto& from) {
    amount_in(into) += amount_in(from);
    x_in(into) += 1;
    return true;
};

/// Folds only its own kind, and up to a limit: the answers depend on what was folded before, and so on the order.
inline constexpr auto same_kind_up_to_9 = [](auto&& into, const auto& from) {
    if (kind_in(into) != kind_in(from) || amount_in(into) + amount_in(from) > 9) return false;
    amount_in(into) += amount_in(from);
    return true;
};

template <class N>
struct modelled {
    std::uint64_t handle;
    mote_of<N> value;
};

/// The double loop that merge_pass.hpp promises, and the releases after it.
template <class N, class Near, class Rule, class TakesPart>
std::uint32_t plain_pass(std::vector<modelled<N>>& rows, std::size_t max_objects, Near near, Rule rule,
                         TakesPart takes_part) {
    std::vector<std::size_t> part;
    for (std::size_t i = 0; i < rows.size() && part.size() < max_objects; ++i) {
        const auto& m = rows[i].value;
        if (takes_part(m) && std::isfinite(static_cast<double>(m.x)) && std::isfinite(static_cast<double>(m.y))) {
            part.push_back(i);
        }
    }
    const std::vector<modelled<N>> start = rows;
    std::vector<bool> gone(rows.size());
    std::uint32_t folded = 0;
    for (std::size_t a = 0; a < part.size(); ++a) {
        if (gone[part[a]]) continue;
        for (std::size_t b = a + 1; b < part.size(); ++b) {
            const std::size_t into = part[a];
            const std::size_t from = part[b];
            if (gone[from] || !near(start[into].value, start[from].value)) continue;
            if (!rule(rows[into].value, std::as_const(rows[from].value))) continue;
            gone[from] = true;
            ++folded;
        }
    }
    for (std::size_t i = rows.size(); i-- != 0;) {
        if (!gone[i]) continue;
        rows[i] = rows.back();
        rows.pop_back();
    }
    return folded;
}

template <class Pool>
auto rows_of(const Pool& pool) {
    using T = typename Pool::value_type;
    std::vector<modelled<decltype(T::x)>> rows;
    for (std::uint32_t row = 0; row < pool.size(); ++row) {
        rows.push_back({pool.handle_of_row(row).to_bits(), T(detail::row_to_read(pool, row))});
    }
    return rows;
}

struct dice {
    std::uint64_t state = 1;
    std::uint32_t below(std::uint32_t n) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state >> 33) % n);
    }
};

}  // namespace lido::test
