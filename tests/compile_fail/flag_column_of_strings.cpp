// expect: lido: a row without an object has no such field, because it is not plain bytes: use for_each
#include <lido/core.hpp>

#include <string>

struct voice {
    int volume;
    std::string name;
};

int main() {
    lido::inline_flag_column_pool<voice, 8> voices;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    voices.for_each<&voice::name>([](std::string& name) { name.clear(); });
    return static_cast<int>(voices.column<&voice::volume>().size());
#else
    return static_cast<int>(voices.column<&voice::name>().size());
#endif
}
