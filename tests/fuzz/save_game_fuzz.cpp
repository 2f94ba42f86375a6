// Fuzzes the file of a saved game: bytes from a stranger are refused in words, or say what a file says. Row X23.
//
// Input: byte 0 is the mode, the rest is the file.
//   mode 0   as it is
//   mode 1   the checksum of title and picture is made right first, so that the fuzzer gets past it
#include <lido/core/meta/hash.hpp>
#include <lido/store/save_game.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

namespace {

[[noreturn]] void stop(const char* what) {
    std::fprintf(stderr, "save_game_fuzz: %s\n", what);
    std::abort();
}

/// As docs/protocol/save_game.md says, written down a second time.
void seal(std::vector<std::byte>& file) {
    if (file.size() < 32) return;
    std::size_t information = 0;
    for (std::size_t i = 0; i < 4; ++i) information |= std::to_integer<std::size_t>(file[12 + i]) << (8 * i);
    const std::span<const std::byte> all(file);
    lido::hasher h;
    h.add(lido::bytes_checksum(all.first(24)));
    h.add(lido::bytes_checksum(all.subspan(32, (std::min)(information, file.size() - 32))));
    const std::uint64_t sum = h.digest();
    for (std::size_t i = 0; i < 8; ++i) file[24 + i] = static_cast<std::byte>(sum >> (8 * i) & 0xff);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    std::vector<std::byte> file;
    for (std::size_t i = 1; i < size; ++i) file.push_back(static_cast<std::byte>(data[i]));
    if (data[0] % 2 == 1) seal(file);
    lido::store::game_info info;
    std::span<const std::byte> body;
    const lido::store::game_answer answer = lido::store::parse_game("file", file, info, body);
    if (!answer) {
        if (answer.why().rfind("file: ", 0) != 0 || answer.why().size() < 10) stop("refused without a word");
        if (!body.empty()) stop("refused, and yet something was read");
        return 0;
    }
    if (info.title.size() > lido::store::game_info::longest_text ||
        info.build.size() > lido::store::game_info::longest_text)
        stop("a text is longer than may be");
    if (info.picture.bytes.size() > lido::store::game_picture::most_bytes) stop("a picture is larger than may be");
    if (body.data() + body.size() != file.data() + file.size()) stop("the body is not the rest of the file");
    return 0;
}
