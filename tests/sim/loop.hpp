// Time of a simulation: actors that say when they act next, one thread, and a clock that jumps to the next of them. Who acts first among those of
// one moment is left to chance. Servers, clients, stores, wires and those who break them are actors; nothing here knows which.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "sim/chance.hpp"

namespace lido_sim {

using nanoseconds = std::chrono::nanoseconds;
inline constexpr nanoseconds never = (nanoseconds::max)();

class actor {
public:
    virtual ~actor() = default;
    /// When it acts next: asked again after each act of anybody. What is past is now.
    [[nodiscard]] virtual nanoseconds next(nanoseconds now) = 0;
    virtual void act(nanoseconds now) = 0;
};

class loop {
public:
    loop(chance& any, nanoseconds begin) : any_(any), now_(begin) {}

    /// Actors of one part of the world, for as long as it lives: those of a server that may be killed.
    class part {
    public:
        explicit part(loop& in) noexcept : in_(in) {}
        part(const part&) = delete;
        part& operator=(const part&) = delete;
        ~part() {
            while (!mine_.empty()) remove(*mine_.back());
        }
        void add(actor& who) {
            in_.actors_.push_back(&who);
            mine_.push_back(&who);
        }
        void remove(actor& who) {
            std::erase(in_.actors_, &who);
            std::erase(mine_, &who);
        }

    private:
        loop& in_;
        std::vector<actor*> mine_;
    };

    [[nodiscard]] nanoseconds now() const noexcept { return now_; }
    [[nodiscard]] std::uint64_t acts() const noexcept { return acts_; }

    /// Until then, or until nobody has anything to do, or `over()` after an act. True in the last case.
    template <class F>
    bool run(nanoseconds end, F&& over) {
        for (;;) {
            nanoseconds first = never;
            ready_.clear();
            for (actor* const a : actors_) {
                const nanoseconds at = (std::max)(a->next(now_), now_);
                if (at > first) continue;
                if (at < first) ready_.clear();
                first = at;
                ready_.push_back(a);
            }
            if (ready_.empty() || first == never || first > end) {
                now_ = (std::max)(now_, end);
                return false;
            }
            now_ = first;
            ready_[any_.below(ready_.size())]->act(now_);
            ++acts_;
            if (over()) return true;
        }
    }

private:
    chance& any_;
    nanoseconds now_;
    std::uint64_t acts_ = 0;
    std::vector<actor*> actors_;
    std::vector<actor*> ready_;
};

}  // namespace lido_sim
