// new and delete, which is glibc's malloc here.
#include <bench/contenders/pointers.hpp>

namespace {

struct heap {
    heap(std::size_t, std::size_t) {}
    void* take(std::size_t size) { return ::operator new(size); }
    void give(void* p, std::size_t) { ::operator delete(p); }
};

template <class T>
using glibc = bench::pointers<T, heap>;

const bool added = bench::add<glibc>("glibc new/delete", bench::kind::peer);

}  // namespace
