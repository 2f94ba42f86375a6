// The rows that the engine has to do with: those of persistent lives, those that are asked for, and those of which a change is not durable.
// A row is known by class and key; a life that began, and is not confirmed yet, finds its row by its generation.
//
// KR1. Each row in use is found by its class and key, and each with a life that has begun by that generation.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/entity/identity/entity_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "known_class.hpp"
#include "stored_form.hpp"

namespace lido::store_detail {

struct known_row {
    known_class* of = nullptr;  ///< null: free
    std::string key;
    std::uint64_t birth = 0;   ///< 0: there is nothing stored yet
    std::uint64_t holder = 0;  ///< the generation of the confirmed life that has it
    any_entity_ref held_by;
    // A life that has begun, or is to, and whose `created` has not been read.
    std::uint64_t begun = 0;
    any_entity_ref begun_as;
    std::uint64_t begun_tick = 0;
    bool loading = false;                      ///< and is waiting for its data
    bool clean = false;                        ///< and is as it is stored
    std::uint32_t in[2] = {nowhere, nowhere};  ///< its entry, by batch
    std::uint32_t request = nowhere;
    std::shared_ptr<const kept_fields> kept;

    [[nodiscard]] bool pending() const noexcept { return in[0] != nowhere || in[1] != nowhere; }
    [[nodiscard]] bool held() const noexcept { return holder != 0 || begun != 0 || pending(); }
};

/// Numbers by hash; whose they are the caller compares. Open addressing; what goes leaves no gap.
class number_table {
public:
    static constexpr std::uint32_t none = nowhere;

    template <class Same>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, Same&& same) const {
        if (cells_.empty()) return none;
        for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
            if (cells_[i].value == none) return none;
            if (cells_[i].hash == hash && same(cells_[i].value)) return cells_[i].value;
        }
    }
    void add(std::uint64_t hash, std::uint32_t value) {
        if ((size_ + 1) * 4 > cells_.size() * 3) grow();
        place(hash, value);
        ++size_;
    }
    void erase(std::uint64_t hash, std::uint32_t value) noexcept {
        if (cells_.empty()) return;
        std::size_t i = hash & mask();
        while (cells_[i].value != none && (cells_[i].value != value || cells_[i].hash != hash)) i = (i + 1) & mask();
        if (cells_[i].value == none) return;
        --size_;
        for (std::size_t next = (i + 1) & mask(); cells_[next].value != none; next = (next + 1) & mask()) {
            // It may move up unless its own place is behind the gap.
            const std::size_t home = cells_[next].hash & mask();
            if (((next - home) & mask()) < ((next - i) & mask())) continue;
            cells_[i] = cells_[next];
            i = next;
        }
        cells_[i].value = none;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    struct cell {
        std::uint64_t hash = 0;
        std::uint32_t value = none;
    };
    [[nodiscard]] std::size_t mask() const noexcept { return cells_.size() - 1; }
    void place(std::uint64_t hash, std::uint32_t value) noexcept {
        std::size_t i = hash & mask();
        while (cells_[i].value != none) i = (i + 1) & mask();
        cells_[i] = {hash, value};
    }
    void grow() {
        std::vector<cell> old(cells_.empty() ? 64 : cells_.size() * 2);
        old.swap(cells_);
        for (const cell& c : old) {
            if (c.value != none) place(c.hash, c.value);
        }
    }
    std::vector<cell> cells_;
    std::size_t size_ = 0;
};

class row_table {
public:
    [[nodiscard]] known_row& operator[](std::uint32_t i) noexcept { return rows_[i]; }
    [[nodiscard]] const known_row& operator[](std::uint32_t i) const noexcept { return rows_[i]; }

    [[nodiscard]] std::uint32_t find(const known_class& of, std::string_view key) const {
        return by_key_.find(hash_of(of, key),
                            [&](std::uint32_t i) { return rows_[i].of == &of && rows_[i].key == key; });
    }
    std::uint32_t find_or_add(known_class& of, std::string_view key) {
        if (const std::uint32_t there = find(of, key); there != nowhere) return there;
        if (free_.empty()) {
            rows_.emplace_back();
            free_.push_back(static_cast<std::uint32_t>(rows_.size() - 1));
        }
        const std::uint32_t i = free_.back();
        rows_[i].key = key;
        by_key_.add(hash_of(of, key), i);
        rows_[i].of = &of;
        free_.pop_back();
        return i;
    }
    /// Unless somebody still has to do with it.
    void drop_if_unused(std::uint32_t i) noexcept {
        const known_row& r = rows_[i];
        if (r.of == nullptr || r.held() || r.request != nowhere || r.of->all_known || r.of->scans != 0) return;
        drop(i);
    }
    /// Pre: nobody has to do with it.
    void drop(std::uint32_t i) noexcept {
        known_row& r = rows_[i];
        by_key_.erase(hash_of(*r.of, r.key), i);
        r.of = nullptr;
        r.birth = 0;
        r.kept.reset();
        free_.push_back(i);
    }

    // --- by the generation of a life that has begun --------------------------------------------------------------------------

    [[nodiscard]] std::uint32_t find_begun(std::uint64_t generation) const {
        return by_begun_.find(hash_of(generation), [&](std::uint32_t i) { return rows_[i].begun == generation; });
    }
    /// `loading`: it waits for its data, and has not begun before another call without it. for_each_begun passes it by, so that a load of a
    /// million is not looked at in each tick.
    void begin(std::uint32_t i, std::uint64_t generation, any_entity_ref as, std::uint64_t tick, bool loading) {
        unbegin(i);
        // A rewind gives generations again: who had it is of a branch that was cut off.
        if (const std::uint32_t before = find_begun(generation); before != nowhere) {
            unbegin(before);
            drop_if_unused(before);
        }
        by_begun_.add(hash_of(generation), i);
        if (!loading) begun_.push_back(i);
        known_row& r = rows_[i];
        r.begun = generation;
        r.begun_as = as;
        r.begun_tick = tick;
        r.loading = loading;
    }
    void unbegin(std::uint32_t i) noexcept {
        known_row& r = rows_[i];
        if (r.begun == 0) return;
        by_begun_.erase(hash_of(r.begun), i);
        r.begun = 0;
        r.loading = r.clean = false;
    }
    /// Calls f(row) for each row with a life that has begun, and is not loading.
    template <class F>
    void for_each_begun(F&& f) {
        std::size_t kept = 0;
        for (std::size_t n = 0; n < begun_.size(); ++n) {
            const std::uint32_t i = begun_[n];
            // A row that began twice is in the list twice: the first one is enough.
            if (rows_[i].begun == 0 || rows_[i].loading) continue;
            f(i);
            if (rows_[i].begun != 0) begun_[kept++] = i;
        }
        begun_.resize(kept);
    }

    template <class F>
    void for_each(F&& f) const {
        for (std::uint32_t i = 0; i < rows_.size(); ++i) {
            if (rows_[i].of != nullptr) f(i, rows_[i]);
        }
    }
    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }

private:
    [[nodiscard]] static std::uint64_t hash_of(const known_class& of, std::string_view key) noexcept {
        return hasher{}.add(of.id).add(key).digest();
    }
    [[nodiscard]] static std::uint64_t hash_of(std::uint64_t generation) noexcept {
        return hasher{}.add(generation).digest();
    }

    std::deque<known_row> rows_;  ///< they stay where they are
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> begun_;
    number_table by_key_;
    number_table by_begun_;
};

}  // namespace lido::store_detail
