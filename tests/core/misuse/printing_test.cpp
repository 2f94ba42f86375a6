// The handler that a program starts with: one line a report to stderr, of each cause sixteen and then every power of two.
// Each case runs in a child process, because the count belongs to the process.
#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>

namespace misuse_printing_test {

/// What `body` writes to stderr, and how its process ended.
template <class Body>
std::pair<std::string, int> stderr_of(Body&& body) {
    int ends[2];
    if (::pipe(ends) != 0) {
        ADD_FAILURE() << "no pipe";
        return {};
    }
    std::fflush(stdout);
    std::fflush(stderr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        lido::detail::printed_reports.clear();  // as in a program that has just begun
        body();
        std::fflush(stderr);
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return {text, status};
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        all.push_back(text.substr(at, end - at));
        at = end == std::string::npos ? text.size() : end + 1;
    }
    return all;
}

// Without forensics, whose reports are counted by place instead.
template <class T>
using plain_pool = lido::flag_pool<T, 8, lido::options{.forensics = false}>;

void misuse_times(int n, const char* name = "bullets") {
    plain_pool<int> pool({.name = name});
    const auto h = pool.acquire(1).handle();
    pool.release(h);
    for (int i = 0; i < n; ++i) {
        static_cast<void>(pool.release(h));
    }
}

TEST(misuse_printing, says_pool_kind_what_and_where) {
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler(nullptr);
        misuse_times(1);
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text,
              "lido: bullets: double release: the released handle's life has been released before (slot 0, handle "
              "generation 1, slot generation 2)\n");
}

TEST(misuse_printing, leaves_the_place_out_where_there_is_none) {
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler(nullptr);
        plain_pool<int> pool;
        static_cast<void>(pool.release(*std::make_unique<int>(1)));
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text, "lido: pool: foreign object: the released object is not a live element of this pool\n");
}

TEST(misuse_printing, stops_after_sixteen_but_for_powers_of_two) {
    // Reports 1 to 16, a note, then 32, 64, 128, 256, 512, 1024.
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler(nullptr);
        misuse_times(1500);
    });
    EXPECT_EQ(status, 0);
    const auto all = lines(text);
    ASSERT_EQ(all.size(), 16u + 1u + 6u);
    EXPECT_EQ(all[16],
              "lido: bullets: double release: 16 of these so far; from here only every power of two is printed");
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i != 16) {
            EXPECT_NE(all[i].find("double release"), std::string::npos) << all[i];
        }
    }
}

TEST(misuse_printing, prints_the_note_with_the_sixteenth_and_no_sooner) {
    EXPECT_EQ(lines(stderr_of([] {
                        lido::set_misuse_handler(nullptr);
                        misuse_times(15);
                    }).first)
                  .size(),
              15u);
    EXPECT_EQ(lines(stderr_of([] {
                        lido::set_misuse_handler(nullptr);
                        misuse_times(31);
                    }).first)
                  .size(),
              17u);
    EXPECT_EQ(lines(stderr_of([] {
                        lido::set_misuse_handler(nullptr);
                        misuse_times(32);
                    }).first)
                  .size(),
              18u);
}

TEST(misuse_printing, counts_the_reports_of_one_cause_together) {
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler(nullptr);
        misuse_times(10);
        misuse_times(10);
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(lines(text).size(), 17u);
}

TEST(misuse_printing, a_noisy_cause_does_not_hide_another_pool_or_another_kind) {
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler(nullptr);
        misuse_times(1500);
        misuse_times(3, "rockets");
        plain_pool<int> pool({.name = "bullets"});
        for (int i = 0; i < 2; ++i) static_cast<void>(pool.release(*std::make_unique<int>(1)));
    });
    EXPECT_EQ(status, 0);
    const auto all = lines(text);
    ASSERT_EQ(all.size(), 16u + 1u + 6u + 3u + 2u);
    EXPECT_NE(all[23].find("lido: rockets: double release"), std::string::npos) << all[23];
    EXPECT_NE(all[27].find("lido: bullets: foreign object"), std::string::npos) << all[27];
}

TEST(misuse_printing, prints_again_after_reports_are_forgotten) {
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler(nullptr);
        misuse_times(31);
        lido::forget_reports();
        misuse_times(1);
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(lines(text).size(), 18u);
}

TEST(misuse_printing, is_silent_while_another_handler_is_set) {
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler([](const lido::misuse&) {});
        misuse_times(100);
        lido::set_misuse_handler(nullptr);
        misuse_times(1);
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(lines(text).size(), 1u);
}

#if LIDO_FORENSICS
TEST(misuse_printing, X6_a_story_is_printed_whole_and_once_for_each_place) {
    const auto [text, status] = stderr_of([] {
        lido::set_misuse_handler(nullptr);
        lido::forget_reports();
        lido::flag_pool<int, 8> pool({.name = "bullets"});
        for (int i = 0; i < 20; ++i) static_cast<void>(pool.release(lido::handle<int>::of(5, 9)));
    });
    EXPECT_EQ(status, 0);
    const auto all = lines(text);
    ASSERT_EQ(all.size(), 2u) << text;
    const std::string begin =
        "lido: bullets: handle {slot 5, gen 9} never came from this pool; released printing_test.cpp:";
    EXPECT_EQ(all[0].rfind(begin, 0), 0u) << all[0];
    EXPECT_EQ(all[1].rfind(begin, 0), 0u) << all[1];
    EXPECT_NE(all[1].find(" (10 times)"), std::string::npos) << all[1];
}
#endif

TEST(misuse_printing, is_the_handler_that_a_program_starts_with) {
    // Nothing is set here: whatever other tests of this program set, they put back.
    const auto [text, status] = stderr_of([] { misuse_times(1); });
    EXPECT_EQ(status, 0);
    EXPECT_NE(text.find("double release"), std::string::npos);
}

}  // namespace misuse_printing_test

#endif
