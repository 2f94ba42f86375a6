// Saved games: a stage with its world, or a world alone, in one file that later builds can read. The format is in docs/protocol/save_game.md.
//
//   if (const auto saved = lido::store::save_game("slot-1.game", stage, {.title = "The vault"}); !saved) show(saved.why());
//
//   for (const auto& game : lido::store::list_games("saves").games) show(game.info.title, game.info.saved_at);
//
//   const auto loaded = lido::store::load_game("slot-1.game", stage);
//   if (!loaded) show(loaded.why());                                        nothing has changed
//
// A file is replaced whole or not at all, whatever happens to program, machine or disk meanwhile. All of it is done where it is called, on the
// game's thread, between two ticks.
#pragma once

#include <lido/core/rewind/save.hpp>
#include <lido/entity/stage/lasting.hpp>
#include <lido/store/row.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::store {

/// Whatever a menu shows: the bytes are the game's, lido does not look at them.
struct game_picture {
    static constexpr std::size_t most_bytes = std::size_t{1} << 20;

    std::uint16_t width = 0;
    std::uint16_t height = 0;
    std::vector<std::byte> bytes = {};

    friend bool operator==(const game_picture&, const game_picture&) = default;
};

/// What stands in front of a saved game, to be read without the rest.
struct game_info {
    static constexpr std::size_t longest_text = 1024;

    std::string title = {};  ///< UTF-8
    std::string build = {};  ///< of the program, in its own words
    wall_time saved_at = 0;  ///< 0, as it is saved: now
    std::uint64_t tick = 0;  ///< of the world; what is given here is overwritten as it is saved
    game_picture picture = {};

    friend bool operator==(const game_info&, const game_info&) = default;
};

enum class game_fault : std::uint8_t {
    none,
    no_file,        ///< there is none of that name
    not_a_game,     ///< something else
    later_version,  ///< written by a later lido
    damaged,        ///< cut, or changed by accident
    refused,        ///< stage and world cannot be written as they are, or cannot take what is in the file
    disk,           ///< full, read-only, no folder, not ours
};

[[nodiscard]] constexpr const char* to_string(game_fault fault) noexcept {
    switch (fault) {
        case game_fault::none: return "done";
        case game_fault::no_file: return "there is no such file";
        case game_fault::not_a_game: return "this is no saved game";
        case game_fault::later_version: return "saved by a later version";
        case game_fault::damaged: return "the file is damaged";
        case game_fault::refused: return "refused";
        case game_fault::disk: return "the disk refused it";
    }
    return "unknown";
}

/// True when it was done. Else a sentence that begins with the name of the file.
class [[nodiscard]] game_answer {
public:
    game_answer() noexcept = default;
    game_answer(game_fault fault, std::string why) noexcept : why_(std::move(why)), fault_(fault) {}

    [[nodiscard]] explicit operator bool() const noexcept { return fault_ == game_fault::none; }
    [[nodiscard]] game_fault fault() const noexcept { return fault_; }
    [[nodiscard]] const std::string& why() const noexcept { return why_; }

private:
    std::string why_;
    game_fault fault_ = game_fault::none;
};

class [[nodiscard]] loaded_game : public game_answer {
public:
    using game_answer::game_answer;
    loaded_game(game_answer answer) noexcept : game_answer(std::move(answer)) {}

    game_info info;
    std::vector<std::string> left_out;  ///< classes that this build does not have
    std::vector<std::string> dropped;   ///< classes whose objects have other fields in this build
};

// --- the file, without what is in it ----------------------------------------------------------------------------------------------

/// Replaces `file`, or leaves it as it was. A path in UTF-8.
game_answer write_game(const std::string& file, const game_info& info, std::span<const std::byte> body);
game_answer read_game(const std::string& file, game_info& info, std::vector<std::byte>& body);
/// What is in front, whatever follows.
game_answer read_game_info(const std::string& file, game_info& info);

/// The same of bytes that somebody has read; `name` is for the sentence, `body` a part of `bytes`.
game_answer parse_game(std::string_view name, std::span<const std::byte> bytes, game_info& info,
                       std::span<const std::byte>& body);

struct listed_game {
    std::string file;  ///< with its folder
    game_info info;    ///< empty where the answer is not true
    game_answer answer;
};
struct game_list {
    std::vector<listed_game> games;  ///< the latest first, and those that cannot be read last
    game_answer answer;              ///< of the folder

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(answer); }
};
/// The saved games in a folder: files that begin as one does. The rest is passed over.
[[nodiscard]] game_list list_games(const std::string& folder);

// --- games ----------------------------------------------------------------------------------------------------------------------------

/// A stage and its world, or a world, and whatever parts more lido::save() takes (a generator of random numbers; they are as in an image:
/// for builds in which they are the same). False with nothing changed on disk: what cannot be in an image, and what the disk refuses.
template <class Of, class... More>
game_answer save_game(const std::string& file, Of& of, game_info info = {}, const More&... more) {
    std::vector<std::byte> body;
    const lasting<Of> all(of);
    if (const save_result done = lido::save(body, all, more...); !done)
        return {game_fault::refused, file + ": not saved: " + done.what()};
    info.tick = of.now().count;
    return write_game(file, info, body);
}

/// All of it is restored, or nothing has changed. A load is a reset: readers of the journal are told and take a snapshot, persistent
/// entities begin a new generation, so that a store keeps what is saved from here on. Classes are those that the program has added.
/// Throws: what on_begin and constructors throw, when everything has been restored.
template <class Of, class... More>
loaded_game load_game(const std::string& file, Of& of, const load_rules& rules = {}, More&... more) {
    loaded_game result;
    std::vector<std::byte> body;
    if (game_answer wrong = read_game(file, result.info, body); !wrong) return wrong;
    lasting<Of> all(of, rules);
    if (const restore_result done = lido::restore(std::span<const std::byte>(body), all, more...); !done)
        return {game_fault::refused, file + ": not loaded: " + done.what()};
    result.left_out = all.left_out();
    result.dropped = all.dropped();
    all.settle();
    return result;
}

}  // namespace lido::store
