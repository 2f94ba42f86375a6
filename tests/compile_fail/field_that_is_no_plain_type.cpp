// expect: lido: this is no type that can be sent or saved
#include <lido/entity.hpp>

#include <array>

class hidden {
public:
    constexpr hidden() = default;

private:
    int number = 0;
};

struct door {
    bool open = false;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    std::array<int, 2> held{};
#else
    hidden held;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
