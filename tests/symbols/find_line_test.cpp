// Promise (X6): the return address of a call becomes the file and line of that call, in the process itself, without the heap. What
// cannot be known is not guessed: module and offset stand for it.
#include "find_line.hpp"
#include "support/allocation_counter.hpp"
#include "symbols/find_line_elsewhere.hpp"
#include "symbols/made_lines.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace lido::test {
namespace symbols_find_line_test {

using elsewhere::marked;
using elsewhere::return_address;
using lido::found_line;
using lido::last_part;
using symbols::byte_view;
using symbols::elf_image;
using symbols::elf_segment;
using symbols::find_line;
using symbols::line_store;
using symbols::loaded_module;

TEST(find_line, says_nothing_of_an_address_in_no_module) {
    int local = 0;
    for (const std::uintptr_t address :
         {std::uintptr_t{0}, std::uintptr_t{1}, ~std::uintptr_t{0}, reinterpret_cast<std::uintptr_t>(&local)}) {
        const found_line found = find_line(address);
        EXPECT_FALSE(found.known);
        EXPECT_STREQ(found.file, "");
        EXPECT_STREQ(found.module, "");
        EXPECT_EQ(found.line, 0u);
    }
}

class own_file {
public:
    own_file() : bytes_(symbols::map_file("/proc/self/exe")) {}
    own_file(const own_file&) = delete;
    own_file& operator=(const own_file&) = delete;
    ~own_file() { symbols::unmap(bytes_); }
    [[nodiscard]] byte_view bytes() const { return bytes_; }

private:
    byte_view bytes_;
};

/// For what needs this program to be built with -g.
class find_line_of_own_code : public ::testing::Test {
protected:
    void SetUp() override {
        const own_file file;
        if (elf_image(file.bytes()).find(".debug_line").empty()) GTEST_SKIP() << "this program has no line tables";
    }
};

void expect_place(const marked& m, const char* file) {
    const found_line found = find_line(m.address);
    EXPECT_TRUE(found.known);
    EXPECT_STREQ(last_part(found.file), file);
    EXPECT_EQ(found.line, m.line);
    EXPECT_STRNE(found.module, "");
    EXPECT_NE(found.offset, 0u);
}

LIDO_NOINLINE marked from_a_static_function() {
    const std::uintptr_t address = return_address();
    return elsewhere::after(address, __LINE__ - 1);
}

TEST_F(find_line_of_own_code, X6_names_the_line_of_a_call) {
    const marked here{return_address(), __LINE__};
    expect_place(here, "find_line_test.cpp");
    expect_place(from_a_static_function(), "find_line_test.cpp");
    EXPECT_NE(std::string(find_line(here.address).file).find("symbols/"), std::string::npos) << "with its folders";
}

TEST_F(find_line_of_own_code, X6_names_the_line_in_a_header) {
    expect_place(elsewhere::from_a_template(1), "find_line_elsewhere.hpp");
    expect_place(elsewhere::from_a_template(1.5), "find_line_elsewhere.hpp");
    expect_place(elsewhere::inner::from_a_namespace(), "find_line_elsewhere.hpp");
}

TEST_F(find_line_of_own_code, X6_names_the_line_in_a_lambda) {
    const auto lambda = [] {
        const std::uintptr_t address = return_address();
        return elsewhere::after(address, __LINE__ - 1);
    };
    expect_place(lambda(), "find_line_test.cpp");
    marked (*const pointer)() = lambda;
    expect_place(pointer(), "find_line_test.cpp");
}

// The address after a call that does not come back is another function's, or none at all.
[[noreturn]] LIDO_NOINLINE void leave(std::uintptr_t& address) {
    address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    throw 1;
}
[[noreturn]] LIDO_NOINLINE void call_at_the_end(std::uintptr_t& address, unsigned& line) {
    line = __LINE__ + 1;
    leave(address);
}

TEST_F(find_line_of_own_code, names_the_line_of_a_call_that_is_the_end_of_its_function) {
    marked m{};
    EXPECT_THROW(call_at_the_end(m.address, m.line), int);
    expect_place(m, "find_line_test.cpp");
}

TEST_F(find_line_of_own_code, needs_no_heap) {
    symbols::lines_of_program.forget();
    const std::uintptr_t address = return_address();
    const allocation_watch watch;
    const found_line first = find_line(address);  // opens the file
    const found_line second = find_line(address);
    const bool quiet = watch.quiet();
    EXPECT_TRUE(quiet);
    EXPECT_TRUE(first.known && second.known);
}

TEST_F(find_line_of_own_code, answers_several_threads_at_once) {
    const marked places[] = {from_a_static_function(), elsewhere::from_a_template(1), elsewhere::from_a_template('c'),
                             elsewhere::inner::from_a_namespace()};
    symbols::lines_of_program.forget();
    unsigned wrong[4] = {};
    std::vector<std::thread> threads;
    for (unsigned& mine : wrong) {
        threads.emplace_back([&] {
            for (int i = 0; i < 200; ++i) {
                for (const marked& m : places) {
                    const found_line found = find_line(m.address);
                    mine += found.known && found.line == m.line ? 0 : 1;
                }
            }
        });
    }
    for (std::thread& t : threads) t.join();
    for (const unsigned mine : wrong) EXPECT_EQ(mine, 0u);
}

TEST(find_line, names_the_module_where_it_has_no_lines) {
    const auto address = reinterpret_cast<std::uintptr_t>(&std::abort);  // the C library, or a sanitizer's
    const found_line found = find_line(address + 1);
    EXPECT_NE(std::string(found.module), "");
    EXPECT_EQ(std::string(found.module).find('/'), std::string::npos);
    EXPECT_NE(found.offset, 0u);
}

// --- against another reader ------------------------------------------------------------------------------------------------

/// Addresses spread over all code of this program, as addr2line takes them; and what it answers.
struct other_answer {
    std::uintptr_t offset;
    std::string file;
    unsigned line;  // 0: not known
};

std::vector<other_answer> ask_addr2line(std::size_t count) {
    const own_file file;
    const symbols::code_range code = elf_image(file.bytes()).code();
    const std::string list = ::testing::TempDir() + "lido_addresses_" + std::to_string(::getpid());
    char program[1024] = {};
    if (::readlink("/proc/self/exe", program, sizeof program - 1) <= 0) return {};
    std::vector<other_answer> answers;
    {
        std::ofstream out(list);
        const std::uint64_t step = (code.high - code.low) / count + 1;
        for (std::uint64_t a = code.low; a < code.high; a += step) {
            out << std::hex << a << '\n';
            answers.push_back({static_cast<std::uintptr_t>(a), "", 0});
        }
    }
    const std::string command = "addr2line -e '" + std::string(program) + "' < '" + list + "' 2>/dev/null";
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    std::size_t n = 0;
    char text[2048];
    while (pipe != nullptr && n < answers.size() && std::fgets(text, sizeof text, pipe) != nullptr) {
        char* const colon = std::strrchr(text, ':');
        if (colon == nullptr) break;
        *colon = '\0';
        answers[n].file = text;
        answers[n++].line = static_cast<unsigned>(std::strtoul(colon + 1, nullptr, 10));
    }
    const bool done = pipe != nullptr && ::pclose(pipe) == 0 && n == answers.size();
    std::remove(list.c_str());
    return done ? answers : std::vector<other_answer>{};
}

TEST_F(find_line_of_own_code, X6_agrees_with_addr2line) {
    if (std::system("addr2line --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "addr2line is not installed";
    const auto answers = ask_addr2line(3000);
    ASSERT_FALSE(answers.empty());
    const std::uintptr_t bias = symbols::find_module(return_address()).bias;
    std::size_t known = 0, missed = 0, other_lines = 0, other_files = 0;
    std::string example;
    for (const other_answer& theirs : answers) {
        const found_line ours = find_line(bias + theirs.offset + 1);
        EXPECT_EQ(ours.offset, theirs.offset);
        if (theirs.line == 0) continue;
        ++known;
        missed += ours.known ? 0 : 1;
        if (!ours.known) continue;
        other_lines += ours.line == theirs.line ? 0 : 1;
        other_files += std::string(last_part(ours.file)) == last_part(theirs.file.c_str()) ? 0 : 1;
        if (ours.line != theirs.line)
            example = theirs.file + ":" + std::to_string(theirs.line) + " here " + ours.file + ":" +
                      std::to_string(ours.line);
    }
    EXPECT_GT(known, 500u) << "of " << answers.size();
    EXPECT_EQ(missed, 0u);
    EXPECT_EQ(other_lines, 0u) << example;
    // binutils 2.40 names the wrong file for some rows of version 5 tables: it has lines there that the file does not have.
    EXPECT_LE(other_files, known / 20);
}

// --- modules ---------------------------------------------------------------------------------------------------------------

constexpr bool wide = sizeof(void*) == 8;

std::uint64_t identity_of_file(byte_view file) {
    return symbols::module_identity(elf_image(file).segments(), [&](const elf_segment& s) noexcept {
        return symbols::part_of(file, s.offset, s.file_bytes);
    });
}

TEST(find_line_identity, the_identity_in_memory_is_that_of_the_file) {
    const own_file file;
    const loaded_module own = symbols::find_module(return_address());
    ASSERT_TRUE(own.found);
    EXPECT_TRUE(own.is_program);
    EXPECT_EQ(own.identity, identity_of_file(file.bytes()));
}

/// A library in a file: a function at 0x1000, line 10 of lib<number>.cpp, and line 0 from 0x1008 on; more of them at 0x1010, line
/// 11, and so on.
struct made_library {
    loaded_module module;
    made_bytes file;

    explicit made_library(unsigned number, unsigned functions = 1) {
        made_unit unit;
        unit.files[0].first = "lib" + std::to_string(number) + ".cpp";
        for (unsigned i = 0; i < functions; ++i) {
            unit.program.set_file(0).set_address(0x1000 + 16 * i).row(0, 9 + i).row(8, -10 - static_cast<int>(i));
            unit.program.advance_pc(8).end_sequence();
        }
        made_tables tables;
        tables.add(unit);
        byte_writer note;
        note.fixed(number, 4);
        const std::uint64_t at = (wide ? 64 : 52) + 2 * elf_segment::bytes(wide);
        file = made_elf({{".note", note.bytes, 0x100, symbols::elf_section::loaded},
                         {".text", made_bytes(std::size_t{16} * functions), 0x1000,
                          symbols::elf_section::loaded | symbols::elf_section::code},
                         {".debug_line", tables.lines},
                         {".debug_line_str", tables.line_strings}},
                        wide, {{elf_segment::load, at, 0x100, 4, 4}, {elf_segment::note, at, 0x100, 4, 4}});
        module.found = true;
        module.bias = 0x10000;
        module.identity = identity_of_file(file);
        const std::string path =
            ::testing::TempDir() + "lido_library_" + std::to_string(::getpid()) + "_" + std::to_string(number);
        std::snprintf(module.path, sizeof module.path, "%s", path.c_str());
        write();
    }
    made_library(const made_library&) = delete;
    made_library& operator=(const made_library&) = delete;
    ~made_library() { std::remove(module.path); }

    void write() const {
        std::ofstream out(module.path, std::ios::binary);
        out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    }
    [[nodiscard]] std::string ask(line_store& store, std::uint64_t address) const {
        found_line found;
        store.find(module, address, found);
        return found.known ? std::string(found.file) + ":" + std::to_string(found.line) : "?";
    }
};

class find_line_module : public ::testing::Test {
protected:
    void TearDown() override { store.forget(); }
    line_store store;
};

TEST_F(find_line_module, lines_of_a_library_are_found_and_line_0_is_none) {
    const made_library library(1);
    EXPECT_EQ(library.ask(store, 0x1000), "lib1.cpp:10");
    EXPECT_EQ(library.ask(store, 0x1007), "lib1.cpp:10");
    EXPECT_EQ(library.ask(store, 0x1008), "?") << "code that comes from no line";
    EXPECT_EQ(library.ask(store, 0x1010), "?");
}

TEST_F(find_line_module, a_file_that_was_built_anew_is_not_believed) {
    made_library library(1);
    const made_library other(2);
    library.file = other.file;
    library.write();
    EXPECT_EQ(library.ask(store, 0x1000), "?");
}

TEST_F(find_line_module, a_library_that_is_loaded_where_another_was_is_not_taken_for_it) {
    const made_library old_code(1);
    const made_library new_code(2);
    ASSERT_EQ(old_code.module.bias, new_code.module.bias);
    EXPECT_EQ(old_code.ask(store, 0x1000), "lib1.cpp:10");
    EXPECT_EQ(new_code.ask(store, 0x1000), "lib2.cpp:10");
    EXPECT_EQ(old_code.ask(store, 0x1000), "lib1.cpp:10");
}

TEST_F(find_line_module, more_libraries_than_are_kept_take_turns) {
    std::vector<std::unique_ptr<made_library>> libraries;
    for (unsigned i = 0; i < 20; ++i) libraries.push_back(std::make_unique<made_library>(i));
    for (int round = 0; round < 2; ++round) {
        for (unsigned i = 0; i < 20; ++i) {
            const std::string expected = "lib" + std::to_string(i) + ".cpp:10";
            EXPECT_EQ(libraries[i]->ask(store, 0x1000), expected);
            EXPECT_EQ(libraries[i]->ask(store, 0x1001), expected);
        }
    }
    std::ifstream maps("/proc/self/maps");
    std::size_t mapped = 0;
    for (std::string line; std::getline(maps, line);) mapped += line.find("lido_library_") != std::string::npos ? 1 : 0;
    EXPECT_EQ(mapped, 8u) << "those that made room are given back";
}

TEST_F(find_line_module, a_library_may_have_any_number_of_functions) {
    const made_library library(1, 20000);
    for (const unsigned i : {0u, 1u, 4095u, 4096u, 8191u, 8192u, 19999u})
        EXPECT_EQ(library.ask(store, 0x1007 + 16 * i), "lib1.cpp:" + std::to_string(10 + i));
    EXPECT_EQ(library.ask(store, 0x1000 + 16 * 20000), "?");
}

TEST_F(find_line_module, what_is_kept_is_not_read_again_until_it_is_forgotten) {
    made_library library(1);
    EXPECT_EQ(library.ask(store, 0x1000), "lib1.cpp:10");
    std::remove(library.module.path);
    EXPECT_EQ(library.ask(store, 0x1000), "lib1.cpp:10") << "still mapped";
    store.forget();
    EXPECT_EQ(library.ask(store, 0x1000), "?");
}

TEST_F(find_line_module, a_missing_or_strange_file_gives_nothing) {
    made_library library(1);
    library.file.assign(100, std::byte{7});
    library.write();
    EXPECT_EQ(library.ask(store, 0x1000), "?");
    library.file.clear();
    library.write();
    store.forget();
    EXPECT_EQ(library.ask(store, 0x1000), "?");
    std::remove(library.module.path);
    store.forget();
    EXPECT_EQ(library.ask(store, 0x1000), "?");
}

}  // namespace symbols_find_line_test
}  // namespace lido::test
