// Entities for the tests of what the inspector shows of stages.
#pragma once

#include "client.hpp"

#include <lido/entity.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace lido::test {

struct shown_door {
    bool open = false;
    float angle = 0;
    std::uint16_t hp = 100;
    text<500> sign;
    link<shown_door> behind;
};
constexpr auto describe(type<shown_door>) {
    return schema{1, field<&shown_door::angle>{.min = 0, .max = 120}, field<&shown_door::hp>{.max = 1000}};
}

struct shown_account {
    std::int64_t gold = 0;
};
constexpr auto describe(type<shown_account>) { return schema{3, field<&shown_account::gold>{.min = 0}}; }

/// A program that shows a stage named "hall", with doors (which keep five commits) and accounts.
struct shown_stage {
    world in;
    lido::stage stage;
    shown_program program;
    watched shown;

    explicit shown_stage(std::uint32_t rollback = 0, const std::string& doors = "door")
        : in(role::standalone, {.rollback = rollback}), stage(in) {
        stage.add<shown_door>(doors, {.history = 5});
        stage.add<shown_account>("account");
        shown = program.look.watch_scoped("hall", stage);
    }

    /// So many accounts, over a few ticks: the journal confirms them with each.
    void fill(int accounts) {
        for (int i = 0; i < accounts; ++i) {
            if (i % 1000 == 0) stage.tick();
            const auto made = stage.create<shown_account>();
            ASSERT_TRUE(made) << made.why();
        }
    }
    template <class F>
    void change(entity_ref<shown_door> which, F&& f) {
        auto e = stage.edit(which);
        f(*e.operator->());
        EXPECT_TRUE(e.commit()) << e.why();
    }
    [[nodiscard]] json get(const std::string& path) {
        const reply r = program.get("/api/v1/stages" + path);
        EXPECT_EQ(r.status, 200) << path << ": " << r.error();
        return r.parsed();
    }
    [[nodiscard]] int status(const std::string& path) { return program.get("/api/v1/stages" + path).status; }
};

[[nodiscard]] inline std::string text_at(const json& j, const char* key) { return j[key].get<std::string>(); }
[[nodiscard]] inline std::uint64_t number_at(const json& j, const char* key) { return j[key].get<std::uint64_t>(); }

/// What is in the path as it is.
[[nodiscard]] inline std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto u = static_cast<unsigned char>(c);
        out += {'%', "0123456789abcdef"[u >> 4], "0123456789abcdef"[u & 15]};
    }
    return out;
}

}  // namespace lido::test
