// The classes of a world: by number, by C++ type, by name.
//
//   classes   | 0 | 1 | - | 3 | ...        in the order in which they were added; a removed one leaves its number unused
//   living    | 0 | 1 | 3 | ...            those that are there, in the order of their numbers: what a tick goes by
//   quick     | id, class | - | id, class | - |  64        one place a type: its offset is known when a spawn is compiled
//   by type   | id, first, only | - | ... |                all of them; open addressing, a power of two, at most half full
//   by name   | id, class | - | id, class | - |            the same, by the id that a name makes (class_id.hpp)
//
// A type that several classes have has no class in `quick` and no `only`: a spawn that does not say which finds none, at no cost to others.
//
// A number is never given again, because references name it. A class that was removed costs its eight bytes in `classes` from then on,
// and no time.
#pragma once

#include <lido/core/config.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/world_class.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::world_detail {

class class_table {
public:
    /// One past the highest number ever given.
    [[nodiscard]] class_number size() const noexcept { return count_; }

    /// Null for a number that was never given, and for a class that was removed.
    [[nodiscard]] LIDO_INLINE world_class* by_number(class_number n) const noexcept {
        return n < size() ? classes_[n].get() : nullptr;
    }

    /// Those that are there, in the order of their numbers. Invalidates: add, remove and take_back change it.
    [[nodiscard]] std::span<world_class* const> living() const noexcept { return living_; }

    /// The only class of that type; null when there is none, and when there are several.
    [[nodiscard]] LIDO_INLINE world_class* only_of_type(std::uint64_t id) const noexcept {
        const entry& e = quick_[id % quick_places];
        return e.id == id ? e.which : only_among_all(id);
    }
    /// Null when no class has that type.
    [[nodiscard]] world_class* first_of_type(std::uint64_t id) const noexcept { return by_type_[place_of(id)].first; }

    [[nodiscard]] world_class* by_name(std::string_view name) const noexcept {
        world_class* const c = by_id(class_id_of(name));
        return c != nullptr && c->name() == name ? c : nullptr;
    }

    [[nodiscard]] world_class* by_id(class_id id) const noexcept {
        for (std::size_t at = id & mask_; by_name_[at].which != nullptr; at = (at + 1) & mask_) {
            if (by_name_[at].id == id) return by_name_[at].which;
        }
        return nullptr;
    }

    /// Pre: no class has its id. Throws: std::bad_alloc; nothing is added then.
    void add(std::unique_ptr<world_class> c) {
        // All memory first.
        make_room_in(classes_);
        make_room_in(living_);
        if ((living_.size() + 1) * 2 > by_type_.size()) index(living_.size() + 1);
        world_class& added = *classes_.emplace_back(std::move(c));
        count_ = static_cast<class_number>(classes_.size());
        living_.push_back(&added);
        enter(added);
    }

    void remove(class_number n) {
        // Destructors of its objects may ask the world, which must not find it any more.
        const std::unique_ptr<world_class> gone = std::move(classes_[n]);
        living_.erase(std::find(living_.begin(), living_.end(), gone.get()));
        index(living_.size());
    }

    /// As if it had never been added; where others have been added since, its number stays unused.
    void take_back(class_number n) {
        remove(n);
        if (n + 1 == count_) {
            classes_.pop_back();
            count_ = n;
        }
    }

