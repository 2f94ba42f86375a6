// Usage: check_store ARENA FOLDER: arena --store is killed at one moment after the other, and the vaults go on where they were: no version
// goes back, and all gold and keys are there. S5.9.
#include "check_process.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using arena::process;

int failures = 0;

void expect(bool holds, std::string_view what, std::string_view detail = "") {
    if (holds) return;
    std::fprintf(stderr, "store: %.*s %.*s\n", static_cast<int>(what.size()), what.data(),
                 static_cast<int>(std::min<std::size_t>(detail.size(), 300)), detail.data());
    ++failures;
}

[[nodiscard]] std::uint64_t number_behind(std::string_view line, std::string_view name) {
    const std::size_t at = line.find(name);
    return at == std::string_view::npos ? 0 : std::strtoull(line.data() + at + name.size(), nullptr, 10);
}

/// What the arena says of its vaults and purses: `word` is found or kept.
struct told {
    std::map<std::string, std::string> lines;  // by id
    std::uint64_t versions = 0;                // all together
    bool whole = false;

    /// Reads up to the sum.
    told(const process& from, std::string_view word) {
        const std::string each = std::string(word) + " ";
        const std::string sum = std::string(word) + ": ";
        for (std::string line = from.line(); !line.empty() || lines.empty(); line = from.line()) {
            if (line.rfind("store: ", 0) == 0) heard = true;
            if (line.rfind(each, 0) == 0) {
                const std::string rest = line.substr(each.size());
                lines[rest.substr(0, rest.find(' '))] = rest;
                versions += number_behind(rest, "version");
            } else if (line.rfind(sum, 0) == 0) {
                whole = true;
                const std::uint64_t count = number_behind(line, sum);
                expect(count == lines.size(), "not as many as it says:", line);
                expect(count == 0 || count == 9, "some of them:", line);
                expect(count == 0 || (number_behind(line, "gold ") == 12000 && number_behind(line, "keys ") == 18),
                       "gold or keys are lost, or made:", line);
                return;
            }
            if (++read > 200) break;
        }
        expect(false, "it never came to say what it has", word);
    }

    bool heard = false;

private:
    int read = 0;
};

void no_version_goes_back(const told& before, const told& now) {
    for (const auto& [id, line] : before.lines) {
        const auto found = now.lines.find(id);
        expect(found != now.lines.end(), "is gone:", id);
        if (found == now.lines.end()) continue;
        expect(number_behind(found->second, "version") >= number_behind(line, "version"), "went back:", id);
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const std::string program = arguments[1];
    const std::filesystem::path folder = arguments[2];
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "vaults.db").string();
    const auto play = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {program, "--pools", ARENA_POOLS, "--store", file});
        return more;
    };

    // Five lines of progress in a run: killed as it begins, and behind each of the first four.
    std::vector<told> found;
    std::uint64_t grown = 0;
    for (int kill = 0; kill < 10; ++kill) {
        process one(play({"--ticks", "4000", "--seed", std::to_string(kill)}));
        found.emplace_back(one, "found");
        expect(found.back().heard, "no word of the store");
        if (kill != 0) {
            no_version_goes_back(found[found.size() - 2], found.back());
            grown += found.back().versions > found[found.size() - 2].versions ? 1 : 0;
        }
        for (int lines = 0; lines < kill % 5; ++lines) {
            const std::string line = one.line();
            expect(line.find("tick ") != std::string::npos, "no progress:", line);
        }
        if (kill == 4) {
            // Another one finds the file taken, says so and leaves it alone.
            process other(play({"--ticks", "10", "--quiet"}));
            const std::string said = other.line();
            expect(said.rfind("arena: ", 0) == 0 && said.size() > 20, "of a file that another one has:", said);
            expect(other.end(0) == 2, "two on one file");
        }
        expect(one.end(SIGKILL) == 128 + SIGKILL, "ended before it was killed");
    }
    expect(grown >= 3, "hardly anything was kept over ten kills", std::to_string(grown));

    // One that ends by itself leaves all that it had, to the last confirmed tick.
    process last(play({"--ticks", "300", "--quiet"}));
    const told begun(last, "found");
    no_version_goes_back(found.back(), begun);
    const told kept(last, "kept");
    expect(last.end(0) == 0, "the last run");
    expect(kept.versions > begun.versions, "nothing was done in it");
    process after(play({"--ticks", "1", "--quiet"}));
    const told again(after, "found");
    expect(again.lines == kept.lines, "another one finds something else than was kept");
    expect(static_cast<int>(again.lines.size()) == 9, "not all of them");
    static_cast<void>(told(after, "kept"));
    expect(after.end(0) == 0, "the run after it");

    process nowhere({program, "--pools", ARENA_POOLS, "--store", (folder / "no" / "such" / "vaults.db").string()});
    const std::string said = nowhere.line();
    expect(said.rfind("arena: ", 0) == 0, "of a folder that is not there:", said);
    expect(nowhere.end(0) == 2, "a folder that is not there");
    return failures == 0 ? 0 : 1;
}
