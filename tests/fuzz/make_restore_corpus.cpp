// Makes tests/fuzz/corpus/restore: sound and nearly sound images of each pool of restore_fuzz.cpp. Run by hand, when the image
// format or the list of pools changes:
//
//   g++ -std=c++20 -Iinclude -Itests tests/fuzz/make_restore_corpus.cpp -o /tmp/make && /tmp/make tests/fuzz/corpus/restore
#define LLVMFuzzerTestOneInput lido_restore_fuzz_one
#include "fuzz/restore_fuzz.cpp"  // for the pools and their state
#undef LLVMFuzzerTestOneInput

#include <fstream>
#include <string>

namespace lido::test {
namespace {

void put(const std::string& folder, const std::string& name, unsigned mode, unsigned pool,
         const std::vector<std::byte>& bytes) {
    std::ofstream out(folder + "/" + name, std::ios::binary);
    out.put(static_cast<char>(mode << 4 | pool));
    for (const std::byte b : bytes) out.put(static_cast<char>(b));
}

template <class Pool>
void make(const std::string& folder, unsigned number, const char* name) {
    static_cast<void>(set_misuse_handler([](const misuse&) {}));
    const auto save_of = [](auto&& fill) {
        typename Pool::settings_type settings{.on_full = Pool::can_grow ? on_full::grow_to(200) : on_full::reject};
        std::vector<std::byte> image;
        const auto run = [&](Pool& pool) {
            fill(pool);
            pool.save(image);
        };
        if constexpr (std::is_constructible_v<Pool, std::uint32_t>) {
            Pool pool(12, settings);
            run(pool);
        } else {
            Pool pool(settings);
            run(pool);
        }
        return image;
    };
    const std::string at = std::string(name) + "_";
    const auto lived = save_of([](Pool& p) { live_in(p); });
    put(folder, at + "lived", 0, number, lived);
    put(folder, at + "empty", 0, number, save_of([](Pool&) {}));
    // nearly sound: one field wrong, sealed by the target
    image_bytes near = lived;
    dice d(number + 1);
    mutate_fields<Pool>(near, d);
    put(folder, at + "near", 1, number, near);
    // patches on a sound image: a slot twice, a generation of the wrong parity, an entry too many
    const image_map<Pool> map(lived);
    std::vector<std::byte> patches;
    const auto patch = [&](const char* field_name, std::size_t index, std::uint64_t value) {
        const field* const f = map.find(field_name, index);
        if (f == nullptr) return;
        for (const std::uint64_t b : {f->at & 255, f->at >> 8, value & 255})
            patches.push_back(static_cast<std::byte>(b));
    };
    patch("cache", 1, map.value(lived, "cache", 0));
    patch("slot_of_row", 1, map.value(lived, "slot_of_row", 0));
    patch("generation", 2, 4);
    patch("age", 0, map.value(lived, "age", 1));
    put(folder, at + "patched", 2, number, patches);
}

}  // namespace
}  // namespace lido::test

int main(int argc, char** argv) {
    using namespace lido;
    using namespace lido::test;
    if (argc != 2) return 2;
    const std::string to = argv[1];
    make<slot_pool<cell, options{}, heap_storage>>(to, 0, "slot_recent");
    make<slot_pool<cell, with(options{}, reuse::lowest)>>(to, 1, "slot_lowest");
    make<slot_pool<toggles, resting(short_lived, 4), heap_storage>>(to, 2, "slot_resting");
    make<slot_pool<cell, with(short_lived, track::age), heap_storage>>(to, 3, "slot_aged");
    make<slot_pool<owner, with(options{}, track::priority)>>(to, 4, "slot_ranked");
    make<flag_pool<cell, 12>>(to, 5, "flag");
    make<flag_pool<toggles, 12, with(options{}, generation_rule::none)>>(to, 6, "flag_bare");
    make<flag_pool<owner, 12, with(short_lived, track::priority)>>(to, 7, "flag_ranked");
    make<dense_pool<cell, options{}, heap_storage>>(to, 8, "dense_packed");
    make<dense_pool<toggles, of_rows(1u << 21)>>(to, 9, "dense_plain");
    make<dense_pool<cell, resting(short_lived, 4), heap_storage>>(to, 10, "dense_resting");
    make<dense_pool<owner, with(options{}, track::priority)>>(to, 11, "dense_ranked");
    make<dense_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>>(to, 12, "dense_wrapping");
    make<slot_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>>(to, 13, "slot_wrapping");
    return 0;
}
