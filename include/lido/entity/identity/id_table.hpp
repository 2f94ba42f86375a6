// Which entity has an id: a hash look-up, for all classes of a stage.
//
//   entries   | tag, class, life, where the id is | - | tag, class, life, where the id is | - | ...
//               open addressing, one step at a time, a power of two, at most 5/8 full; 24 bytes an entry
//
// IT1. An entry lies in the first free place from the one that its hash names: between the two there is no free place. An entry that goes
//      pulls later ones back, so no marks of what was are left, and a table that has seen a million ids is as fast as a new one.
// IT2. `tag` is 32 bits of the hash, never 0; 0 marks a free place. The first place of an entry follows from its tag alone, so that no id is
//      read when entries move.
// IT3. The id of an entry lies where the entry says as long as the entry is there: in the entity itself, which does not move, or with who
//      has reserved it. The ids of a table are all different.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/stats.hpp>
#include <lido/entity/identity/entity_id.hpp>
#include <lido/world/ref.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lido::entity_detail {

class id_table {
public:
    struct entry {
        std::uint32_t tag = 0;
        class_number of = 0;
        std::uint64_t life = 0;  ///< 0: reserved, the life has not begun
        const entity_id* id = nullptr;
    };
    static_assert(sizeof(void*) != 8 || sizeof(entry) == 24);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// What an id is looked for by, besides its text. Never 0.
    [[nodiscard]] LIDO_INLINE static std::uint32_t tag_of(std::string_view id) noexcept {
        const std::uint64_t h = quick_hash(id);
        const auto folded = static_cast<std::uint32_t>(h ^ (h >> 32));
        return folded != 0 ? folded : 1;
    }

    /// Null when nobody has it. Invalidates: nothing; the entry moves with the next put() and erase().
    [[nodiscard]] entry* find(std::string_view id) noexcept { return find(id, tag_of(id)); }
    /// Pre: `tag` is tag_of(id).
    [[nodiscard]] LIDO_INLINE entry* find(std::string_view id, std::uint32_t tag) noexcept {
        for (std::size_t at = place_of(tag);; at = (at + 1) & mask_) {
            entry& e = entries_[at];
            if (e.tag == tag && e.id->view() == id) return &e;
            if (e.tag == 0) return nullptr;
        }
    }
    [[nodiscard]] const entry* find(std::string_view id) const noexcept {
        return const_cast<id_table*>(this)->find(id);
    }

    /// Room for `count` ids. Throws: std::bad_alloc; nothing has changed then.
    LIDO_INLINE void reserve(std::size_t count) {
        if (count * 8 > (mask_ + 1) * 5) [[unlikely]]
            grow(count);
    }

    /// Pre: the id is not there, and there is room for one more (reserve). The id stays where it is until it is erased or moved.
    void put(const entity_id& id, class_number of, std::uint64_t life) noexcept {
        LIDO_ASSERT((size_ + 1) * 8 <= entries_.size() * 5, "id_table: put() without room");
        LIDO_ASSERT(find(id.view()) == nullptr, "id_table: put() of an id that is there");
        place({tag_of(id.view()), of, life, &id});
        ++size_;
    }

    /// find() and, where nobody has it, put(): in one look. Null where it was put. Pre: there is room for one more; `tag` is that of the id.
    [[nodiscard]] LIDO_INLINE entry* find_or_put(const entity_id& id, std::uint32_t tag, class_number of,
                                                 std::uint64_t life) noexcept {
        LIDO_ASSERT((size_ + 1) * 8 <= entries_.size() * 5, "id_table: put() without room");
        for (std::size_t at = place_of(tag);; at = (at + 1) & mask_) {
            entry& e = entries_[at];
            if (e.tag == 0) {
                e = {tag, of, life, &id};
                ++size_;
                return nullptr;
            }
            if (e.tag == tag && *e.id == id) return &e;
        }
    }

