// expect: lido: this class takes its payload over: hand it over with std::move
#include <lido/world/world.hpp>

#include <memory>
#include <utility>

struct ship {
    using payload_type = std::unique_ptr<int>;
    std::unique_ptr<int> hold;
    void on_acquire() {}
    void on_acquire(std::unique_ptr<int> with) { hold = std::move(with); }
};

void spawn(lido::world& world, std::unique_ptr<int> cargo) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    static_cast<void>(world.spawn<ship>({}, std::move(cargo)));
#else
    static_cast<void>(world.spawn<ship>({}, cargo));
#endif
}
