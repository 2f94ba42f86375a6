// What the program and its two shared libraries know of each other. Each has its own copy of every template and hides it.
#pragma once

#include <lido/core/misuse.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include <cstdint>

namespace core_plugin {

struct bullet {
    std::int32_t x = 0;
    std::int32_t life = 0;
};
using bullets = lido::slot_pool<bullet>;

/// What a library offers, found by the name `lido_test_plugin` when it is loaded.
struct offers {
    bool (*save)(const bullets& pool, lido::snapshot& to);
    lido::restore_error (*restore)(bullets& pool, const lido::snapshot& from);
    /// The same type as in the program, by name only: each library has its own in an unnamed namespace.
    bool (*save_private)(lido::snapshot& to);
    lido::restore_error (*restore_private)(const lido::snapshot& from);
    void (*misuse)();
    std::uint64_t (*tick)();
    lido::misuse_handler (*handler)();
    void (*release_foreign)(bullets& pool, lido::handle<bullet> of_another);
};

}  // namespace core_plugin
