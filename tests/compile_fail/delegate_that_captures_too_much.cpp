// expect: lido: this callable captures more than two pointers: capture one pointer to a struct instead
#include <lido/core.hpp>

int main() {
    void* a = nullptr;
    void* b = nullptr;
    void* c = nullptr;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    const lido::delegate<bool()> call = [a, b] { return a == b; };
    return call() && c == nullptr ? 0 : 1;
#else
    const lido::delegate<bool()> call = [a, b, c] { return a == b && b == c; };
    return call() ? 0 : 1;
#endif
}
