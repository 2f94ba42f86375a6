// What the tests of the schema describe: a struct with a field of every kind.
#pragma once

#include <lido/entity.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace lido::test::schema {

struct room;

enum class mood : std::uint8_t { calm, wary, angry };

struct point {
    float x = 0;
    float y = 0;
};
constexpr auto describe(type<point>) {
    return lido::schema{1, field<&point::x>{.min = -64, .max = 64, .step = 0.25f},
                        field<&point::y>{.min = -64, .max = 64, .step = 0.25f}};
}

struct item {
    std::uint16_t kind = 0;
    std::int8_t count = 1;
};
constexpr auto describe(type<item>) {
    return lido::schema{1, field<&item::count>{.min = 0, .max = 99, .was = "amount"}};
}

struct door {
    bool open = false;
    float angle = 0;
    std::uint16_t hp = 100;
    lido::text<16> keeper;
    lido::link<room> leads_to;
    std::uint32_t wear = 0;
    point at;
    mood temper = mood::calm;
    std::optional<std::int32_t> code;
    std::array<double, 3> hinge{};
    bounded_vector<item, 4> chest;
    lido::bytes<8> seal;
    std::int64_t built = -1;
};
constexpr auto describe(type<door>) {
    return lido::schema{3,
                        field<&door::angle>{.min = 0, .max = 120, .step = 0.5f},
                        field<&door::hp>{.max = 1000, .send = seen::by_owner, .was = "health"},
                        field<&door::wear>{.send = seen::by_nobody},
                        field<&door::temper>{.min = mood::calm, .max = mood::angry},
                        field<&door::at, &point::y>{.min = 0},
                        field<&door::code>{.min = 0, .max = 9999},
                        field<&door::seal>{.send = seen::by_callback, .save = false}};
}
inline bool valid(const door& d) { return !d.open || d.hp > 0; }

/// Every field different from its default.
inline door other_door() {
    door d;
    d.open = true;
    d.angle = 33.5f;
    d.hp = 7;
    d.keeper = "Zo\xc3\xab";
    d.leads_to = link<room>::from_bits(0x0000000500000003u);
    d.wear = 12;
    d.at = {1.5f, 2.25f};
    d.temper = mood::wary;
    d.code = 4711;
    d.hinge = {0.1, -0.0, 1e300};
    d.chest.push_back({3, 9});
    d.chest.push_back({4, 1});
    const std::byte sealed[3] = {std::byte{1}, std::byte{0}, std::byte{255}};
    d.seal.assign(sealed);
    d.built = -9'000'000'000'000'000'000;
    return d;
}

}  // namespace lido::test::schema
