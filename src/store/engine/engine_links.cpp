// A link in memory is 64 bits that only its stage can read. In a row it is the id of an entity and the generation of its first life since
// there was a row: that one stays when the entity is loaded again.
#include <lido/entity/schema/byte_io.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine.hpp"

namespace lido::store_detail {

/// Finds the bits of all links in what is encoded. Pre: room for them is reserved.
class seen_links final : public link_names {
public:
    explicit seen_links(std::vector<std::uint64_t>& to) noexcept : to_(to) {}
    [[nodiscard]] bool name_of(std::uint64_t bits, link_name&) const noexcept override {
        if (to_.size() < to_.capacity()) to_.push_back(bits);
        return false;
    }
    [[nodiscard]] bool find(const link_name&, std::uint64_t&) noexcept override { return false; }

private:
    std::vector<std::uint64_t>& to_;
};

/// Finds who is there, and notes what was not.
class links_of_stage final : public link_names {
public:
    explicit links_of_stage(const engine& e) noexcept : engine_(e) {}
    [[nodiscard]] bool name_of(std::uint64_t, link_name&) const noexcept override { return false; }
    [[nodiscard]] bool find(const link_name& name, std::uint64_t& bits) noexcept override {
        bits = engine_.bits_of_link(name);
        missed = missed || bits == 0;
        return true;
    }
    bool missed = false;

private:
    const engine& engine_;
};

bool engine::name_of_link(std::uint64_t bits, link_name& name) const {
    const any_entity_ref to = any_stage::target_of(bits);
    if (!to) return false;
    if (to.class_of() < by_number_.size() && by_number_[to.class_of()] != nullptr) {
        const known_class& c = *by_number_[to.class_of()];
        const std::uint32_t slot = slot_of(to);
        // Whether it lives or not: its row stays.
        if (slot < c.lives.size() && c.lives[slot].life == to.life()) {
            name = {c.lives[slot].id.view(), c.lives[slot].birth};
            return true;
        }
    }
    if (!stage_.name_of(bits, name)) return false;
    // Persistent, and not confirmed yet: its birth is that of its row, or its own.
    const std::uint32_t row = rows_.find_begun(name.generation);
    if (row != nowhere && rows_[row].birth != 0) name.generation = rows_[row].birth;
    return true;
}

void engine::name_links(save_batch& b, save_entry& e) {
    const class_schema& schema = *e.of->schema;
    std::byte* const object = room_.of(schema);
    std::memcpy(object, b.bytes.data() + e.data_at, schema.size());
    scratch_.resize((std::max)(scratch_.size(), schema.most_bytes(e.of->linked)));
    links_seen_.clear();
    links_seen_.reserve(schema.size() / sizeof(std::uint64_t) + 1);
    const seen_links seen(links_seen_);
    byte_writer to(scratch_, &seen);
    schema.encode(object, e.of->linked, to);
    e.first_link = static_cast<std::uint32_t>(b.links.size());
    for (const std::uint64_t bits : links_seen_) {
        link_name name;
        if (!name_of_link(bits, name)) continue;
        const std::uint32_t at = b.add_text(name.id);
        b.links.push_back({bits, name.generation, at, static_cast<std::uint32_t>(name.id.size())});
    }
    e.links = static_cast<std::uint32_t>(b.links.size()) - e.first_link;
}

std::uint64_t engine::birth_of(any_entity_ref which, const entity_info& info) const {
    if (which.class_of() < by_number_.size() && by_number_[which.class_of()] != nullptr) {
        known_class& c = *by_number_[which.class_of()];
        if (const kept_life* const l = c.find(slot_of(which), info.generation)) return l->birth;
    }
    const std::uint32_t row = rows_.find_begun(info.generation);
    if (row == nowhere) return info.persistent ? 0 : info.generation;
    return rows_[row].birth != 0 ? rows_[row].birth : rows_[row].loading ? 0 : info.generation;
}

std::uint64_t engine::bits_of_link(const link_name& name) const {
    const any_entity_ref which = stage_.find(name.id);
    const entity_info info = stage_.info(which);
    if (!info || birth_of(which, info) != name.generation) return 0;
    std::uint64_t bits = 0;
    return stage_.find(link_name{name.id, info.generation}, bits) ? bits : 0;
}

bool engine::read_linked(known_row& row, read_row& found, std::byte* object, std::string& why) {
    const class_schema& schema = *row.of->schema;
    links_of_stage links(*this);
    if (!read_entity(schema, found.text, found.revision, &links, object, why)) return false;
    row.kept.reset();
    if (!links.missed) return true;
    // Whom it names is not here. The text of those fields goes back as it came, as long as nobody changes them.
    auto kept = std::make_shared<kept_fields>();
    const auto stored = std::make_unique<record>(found.text, found.revision);
    row.of->linked.for_each([&](std::size_t i) {
        const field_schema& f = schema.fields()[i];
        for (const std::string_view name : f.names) {
            const std::string_view text = stored->raw(name);
            if (text.empty()) continue;
            links_of_stage of_field(*this);
            const std::vector<std::byte> was(object + f.offset, object + f.offset + f.size);
            if (class_schema::parse(f, text, object, &of_field) && of_field.missed)
                kept->all.push_back({static_cast<std::uint32_t>(i), std::string(text), was});
            std::memcpy(object + f.offset, was.data(), was.size());
            break;
        }
    });
    if (!kept->all.empty()) row.kept = std::move(kept);
    return true;
}

}  // namespace lido::store_detail
