// The last commits of each entity of a class that asked for it: what it was before each of them.
//
//   slot   | life, count, next | version, tick, T before | version, tick, T before | ...  `depth` of them, the oldest overwritten
//
// EH1. An entry's version is that which the commit made; what the entity was at version v is the `before` of the next entry, or the entity
//      itself. Versions rise from entry to entry: by one, and by one more for each change of the owner in between, which changes no field.
// Memory is there from the creation of an entity on, so that a commit asks for none. Part of a rewind.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/world/ticks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace lido {

/// A commit that is over.
struct past_version {
    std::uint64_t version = 0;  ///< that it made
    ticks tick;
};

namespace entity_detail {

/// Bytes that begin at a multiple of some alignment, and grow as a vector does.
class aligned_bytes {
public:
    explicit aligned_bytes(std::size_t alignment) noexcept : bytes_(nullptr, freed{std::align_val_t{alignment}}) {}

    [[nodiscard]] std::byte* data() noexcept { return bytes_.get(); }
    [[nodiscard]] const std::byte* data() const noexcept { return bytes_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Never to fewer; what is new is zero. Throws: std::bad_alloc, with nothing changed.
    void grow(std::size_t size) {
        if (size > room_) {
            const std::size_t room = (std::max)(size, 2 * room_);
            std::unique_ptr<std::byte, freed> more(
                static_cast<std::byte*>(::operator new(room, bytes_.get_deleter().alignment)), bytes_.get_deleter());
            copy_bytes(more.get(), bytes_.get(), size_);
            bytes_ = std::move(more);
            room_ = room;
        }
        std::memset(bytes_.get() + size_, 0, size - size_);
        size_ = size;
    }

private:
    struct freed {
        std::align_val_t alignment;
        void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes, alignment); }
    };
    std::unique_ptr<std::byte, freed> bytes_;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
};

class class_history {
public:
    class_history(std::uint32_t depth, std::size_t object_bytes, std::size_t alignment) noexcept
        : depth_(depth),
          object_at_((std::max)(sizeof(past_version), alignment)),
          entry_bytes_((object_at_ + object_bytes + object_at_ - 1) / object_at_ * object_at_),
          object_bytes_(object_bytes),
          bytes_(object_at_) {}

    [[nodiscard]] bool kept() const noexcept { return depth_ != 0; }
    [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }

    /// A life begins in the slot: it has no history. Throws: std::bad_alloc, where no earlier life was in a slot so far up.
    void begin(std::uint32_t slot, std::uint64_t life) {
        if (!kept()) return;
        if (slot >= heads_.size()) {
            bytes_.grow((std::size_t{slot} + 1) * depth_ * entry_bytes_);
            heads_.resize(std::size_t{slot} + 1);
        }
        heads_[slot] = {life, 0, 0};
    }

    void add(std::uint32_t slot, past_version made, const void* before) noexcept {
        if (!kept()) return;
        head& h = heads_[slot];
        std::byte* const to = entry(slot, h.next);
        std::memcpy(to, &made, sizeof(made));
        std::memcpy(to + object_at_, before, object_bytes_);
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
        return at(slot, i) + object_at_;
    }
    /// What it was at that version; null when it is not kept any more, or is as it is at present.
    [[nodiscard]] const void* at_version(std::uint32_t slot, std::uint64_t life, std::uint64_t version) const noexcept {
        for (std::uint32_t i = 0; i < size(slot, life); ++i) {
            const std::uint64_t made = this->version(slot, i).version;
            if (made <= version) continue;
            // What was before the oldest entry is known for the version right before it alone.
            return i != 0 || made == version + 1 ? before(slot, i) : nullptr;
        }
        return nullptr;
    }
    /// Nothing but the owner has changed since that version, as far as is known. Pre: it is below the present one.
    [[nodiscard]] bool is_present(std::uint32_t slot, std::uint64_t life, std::uint64_t version) const noexcept {
        const std::uint32_t count = size(slot, life);
        return count != 0 && this->version(slot, count - 1).version <= version;
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
            std::byte* const data = entry(slot, (heads_[slot].next + depth_ - 1) % depth_) + object_at_;
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
    std::size_t object_at_;  ///< in an entry, behind what it says of the version: where it may lie
    std::size_t entry_bytes_;
    std::size_t object_bytes_;
    std::vector<head> heads_;
    aligned_bytes bytes_;
};

}  // namespace entity_detail
}  // namespace lido
