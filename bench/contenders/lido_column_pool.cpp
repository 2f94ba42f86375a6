// column_pool, whose elements are the same fields in a plain struct; and the same columns written by hand, as a limit.
#include <bench/contenders/columns.hpp>
#include <bench/contenders/lido.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace {

template <class T>
struct column_pool {
    using element = T;
    using columns = bench::in_columns<T>;
    using row = typename columns::type;
    using pool_type = lido::column_pool<row>;
    using ref = typename pool_type::handle_type;
    static constexpr bool owns = true;
    static constexpr bool checks = true;
    static constexpr bool in(std::string_view w) { return w != "save_1pct" && w != "grow"; }
    static constexpr std::size_t most(std::string_view) { return std::size_t{1} << 20; }

    pool_type pool;
    lido::snapshot saved;

    explicit column_pool(std::size_t n) : pool(static_cast<std::uint32_t>(n)) {}

    LIDO_INLINE ref spawn(std::uint32_t tag) {
        const auto one = pool.acquire(columns::make(tag));
        bench::check(static_cast<bool>(one));
        return one.handle();
    }
    LIDO_INLINE void end(ref r) { pool.release(r); }
    LIDO_INLINE bench::column_numbers* get(ref r) {
        const auto found = pool.get(r);
        return found ? &found->template get<&row::numbers>() : nullptr;
    }
    [[nodiscard]] std::uint64_t to_bits(ref r) const { return r.to_bits(); }
    LIDO_INLINE bench::column_numbers* get_bits(std::uint64_t bits) { return get(ref::from_bits(bits)); }

    template <class F>
    LIDO_INLINE void for_each(F&& f) {
        if constexpr (requires { &row::y; }) {
            pool.template for_each<&row::x, &row::y, &row::vx, &row::vy, &row::age>(
                [&f](float& x, float& y, float& vx, float& vy, std::uint32_t& age) {
                    bench::wide_row one{x, y, vx, vy, age};
                    f(one);
                });
        } else {
            pool.template for_each<&row::x, &row::vx, &row::numbers>(
                [&f](float& x, float& vx, bench::column_numbers& n) {
                    bench::small_row one{x, vx, n.is};
                    f(one);
                });
        }
    }
    void move_x() {
        pool.template for_each<&row::x>([](float& x) { x += bench::step; });
    }
    [[nodiscard]] std::size_t size() const { return pool.size(); }
    void bulk(std::span<ref> out, std::uint32_t tag) { pool.acquire_n(out, columns::make(tag)); }
    void clear() { pool.clear(); }
    void save() { bench::check(pool.save(saved)); }
    void restore() { bench::check(static_cast<bool>(pool.restore(saved))); }
};

/// A vector a field, and the last row moved into the hole in each: no handles, no checks.
template <class T>
struct raw_columns {
    using element = T;
    using columns = bench::in_columns<T>;
    using row = typename columns::type;
    using ref = std::uint32_t;
    static constexpr bool owns = true;
    static constexpr bool checks = false;
    static constexpr bool fits = std::is_trivially_copyable_v<T>;
    static constexpr bool in(std::string_view w) { return w == "columns" || w == "churn" || w == "random"; }

    template <class Types>
    struct vectors_of;
    template <class... F>
    struct vectors_of<std::tuple<F...>> {
        using type = std::tuple<std::vector<F>...>;
    };
    typename vectors_of<lido::field_types<row>>::type all;

    explicit raw_columns(std::size_t n) {
        std::apply([n](auto&... column) { (column.reserve(n), ...); }, all);
    }
    ref spawn(std::uint32_t tag) {
        row fresh = columns::make(tag);
        each(
            [fields = lido::tie_fields(fresh)]<std::size_t I>(auto& column) { column.push_back(std::get<I>(fields)); });
        return static_cast<ref>(size() - 1);
    }
    void end_at(std::size_t i) {
        each([i]<std::size_t I>(auto& column) {
            column[i] = column.back();
            column.pop_back();
        });
    }
    template <class F>
    void for_each(F&& f) {
        struct only_x {
            float& x;
        };
        for (float& x : std::get<0>(all)) {
            only_x one{x};
            f(one);
        }
    }
    void move_x() {
        for (float& x : std::get<0>(all)) x += bench::step;
    }
    [[nodiscard]] std::size_t size() const { return std::get<0>(all).size(); }

private:
    template <class F>
    void each(F&& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (f.template operator()<I>(std::get<I>(all)), ...);
        }(std::make_index_sequence<std::tuple_size_v<decltype(all)>>{});
    }
};

const bool added = bench::add<column_pool>("column_pool", bench::kind::lido) &&
                   bench::add<raw_columns>("raw columns", bench::kind::limit);

}  // namespace
