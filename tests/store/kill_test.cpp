// S5.9: a program that is killed at any moment (SIGKILL) has lost nothing that it was told is durable, and torn nothing.
//
// A child plays with vaults and writes what it is told into a pipe; it is killed after so many of them, whatever it is doing then. Some dozens of
// times here; LIDO_STORE_KILLS says how often elsewhere.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "store/folder.hpp"
#include "store/town.hpp"

namespace store_kill {

using namespace store_tests;

constexpr int vaults = 8;
constexpr std::int64_t each = 1000;

struct message {
    std::uint32_t vault;
    std::uint64_t generation;
    std::uint64_t version;
};

/// What the child does until it is killed. Its exit code says what went wrong before.
int play(const std::string& file, int to, unsigned seed) {
    lido::world world;
    lido::stage stage{world};
    stage.add<vault>("vault");
    lido::store::sqlite store{stage, file, {.wait = 0ms}};
    if (!store) return 2;
    store.saved.connect([to](const lido::store::save_event& e) {
        const message m{static_cast<std::uint32_t>(e.key[1] - '0'), e.generation, e.version};
        if (::write(to, &m, sizeof m) != static_cast<ssize_t>(sizeof m)) ::_exit(9);
    });
    if (!store.wait(store.load_all<vault>())) return 3;
    std::mt19937 any(seed);
    lido::entity_ref<vault> all[vaults];
    for (int i = 0; i < vaults; ++i) {
        const std::string id = "v" + std::to_string(i);
        all[i] = stage.find<vault>(id);
        if (!all[i]) all[i] = stage.create<vault>({.id = id, .persistent = true}, {.gold = each});
        if (!stage.lives(all[i])) return 4;
    }
    if (!store.flush()) return 5;
    for (;;) {
        for (int i = 0; i < 3; ++i) {
            const auto from = all[any() % vaults];
            const auto into = all[any() % vaults];
            if (from == into) continue;
            auto e = stage.edit(from, into);
            const auto gold = std::min(e[from].gold, static_cast<std::int64_t>(any() % 7));
            e[from].gold -= gold;
            e[into].gold += gold;
            if (!e.commit()) return 6;
        }
        stage.tick();
        store.tick();
    }
}

TEST(store_kill, S5_9_no_kill_loses_what_was_durable_or_tears_a_commit) {
    const folder where;
    const std::string file = where.file("world.db");
    const char* const asked = std::getenv("LIDO_STORE_KILLS");
    const int kills = asked != nullptr ? std::atoi(asked) : 24;
    std::mt19937 any(20261119);
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> durable;
    std::uint64_t told = 0;
    for (int n = 0; n < kills; ++n) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const auto seed = static_cast<unsigned>(any());
        const ::pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::close(ends[0]);
            ::_exit(play(file, ends[1], seed));
        }
        ::close(ends[1]);
        const auto until = static_cast<unsigned>(any() % 60);
        message m{};
        unsigned read = 0;
        const auto next = [&] {
            if (::read(ends[0], &m, sizeof m) != static_cast<ssize_t>(sizeof m)) return false;
            ++told;
            auto& last = durable[m.vault];
            last = std::max(last, {m.generation, m.version});
            return true;
        };
        // It may not have got as far as its first save: then it is killed in its beginning.
        while (read < until && next()) ++read;
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        while (next()) {
        }
        ::close(ends[0]);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);

        auto db = lido::store::make_sqlite_database(file);
        lido::store::opened_database found;
        const auto opened = db->open(lido::store::open_mode::read, found);
        if (!opened && told == 0) continue;  // before it had made the file
        ASSERT_TRUE(opened) << opened.why();
        std::int64_t gold = 0;
        std::uint32_t rows = 0;
        lido::store::row_function each_row([&](const lido::store::stored_row& r) {
            gold += std::stoll(std::string(r.data.substr(8)));
            ++rows;
            auto& last = durable[static_cast<std::uint32_t>(r.key[1] - '0')];
            EXPECT_GE(std::pair(r.generation, r.version), last) << r.key << " after kill " << n;
            last = {r.generation, r.version};
            return true;
        });
        ASSERT_TRUE(db->scan({.of_class = "vault"}, each_row));
        EXPECT_TRUE(rows == 0 || rows == vaults) << rows;
        EXPECT_EQ(gold, each * rows) << "after kill " << n;
        const auto checked = db->check([&](std::string_view wrong) { ADD_FAILURE() << wrong; });
        ASSERT_TRUE(checked) << checked.why();
    }
    EXPECT_GT(told, static_cast<std::uint64_t>(kills)) << "the children never got as far as a save";
}

}  // namespace store_kill
