// How many of a class each spawner has spawned in this tick: the last part of a spawn_key.
//
//   entries   | spawner, count | - | spawner, count | - |      open addressing, a power of two, at most half full
//
// BC1. Only entries of `tick_` count; the first birth of a later tick finds the table empty. It keeps its memory.
// Part of a rewind: a tick may be saved in its middle.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/world/confirmed.hpp>
#include <lido/world/ref.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lido::world_detail {

class birth_count {
public:
    struct entry {
        any_ref spawner;
        std::uint32_t count = 0;  ///< 0: nothing is here
    };

    /// The key of a birth now. Throws: std::bad_alloc, where more spawners than ever before spawn in one tick; nothing is counted then.
    [[nodiscard]] spawn_key next(std::uint64_t tick, any_ref spawner) {
        if (tick != tick_) {
            if (used_ != 0) std::fill(entries_.begin(), entries_.end(), entry{});
            used_ = 0;
            tick_ = tick;
        }
        if ((used_ + 1) * 2 > room_) [[unlikely]]
            grow();
        entry& e = place_of(spawner);
        if (e.count == 0) {
            e.spawner = spawner;
            ++used_;
        }
        return {tick, spawner, ++e.count};
    }

    // --- rewind: bytes in a section of the class ----------------------------------------------------------------------------

    struct saved {
        std::uint64_t tick;
        std::uint64_t used;
    };
    [[nodiscard]] std::size_t bytes() const noexcept { return sizeof(saved) + used_ * sizeof(entry); }
    void put(std::byte* to) const noexcept {
        const saved head{tick_, used_};
        copy_bytes(to, &head, sizeof(head));
        to += sizeof(head);
        for (const entry& e : entries_) {
            if (e.count == 0) continue;
            copy_bytes(to, &e, sizeof(e));
            to += sizeof(e);
        }
    }
    /// False when there is no memory for take().
    [[nodiscard]] bool make_room(const std::byte* from) {
        saved head;
        copy_bytes(&head, from, sizeof(head));
        LIDO_TRY {
            while (head.used * 2 > entries_.size()) grow();
            return true;
        }
        LIDO_CATCH_ALL { return false; }
    }
    /// Pre: make_room() has said yes.
    void take(const std::byte* from) noexcept {
        saved head;
        copy_bytes(&head, from, sizeof(head));
        from += sizeof(head);
        std::fill(entries_.begin(), entries_.end(), entry{});
        tick_ = head.tick;
        used_ = static_cast<std::size_t>(head.used);
        for (std::size_t i = 0; i < used_; ++i, from += sizeof(entry)) {
            entry e;
            copy_bytes(&e, from, sizeof(e));
            place_of(e.spawner) = e;
        }
    }

    // --- image: in the order of the spawners ----------------------------------------------------------------------------------

    void write(image_writer& w) const {
        std::vector<entry> all;
        for (const entry& e : entries_) {
            if (e.count != 0) all.push_back(e);
        }
        std::sort(all.begin(), all.end(), [](const entry& a, const entry& b) { return a.spawner < b.spawner; });
        w.put(tick_);
        w.put(static_cast<std::uint32_t>(all.size()));
        for (const entry& e : all) {
            w.put(e.spawner.life());
            w.put(e.spawner.class_of());
            w.put(e.count);
        }
    }
    /// False for bytes that are no such counts. Pre: nothing was counted.
    [[nodiscard]] bool read(image_reader& r) {
        tick_ = r.take<std::uint64_t>();
        const auto count = r.take<std::uint32_t>();
        if (!r.ok() || !r.has(count, 16)) return false;
        while (std::size_t{count} * 2 > entries_.size()) grow();
        any_ref before;
        for (; used_ < count; ++used_) {
            const auto life = r.take<std::uint64_t>();
            const any_ref spawner(r.take<class_number>(), life);
            const auto births = r.take<std::uint32_t>();
            if (births == 0 || (used_ != 0 && spawner <= before)) return false;
            place_of(spawner) = {spawner, births};
            before = spawner;
        }
        return true;
    }

    /// Whatever the order in which they stand.
    void hash(hasher& h) const {
        std::uint64_t sum = 0;
        for (const entry& e : entries_) {
            if (e.count == 0) continue;
            hasher one;
            one.add(std::uint64_t{e.spawner.class_of()}).add(e.spawner.life()).add(std::uint64_t{e.count});
            sum += one.digest();
        }
        h.add(used_ != 0 ? tick_ : 0).add(sum);
    }

private:
    [[nodiscard]] entry& place_of(any_ref spawner) noexcept {
        const std::size_t mask = room_ - 1;
        std::size_t at = std::hash<any_ref>{}(spawner)&mask;
        while (entries_[at].count != 0 && entries_[at].spawner != spawner) at = (at + 1) & mask;
        return entries_[at];
    }
    void grow() {
        std::vector<entry> before(entries_.empty() ? 8 : entries_.size() * 2);
        before.swap(entries_);
        room_ = entries_.size();
        for (const entry& e : before) {
            if (e.count != 0) place_of(e.spawner) = e;
        }
    }

    std::vector<entry> entries_;
    std::size_t room_ = 0;  ///< of them
    std::size_t used_ = 0;
    std::uint64_t tick_ = 0;
};

}  // namespace lido::world_detail
