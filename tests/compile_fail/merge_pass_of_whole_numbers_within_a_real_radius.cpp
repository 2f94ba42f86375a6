// expect: lido: merge_pass: positions are whole numbers, so the radius is one, too
#include <lido/core.hpp>

struct element {
    int x, y;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
constexpr int radius = 1;
#else
constexpr double radius = 1.5;
#endif

int main() {
    lido::dense_pool<element> pool(8);
    lido::merge_pass pass(8);
    pass.run(
        pool, radius, [](const element& e) { return e; }, [](element&, const element&) { return false; });
}
