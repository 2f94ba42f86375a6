// A class of a world whose hooks write down that they were called, and do once what a test tells them to.
//
//   scripted<0>::reset();
//   scripted<0>::once(hook::on_acquire) = [&](scripted<0>& it) { it.return_to_pool(); };
//   ...
//   EXPECT_EQ(scripted<0>::log, "place, on_acquire, in use, out of use, on_release");
#pragma once

#include <lido/world/pooled.hpp>
#include <lido/world/transform.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace lido::test {

enum class hook : std::size_t { place, on_acquire, in_use, out_of_use, on_release };
inline constexpr hook all_hooks[] = {hook::place, hook::on_acquire, hook::in_use, hook::out_of_use, hook::on_release};

[[nodiscard]] inline const char* to_string(hook h) noexcept {
    constexpr const char* names[] = {"place", "on_acquire", "in use", "out of use", "on_release"};
    return names[static_cast<std::size_t>(h)];
}

template <int N>
struct scripted : pooled {
    using action = std::function<void(scripted&)>;

    static inline std::string log;
    static void reset() {
        log.clear();
        for (action& a : script()) a = nullptr;
    }
    /// What the next call of that hook does, once.
    static action& once(hook h) { return script()[static_cast<std::size_t>(h)]; }
    static void note(const char* what) { log += (log.empty() ? "" : ", ") + std::string(what); }
    [[nodiscard]] static std::string taken() { return std::exchange(log, {}); }

    transform at;
    int lives = 0;

    void place(const transform& where) {
        at = where;
        play(hook::place);
    }
    void on_acquire() {
        ++lives;
        play(hook::on_acquire);
    }
    void set_in_use(bool in_use) {
        pooled::set_in_use(in_use);
        play(in_use ? hook::in_use : hook::out_of_use);
    }
    void on_release() noexcept { play(hook::on_release); }

private:
    [[nodiscard]] static action (&script())[5] {
        static action all[5];
        return all;
    }
    void play(hook h) {
        note(to_string(h));
        if (const action now = std::exchange(once(h), nullptr)) now(*this);
    }
};

}  // namespace lido::test
