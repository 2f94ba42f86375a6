// A schema in a program without exceptions and RTTI. Linked with core_without_exceptions.cpp, which runs it.
#include <cstdio>
#include <cstdlib>

[[noreturn]] void end_by_my_rule(const char* text) noexcept;
#define LIDO_FATAL(text) ::end_by_my_rule(text)

#include <lido/entity.hpp>

namespace {

struct chest {
    std::uint16_t gold = 3;
    lido::text<8> owner;
    std::optional<float> lock;
};
constexpr auto describe(lido::type<chest>) {
    return lido::schema{2, lido::field<&chest::gold>{.max = 100, .was = "coins"},
                        lido::field<&chest::lock>{.min = 0, .max = 1, .step = 0.125}};
}
bool valid(const chest& c) { return c.gold == 0 || !c.owner.empty(); }
void migrate(lido::from_revision<1>, const lido::record& old, chest& now) {
    if (old.flag("mine")) now.owner = "me";
}

}  // namespace

/// How many things went wrong.
int entity_failures() {
    int failures = 0;
    const auto check = [&](bool held, const char* what) {
        if (held) return;
        std::fprintf(stderr, "entity: failed: %s\n", what);
        ++failures;
    };
    const lido::class_schema& chests = lido::schema_of<chest>();
    chest c;
    check(chests.first_invalid(&c).fault == lido::field_fault::refused, "valid");
    const lido::load_result loaded = chests.load(lido::record(R"({"coins":7,"mine":true,"lock":0.5})", 1), &c);
    check(loaded && c.gold == 7 && c.owner == "me" && c.lock == 0.5f, "load");
    std::byte room[64];
    lido::byte_writer to(room);
    chests.encode(&c, chests.all(), to);
    chest back;
    lido::byte_reader from(to.written());
    chests.decode(from, chests.all(), &back);
    check(from.done() && chests.changed(&c, &back).empty(), "bytes");
    char text[128];
    lido::text_writer json(text);
    chests.store(&c, json);
    check(json.written() == R"({"gold":7,"owner":"me","lock":0.5})", "store");
    return failures;
}
