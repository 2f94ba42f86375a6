// A user's program that misuses a pool twice. Its argument says what the reports have to hold: `lines`, or `addresses` and, once,
// what to link for lines.
#include <lido/core/slot_pool.hpp>

#include <cstdio>
#include <string>

namespace {

std::string told;

std::size_t count(const char* words) {
    std::size_t n = 0;
    for (std::size_t at = told.find(words); at != std::string::npos; at = told.find(words, at + 1)) ++n;
    return n;
}

}  // namespace

int main(int argc, char** argv) {
    lido::set_misuse_handler([](const lido::misuse& m) { told += std::string(m.story) + '\n'; });
    lido::slot_pool<int> pool{4};
    const lido::handle<int> h = pool.acquire(1);
    pool.release(h);
    pool.release(h);
    pool.release(h);

    const bool lines = argc == 2 && std::string(argv[1]) == "lines";
    const bool right = lines ? count("places.cpp:") == 6 && count("lido::symbols") == 0
                             : count("places.cpp:") == 0 && count("acquired 0x") == 2 && count("lido::symbols") == 1;
    if (!right) std::fprintf(stderr, "expected %s, was told:\n%s", lines ? "lines" : "addresses", told.c_str());
    return right ? 0 : 1;
}
