// expect: lido: with options::confirmed_ends a restore brings back the same object
#include <lido/core.hpp>

#include <string>

struct voice {
    std::string name;
    voice() = default;
    voice(const voice&) = default;
    voice(voice&&) noexcept = default;
    voice& operator=(const voice&) = default;
    voice& operator=(voice&& other) noexcept(false) {
        name = other.name;
        return *this;
    }
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
using pool_type = lido::slot_pool<voice>;
#else
using pool_type = lido::slot_pool<voice, lido::options{.confirmed_ends = true}>;
#endif

lido::restore_result back(pool_type& pool, const lido::snapshot& from) { return pool.restore(from); }
