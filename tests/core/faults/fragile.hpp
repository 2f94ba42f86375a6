// An element for the walks of failures: constructor and copy throw when asked to, the move never does.
#pragma once

#include "support/lifetime.hpp"

#include <lido/core/meta/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace lido::test {

/// One plan for all of them: the nth step from now throws injected_failure, once.
class failure_plan {
public:
    static void fail_at(std::size_t nth) { left() = nth; }
    static void never() { left() = 0; }
    /// Stops the count; fail_at() of the answer goes on.
    [[nodiscard]] static std::size_t suspend() { return std::exchange(left(), 0); }
    static void step() {
        if (left() != 0 && --left() == 0) {
            throw injected_failure{};
        }
    }

private:
    static std::size_t& left() {
        static std::size_t n = 0;
        return n;
    }
};

class fragile {
public:
    explicit fragile(int value) : body_((failure_plan::step(), value)) {}
    fragile(const fragile& other) : body_((failure_plan::step(), other.body_)) {}
    fragile(fragile&& other) noexcept : body_(std::move(other.body_)) {}
    fragile& operator=(const fragile&) = delete;
    fragile& operator=(fragile&&) = delete;
    ~fragile() = default;

    [[nodiscard]] int read() const { return body_.value(); }
    [[nodiscard]] static std::size_t live() { return decltype(body_)::counts().live; }
    void hash(lido::hasher& h) const { h.add(static_cast<std::uint64_t>(body_.value())); }

private:
    tracked<tracked_policy{}, fragile> body_;
};

}  // namespace lido::test
