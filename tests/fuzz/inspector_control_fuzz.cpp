// Fuzzes the reader of commands: bytes from strangers give a command within the bounds, or one plain sentence.
//
// Input: the body of a request. tests/fuzz/corpus/inspector_control is written by hand, one idea a file.
#include "control_parser.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace lido::test {
namespace {

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "inspector_control_fuzz: %s\n", what);
    std::abort();
}

/// UTF-8 without control characters, roughly: no byte of it may end a line of a log.
[[nodiscard]] bool is_plain(std::string_view s) {
    for (const char c : s) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
    }
    return true;
}

void check_value_of(const command_value& v, const command_description& what) {
    const std::string wrong = inspect::check_value(v, what);
    expect(is_plain(wrong), "a sentence with control characters");
    if (!wrong.empty()) return;
    switch (what.kind) {
        case command_kind::button: expect(std::holds_alternative<std::monostate>(v.value()), "button"); break;
        case command_kind::toggle: expect(std::holds_alternative<bool>(v.value()), "switch"); break;
        case command_kind::number: expect(v.number() >= what.min && v.number() <= what.max, "number"); break;
        case command_kind::choice: expect(v.text() == "a" || v.text() == "b", "choice"); break;
    }
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido;
    using namespace lido::test;
    if (size > 4096) return 0;  // the server takes no more
    const inspect::parsed_command p = inspect::parse_command({reinterpret_cast<const char*>(data), size});
    if (!p) {
        expect(is_plain(p.error) && p.error.size() < 200, "a sentence that is not plain");
        expect(p.name.empty(), "an error with a command");
        return 0;
    }
    expect(!p.name.empty() && p.name.size() <= 64 && is_plain(p.name), "a name out of bounds");
    expect(is_plain(p.value.text()), "a text with control characters");
    for (const command_kind kind :
         {command_kind::button, command_kind::toggle, command_kind::number, command_kind::choice})
        check_value_of(p.value, {.name = "it", .kind = kind, .min = -2, .max = 5, .choices = {"a", "b"}});
    return 0;
}
