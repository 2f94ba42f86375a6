// Reads numbers and texts out of bytes that may be anything: a file of the system, a damaged one, one made to do harm.
//
//   bytes   | read already | ... | end          `at()` is the offset of the next byte
//
// B1. A read never touches a byte outside the span it was given.
// B2. A read that does not fit fails: it gives 0, and from then on nothing is left, so loops over what is left come to an end.
// B3. Every read but a skip of nothing takes at least one byte: a loop of reads is linear in the bytes.
// B4. Numbers are little-endian, whatever the machine is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace lido::symbols {

using byte_view = std::span<const std::byte>;

/// The part of `bytes` that starts at `from` and is `size` long; empty when it does not lie inside.
[[nodiscard]] inline byte_view part_of(byte_view bytes, std::uint64_t from, std::uint64_t size) noexcept {
    if (from > bytes.size() || size > bytes.size() - from) return {};
    return bytes.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size));
}

// Plain pointers and not a span inside: a debug build does not inline, and this is the innermost loop of a lookup.
class byte_reader {
public:
    byte_reader() noexcept = default;
    explicit byte_reader(byte_view bytes) noexcept
        : begin_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    [[nodiscard]] bool ok() const noexcept { return !failed_; }
    [[nodiscard]] bool any_left() const noexcept { return at_ != end_; }
    [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    [[nodiscard]] std::size_t at() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

    void fail() noexcept {
        failed_ = true;
        at_ = end_;
    }

    /// Goes to an offset; fails when it lies past the end.
    void seek(std::uint64_t offset) noexcept {
        if (offset > static_cast<std::size_t>(end_ - begin_)) return fail();
        if (!failed_) at_ = begin_ + offset;
    }

    void skip(std::uint64_t bytes) noexcept {
        if (bytes > left()) return fail();
        at_ += bytes;
    }

    [[nodiscard]] std::uint8_t byte() noexcept {
        if (at_ == end_) {
            fail();
            return 0;
        }
        return static_cast<std::uint8_t>(*at_++);
    }

    /// A number of `bytes` <= 8 bytes.
    [[nodiscard]] std::uint64_t fixed(std::size_t bytes) noexcept {
        if (bytes > left() || bytes > 8) {
            fail();
            return 0;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(at_[i]) << (8 * i);
        at_ += bytes;
        return value;
    }

    /// Seven bits a byte, lowest first (LEB128). Bits past the 64th are dropped.
    [[nodiscard]] std::uint64_t uleb() noexcept { return leb(false); }
    [[nodiscard]] std::int64_t sleb() noexcept { return static_cast<std::int64_t>(leb(true)); }

    /// Up to the next zero byte, which is taken too. Without one it fails: nothing says where the text would end.
    [[nodiscard]] std::string_view text() noexcept {
        const void* const zero = any_left() ? std::memchr(at_, 0, left()) : nullptr;
        if (zero == nullptr) {
            fail();
            return {};
        }
        const auto* const from = reinterpret_cast<const char*>(at_);
        at_ = static_cast<const std::byte*>(zero) + 1;
        return {from, static_cast<std::size_t>(static_cast<const char*>(zero) - from)};
    }

private:
    [[nodiscard]] std::uint64_t leb(bool is_signed) noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0; at_ != end_;) {
            const auto part = static_cast<std::uint64_t>(*at_++);
            if (shift < 64) value |= (part & 0x7f) << shift;
            if (shift < 64) shift += 7;
            if ((part & 0x80) != 0) continue;
            if (is_signed && (part & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
            return value;
        }
        fail();
        return 0;
    }

    const std::byte* begin_ = nullptr;
    const std::byte* at_ = nullptr;
    const std::byte* end_ = nullptr;
    bool failed_ = false;
};

/// The text at `offset` of a table of texts; null data when there is none.
[[nodiscard]] inline std::string_view text_at(byte_view texts, std::uint64_t offset) noexcept {
    byte_reader r(texts);
    r.seek(offset);
    return r.text();
}

}  // namespace lido::symbols
