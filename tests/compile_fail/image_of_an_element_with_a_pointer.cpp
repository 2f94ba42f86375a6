// expect: lido: this element holds a pointer, which means nothing in another run: give it `void save.lido::image_writer&. const` and `bool load.lido::image_reader&.`, or keep a handle instead
#include <lido/core.hpp>

#include <cstddef>
#include <vector>

struct element {
    int health = 0;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    lido::handle<element> target{};
#else
    element* target = nullptr;
#endif
};

void write(const lido::slot_pool<element>& pool, std::vector<std::byte>& to) { pool.save(to); }
