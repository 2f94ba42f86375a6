// The last commits of each entity of a class that asked for it: what it was before each of them.
//
//   slot   | life, count, next | version, tick, T before | version, tick, T before | ...  `depth` of them, the oldest overwritten
//
// EH1. An entry's version is that which the commit made; what the entity was at version v is the `before` of the next entry, or the entity
//      itself. Versions rise by one from entry to entry.
// Memory is there from the creation of an entity on, so that a commit asks for none. Part of a rewind.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/world/ticks.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lido {

/// A commit that is over.
struct past_version {
    std::uint64_t version = 0;  ///< that it made
    ticks tick;
};

namespace entity_detail {

class class_history {
public:
    class_history(std::uint32_t depth, std::size_t object_bytes) noexcept
        : depth_(depth), entry_bytes_(sizeof(past_version) + (object_bytes + 7) / 8 * 8), object_bytes_(object_bytes) {}

    [[nodiscard]] bool kept() const noexcept { return depth_ != 0; }
    [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }

    /// A life begins in the slot: it has no history. Throws: std::bad_alloc, where no earlier life was in a slot so far up.
    void begin(std::uint32_t slot, std::uint64_t life) {
        if (!kept()) return;
        if (slot >= heads_.size()) {
            bytes_.resize((std::size_t{slot} + 1) * depth_ * entry_bytes_);
            heads_.resize(std::size_t{slot} + 1);
        }
        heads_[slot] = {life, 0, 0};
    }

    void add(std::uint32_t slot, past_version made, const void* before) noexcept {
        if (!kept()) return;
        head& h = heads_[slot];
        std::byte* const to = entry(slot, h.next);
        std::memcpy(to, &made, sizeof(made));
        std::memcpy(to + sizeof(made), before, object_bytes_);
        h.next = h.next + 1 == depth_ ? 0 : h.next + 1;
        if (h.count < depth_) ++h.count;
    }

    [[nodiscard]] std::uint32_t size(std::uint32_t slot, std::uint64_t life) const noexcept {
        return slot < heads_.size() && heads_[slot].life == life ? heads_[slot].count : 0;
    }
    /// 0 is the oldest. Pre: i < size().
    [[nodiscard]] past_version version(std::uint32_t slot, std::uint32_t i) const noexcept {
        past_version made;
        std::memcpy(&made, at(slot, i), sizeof(made));
        return made;
    }
    /// What the entity was before that commit.
    [[nodiscard]] const void* before(std::uint32_t slot, std::uint32_t i) const noexcept {
        return at(slot, i) + sizeof(past_version);
    }
    /// What it was at that version; null when it is not kept any more, or is the present one.
    [[nodiscard]] const void* at_version(std::uint32_t slot, std::uint64_t life, std::uint64_t version) const noexcept {
        for (std::uint32_t i = 0; i < size(slot, life); ++i) {
            if (this->version(slot, i).version == version + 1) return before(slot, i);
        }
        return nullptr;
    }

    // --- rewind: one section --------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool save(section& to) const noexcept {
        const std::size_t used = heads_.size() * sizeof(head) + bytes_.size();
        std::byte* const data = to.begin(sizeof(std::uint64_t) + used, alignof(std::uint64_t));
        if (data == nullptr) return false;
        const std::uint64_t slots = heads_.size();
        copy_bytes(data, &slots, sizeof(slots));
        copy_bytes(data + sizeof(slots), heads_.data(), heads_.size() * sizeof(head));
        copy_bytes(data + sizeof(slots) + heads_.size() * sizeof(head), bytes_.data(), bytes_.size());
        to.seal(&section_kind<class_history>);
        return true;
    }
    [[nodiscard]] static bool fits(const section& from) noexcept { return from.kind() == &section_kind<class_history>; }
    /// Pre: fits(), saved by this.
    void restore(const section& from) noexcept {
        std::uint64_t slots = 0;
        copy_bytes(&slots, from.data(), sizeof(slots));
        // There are never fewer slots than at an earlier time.
        for (head& h : heads_) h = {};
        copy_bytes(heads_.data(), from.data() + sizeof(slots), slots * sizeof(head));
        copy_bytes(bytes_.data(), from.data() + sizeof(slots) + slots * sizeof(head), slots * depth_ * entry_bytes_);
    }

    // --- image: of each life that has one (stage_image.hpp) ---------------------------------------------------------------------------

    /// `write_data(writer, struct)` writes one.
    template <class F>
    void write(image_writer& w, std::uint32_t slot, std::uint64_t life, F&& write_data) const {
        const std::uint32_t count = size(slot, life);
        w.put(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            w.put(version(slot, i).version);
            w.put(version(slot, i).tick.count);
            write_data(w, before(slot, i));
        }
    }
    /// Of a life in an image, whose present version is given. `read_data(reader, struct)` fills in one, which is `fresh` at first, and says
    /// whether it is sound. False when it makes no sense. Throws: std::bad_alloc.
    template <class F>
    [[nodiscard]] bool read(image_reader& r, std::uint32_t slot, std::uint64_t life, std::uint64_t present,
                            const void* fresh, F&& read_data) {
        const auto count = r.take<std::uint32_t>();
        if (!r.ok() || count > depth_ || !r.has(count, sizeof(past_version))) return false;
        begin(slot, life);
        std::uint64_t last = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            past_version made;
            made.version = r.take<std::uint64_t>();
            made.tick.count = r.take<std::uint64_t>();
            if (!r.ok() || made.version <= last || made.version > present) return false;
            last = made.version;
            add(slot, made, fresh);
            // What was just added is the newest: at the end of the list.
            std::byte* const data = entry(slot, (heads_[slot].next + depth_ - 1) % depth_) + sizeof(past_version);
            if (!read_data(r, static_cast<void*>(data))) return false;
        }
        return true;
    }

private:
    struct head {
        std::uint64_t life = 0;
        std::uint32_t count = 0;
        std::uint32_t next = 0;
    };

    [[nodiscard]] std::byte* entry(std::uint32_t slot, std::uint32_t i) noexcept {
        return bytes_.data() + (std::size_t{slot} * depth_ + i) * entry_bytes_;
    }
    [[nodiscard]] const std::byte* at(std::uint32_t slot, std::uint32_t i) const noexcept {
        const head& h = heads_[slot];
        const std::uint32_t oldest = h.count < depth_ ? 0 : h.next;
        return bytes_.data() + (std::size_t{slot} * depth_ + (oldest + i) % depth_) * entry_bytes_;
    }

    std::uint32_t depth_;
    std::size_t entry_bytes_;
    std::size_t object_bytes_;
    std::vector<head> heads_;
    std::vector<std::byte> bytes_;
};

}  // namespace entity_detail
}  // namespace lido
