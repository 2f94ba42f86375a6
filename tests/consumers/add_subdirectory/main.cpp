#include <lido/core/config.hpp>

int main() { return LIDO_VERSION_MAJOR == 0 && LIDO_VERSION_MINOR == 1 ? 0 : 1; }
