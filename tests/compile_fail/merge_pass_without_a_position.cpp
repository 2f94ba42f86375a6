// expect: lido: merge_pass: position\(object\) has to give something with x and y, or a pair of numbers
#include <lido/core.hpp>

#include <utility>

struct element {
    int x, y;
};

int main() {
    lido::dense_pool<element> pool(8);
    lido::merge_pass pass(8);
#ifdef LIDO_COMPILE_FAIL_CONTROL
    const auto where = [](const element& e) { return std::pair{e.x, e.y}; };
#else
    const auto where = [](const element& e) { return e.x; };
#endif
    pass.run(pool, 1, where, [](element&, const element&) { return false; });
}
