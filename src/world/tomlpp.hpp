// toml++, as lido uses it. Only sources include this, so that a user of lido never sees toml++.
#pragma once

// A namespace of lido's own. A program that uses toml++ itself may have another version or other limits; under one name the
// linker would mix the two.
#define toml lido_tomlpp
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0  // builds without them, too
#define TOML_ENABLE_FORMATTERS 0
// The deepest that a setting goes is class = { name = { trim = { … } } }; parser and destructors recurse once for each level.
#define TOML_MAX_NESTED_VALUES 16
// toml++ 3.3 asserts what a file can break: "[[[" ends a debug build, and a release build of Clang takes the assertion for a
// promise. The parser's own checks behind them refuse such files; tests/fuzz/settings_fuzz.cpp looks for one that they miss.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
#undef toml

namespace lido::world_detail {

namespace tomlpp = lido_tomlpp;

}  // namespace lido::world_detail
