// expect: lido: a pointer cannot be hashed: a pointer's value differs from run to run; give the type that holds it a member `void hash.lido::hasher&. const`
#include <lido/core.hpp>

#include <cstdint>

struct element {
    int health = 0;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    lido::handle<element> target{};
#else
    element* target = nullptr;
#endif
};

std::uint64_t hash(const lido::slot_pool<element>& pool) { return pool.state_hash(); }
