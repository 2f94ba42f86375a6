// Things that belong to lives and are no state: resources to release, listeners to call. They cannot be copied into a save, and must all the same
// go with their lives through every rewind, each exactly once.
//
//   things   | thing 1 of life a | thing 2 of life b | thing 3 of life a | ...       serials rise and are never given again
//   a life   newest -> older -> older -> nothing
//   ended    | thing 3 | thing 1 | ...                                                last in, first out; each waits until its end is certain
//
// A save keeps three numbers: the last serial, the last end, and a sum over the things that were there. A restore
//   - drops what came after it, the newest first: those lives, or these things of them, never were;
//   - takes back what ended after it: those lives are back, with the same things;
//   - is refused before it begins where a thing that was there has been let go since.
//
// LT1. The things of a life that has not ended hang together, the newest first; `ended` has the others, in the order of their ends.
// LT2. `sum` is the sum over the serials of those that have not ended.
#pragma once

#include <lido/core/base/stats.hpp>
#include <lido/core/config.hpp>
#include <lido/entity/identity/entity_ref.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace lido::entity_detail {

template <class Thing>
class life_things {
public:
    /// What a save keeps. Trivially copyable.
    struct mark {
        std::uint64_t serial = 0;
        std::uint64_t end = 0;
        std::uint64_t sum = 0;
    };

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] std::size_t waiting() const noexcept { return ended_.size() - first_ended_; }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0 && waiting() == 0; }
    /// Of one that has not ended; null when all have.
    [[nodiscard]] any_entity_ref any_owner() const noexcept {
        for (const node& n : nodes_) {
            if (n.serial != 0 && n.end == 0) return n.of;
        }
        return {};
    }

    /// Returns its serial. Throws: std::bad_alloc; nothing has changed then.
    std::uint64_t add(any_entity_ref of, const Thing& thing) {
        heads_.reserve_one();
        if (free_ == none) {
            if (nodes_.size() == nodes_.capacity()) {
                const std::size_t room = nodes_.size() * 2 + 8;
                ended_.reserve(room * 2 + 2);  // those that were let go are in it until they are half of it
                undone_.reserve(room);
                order_.reserve(room);
                nodes_.reserve(room);
            }
            nodes_.emplace_back();
            nodes_.back().older = free_;
            free_ = static_cast<std::uint32_t>(nodes_.size() - 1);
        }
        const std::uint32_t at = free_;
        node& n = nodes_[at];
        free_ = n.older;
        n = {thing, of, ++serial_, 0, 0, heads_.exchange(of, at)};
        sum_ += mixed(n.serial);
        ++count_;
        return n.serial;
    }

    /// One thing goes by itself. Nothing for one that is not there, or has ended.
    bool end_one(std::uint64_t serial, std::uint64_t tick) noexcept {
        for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
            node& n = nodes_[at];
            if (n.serial != serial || n.end != 0 || serial == 0) continue;
            unlink(at);
            end_node(at, tick);
            return true;
        }
        return false;
    }

    /// All things of a life, the newest first.
    void end_life(any_entity_ref of, std::uint64_t tick) noexcept {
        if (count_ == 0) return;
        for (std::uint32_t at = heads_.take(of); at != none; at = nodes_[at].older) end_node(at, tick);
    }

    /// Calls f(thing) for each thing of a life, the oldest first, as long as the life has any. f may add and end things.
    template <class F>
    void for_each(any_entity_ref of, F&& f) {
        if (count_ == 0) return;
        const std::uint64_t last = serial_;
        for (std::uint64_t done = 0;;) {
            std::uint32_t next = none;
            for (std::uint32_t at = heads_.find(of); at != none; at = nodes_[at].older) {
                if (nodes_[at].serial > done && nodes_[at].serial <= last) next = at;
            }
            if (next == none) return;
            done = nodes_[next].serial;
            const Thing thing = nodes_[next].thing;  // a copy: more may come meanwhile
            f(thing);
        }
    }

    /// Lets go of what ended in ticks up to this one, in the order of the ends: f(thing).
    template <class F>
    void let_go(std::uint64_t last_tick, F&& f) noexcept {
        while (first_ended_ < ended_.size() && nodes_[ended_[first_ended_]].end_tick <= last_tick) {
            const std::uint32_t at = ended_[first_ended_++];
            const Thing thing = nodes_[at].thing;
            free_node(at);
            f(thing);
        }
        if (first_ended_ == ended_.size()) {
            ended_.clear();
            first_ended_ = 0;
        } else if (first_ended_ > ended_.size() / 2) {
            ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(first_ended_));
            first_ended_ = 0;
        }
    }

    // --- rewind ------------------------------------------------------------------------------------------------------------------

    [[nodiscard]] mark now() const noexcept { return {serial_, end_, sum_}; }

    /// Whether everything that was there can be there again.
    [[nodiscard]] bool can_restore(const mark& to) const noexcept {
        std::uint64_t sum = 0;
        for (const node& n : nodes_) {
            if (was_there(n, to)) sum += mixed(n.serial);
        }
        return sum == to.sum;
    }

    /// Pre: can_restore(). f(thing) for what never was, the newest first.
    template <class F>
    void restore(const mark& to, F&& f) noexcept {
        if (to.serial == serial_ && to.end == end_) return;
        for (node& n : nodes_) {
            if (was_there(n, to)) n.end = n.end_tick = 0;
        }
        undone_.clear();
        for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
            if (nodes_[at].serial > to.serial) undone_.push_back(at);
        }
        std::sort(undone_.begin(), undone_.end(),
                  [this](std::uint32_t a, std::uint32_t b) { return nodes_[a].serial > nodes_[b].serial; });
        // Out of reach first: what is called may look.
        ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(first_ended_));
        first_ended_ = 0;
        std::erase_if(ended_,
                      [this, &to](std::uint32_t at) { return nodes_[at].end == 0 || nodes_[at].serial > to.serial; });
        for (const std::uint32_t at : undone_) nodes_[at].end = (std::numeric_limits<std::uint64_t>::max)();
        link_again();
        for (const std::uint32_t at : undone_) {
            const Thing thing = nodes_[at].thing;
            free_node(at);
            f(thing);
        }
    }

    [[nodiscard]] verdict validate() const noexcept {
        std::uint64_t sum = 0;
        std::size_t count = 0;
        std::size_t ended = 0;
        for (const node& n : nodes_) {
            if (n.serial == 0) continue;
            if (n.end != 0) {
                ++ended;
                continue;
            }
            sum += mixed(n.serial);
            ++count;
            bool hangs = false;
            std::uint64_t before = (std::numeric_limits<std::uint64_t>::max)();
            for (std::uint32_t at = heads_.find(n.of); at != none; at = nodes_[at].older) {
                hangs = hangs || &nodes_[at] == &n;
                if (nodes_[at].serial >= before) return {"LT1: the things of a life are out of order"};
                before = nodes_[at].serial;
            }
            if (!hangs) return {"LT1: a thing does not hang with its life"};
        }
        if (ended != waiting()) return {"LT1: what has ended is not what waits"};
        return {sum == sum_ && count == count_ ? nullptr : "LT2: the sum is not that of the things"};
    }

