// Names of links, as a stage would have them: a table of ids.
#pragma once

#include <lido/entity/schema/link.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lido::test::schema {

/// Bits are the position in the table plus one.
class link_table final : public link_names {
public:
    struct entry {
        std::string id;
        std::uint64_t generation;
    };
    std::vector<entry> entries;

    [[nodiscard]] bool name_of(std::uint64_t bits, link_name& name) const noexcept override {
        if (bits == 0 || bits > entries.size()) return false;
        name = {entries[bits - 1].id, entries[bits - 1].generation};
        return true;
    }
    [[nodiscard]] bool find(const link_name& name, std::uint64_t& bits) noexcept override {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i].id != name.id || entries[i].generation != name.generation) continue;
            bits = i + 1;
            return true;
        }
        return false;
    }
};

}  // namespace lido::test::schema
