// What tests of fixtures share: the files that an earlier version wrote, where they lie, and the dice that their scripts throw.
// tests/core/rewind/fixtures/README.md tells how fixtures are made.
//
// LIDO_FIXTURES is set by the build: the folder of all versions. LIDO_WRITE_FIXTURES, in the environment, names a folder that the
// program writes its fixtures to before its tests run; the tests then read from there.
#pragma once

#include <lido/core/misuse.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#ifndef LIDO_FIXTURES
#error "LIDO_FIXTURES is the folder of the fixtures; tests/CMakeLists.txt sets it"
#endif

namespace lido::test {

[[nodiscard]] inline bool fixtures_are_written() { return std::getenv("LIDO_WRITE_FIXTURES") != nullptr; }

/// The folder of one version; or the one that is being written.
[[nodiscard]] inline std::filesystem::path fixture_folder(const char* version) {
    const char* const written = std::getenv("LIDO_WRITE_FIXTURES");
    return written != nullptr ? std::filesystem::path(written) : std::filesystem::path(LIDO_FIXTURES) / version;
}

/// The content, byte for byte; a test that finds no such file fails.
[[nodiscard]] inline std::string read_fixture(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in) << file << " cannot be read";
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write_fixture(const std::filesystem::path& file, const std::string& content) {
    std::ofstream out(file, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    EXPECT_TRUE(out) << file << " cannot be written";
}

[[nodiscard]] inline std::string as_text(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline std::vector<std::byte> as_bytes(const std::string& text) {
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

[[nodiscard]] inline std::string hex(std::uint64_t number) {
    char text[17];
    std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(number));
    return text;
}

/// The lines of a text file by their first word; what starts with # is left out.
[[nodiscard]] inline std::map<std::string, std::string> fixture_lines(const std::filesystem::path& file) {
    std::map<std::string, std::string> lines;
    std::istringstream in(read_fixture(file));
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line[0] != '#') lines[line.substr(0, line.find(' '))] = line;
    }
    return lines;
}

/// A generator of its own: what is recorded must not depend on the standard library's. Never to be changed.
class dice {
public:
    explicit dice(std::uint64_t seed) : state_(seed) {}
    std::uint32_t next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>(state_ >> 33);
    }
    std::uint32_t below(std::uint32_t n) { return next() % n; }

private:
    std::uint64_t state_;
};

/// While it lives no misuse is printed: the scripts release what has ended, on purpose.
class quiet_misuse {
public:
    quiet_misuse() = default;
    quiet_misuse(const quiet_misuse&) = delete;
    quiet_misuse& operator=(const quiet_misuse&) = delete;
    ~quiet_misuse() { set_misuse_handler(before_); }

private:
    misuse_handler before_ = set_misuse_handler([](const misuse&) {});
};

/// Writes the fixtures of one test file before any test, where the environment says so.
class fixture_writing : public testing::Environment {
public:
    using writer = void (*)(const std::filesystem::path& folder);
    explicit fixture_writing(writer write) : write_(write) {}

    void SetUp() override {
        if (!fixtures_are_written()) return;
        const std::filesystem::path folder = fixture_folder("");
        std::filesystem::create_directories(folder);
        write_(folder);
    }

private:
    writer write_;
};

}  // namespace lido::test
