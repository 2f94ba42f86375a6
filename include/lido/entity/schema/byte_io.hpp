// Bytes that are written and read one value after the other, within bounds: little endian, no padding. What does not fit, or is not
// there, fails once and for all: every later call does nothing, and the caller looks once, at the end.
#pragma once

#include <lido/entity/schema/link.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace lido {

/// Writes into memory of the caller. `links` exchanges links for names; without it their bits are written as they are, which only the
/// same stage can read.
class byte_writer {
public:
    explicit byte_writer(std::span<std::byte> room, const link_names* links = nullptr) noexcept
        : room_(room), links_(links) {}

    /// The `count` lowest bytes of a number. Pre: count <= 8.
    void put(std::uint64_t number, std::size_t count) noexcept {
        if (std::byte* at = take(count)) {
            for (std::size_t i = 0; i < count; ++i) at[i] = static_cast<std::byte>(number >> (8 * i));
        }
    }

    void put_bytes(const void* from, std::size_t count) noexcept {
        if (std::byte* at = take(count); at != nullptr && count != 0) std::memcpy(at, from, count);
    }

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    /// What was written; empty after a failure.
    [[nodiscard]] std::span<const std::byte> written() const noexcept {
        return ok_ ? room_.first(size_) : room_.first(0);
    }
    [[nodiscard]] const link_names* links() const noexcept { return links_; }

    void fail() noexcept { ok_ = false; }

private:
    [[nodiscard]] std::byte* take(std::size_t count) noexcept {
        if (!ok_ || count > room_.size() - size_) {
            ok_ = false;
            return nullptr;
        }
        std::byte* at = room_.data() + size_;
        size_ += count;
        return at;
    }

    std::span<std::byte> room_;
    const link_names* links_;
    std::size_t size_ = 0;
    bool ok_ = true;
};

/// Reads what a byte_writer wrote, or what somebody claims that it wrote.
class byte_reader {
public:
    explicit byte_reader(std::span<const std::byte> from, link_names* links = nullptr) noexcept
        : left_(from), links_(links) {}

    /// 0 after a failure. Pre: count <= 8.
    [[nodiscard]] std::uint64_t get(std::size_t count) noexcept {
        const std::byte* at = take(count);
        std::uint64_t number = 0;
        if (at == nullptr) return number;
        for (std::size_t i = 0; i < count; ++i) number |= static_cast<std::uint64_t>(at[i]) << (8 * i);
        return number;
    }

    /// Empty after a failure, too.
    [[nodiscard]] std::span<const std::byte> get_bytes(std::size_t count) noexcept {
        const std::byte* at = take(count);
        return at != nullptr ? std::span<const std::byte>(at, count) : std::span<const std::byte>();
    }

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    /// All of it was read, and nothing failed.
    [[nodiscard]] bool done() const noexcept { return ok_ && left_.empty(); }
    [[nodiscard]] std::size_t left() const noexcept { return ok_ ? left_.size() : 0; }
    [[nodiscard]] link_names* links() const noexcept { return links_; }

    void fail() noexcept { ok_ = false; }

private:
    [[nodiscard]] const std::byte* take(std::size_t count) noexcept {
        if (!ok_ || count > left_.size()) {
            ok_ = false;
            return nullptr;
        }
        const std::byte* at = left_.data();
        left_ = left_.subspan(count);
        return at;
    }

    std::span<const std::byte> left_;
    link_names* links_;
    bool ok_ = true;
};

}  // namespace lido
