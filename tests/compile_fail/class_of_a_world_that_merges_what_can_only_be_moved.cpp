// expect: lido: a class with `merge` offers a newcomer to others before it is known whether it stays
#include <lido/world/world.hpp>

#include <memory>
#include <utility>

struct ship {
    using payload_type = std::unique_ptr<int>;
    std::unique_ptr<int> hold;
    void on_acquire(std::unique_ptr<int> with) { hold = std::move(with); }
#ifndef LIDO_COMPILE_FAIL_CONTROL
    bool merge(const ship&) { return false; }
#endif
};

void add(lido::world& world) { static_cast<void>(world.add<ship>("ship")); }
