// What is written in one transaction: one entry a row, with a copy of its entity, its key, and the names that its links have outside of the
// stage. The game's thread fills it, the writer reads it and notes how each entry ended. Cleared, and not freed: two of them take turns.
//
//   entries  | row, class, numbers, tie, where the rest is, how it ended | ...
//   bytes    | struct | struct | ...
//   text     | key | key | ... | id of a link | ...
//
// KB1. Entries that are tied by commits have the same root: following `tie` ends at it.
#pragma once

#include <lido/entity/schema/link.hpp>
#include <lido/store/row.hpp>
#include <lido/store/store_events.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "known_class.hpp"
#include "stored_form.hpp"

namespace lido::store_detail {

struct batch_link {
    std::uint64_t bits;
    std::uint64_t generation;
    std::uint32_t id_at;
    std::uint32_t id_size;
};

struct save_entry {
    known_class* of = nullptr;
    std::uint32_t row = nowhere;
    std::uint32_t slot = nowhere;
    std::uint32_t tie = 0;
    std::uint32_t key_at = 0;
    std::uint32_t key_size = 0;
    std::uint32_t first_link = 0;
    std::uint32_t links = 0;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    std::uint64_t birth = 0;
    std::uint64_t owner = 0;
    std::size_t data_at = 0;
    const kept_fields* kept = nullptr;  ///< in kept_fields_of
    bool erased = false;
    bool left_out = false;  ///< of the transaction
    store::save_end end = store::save_end::failed;
    std::uint32_t why = 0;  ///< in reasons
};

struct save_batch {
    std::vector<save_entry> entries;
    std::vector<std::byte> bytes;
    std::vector<char> text;
    std::vector<batch_link> links;
    std::vector<std::shared_ptr<const kept_fields>> kept_fields_of;
    std::vector<std::string> reasons{std::string()};
    store::stored_position position;
    bool kept = false;       ///< it failed, and is to be tried again with what comes
    std::uint64_t json = 0;  ///< bytes that were written

    void clear() noexcept {
        entries.clear();
        bytes.clear();
        text.clear();
        links.clear();
        kept_fields_of.clear();
        reasons.resize(1);
        kept = false;
        json = 0;
    }
    [[nodiscard]] std::string_view key_of(const save_entry& e) const noexcept {
        return {text.data() + e.key_at, e.key_size};
    }
    [[nodiscard]] std::uint32_t add_text(std::string_view characters) {
        const auto at = static_cast<std::uint32_t>(text.size());
        text.insert(text.end(), characters.begin(), characters.end());
        return at;
    }
    [[nodiscard]] std::uint32_t root(std::uint32_t i) noexcept {
        while (entries[i].tie != i) i = entries[i].tie = entries[entries[i].tie].tie;
        return i;
    }
    void tie(std::uint32_t a, std::uint32_t b) noexcept { entries[root(a)].tie = root(b); }
    [[nodiscard]] std::size_t held() const noexcept {
        return entries.capacity() * sizeof(save_entry) + bytes.capacity() + text.capacity() +
               links.capacity() * sizeof(batch_link);
    }
};

/// The names of one entry's links, for the writer.
class batch_link_names final : public link_names {
public:
    batch_link_names(const save_batch& of, const save_entry& e) noexcept : of_(of), e_(e) {}
    [[nodiscard]] bool name_of(std::uint64_t bits, link_name& name) const noexcept override {
        for (std::uint32_t i = e_.first_link; i < e_.first_link + e_.links; ++i) {
            const batch_link& l = of_.links[i];
            if (l.bits != bits) continue;
            name = {{of_.text.data() + l.id_at, l.id_size}, l.generation};
            return l.id_size != 0;
        }
        return false;
    }
    [[nodiscard]] bool find(const link_name&, std::uint64_t&) noexcept override { return false; }

private:
    const save_batch& of_;
    const save_entry& e_;
};

}  // namespace lido::store_detail
