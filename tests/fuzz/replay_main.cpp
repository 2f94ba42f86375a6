// Replays a corpus through a fuzz target without libFuzzer, so that every compiler and preset runs what fuzzing found.
//
// usage: <name>_replay <folder>. Fails when there is nothing to replay: an empty corpus would pass for ever.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s <folder of inputs>\n", argv[0]);
        return 2;
    }
    // The error_code forms, because this also builds without exceptions.
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator at{argv[1], error}, end; !error && at != end; at.increment(error)) {
        if (at->is_regular_file(error)) files.push_back(at->path());
    }
    if (error) {
        std::fprintf(stderr, "cannot read %s: %s\n", argv[1], error.message().c_str());
        return 1;
    }
    if (files.empty()) {
        std::fprintf(stderr, "%s has no inputs\n", argv[1]);
        return 1;
    }
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
        // Printed before and not after: when the target ends the program, the last line names the input.
        std::printf("%s\n", file.c_str());
        std::fflush(stdout);
        std::ifstream stream{file, std::ios::binary};
        const std::vector<char> bytes{std::istreambuf_iterator<char>{stream}, std::istreambuf_iterator<char>{}};
        if (!stream.is_open() || stream.bad()) {
            std::fprintf(stderr, "cannot read this input\n");
            return 1;
        }
        // A copy of exactly this size on the heap, as libFuzzer makes it: AddressSanitizer sees a read past the end.
        std::vector<std::uint8_t> input(bytes.size());
        std::transform(bytes.begin(), bytes.end(), input.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
        if (LLVMFuzzerTestOneInput(input.data(), input.size()) != 0) {
            std::fprintf(stderr, "the target refused this input\n");
            return 1;
        }
    }
    std::printf("%zu inputs\n", files.size());
    return 0;
}
