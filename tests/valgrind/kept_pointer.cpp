// X7, for Valgrind: `kept_pointer read SHAPE` and `write SHAPE` touch an object past its release; `fair` does all that is allowed,
// rewinds included, and must pass without a word.
#include <lido/core.hpp>

#include <cstdio>
#include <string_view>
#include <type_traits>

namespace {

struct spark {
    int x = 1;
    int y = 2;
};

template <class Pool>
int touch(Pool&& pool, std::string_view how) {
    const auto one = pool.acquire();
    volatile int* const kept = &one->x;
    pool.release(one);
    if (how == "write") *kept = 3;
    return how == "read" ? *kept : 0;
}

template <class Pool>
void live(Pool&& pool) {
    int sum = 0;
    lido::snapshot then;
    typename std::remove_cvref_t<Pool>::handle_type handles[20];
    for (int round = 0; round < 3; ++round) {
        for (auto& h : handles) h = pool.acquire();
        static_cast<void>(pool.save(then));
        for (int i = 0; i < 20; i += 2) pool.release(handles[i]);
        for (int i = 1; i < 20; i += 2) sum += pool.get(handles[i])->x;
        static_cast<void>(pool.acquire());
        static_cast<void>(pool.restore(then));
        for (const auto h : handles) sum += pool.get(h)->y;
        pool.clear();
        static_cast<void>(pool.trim());
    }
    std::printf("%d\n", sum);
}

/// A history writes only what changed; what did not must still count as written.
template <class Pool>
void keep_history(Pool&& pool) {
    lido::history<4, std::remove_cvref_t<Pool>> past;
    const typename std::remove_cvref_t<Pool>::handle_type first = pool.acquire();
    past.save(1, pool);
    const typename std::remove_cvref_t<Pool>::handle_type second = pool.acquire();
    past.save(2, pool);
    static_cast<void>(past.restore(1, pool));
    std::printf("%s\n", pool.get(first)->x == 1 && !pool.contains(second) ? "as it was" : "not as it was");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view how = argc > 1 ? argv[1] : "fair";
    const std::string_view shape = argc > 2 ? argv[2] : "slot";
    if (how == "fair") {
        live(lido::slot_pool<spark>(32));
        live(lido::flag_pool<spark, 32>());
        live(lido::dense_pool<spark>(32));
        live(lido::ring_pool<spark>(32));
        live(lido::bytemap_pool<spark>(32));
        live(lido::recycle_pool<spark>(32, {.poison_idle = true}));
        constexpr lido::options marked{.mark_changes = true};
        keep_history(lido::slot_pool<spark, marked>(32, {.leaks = lido::leaks::allow}));
        keep_history(lido::dense_pool<spark, marked>(32, {.leaks = lido::leaks::allow}));
        return 0;
    }
    if (shape == "slot") return touch(lido::slot_pool<spark>(32), how);
    if (shape == "dense") return touch(lido::dense_pool<spark>(32), how);
    if (shape == "ring") return touch(lido::ring_pool<spark>(32), how);
    if (shape == "bytemap") return touch(lido::bytemap_pool<spark>(32), how);
    if (shape == "inline") return touch(lido::inline_slot_pool<spark, 32>(), how);
    if (shape == "idle") return touch(lido::recycle_pool<spark>(32, {.poison_idle = true}), how);
    std::fprintf(stderr, "usage: kept_pointer fair | (read | write) (slot | dense | ring | bytemap | inline | idle)\n");
    return 2;
}
