// expect: lido: a part of this element that cannot be split into fields holds a pointer, a reference or a union
#include <lido/core.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

struct element {
    int health = 0;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    std::array<char, 16> name{};
#else
    std::string_view name{};
#endif
};

void write(const lido::slot_pool<element>& pool, std::vector<std::byte>& to) { lido::save(to, pool); }
