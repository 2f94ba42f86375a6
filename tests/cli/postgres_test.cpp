// The same commands on a real PostgreSQL, beside a file.
#include <gtest/gtest.h>

#if defined(LIDO_CLI_POSTGRES)
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/small_store.hpp"
#include "store/postgres/postgres_server.hpp"

namespace cli_postgres {

using namespace cli_tests;
using store_tests::postgres_server;

/// What a command says, where the password of the server must not be.
outcome run_quietly(const std::vector<std::string>& words) {
    outcome o = run(words);
    EXPECT_EQ((o.out + o.err).find(postgres_server::password), std::string::npos) << o.out << o.err;
    return o;
}

TEST(cli_postgres, a_store_goes_from_a_file_to_a_server_and_back_unchanged) {
    postgres_server* const server = postgres_server::get();
    if (server == nullptr) GTEST_SKIP() << postgres_server::why_not();
    small_store s;
    s.fill(1500);
    const std::string address = server->url() + "#cli_there_and_back";
    write_file(s.file("x.jsonl"), output_of({"store", "export", s.file(), "--claims"}));
    const outcome refused = run_quietly({"store", "import", address, s.file("x.jsonl")});
    EXPECT_EQ(refused.exit, 3) << refused.out;
    outcome o = run_quietly({"store", "import", address, s.file("x.jsonl"), "--create"});
    EXPECT_EQ(o.out, s.file("x.jsonl") + ": 1,505 rows: 1,505 new\n") << o.err;
    o = run_quietly({"store", "diff", s.file(), address, "--stamps"});
    EXPECT_EQ(o.out, "no differences\n") << o.err;
    o = run_quietly({"store", "ls", address, "--classes"});
    EXPECT_EQ(o.out, output_of({"store", "ls", s.file(), "--classes"})) << o.err;
    o = run_quietly({"store", "check", address});
    EXPECT_EQ(o.out, "in order: 1,505 rows, claims and tombstones included\n") << o.err;
    o = run_quietly({"store", "migrate", "--dry-run", address});
    EXPECT_EQ(o.out, run({"store", "migrate", "--dry-run", s.file()}).out) << o.err;
    o = run_quietly({"store", "export", address, "--claims"});
    write_file(s.file("y.jsonl"), o.out);
    output_of({"store", "import", s.file("back.db"), s.file("y.jsonl"), "--create"});
    EXPECT_EQ(output_of({"store", "diff", s.file(), s.file("back.db"), "--stamps"}), "no differences\n");
    o = run_quietly({"store", "prune", address, "--older", "30d"});
    EXPECT_EQ(o.out, "older than 30d: 1 tombstone, 1 row that nobody saved\nremoved: 2 rows\n") << o.err;
    o = run_quietly({"store", "backup", address, s.file("copy")});
    EXPECT_EQ(o.exit, 3) << o.out;
    EXPECT_TRUE(o.says("pg_dump")) << o.err;
    o = run_quietly({"store", "ls", address, "--json"});
    EXPECT_NE(nlohmann::json::parse(o.out)["store"].get<std::string>().find(":***@"), std::string::npos) << o.out;
    server->sql("DROP SCHEMA cli_there_and_back CASCADE");
}

}  // namespace cli_postgres
#endif
