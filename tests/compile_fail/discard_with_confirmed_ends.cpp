// expect: lido: an object whose end waits to be confirmed may come back, so it cannot be discarded
#include <lido/core/recycle_pool.hpp>

struct ember {
    int heat = 0;
};

int main() {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    constexpr lido::options o{};
#else
    constexpr lido::options o{.confirmed_ends = true};
#endif
    lido::recycle_pool<ember, o> pool(4);
    pool.discard(pool.acquire().handle());
    return 0;
}