private:
    static constexpr std::uint32_t none = 0xffffffff;

    struct node {
        Thing thing{};
        any_entity_ref of;
        std::uint64_t serial = 0;  ///< 0: free
        std::uint64_t end = 0;     ///< 0: it has not ended
        std::uint64_t end_tick = 0;
        std::uint32_t older = none;  ///< of a free one, the next free one
    };

    /// The newest thing of each life: open addressing, at most half full, pulled back as entries go.
    class head_map {
    public:
        /// Throws: std::bad_alloc.
        void reserve_one() {
            if ((size_ + 1) * 2 <= places_.size()) return;
            std::vector<place> before(places_.empty() ? 16 : places_.size() * 2);
            before.swap(places_);
            for (const place& p : before) {
                if (p.first != none) *at(p.of) = p;
            }
        }
        [[nodiscard]] std::uint32_t find(any_entity_ref of) const noexcept {
            return size_ == 0 ? none : const_cast<head_map*>(this)->at(of)->first;
        }
        /// Pre: reserve_one(). Returns what was there.
        std::uint32_t exchange(any_entity_ref of, std::uint32_t first) noexcept {
            place* const p = at(of);
            if (p->first == none) ++size_;
            p->of = of;
            return std::exchange(p->first, first);
        }
        std::uint32_t take(any_entity_ref of) noexcept {
            if (size_ == 0) return none;
            place* const p = at(of);
            const std::uint32_t first = p->first;
            if (first != none) erase(static_cast<std::size_t>(p - places_.data()));
            return first;
        }
        void clear() noexcept {
            for (place& p : places_) p = {};
            size_ = 0;
        }

    private:
        struct place {
            any_entity_ref of;
            std::uint32_t first = none;
        };
        [[nodiscard]] std::size_t home(any_entity_ref of) const noexcept {
            const auto h = std::hash<any_entity_ref>{}(of)*std::size_t{0x9e3779b9u};
            return (h ^ (h >> 15)) & (places_.size() - 1);
        }
        [[nodiscard]] place* at(any_entity_ref of) noexcept {
            std::size_t i = home(of);
            while (places_[i].first != none && places_[i].of != of) i = (i + 1) & (places_.size() - 1);
            return &places_[i];
        }
        void erase(std::size_t hole) noexcept {
            const std::size_t mask = places_.size() - 1;
            for (std::size_t i = (hole + 1) & mask; places_[i].first != none; i = (i + 1) & mask) {
                if (((i - home(places_[i].of)) & mask) < ((i - hole) & mask)) continue;
                places_[hole] = places_[i];
                hole = i;
            }
            places_[hole] = {};
            --size_;
        }

        std::vector<place> places_;
        std::size_t size_ = 0;
    };

    [[nodiscard]] static constexpr std::uint64_t mixed(std::uint64_t serial) noexcept {
        std::uint64_t x = serial * 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 32)) * 0xbb721d6f4aa0d4efu;
        return x ^ (x >> 29);
    }
    [[nodiscard]] static bool was_there(const node& n, const mark& to) noexcept {
        return n.serial != 0 && n.serial <= to.serial && (n.end == 0 || n.end > to.end);
    }

    void end_node(std::uint32_t at, std::uint64_t tick) noexcept {
        node& n = nodes_[at];
        n.end = ++end_;
        n.end_tick = tick;
        sum_ -= mixed(n.serial);
        --count_;
        ended_.push_back(at);  // there is room: add() has seen to it
    }
    void free_node(std::uint32_t at) noexcept {
        nodes_[at] = {};
        nodes_[at].older = free_;
        free_ = at;
    }
    void unlink(std::uint32_t at) noexcept {
        const any_entity_ref of = nodes_[at].of;
        std::uint32_t first = heads_.take(of);
        if (first == at) {
            first = nodes_[at].older;
        } else {
            std::uint32_t before = first;
            while (nodes_[before].older != at) before = nodes_[before].older;
            nodes_[before].older = nodes_[at].older;
        }
        if (first != none) heads_.exchange(of, first);
    }

    /// Heads, links, sum and count, of those that have not ended.
    void link_again() noexcept {
        heads_.clear();
        sum_ = 0;
        count_ = 0;
        for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
            if (nodes_[at].serial != 0 && nodes_[at].end == 0) order_.push_back(at);
        }
        std::sort(order_.begin(), order_.end(),
                  [this](std::uint32_t a, std::uint32_t b) { return nodes_[a].serial < nodes_[b].serial; });
        for (const std::uint32_t at : order_) {
            nodes_[at].older = heads_.exchange(nodes_[at].of, at);
            sum_ += mixed(nodes_[at].serial);
            ++count_;
        }
        order_.clear();
    }

    std::vector<node> nodes_;
    std::vector<std::uint32_t> ended_;
    std::size_t first_ended_ = 0;
    std::vector<std::uint32_t> undone_;  ///< for a restore
    std::vector<std::uint32_t> order_;
    head_map heads_;
    std::uint32_t free_ = none;
    std::uint64_t serial_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t sum_ = 0;
    std::size_t count_ = 0;
};

}  // namespace lido::entity_detail
