// The text for Prometheus.
#include "client.hpp"
#include "metrics_writer.hpp"

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

namespace lido::test {
namespace inspect_metrics_test {

struct thing {
    int value = 0;
};

TEST(inspect_metrics, says_what_the_pools_say) {
    slot_pool<thing> pool{2};
    for (int i = 0; i < 3; ++i) pool.acquire(i);
    shown_program p;
    p.look.watch("bullets", pool);
    const reply r = p.get("/metrics");
    EXPECT_TRUE(r.has("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8"));
    EXPECT_NE(r.body.find("\nlido_pool_live{pool=\"bullets\",shape=\"slot_pool\"} 2\n"), std::string::npos) << r.body;
    EXPECT_NE(r.body.find("\nlido_pool_refused_total{pool=\"bullets\",shape=\"slot_pool\"} 1\n"), std::string::npos);
    EXPECT_NE(
        r.body.find("\nlido_pool_bytes{pool=\"bullets\",shape=\"slot_pool\"} " + std::to_string(pool.stats().bytes)),
        std::string::npos);
    EXPECT_TRUE(r.body.ends_with("\n# EOF\n"));
}

TEST(inspect_metrics, keeps_figures_apart_that_are_alike_in_a_fresh_pool) {
    inspect::moment now;
    inspect::pool_figures f;
    f.name = "bullets";
    f.stats.shape = "slot_pool";
    f.stats.size = 2;
    f.stats.peak = 5;
    f.stats.capacity = 8;
    f.stats.acquired = 11;
    f.stats.released = 9;
    f.stats.refused = 3;
    f.stats.replaced = 4;
    now.pools.push_back(f);
    const std::string text = inspect::write_metrics(now);
    const auto says = [&](const std::string& metric, int value) {
        return text.find("\n" + metric + "{pool=\"bullets\",shape=\"slot_pool\"} " + std::to_string(value) + "\n") !=
               std::string::npos;
    };
    EXPECT_TRUE(says("lido_pool_live", 2)) << text;
    EXPECT_TRUE(says("lido_pool_peak", 5)) << text;
    EXPECT_TRUE(says("lido_pool_acquired_total", 11)) << text;
    EXPECT_TRUE(says("lido_pool_released_total", 9)) << text;
    EXPECT_TRUE(says("lido_pool_refused_total", 3)) << text;
}

TEST(inspect_metrics, spells_out_what_is_no_text_so_that_one_odd_name_spoils_nothing) {
    inspect::moment now;
    inspect::pool_figures f;
    f.stats.shape = "slot_pool";
    for (const char* name :
         {"a", "a\t", "caf\xe9", "caf\xc3\xa9", "\xed\xa0\x80", "\xc0\x80", "\xf0\x9f\x9a\x80", "cut \xe2\x82"}) {
        f.name = name;
        now.pools.push_back(f);
    }
    const std::string text = inspect::write_metrics(now);
    const auto says = [&text](const std::string& name) {
        return text.find("\nlido_pool_live{pool=\"" + name + "\",shape=\"slot_pool\"} 0\n") != std::string::npos;
    };
    EXPECT_TRUE(says("a")) << text;
    EXPECT_TRUE(says("a\\\\x09")) << "another series than a";
    EXPECT_TRUE(says("caf\\\\xe9"));
    EXPECT_TRUE(says("caf\xc3\xa9"));
    EXPECT_TRUE(says("\\\\xed\\\\xa0\\\\x80")) << "half of a surrogate pair";
    EXPECT_TRUE(says("\\\\xc0\\\\x80")) << "longer than it must be";
    EXPECT_TRUE(says("\xf0\x9f\x9a\x80"));
    EXPECT_TRUE(says("cut \\\\xe2\\\\x82"));
}

TEST(inspect_metrics, is_open_metrics) {
    inspect::moment now;
    inspect::pool_figures f;
    f.name = "a \"b\" \\ c\nd";
    f.stats.shape = "slot_pool";
    now.pools.push_back(f);
    f.name = "gone";
    f.gone = true;
    now.pools.push_back(f);
    const std::string text = inspect::write_metrics(now);
    EXPECT_EQ(text.find("gone"), std::string::npos);
    std::istringstream lines(text);
    std::set<std::string> families;
    std::set<std::string> samples;
    std::string family;
    std::string line;
    bool counter = false;
    bool ended = false;
    while (std::getline(lines, line)) {
        EXPECT_FALSE(ended) << "after the end: " << line;
        if (line.starts_with("# TYPE ")) {
            family = line.substr(7, line.rfind(' ') - 7);
            counter = line.ends_with(" counter");
            EXPECT_TRUE(families.insert(family).second) << "twice: " << family;
        } else if (line.starts_with("# HELP ")) {
            EXPECT_TRUE(line.starts_with("# HELP " + family + " "));
        } else if (line == "# EOF") {
            ended = true;
        } else {
            EXPECT_TRUE(line.starts_with(family + (counter ? "_total{" : "{"))) << line;
            EXPECT_NE(line.find(R"(pool="a \"b\" \\ c\nd")"), std::string::npos) << line;
            EXPECT_TRUE(samples.insert(line.substr(0, line.rfind(' '))).second) << "twice: " << line;
        }
    }
    EXPECT_TRUE(ended);
}

}  // namespace inspect_metrics_test
}  // namespace lido::test
