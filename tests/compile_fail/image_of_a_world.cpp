// expect: lido: a world has no image
#include <lido/world/world.hpp>

#include <cstddef>
#include <vector>

void save(const lido::world& world, std::vector<std::byte>& bytes, lido::snapshot& to) {
    static_cast<void>(bytes);
    static_cast<void>(to);
#ifdef LIDO_COMPILE_FAIL_CONTROL
    static_cast<void>(lido::save(to, world));
#else
    lido::save(bytes, world);
#endif
}
