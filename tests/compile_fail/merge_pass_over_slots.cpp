// expect: lido: merge_pass works on packed rows: use a dense_pool or a column_pool
#include <lido/core.hpp>

struct element {
    float x, y;
};

int main() {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    lido::dense_pool<element> pool(8);
#else
    lido::slot_pool<element> pool(8);
#endif
    lido::merge_pass pass(8);
    pass.run(
        pool, 1.0f, [](const element& e) { return e; }, [](element&, const element&) { return false; });
}
