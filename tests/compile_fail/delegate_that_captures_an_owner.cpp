// expect: lido: this callable captures something that is not trivially copyable: capture a pointer to it
#include <lido/core.hpp>

#include <memory>

int main() {
    const auto shared = std::make_shared<int>(0);
#ifdef LIDO_COMPILE_FAIL_CONTROL
    const lido::delegate<int()> call = [at = shared.get()] { return *at; };
#else
    const lido::delegate<int()> call = [shared] { return *shared; };
#endif
    return call();
}
