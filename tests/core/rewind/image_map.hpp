// Where the fields of an image lie, worked out from the image alone, so that tests can damage one and seal the image again.
// Written down a second time on purpose: a change of the format must show here. No gtest: the fuzz target uses it too.
#pragma once

#include "core/property/model_run.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lido::test {

using image_bytes = std::vector<std::byte>;

[[nodiscard]] inline std::uint64_t read_at(const image_bytes& image, std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width && at + i < image.size(); ++i) {
        value |= std::to_integer<std::uint64_t>(image[at + i]) << (8 * i);
    }
    return value;
}

inline void write_at(image_bytes& image, std::size_t at, std::size_t width, std::uint64_t value) {
    for (std::size_t i = 0; i < width && at + i < image.size(); ++i)
        image[at + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
}

/// Makes size and checksum those of the content.
inline void seal(image_bytes& image) {
    if (image.size() < 24) return;
    write_at(image, 8, 8, image.size());
    write_at(image, 16, 8, bytes_checksum(std::span<const std::byte>(image).subspan(24)));
}

struct field {
    std::string_view name;
    std::size_t at = 0;
    std::size_t width = 0;
    std::size_t index = 0;  ///< of an array
};

/// The fields of an image with one part, a pool of type Pool.
template <class Pool>
class image_map {
public:
    static constexpr options opts = Pool::pool_options;
    static constexpr bool dense = !Pool::stable_addresses;
    static constexpr bool flags = std::string_view(Pool::shape) == "flag_pool";
    static constexpr bool recent = !dense && !flags && opts.order == reuse::recent;
    static constexpr std::size_t generation_width = Pool::handle_type::generation_bits <= 16 ? 2 : 4;

    /// Pre: the image is sound; of another one the fields lie anywhere, within its bytes or not.
    explicit image_map(const image_bytes& image) {
        at_ = 24;
        add("shape", 1);
        add("handle_bits", 1);
        add("index_bits", 1);
        add("generations", 1);
        add("tracks", 1);
        add("order", 1);
        add("reuse_delay", 4);
        add("element_size", 4);
        add("element_codec", 4);
        add("element_type", 8);
        add("capacity", 4);
        add("used", 4);  // "size" of a dense pool
        add("known", 4);
        if (dense) add("retired", 4);
        add("peak", 4);
        add("acquired", 8);
        if (!dense) add("released", 8);
        for (std::size_t i = 0; i < 9; ++i) add("counter", 8, i);
        const std::size_t known = limited(image, value(image, "known"));
        if (dense) {
            for (std::size_t i = 0; i < known; ++i) {
                add("slot_of_row", 4, i);
                add("generation_of_row", 4, i);
            }
        } else if (opts.generations == generation_rule::none) {
            for (std::size_t i = 0; i < (known + 63) / 64; ++i) add("occupied", 8, i);
        } else {
            for (std::size_t i = 0; i < known; ++i) add("generation", generation_width, i);
        }
        if (recent) {
            add("cached", 4);
            const std::size_t cached = limited(image, value(image, "cached"));
            for (std::size_t i = 0; i < cached; ++i) add("cache", 4, i);
        }
        if (!dense && opts.order == reuse::last) {
            add("stacked", 4);
            const std::size_t stacked = limited(image, value(image, "stacked"));
            for (std::size_t i = 0; i < stacked; ++i) add("stack", 4, i);
        }
        add("resting", 4);
        const std::size_t rest = limited(image, value(image, "resting"));
        for (std::size_t i = 0; i < rest; ++i) add("rest", 4, i);
        live = limited(image, dense ? value(image, "used") : value(image, "acquired") - value(image, "released"));
        if (opts.tracks != track::nothing) {
            add("births", 8);
            for (std::size_t i = 0; i < live; ++i) {
                add("age", 4, i);
                if (opts.tracks == track::priority) {
                    add("priority", 1, i);
                    add("birth", 8, i);
                }
            }
        }
        elements = at_;
        element_width = live == 0 || elements >= image.size() ? 0 : (image.size() - elements) / live;
        for (std::size_t i = 0; i < live && element_width != 0; ++i)
            fields.push_back({"element", elements + i * element_width, 4, i});
    }

    /// Null when the image has no such field.
    [[nodiscard]] const field* find(std::string_view name, std::size_t index = 0) const {
        for (const field& f : fields) {
            if (f.name == name && f.index == index) return &f;
        }
        return nullptr;
    }
    [[nodiscard]] std::size_t count(std::string_view name) const {
        std::size_t n = 0;
        for (const field& f : fields) n += f.name == name ? 1 : 0;
        return n;
    }
    [[nodiscard]] std::uint64_t value(const image_bytes& image, std::string_view name, std::size_t index = 0) const {
        const field* const f = find(name, index);
        return f != nullptr ? read_at(image, f->at, f->width) : 0;
    }

    std::vector<field> fields;
    std::size_t live = 0;
    std::size_t elements = 0;       ///< where they begin
    std::size_t element_width = 0;  ///< bytes of one

private:
    void add(std::string_view name, std::size_t width, std::size_t index = 0) {
        fields.push_back({name, at_, width, index});
        at_ += width;
    }
    [[nodiscard]] static std::size_t limited(const image_bytes& image, std::uint64_t n) {
        return n < image.size() ? static_cast<std::size_t>(n) : image.size();
    }

    std::size_t at_ = 0;
};

/// Damages one to three fields in ways that readers get wrong: extremes, neighbours, and values of other fields.
template <class Pool>
void mutate_fields(image_bytes& image, operation_dice& d) {
    const image_map<Pool> map(image);
    const std::uint32_t times = 1 + d.below(3);
    for (std::uint32_t t = 0; t < times; ++t) {
        // Half of the time among the counts and options, which are few.
        const std::size_t among = d.below(2) == 0 ? 26 : map.fields.size();
        const field f =
            map.fields[d.below(static_cast<std::uint32_t>(among < map.fields.size() ? among : map.fields.size()))];
        const std::uint64_t was = read_at(image, f.at, f.width);
        const field other = map.fields[d.below(static_cast<std::uint32_t>(map.fields.size()))];
        const std::uint64_t tries[] = {0,
                                       1,
                                       was + 1,
                                       was - 1,
                                       was + 2,
                                       was ^ (std::uint64_t{1} << d.below(static_cast<std::uint32_t>(f.width * 8))),
                                       std::uint64_t{0xffffffff},
                                       std::uint64_t{0x7fffffff},
                                       std::uint64_t{0x80000000},
                                       ~std::uint64_t{0},
                                       ~std::uint64_t{1},
                                       read_at(image, other.at, other.width),
                                       d.below(200)};
        write_at(image, f.at, f.width, tries[d.below(static_cast<std::uint32_t>(std::size(tries)))]);
    }
}

}  // namespace lido::test
