// Puts a contender into every workload that it can do. A contender's file ends with
//
//   const bool added = bench::add<my_pool>("my::pool", bench::kind::peer);
#pragma once

#include <bench/harness/suite.hpp>
#include <bench/workloads/bulk.hpp>
#include <bench/workloads/churn.hpp>
#include <bench/workloads/columns.hpp>
#include <bench/workloads/contender.hpp>
#include <bench/workloads/frame.hpp>
#include <bench/workloads/get.hpp>
#include <bench/workloads/iterate.hpp>
#include <bench/workloads/memory.hpp>
#include <bench/workloads/rewind.hpp>
#include <bench/workloads/spawn.hpp>

#include <limits>
#include <string>
#include <type_traits>

namespace bench {

/// A workload's name as a template argument, so that what a contender leaves out is not even compiled.
struct workload_name {
    char text[16] = {};
    std::size_t length = 0;

    consteval workload_name(const char* name) {  // NOLINT: implicit by purpose
        while (name[length] != '\0') {
            text[length] = name[length];
            ++length;
        }
    }
    [[nodiscard]] constexpr std::string_view view() const { return {text, length}; }
};

template <class C>
class adder {
public:
    adder(const char* name, kind is) : name_(name), is_(is) {}

    void add_all() const {
        if constexpr (spawns<C> && ends<C>) {
            add<"lifo">([](auto& m, std::size_t n) { lifo<C>(m, n); });
            if constexpr (!positional<C>) add<"fifo">([](auto& m, std::size_t n) { fifo<C>(m, n); });
            add<"random">([](auto& m, std::size_t n) { random_order<C>(m, n); });
            add<"churn">([](auto& m, std::size_t n) { churn<C>(m, n); });
            add<"respawn">([](auto& m, std::size_t n) { respawn<C>(m, n); });
            add<"grow">([](auto& m, std::size_t n) { grow<C>(m, n); });
            add<"memory">([](auto& m, std::size_t n) { memory<C>(m, n); });
            add<"bulk_acquire">([](auto& m, std::size_t n) { bulk_acquire<C>(m, n); });
            add<"clear">([](auto& m, std::size_t n) { clear_all<C>(m, n); });
        }
        if constexpr (ends<C> && (walks<C> || looks_up<C>)) {
            add<"iterate100">([](auto& m, std::size_t n) { iterate<C>(m, n, 100); });
            add<"iterate50">([](auto& m, std::size_t n) { iterate<C>(m, n, 50); });
            add<"iterate10">([](auto& m, std::size_t n) { iterate<C>(m, n, 10); });
            add<"iterate1">([](auto& m, std::size_t n) { iterate<C>(m, n, 1); });
            add<"frame100">([](auto& m, std::size_t n) { frame<C>(m, n, 100); });
            add<"frame1000">([](auto& m, std::size_t n) { frame<C>(m, n, 1000); });
        }
        if constexpr (spawns<C> && requires(C& c) { c.move_x(); }) {
            add<"columns">([](auto& m, std::size_t n) { columns<C>(m, n); });
        }
        if constexpr (ends<C> && looks_up<C>) {
            add<"get_hit">([](auto& m, std::size_t n) { get_hit<C>(m, n); });
            if constexpr (requires(C& c, typename C::ref r) { c.get_bits(c.to_bits(r)); }) {
                add<"get_chain">([](auto& m, std::size_t n) { get_chain<C>(m, n); });
            }
            if constexpr (C::checks) add<"get_stale">([](auto& m, std::size_t n) { get_stale<C>(m, n); });
        }
        if constexpr (saves<C>) {
            add<"save">([](auto& m, std::size_t n) { save<C>(m, n); });
            add<"restore">([](auto& m, std::size_t n) { restore<C>(m, n); });
            if constexpr (looks_up<C>) add<"save_1pct">([](auto& m, std::size_t n) { save_1pct<C>(m, n); });
        }
        // Only counted under callgrind, where one spawn and one end can be told apart.
        if constexpr (spawns<C> && ends<C> && !positional<C>) {
            add<"acquire">([](auto& m, std::size_t n) { acquire_alone<C>(m, n); });
            add<"release">([](auto& m, std::size_t n) { release_alone<C>(m, n); });
        }
    }

private:
    template <workload_name Workload>
    static constexpr bool takes_part() {
        if constexpr (requires { C::in(Workload.view()); }) {
            return C::in(Workload.view());
        } else {
            return true;
        }
    }

    /// `body` is a generic lambda: where it is not kept, its workload is not instantiated.
    template <workload_name Workload, class Body>
    void add([[maybe_unused]] Body body) const {
        using element = typename C::element;
        if constexpr (takes_part<Workload>()) {
            entry e;
            e.workload = std::string(Workload.view());
            e.name = name_;
            e.is = is_;
            e.element = std::is_trivially_copyable_v<element> ? "plain" : "string";
            e.size = sizeof(element);
            e.least = 0;
            e.most = std::numeric_limits<std::size_t>::max();
            if constexpr (requires { C::least(Workload.view()); }) e.least = C::least(Workload.view());
            if constexpr (requires { C::most(Workload.view()); }) e.most = C::most(Workload.view());
            e.body = [body](meter& m, std::size_t n) { body(m, n); };
            entries().push_back(std::move(e));
        }
    }

    template <class D>
    static void acquire_alone(meter& m, std::size_t n) {
        D pool(n);
        std::vector<typename D::ref> refs(n);
        spawn_all(pool, refs);
        m.run(
            n, [&] { release_newest_first(pool, refs); }, [&] { spawn_all(pool, refs); });
        release_newest_first(pool, refs);
    }

    template <class D>
    static void release_alone(meter& m, std::size_t n) {
        D pool(n);
        std::vector<typename D::ref> refs(n);
        m.run(
            n, [&] { spawn_all(pool, refs); }, [&] { release_newest_first(pool, refs); });
    }

    template <class D>
    static void release_newest_first(D& pool, const std::vector<typename D::ref>& refs) {
        for (std::size_t i = refs.size(); i-- != 0;) {
            pool.end(refs[i]);
            one_by_one();
        }
    }

    const char* name_;
    kind is_;
};

/// For every element. `Contender<T>` is left out where it says `static constexpr bool fits = false`.
template <template <class> class Contender>
bool add(const char* name, kind is) {
    const auto one = [&]<class T>(std::type_identity<T>) {
        if constexpr (requires { requires !Contender<T>::fits; }) {
            return;
        } else {
            adder<Contender<T>>(name, is).add_all();
        }
    };
    one(std::type_identity<medium_element>{});
#if !defined(LIDO_BENCH_ONE_ELEMENT)  // tests that it runs: a quarter of the time to compile
    one(std::type_identity<small_element>{});
    one(std::type_identity<large_element>{});
    one(std::type_identity<owning_element>{});
#endif
    return true;
}

}  // namespace bench
