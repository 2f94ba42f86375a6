// The two containers that most programs use instead of a pool: std::vector with swap-and-pop, and std::vector of unique_ptr.
// Both without references: objects have positions, which change. Reserved.
#include <bench/workloads/all.hpp>

#include <memory>

namespace {

template <class T>
struct vector {
    using element = T;
    using ref = std::uint32_t;
    static constexpr bool owns = true;
    static constexpr bool checks = false;

    std::vector<T> objects;
    std::vector<T> saved;

    explicit vector(std::size_t n) { objects.reserve(n); }
    explicit vector(bench::growing) {}

    ref spawn(std::uint32_t tag) {
        objects.emplace_back(tag);
        return static_cast<ref>(objects.size() - 1);
    }
    void end_at(std::size_t i) {
        if (i + 1 != objects.size()) objects[i] = std::move(objects.back());
        objects.pop_back();
    }
    T& at(std::size_t i) { return objects[i]; }
    T* get(ref r) { return &objects[r]; }
    template <class F>
    void for_each(F&& f) {
        for (T& e : objects) f(e);
    }
    [[nodiscard]] std::size_t size() const { return objects.size(); }
    void bulk(std::span<ref> out, std::uint32_t tag) { objects.resize(out.size(), T(tag)); }
    void clear() { objects.clear(); }
    void save() { saved = objects; }
    void restore() { objects = saved; }

    /// A lookup by position is the limit "raw array".
    static constexpr bool in(std::string_view workload) { return !workload.starts_with("get_"); }
};

template <class T>
struct vector_of_owners {
    using element = T;
    using ref = std::uint32_t;
    static constexpr bool owns = true;
    static constexpr bool checks = false;

    std::vector<std::unique_ptr<T>> objects;

    explicit vector_of_owners(std::size_t n) { objects.reserve(n); }
    explicit vector_of_owners(bench::growing) {}

    ref spawn(std::uint32_t tag) {
        objects.push_back(std::make_unique<T>(tag));
        return static_cast<ref>(objects.size() - 1);
    }
    void end_at(std::size_t i) {
        if (i + 1 != objects.size()) objects[i] = std::move(objects.back());
        objects.pop_back();
    }
    T& at(std::size_t i) { return *objects[i]; }
    T* get(ref r) { return objects[r].get(); }
    template <class F>
    void for_each(F&& f) {
        for (const std::unique_ptr<T>& e : objects) f(*e);
    }
    [[nodiscard]] std::size_t size() const { return objects.size(); }
    void clear() { objects.clear(); }
};

const bool added = bench::add<vector>("std::vector", bench::kind::peer) &&
                   bench::add<vector_of_owners>("std::vector<unique_ptr>", bench::kind::peer);

}  // namespace
