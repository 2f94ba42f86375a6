// Makes tests/fuzz/corpus/restore: sound and nearly sound images of each pool of restore_fuzz.cpp. Run by hand, when the image
// format or the list of pools changes:
//
//   g++ -std=c++20 -Iinclude -Itests tests/fuzz/make_restore_corpus.cpp -o /tmp/make && /tmp/make tests/fuzz/corpus/restore
#define LLVMFuzzerTestOneInput lido_restore_fuzz_one
#include "fuzz/restore_fuzz.cpp"  // for the pools and their state
#undef LLVMFuzzerTestOneInput

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace lido::test {
namespace {

void put(const std::string& folder, const std::string& name, std::size_t pool, unsigned mode,
         const std::vector<std::byte>& bytes) {
    std::ofstream out(folder + "/" + name, std::ios::binary);
    out.put(static_cast<char>(pool));
    out.put(static_cast<char>(mode));
    for (const std::byte b : bytes) out.put(static_cast<char>(b));
}

void add_patch(std::vector<std::byte>& patches, std::size_t at, std::uint64_t value) {
    for (const std::uint64_t b : {std::uint64_t{at & 255}, std::uint64_t{at >> 8}, value & 255})
        patches.push_back(static_cast<std::byte>(b));
}

/// Shapes whose images image_map.hpp knows field by field.
template <class Pool>
constexpr bool mapped = [] {
    constexpr std::string_view shape = Pool::shape;
    return shape == "slot_pool" || shape == "flag_pool" || shape == "dense_pool";
}();

template <class Pool>
void make(const std::string& folder, std::size_t number, const char* name) {
    const auto save_of = [](auto&& fill) {
        Pool pool = make_target<Pool>();
        fill(pool);
        std::vector<std::byte> image;
        pool.save(image);
        return image;
    };
    const std::string at = std::string(name) + "_";
    const auto lived = save_of([](Pool& p) { live_in(p); });
    put(folder, at + "lived", number, 0, lived);
    put(folder, at + "empty", number, 0, save_of([](Pool&) {}));
    // nearly sound, sealed by the target; and patches on a sound image
    image_bytes near = lived;
    operation_dice d(number + 1);
    std::vector<std::byte> patches;
    if constexpr (mapped<Pool>) {
        mutate_fields<Pool>(near, d);
        // a slot twice, a generation of the wrong parity, an entry too many
        const image_map<Pool> map(lived);
        const auto patch_field = [&](const char* field_name, std::size_t index, std::uint64_t value) {
            if (const field* const f = map.find(field_name, index)) add_patch(patches, f->at, value);
        };
        patch_field("cache", 1, map.value(lived, "cache", 0));
        patch_field("slot_of_row", 1, map.value(lived, "slot_of_row", 0));
        patch_field("generation", 2, 4);
        patch_field("age", 0, map.value(lived, "age", 1));
    } else {
        // One number of the second half, where slots and elements are, one more; and a few bytes as their neighbours are.
        const std::size_t half = near.size() / 2;
        const std::size_t place = half + d.below(static_cast<std::uint32_t>(near.size() - half));
        write_at(near, place, 1, read_at(near, place, 1) + 1);
        for (int i = 0; i < 3; ++i) {
            const std::size_t to = 24 + d.below(static_cast<std::uint32_t>(lived.size() - 28));
            add_patch(patches, to, read_at(lived, to + 4, 1));
        }
    }
    put(folder, at + "near", number, 1, near);
    put(folder, at + "patched", number, 2, patches);
}

void make_maps(const std::string& folder) {
    bytemap_pool<cell> pool(12);
    live_in(pool);
    std::vector<std::byte> map;
    pool.save_map(map);
    put(folder, "map_lived", map_target, 0, map);
    put(folder, "map_careless", map_target, 1, map);
    std::vector<std::byte> cut(map.begin(), map.end() - 1);
    put(folder, "map_cut", map_target, 0, cut);
    std::vector<std::byte> patches;
    add_patch(patches, 4, 13);  // first_free past the slots
    put(folder, "map_first_free", map_target, 2, patches);
    patches.clear();
    for (std::size_t i = 0; i < 12; ++i) add_patch(patches, 8 + i, i * 5);  // all busy
    put(folder, "map_full", map_target, 2, patches);
    put(folder, "map_full_careless", map_target, 3, patches);
}

template <std::size_t... I>
void make_all(const std::string& to, std::index_sequence<I...>) {
    (make<typename std::tuple_element_t<I, decltype(targets)>::pool>(to, I, std::get<I>(targets).name), ...);
    make_maps(to);
}

}  // namespace
}  // namespace lido::test

int main(int argc, char** argv) {
    using namespace lido::test;
    if (argc != 2) return 2;
    static_cast<void>(lido::set_misuse_handler([](const lido::misuse&) {}));
    make_all(argv[1], std::make_index_sequence<target_count>{});
    return 0;
}
