// expect: lido: this element holds a pointer, which means nothing in another run
#include <lido/core.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

struct element {
    int health = 0;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    std::array<lido::handle<element>, 2> targets{};
#else
    std::array<element*, 2> targets{};
#endif
};

void write(const lido::dense_pool<element>& pool, std::vector<std::byte>& to) { lido::save(to, pool); }
