// The command line: help, versions, and what is said to a line that makes no sense.
#include <gtest/gtest.h>
#include <lido/core/base/config.hpp>

#include <string>
#include <vector>

#include "base/arguments.hpp"
#include "cli/program.hpp"
#include "cli/small_store.hpp"

namespace cli_arguments {

using namespace cli_tests;

const std::vector<std::string> commands{"ls",      "show",  "diff",   "export", "import",
                                        "migrate", "check", "backup", "prune"};

TEST(cli_arguments, the_version_is_that_of_the_library) {
    const std::string version = std::to_string(LIDO_VERSION_MAJOR) + "." + std::to_string(LIDO_VERSION_MINOR) + "." +
                                std::to_string(LIDO_VERSION_PATCH);
    EXPECT_EQ(output_of({"--version"}).rfind("lido " + version + ", with SQLite", 0), 0u);
}

TEST(cli_arguments, every_help_lists_what_is_below_it) {
    EXPECT_NE(output_of({"--help"}).find("store"), std::string::npos);
    const std::string help = output_of({"store", "--help"});
    for (const std::string& c : commands) {
        EXPECT_NE(help.find("\n  " + c + " "), std::string::npos) << c;
        const std::string own = output_of({"store", c, "--help"});
        EXPECT_EQ(own.rfind("usage: lido store " + c + " ", 0), 0u) << own;
        EXPECT_NE(own.find("--json"), std::string::npos) << own;
        EXPECT_EQ(output_of({"store", c, "-h"}), own);
    }
}

TEST(cli_arguments, help_of_a_command_is_this) {
    EXPECT_EQ(output_of({"store", "prune", "--help"}), R"(usage: lido store prune STORE [option…]

removes old tombstones, and rows that were never saved

options:
  --older TIME  how old they must be: 30d, 12h, 5m or 10s
  --dry-run     only counts them
  --json        one JSON object
  --help        this text

Rows with data stay, however old they are. End the game first; --dry-run may run beside it.
)");
}

TEST(cli_arguments, an_option_that_is_not_there_is_refused_with_the_one_that_was_meant) {
    for (const std::string& c : commands)
        expect_refused({"store", c, "--jsn"}, 2, "there is no option --jsn; --json is meant?");
    expect_refused({"store", "prune", "--oldr=30d", "w.db"}, 2, "there is no option --oldr; --older is meant?");
    expect_refused({"store", "ls", "w.db", "--tomb"}, 2, "--tombstones is meant?");
    expect_refused({"store", "ls", "w.db", "--zzz"}, 2,
                   "there is no option --zzz; lido store ls --help lists what there is");
    expect_refused({"store", "ls", "w.db", "-x"}, 2, "there is no option -x");
}

TEST(cli_arguments, a_command_that_is_not_there_is_refused_with_the_one_that_was_meant) {
    expect_refused({}, 2, "lido --help says what there is");
    expect_refused({"stor"}, 2, "there is no stor; store is meant?");
    expect_refused({"store"}, 2, "which command?");
    expect_refused({"store", "exprt"}, 2, "there is no command exprt; export is meant?");
    expect_refused({"store", "\x1b[31m"}, 2, "there is no command \"\\u{1b}[31m\"; lido store --help");
}

TEST(cli_arguments, words_that_miss_or_are_too_many_are_named) {
    expect_refused({"store", "show", "w.db", "door"}, 2, "KEY is missing");
    expect_refused({"store", "ls"}, 2, "STORE is missing");
    expect_refused({"store", "ls", "a", "b"}, 2, "b is one word too many");
    expect_refused({"store", "ls", "w.db", "--class"}, 2, "--class needs a value: --class CLASS");
    expect_refused({"store", "ls", "w.db", "--json=yes"}, 2, "--json takes no value");
    expect_refused({"store", "ls", "w.db", "--all", "--all"}, 2, "--all is there twice");
}

TEST(cli_arguments, values_that_make_no_sense_are_refused_before_anything_is_opened) {
    expect_refused({"store", "ls", "w.db", "--limit", "0"}, 2, "--limit is a number of rows");
    expect_refused({"store", "ls", "w.db", "--limit", "1e3"}, 2, "--limit is a number of rows");
    expect_refused({"store", "ls", "w.db", "--limit", "3", "--all"}, 2, "two answers to one question");
    expect_refused({"store", "ls", "w.db", "--after", "k"}, 2, "needs the class of that row");
    expect_refused({"store", "ls", "w.db", "--class="}, 2, "--class needs the name of a class");
    expect_refused({"store", "prune", "w.db"}, 2, "--older says how old they must be");
    expect_refused({"store", "prune", "w.db", "--older", "30"}, 2, "--older says how old they must be");
    expect_refused({"store", "prune", "w.db", "--older", "99999999999999999999d"}, 2,
                   "--older says how old they must be");
    expect_refused({"store", "export", "w.db", "--json"}, 2, "--json needs --to FILE");
    expect_refused({"store", "import", "w.db", "x", "--keep", "--replace"}, 2, "two answers to one question");
    expect_refused({"store", "import", "w.db", "x", "--batch", "-1"}, 2, "--batch is a number of rows");
    expect_refused({"store", "migrate", "w.db"}, 2, "only the program can migrate its rows");
}

TEST(cli_arguments, times_have_four_units) {
    EXPECT_EQ(lido::cli::duration("30d"), 2592000000);
    EXPECT_EQ(lido::cli::duration("12h"), 43200000);
    EXPECT_EQ(lido::cli::duration("5m"), 300000);
    EXPECT_EQ(lido::cli::duration("10s"), 10000);
    EXPECT_EQ(lido::cli::duration("0s"), 0);
    for (const char* const wrong : {"", "d", "30", "30w", "-1d", "1.5d", " 1d", "106751991168d"})
        EXPECT_EQ(lido::cli::duration(wrong), std::nullopt) << wrong;
}

}  // namespace cli_arguments