    /// Other numbers for the classes that are there, with memory for them, so that renumber() cannot fail.
    struct arrangement {
        std::vector<world_class*> by_number;  ///< null: that number is of no class
        std::vector<std::unique_ptr<world_class>> classes;
        std::vector<world_class*> living;
    };
    /// `by_number` has each class that is there once. Throws: std::bad_alloc.
    [[nodiscard]] arrangement arrange(std::vector<world_class*> by_number) const {
        arrangement to;
        to.classes.resize(by_number.size());
        to.living.reserve(living_.size());
        to.by_number = std::move(by_number);
        return to;
    }
    /// Pre: arrange() made it, and no class came or went since.
    void renumber(arrangement& to) noexcept {
        for (class_number n = 0; n < to.by_number.size(); ++n) {
            world_class* const c = to.by_number[n];
            if (c == nullptr) continue;
            to.classes[n] = std::move(classes_[c->number()]);
            to.living.push_back(c);
        }
        for (class_number n = 0; n < to.by_number.size(); ++n) {
            if (to.by_number[n] != nullptr) to.by_number[n]->set_number(n);
        }
        classes_.swap(to.classes);
        living_.swap(to.living);
        count_ = static_cast<class_number>(classes_.size());
        index(living_.size());  // as many classes as before: there is room
    }

    /// "a, b, c", or "none".
    [[nodiscard]] std::string names() const {
        return names([](const world_class&) { return true; });
    }
    [[nodiscard]] std::string names_of_type(std::uint64_t id) const {
        return names([id](const world_class& c) { return c.type_id() == id; });
    }

private:
    template <class Which>
    [[nodiscard]] std::string names(Which&& which) const {
        std::string all;
        for (const world_class* const c : living_) {
            if (!which(*c)) continue;
            if (!all.empty()) all += ", ";
            all += c->shown_name();
        }
        return all.empty() ? "none" : all;
    }

    struct entry {
        std::uint64_t id = 0;
        world_class* which = nullptr;
    };
    struct type_entry {
        std::uint64_t id = 0;
        world_class* first = nullptr;
        world_class* only = nullptr;  ///< null when there are several
    };

    /// Where the type is, or would be.
    [[nodiscard]] std::size_t place_of(std::uint64_t id) const noexcept {
        std::size_t at = id & mask_;
        while (by_type_[at].first != nullptr && by_type_[at].id != id) at = (at + 1) & mask_;
        return at;
    }
    LIDO_NOINLINE world_class* only_among_all(std::uint64_t id) const noexcept { return by_type_[place_of(id)].only; }

    template <class V>
    static void make_room_in(V& v) {
        if (v.size() == v.capacity()) v.reserve(v.size() * 2 + 4);
    }

    /// For so many classes. Throws: std::bad_alloc, where that is more than ever; the tables are as they were then.
    void index(std::size_t classes) {
        std::size_t room = by_type_.size();
        while (room < classes * 2) room *= 2;
        if (room != by_type_.size()) {
            std::vector<type_entry> types(room);
            std::vector<entry> names(room);
            by_type_.swap(types);
            by_name_.swap(names);
            mask_ = room - 1;
        } else {
            std::fill(by_type_.begin(), by_type_.end(), type_entry{});
            std::fill(by_name_.begin(), by_name_.end(), entry{});
        }
        quick_.fill({});
        for (world_class* const c : living_) enter(*c);
    }

    /// Pre: there is room.
    void enter(world_class& c) {
        std::size_t at = class_id_of(c.name()) & mask_;
        while (by_name_[at].which != nullptr) at = (at + 1) & mask_;
        by_name_[at] = {class_id_of(c.name()), &c};

        const std::uint64_t type = c.type_id();
        type_entry& e = by_type_[place_of(type)];
        entry& q = quick_[type % quick_places];
        if (e.first == nullptr) {
            e = {type, &c, &c};
            if (q.id == 0) q = {type, &c};
        } else {
            e.only = nullptr;
            if (q.id == type) q.which = nullptr;
        }
    }

    static constexpr std::size_t quick_places = 64;

    std::array<entry, quick_places> quick_ = {};
    std::vector<type_entry> by_type_ = std::vector<type_entry>(4);
    std::vector<entry> by_name_ = std::vector<entry>(4);
    std::size_t mask_ = 3;
    class_number count_ = 0;
    std::vector<std::unique_ptr<world_class>> classes_;
    std::vector<world_class*> living_;
};

}  // namespace lido::world_detail
