// Saved games: a stage and its world in one file with a title for the menu; a later build of the program, in which a class has other
// fields, loads it.
#include <lido/store/save_game.hpp>

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

namespace first_build {
struct hero {
    std::uint16_t health = 50;
    lido::link<hero> follows = {};
};
}  // namespace first_build

namespace later_build {
struct hero {
    std::int32_t hp = 1;  // renamed, and wider
    lido::link<hero> follows = {};
    std::uint32_t gold = 25;  // new
};
constexpr auto describe(lido::type<hero>) {
    return lido::schema{2, lido::field<&hero::hp>{.max = 200, .was = "health"}};
}
}  // namespace later_build

/// Without the folder, which is another one on each machine.
std::string plain(std::string_view sentence, const std::string& folder) {
    std::string text(sentence);
    if (const std::size_t at = text.find(folder); at != std::string::npos) text.erase(at, folder.size() + 1);
    return text;
}

void save_two_games(const std::string& folder) {
    lido::world world;
    lido::stage stage{world};
    stage.add<first_build::hero>("hero");
    const auto ann = stage.create<first_build::hero>({.id = "ann"}, {.health = 70});
    stage.create<first_build::hero>({.id = "bob"}, {.follows = stage.link_to(ann.reference())});
    for (int i = 0; i < 60; ++i) stage.tick();
    // The time is given so that the example always prints the same; left out, it is that of the clock.
    const auto early =
        lido::store::save_game(folder + "/1.game", stage, {.title = "The gate", .build = "1.0", .saved_at = 1000});
    for (int i = 0; i < 60; ++i) stage.tick();
    const auto late =
        lido::store::save_game(folder + "/2.game", stage, {.title = "The cellar", .build = "1.0", .saved_at = 2000});
    if (!early || !late) std::puts("not saved");
}

}  // namespace

int main() {
    std::string folder = (std::filesystem::temp_directory_path() / "lido_example_XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return 1;
    save_two_games(folder);

    std::puts("the menu of the later build");
    for (const lido::store::listed_game& game : lido::store::list_games(folder).games)
        std::printf("  %s: %s, tick %u, build %s\n", plain(game.file, folder).c_str(), game.info.title.c_str(),
                    static_cast<unsigned>(game.info.tick), game.info.build.c_str());

    lido::world world;
    lido::stage stage{world};
    stage.add<later_build::hero>("hero");
    const auto loaded = lido::store::load_game(folder + "/2.game", stage);
    if (!loaded) std::puts(loaded.why().c_str());
    const auto bob = stage.find<later_build::hero>("bob");
    const auto ann = stage.follow(stage.get(bob)->follows);
    std::printf("loaded: tick %u; bob has %d, and follows %s, who has %d and %u gold\n",
                static_cast<unsigned>(stage.now().count), stage.get(bob)->hp,
                std::string(stage.info(ann).id.view()).c_str(), stage.get(ann)->hp, stage.get(ann)->gold);

    std::filesystem::resize_file(folder + "/1.game", 100);
    const auto cut = lido::store::load_game(folder + "/1.game", stage);
    std::printf("%s\n", plain(cut.why(), folder).c_str());
    std::printf("and bob still has %d\n", stage.get(bob)->hp);
    std::filesystem::remove_all(folder);
}

/* Output:
the menu of the later build
  2.game: The cellar, tick 120, build 1.0
  1.game: The gate, tick 60, build 1.0
loaded: tick 120; bob has 50, and follows ann, who has 70 and 25 gold
1.game: the file ends too early: it was not copied whole
and bob still has 50
*/
