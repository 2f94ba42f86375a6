// The workload `recycled`: objects that own a vector of 64 floats, of which each life writes the first. Built anew each life
// (new and delete, slot_pool: the vector is allocated and zeroed), or kept (recycle_pool). One operation is a spawn, that write,
// and an end.
#include <bench/contenders/lido.hpp>

#include <limits>
#include <memory>
#include <vector>

namespace {

struct trail {
    std::vector<float> points = std::vector<float>(64);
    std::uint32_t tag = 0;
    float others[9] = {};

    trail() = default;
    explicit trail(std::uint32_t t) : tag(t) {}
    void on_acquire(std::uint32_t t) noexcept { tag = t; }
    void use() noexcept { points[0] = static_cast<float>(tag); }
};
static_assert(sizeof(trail) == 64);

struct on_the_heap {
    using ref = std::unique_ptr<trail>;
    explicit on_the_heap(std::size_t) {}
    ref spawn(std::uint32_t tag, trail*& object) {
        auto made = std::make_unique<trail>(tag);
        object = made.get();
        return made;
    }
    void end(ref& r) { r.reset(); }
};

template <class Pool>
struct pooled {
    using ref = typename Pool::handle_type;
    Pool pool;
    explicit pooled(std::size_t n) : pool(static_cast<std::uint32_t>(n)) {}
    ref spawn(std::uint32_t tag, trail*& object) {
        const auto made = pool.acquire(tag);
        object = &*made;
        return made.handle();
    }
    void end(ref& r) { pool.release(r); }
};

/// The write alone: nothing is acquired or released.
struct written_again {
    using ref = std::uint32_t;
    std::vector<trail> all;
    explicit written_again(std::size_t n) : all(n) {}
    ref spawn(std::uint32_t tag, trail*& object) {
        object = &all[tag];
        object->on_acquire(tag);
        return tag;
    }
    void end(ref&) {}
};

template <class C>
void recycled(bench::meter& m, std::size_t n) {
    C all(n);
    std::vector<typename C::ref> refs(n);
    m.run(n, [&] {
        for (std::size_t i = 0; i < n; ++i) {
            trail* object = nullptr;
            refs[i] = all.spawn(static_cast<std::uint32_t>(i), object);
            object->use();
        }
        for (std::size_t i = n; i-- != 0;) {
            all.end(refs[i]);
            bench::one_by_one();
        }
    });
}

template <class C>
bool add(const char* name, bench::kind is) {
    bench::entry e;
    e.workload = "recycled";
    e.name = name;
    e.is = is;
    e.element = "vector";
    e.size = sizeof(trail);
    e.most = std::numeric_limits<std::size_t>::max();
    e.body = [](bench::meter& m, std::size_t n) { recycled<C>(m, n); };
    bench::entries().push_back(std::move(e));
    return true;
}

const bool added = add<pooled<lido::recycle_pool<trail>>>("recycle_pool", bench::kind::lido) &&
                   add<pooled<lido::slot_pool<trail>>>("slot_pool", bench::kind::lido) &&
                   add<written_again>("write alone", bench::kind::limit) &&
                   add<on_the_heap>("glibc new/delete", bench::kind::peer);

}  // namespace
