// expect: lido: this element holds a pointer, which means nothing in another run
#include <lido/core.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

struct element {
    int health = 0;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    int target = 0;
#else
    int* target = nullptr;
#endif
};

void write(const element& pool, std::vector<std::byte>& to) { lido::save(to, pool); }
