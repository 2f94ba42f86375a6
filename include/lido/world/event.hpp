// event: something that many may listen to. Listeners may come and go, and the event may fire again, while it fires.
//
//   listeners  | call, number | call, number | 0: left, swept after the outermost firing | ...     in the order they came
//
// WE1. Numbers rise along the list; 0 marks one that has left. Without a firing under way there is none.
// WE2. Who connects during a firing is not called by it; who disconnects before it was called, neither.
//
// Listeners are delegates (32 bytes, no heap), so an event can be copied, and a rewind of what holds it brings back who listened.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/delegate.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lido {

/// Names one listener of one event. Zero names none.
struct connection {
    std::uint64_t number = 0;
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return number != 0; }
    friend constexpr bool operator==(connection, connection) noexcept = default;
};

template <class... Args>
class event {
public:
    /// Room for a world and a reference, the captures of the most natural listener there is, and one pointer more.
    using listener = delegate<void(Args...), 32>;

    event() = default;
    /// A copy has the listeners, and is not firing.
    event(const event& other) : listeners_(other.listeners_), last_(other.last_) { sweep(); }
    event& operator=(const event& other) {
        if (this != &other) {
            listeners_ = other.listeners_;
            last_ = other.last_;
            sweep();
        }
        return *this;
    }
    event(event&& other) noexcept : listeners_(std::move(other.listeners_)), last_(other.last_) { sweep(); }
    event& operator=(event&& other) noexcept {
        if (this != &other) {
            listeners_ = std::move(other.listeners_);
            last_ = other.last_;
            sweep();
        }
        return *this;
    }
    ~event() = default;

    /// Pre: `call` is not empty.
    connection connect(listener call) {
        LIDO_ASSERT(static_cast<bool>(call), "event: an empty delegate cannot listen");
        listeners_.push_back({call, ++last_});
        return {last_};
    }

    /// False when it has left before.
    bool disconnect(connection who) noexcept {
        for (std::size_t i = 0; i < listeners_.size(); ++i) {
            if (who.number == 0 || listeners_[i].number != who.number) continue;
            listeners_[i].number = 0;
            if (firing_ == 0) sweep();
            return true;
        }
        return false;
    }

    /// Everybody leaves. The memory stays, for the next life.
    void disconnect_all() noexcept {
        for (entry& e : listeners_) e.number = 0;
        if (firing_ == 0) listeners_.clear();
    }

    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t n = 0;
        for (const entry& e : listeners_) n += e.number != 0 ? 1 : 0;
        return n;
    }
    [[nodiscard]] LIDO_INLINE bool empty() const noexcept { return listeners_.empty() || size() == 0; }

    /// Calls every listener, in the order they came. Throws: what one throws; those after it are not called.
    void fire(Args... args) {
        const busy guard(*this);
        const std::uint64_t until = last_;
        for (std::size_t i = 0; i < listeners_.size(); ++i) {
            const entry e = listeners_[i];  // a copy: the list may move while it is called
            if (e.number > until) break;
            if (e.number != 0) e.call(args...);
        }
    }

    /// The same, each call through `keep(f)`: one that keeps what `f()` throws lets the others be called.
    template <class Keep>
    void fire_each(Keep&& keep, Args... args) {
        const busy guard(*this);
        const std::uint64_t until = last_;
        for (std::size_t i = 0; i < listeners_.size(); ++i) {
            const entry e = listeners_[i];
            if (e.number > until) break;
            if (e.number != 0) keep([&] { e.call(args...); });
        }
    }

private:
    struct entry {
        listener call;
        std::uint64_t number;
    };

    struct busy {
        event& of;
        explicit busy(event& e) noexcept : of(e) { ++of.firing_; }
        busy(const busy&) = delete;
        busy& operator=(const busy&) = delete;
        ~busy() {
            if (--of.firing_ == 0) of.sweep();
        }
    };

    void sweep() noexcept {
        std::erase_if(listeners_, [](const entry& e) { return e.number == 0; });
    }

    std::vector<entry> listeners_;
    std::uint64_t last_ = 0;
    std::uint32_t firing_ = 0;
};

}  // namespace lido