    /// What was reserved has begun, and its id lies elsewhere from now on. Pre: it is there.
    void settle(const entity_id& id, class_number of, std::uint64_t life) noexcept {
        entry* const e = find(id.view());
        LIDO_ASSERT(e != nullptr, "id_table: settle() of an id that is not there");
        *e = {e->tag, of, life, &id};
    }
    /// The same by where its id lies so far.
    LIDO_INLINE void settle(std::uint32_t tag, const entity_id* from, const entity_id* to, class_number of,
                            std::uint64_t life) noexcept {
        for (std::size_t at = place_of(tag);; at = (at + 1) & mask_) {
            entry& e = entries_[at];
            LIDO_ASSERT(e.tag != 0, "id_table: settle() of an id that is not there");
            if (e.id != from) continue;
            e.of = of;
            e.life = life;
            e.id = to;
            return;
        }
    }

    /// Only that life: the late end of an earlier one leaves a later one alone. False when it is not there.
    bool erase(std::string_view id, class_number of, std::uint64_t life) noexcept {
        const entry* const e = find(id);
        if (e == nullptr || e->of != of || e->life != life) return false;
        erase_at(static_cast<std::size_t>(e - entries_.data()));
        return true;
    }
    /// The same by where its id lies: no text is read. Pre: `tag` is that of the id.
    LIDO_INLINE bool erase(std::uint32_t tag, const entity_id* id, class_number of, std::uint64_t life) noexcept {
        for (std::size_t at = place_of(tag);; at = (at + 1) & mask_) {
            const entry& e = entries_[at];
            if (e.tag == 0) return false;
            if (e.id != id) continue;
            if (e.of != of || e.life != life) return false;
            erase_at(at);
            return true;
        }
    }

    void clear() noexcept {
        for (entry& e : entries_) e = {};
        size_ = 0;
    }

    template <class F>
    void for_each(F&& f) const {
        for (const entry& e : entries_) {
            if (e.tag != 0) f(e);
        }
    }

    [[nodiscard]] verdict validate() const noexcept {
        std::size_t count = 0;
        for (std::size_t at = 0; at < entries_.size(); ++at) {
            const entry& e = entries_[at];
            if (e.tag == 0) continue;
            ++count;
            if (e.id == nullptr || e.id->empty()) return {"IT3: an entry has no id"};
            if (e.tag != tag_of(e.id->view())) return {"IT2: a tag is not that of its id"};
            for (std::size_t on_way = place_of(e.tag); on_way != at; on_way = (on_way + 1) & mask_) {
                if (entries_[on_way].tag == 0) return {"IT1: a free place stands before an entry"};
                if (entries_[on_way].tag == e.tag && *entries_[on_way].id == *e.id)
                    return {"IT3: an id is there twice"};
            }
        }
        return {count == size_ ? nullptr : "IT3: the size is not the number of entries"};
    }

private:
    static constexpr std::size_t first_room = 16;

    [[nodiscard]] std::size_t place_of(std::uint32_t tag) const noexcept { return tag & mask_; }

    void place(const entry& e) noexcept {
        std::size_t at = place_of(e.tag);
        while (entries_[at].tag != 0) at = (at + 1) & mask_;
        entries_[at] = e;
    }

    LIDO_INLINE void erase_at(std::size_t hole) noexcept {
        for (std::size_t at = (hole + 1) & mask_; entries_[at].tag != 0; at = (at + 1) & mask_) {
            const std::size_t home = place_of(entries_[at].tag);
            // It may go back to the hole unless its home lies between the two.
            if (((at - home) & mask_) < ((at - hole) & mask_)) continue;
            entries_[hole] = entries_[at];
            hole = at;
        }
        entries_[hole] = {};
        --size_;
    }

    LIDO_COLD void grow(std::size_t count) {
        std::size_t room = entries_.size();
        while (count * 8 > room * 5) room *= 2;
        std::vector<entry> before(room);
        before.swap(entries_);
        mask_ = room - 1;
        for (const entry& e : before) {
            if (e.tag != 0) place(e);
        }
    }

    std::vector<entry> entries_ = std::vector<entry>(first_room);
    std::size_t mask_ = first_room - 1;
    std::size_t size_ = 0;
};

}  // namespace lido::entity_detail
