// A shared library of a program, built with hidden visibility. Two are made of this file.
#include "core/plugin/plugin.hpp"

#include <cstdint>

namespace core_plugin {
namespace {

struct secret {
    std::int32_t value = 0;
};

bool save(const bullets& pool, lido::snapshot& to) { return pool.save(to); }
lido::restore_error restore(bullets& pool, const lido::snapshot& from) { return pool.restore(from).error; }

bool save_private(lido::snapshot& to) {
    lido::slot_pool<secret> pool(4, {.leaks = lido::leaks::allow});
    pool.acquire();
    return pool.save(to);
}
lido::restore_error restore_private(const lido::snapshot& from) {
    lido::slot_pool<secret> pool(4, {.leaks = lido::leaks::allow});
    return pool.restore(from).error;
}

void misuse() {
    bullets pool(4, {.name = "the library's"});
    pool.release(lido::handle<bullet>{});
}

std::uint64_t tick() { return lido::current_tick(); }
lido::misuse_handler handler() { return lido::current_misuse_handler(); }
void release_foreign(bullets& pool, lido::handle<bullet> of_another) { pool.release(of_another); }

}  // namespace
}  // namespace core_plugin

extern "C" __attribute__((visibility("default"))) const core_plugin::offers* lido_test_plugin() {
    static const core_plugin::offers all{
        core_plugin::save,   core_plugin::restore, core_plugin::save_private, core_plugin::restore_private,
        core_plugin::misuse, core_plugin::tick,    core_plugin::handler,      core_plugin::release_foreign};
    return &all;
}
