// plf::colony: stable addresses and iteration, no check of stale references. Users keep iterators to end objects with.
#include <bench/workloads/all.hpp>

#include <plf_colony.h>

namespace {

template <class T>
struct colony {
    using element = T;
    using ref = typename plf::colony<T>::iterator;
    static constexpr bool owns = true;
    static constexpr bool checks = false;

    plf::colony<T> objects;
    plf::colony<T> saved;

    explicit colony(std::size_t n) { objects.reserve(n); }
    explicit colony(bench::growing) {}

    ref spawn(std::uint32_t tag) { return objects.emplace(tag); }
    void end(ref r) { objects.erase(r); }
    T* get(ref r) { return &*r; }
    // A chain of objects is a chain of pointers, as addresses are stable.
    [[nodiscard]] std::uint64_t to_bits(ref r) const { return reinterpret_cast<std::uintptr_t>(&*r); }
    T* get_bits(std::uint64_t bits) { return reinterpret_cast<T*>(static_cast<std::uintptr_t>(bits)); }
    template <class F>
    void for_each(F&& f) {
        for (T& e : objects) f(e);
    }
    [[nodiscard]] std::size_t size() const { return objects.size(); }
    /// Its fill: gives no iterators.
    void bulk(std::span<ref> out, std::uint32_t tag) { objects.insert(out.size(), T(tag)); }
    void clear() { objects.clear(); }
    void save() { saved = objects; }
    void restore() { objects = saved; }
};

const bool added = bench::add<colony>("plf::colony", bench::kind::peer);

}  // namespace
