// The text form of values, for stores and tools: JSON (RFC 8259), written into memory of the caller and read within bounds. Real numbers
// are written as the shortest text that reads back as the same number; whole ones in all their digits.
//
// As with bytes, a failure is final, and the caller looks once, at the end.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/entity/schema/link.hpp>
#include <lido/entity/schema/numbers.hpp>
#include <lido/entity/schema/utf8.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#if !defined(__cpp_lib_to_chars)
#include <cstdio>
#include <cstdlib>
#endif

namespace lido {

/// Writes into memory of the caller. What does not fit is cut off, and ok() is false from then on.
class text_writer {
public:
    explicit text_writer(std::span<char> room, const link_names* links = nullptr) noexcept
        : room_(room), links_(links) {}

    void put(std::string_view characters) noexcept {
        const std::size_t left = room_.size() - size_;
        const std::size_t count = characters.size() <= left ? characters.size() : left;
        if (count != 0) std::memcpy(room_.data() + size_, characters.data(), count);
        size_ += count;
        ok_ = ok_ && count == characters.size();
    }

    void put_whole(std::integral auto number) noexcept {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
        put({digits, static_cast<std::size_t>(end - digits)});
    }

    /// NaN and infinity, which JSON does not have, are null.
    void put_real(std::floating_point auto number) noexcept {
        if (!entity_detail::is_finite(number)) return put("null");
        char digits[40];
#if defined(__cpp_lib_to_chars)
        const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
        put({digits, static_cast<std::size_t>(end - digits)});
#else
        // Not the shortest where the library cannot say which that is, but the same number when it is read.
        const int size =
            std::snprintf(digits, sizeof(digits), "%.*g", std::numeric_limits<decltype(number)>::max_digits10,
                          static_cast<double>(number));
        put({digits, static_cast<std::size_t>(size)});
#endif
    }

    /// In quotes. Bytes that are no UTF-8 become U+FFFD each.
    void put_string(std::string_view characters) noexcept {
        put("\"");
        while (!characters.empty()) {
            std::size_t length = entity_detail::character_length(characters);
            if (length == 0 && characters.front() != '\0') {
                put("\\ufffd");
                length = 1;
            } else if (length <= 1) {
                put_ascii(characters.front());
                length = 1;
            } else {
                put(characters.substr(0, length));
            }
            characters.remove_prefix(length);
        }
        put("\"");
    }

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    /// All that fitted.
    [[nodiscard]] std::string_view written() const noexcept { return {room_.data(), size_}; }
    [[nodiscard]] const link_names* links() const noexcept { return links_; }

private:
    void put_ascii(char c) noexcept {
        constexpr const char* hex = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            const char escaped[2] = {'\\', c};
            put({escaped, 2});
        } else if (byte < 0x20 || byte == 0x7f) {
            const char escaped[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
            put({escaped, 6});
        } else {
            put({&c, 1});
        }
    }

    std::span<char> room_;
    const link_names* links_;
    std::size_t size_ = 0;
    bool ok_ = true;
};

/// Reads JSON, one token after the other.
class text_reader {
public:
    /// How deep values that are skipped may be nested. Those that are read are as deep as the type that they are read into.
    static constexpr unsigned deepest = 64;

    explicit text_reader(std::string_view from, link_names* links = nullptr) noexcept
        : from_(from), at_(0), links_(links) {}

    /// The next character that is no space; NUL at the end, or after a failure.
    [[nodiscard]] char peek() noexcept {
        while (at_ < from_.size() && is_space(from_[at_])) ++at_;
        return ok_ && at_ < from_.size() ? from_[at_] : '\0';
    }

    /// Whether `c` is next, which is then behind.
    [[nodiscard]] bool accept(char c) noexcept {
        if (peek() != c || c == '\0') return false;
        ++at_;
        return true;
    }
    void expect(char c) noexcept {
        if (!accept(c)) fail();
    }

    /// true, false or null.
    [[nodiscard]] bool accept_word(std::string_view word) noexcept {
        static_cast<void>(peek());
        if (!ok_ || from_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    /// The characters of a number as JSON has them, empty after a failure.
    [[nodiscard]] std::string_view get_number() noexcept {
        static_cast<void>(peek());
        const std::size_t begin = at_;
        if (next_is('-')) ++at_;
        if (next_is('0')) {
            ++at_;
        } else {
            digits();
        }
        if (next_is('.')) {
            ++at_;
            digits();
        }
        if (next_is('e') || next_is('E')) {
            ++at_;
            if (next_is('+') || next_is('-')) ++at_;
            digits();
        }
        return ok_ ? from_.substr(begin, at_ - begin) : std::string_view();
    }

    /// One character of a string after another, as UTF-8. Between `begin_string` and its false the only call that may be made.
    void begin_string() noexcept { expect('"'); }
    [[nodiscard]] bool next_character(char (&out)[4], std::size_t& size) noexcept {
        if (!ok_ || at_ >= from_.size()) {
            fail();
            return false;
        }
        const char c = from_[at_];
        if (c == '"') {
            ++at_;
            return false;
        }
        if (c == '\\') return escape(out, size);
        size = entity_detail::character_length(from_.substr(at_));
        if (size == 0 || static_cast<unsigned char>(c) < 0x20) {
            fail();
            return false;
        }
        std::memcpy(out, from_.data() + at_, size);
        at_ += size;
        return true;
    }

    /// A whole string, at most `room` bytes of it; longer is a failure. Returns its length.
    [[nodiscard]] std::size_t get_string(std::span<char> room) noexcept {
        std::size_t length = 0;
        begin_string();
        char c[4];
        std::size_t size = 0;
        while (ok_ && next_character(c, size)) {
            if (size > room.size() - length) {
                fail();
                break;
            }
            std::memcpy(room.data() + length, c, size);
            length += size;
        }
        return ok_ ? length : 0;
    }

    /// A value of any kind, which is returned as it stands.
    std::string_view skip_value() noexcept {
        static_cast<void>(peek());
        const std::size_t begin = at_;
        unsigned depth = 0;
        std::uint64_t objects = 0;  // a bit a level: an object, and no array
        do {
            skip_one(depth, objects);
        } while (ok_ && depth != 0);
        return ok_ ? from_.substr(begin, at_ - begin) : std::string_view();
    }

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    /// Nothing is left, and nothing failed.
    [[nodiscard]] bool done() noexcept { return peek() == '\0' && ok_ && at_ == from_.size(); }
    [[nodiscard]] link_names* links() const noexcept { return links_; }

    void fail() noexcept { ok_ = false; }

private:
    [[nodiscard]] static bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
    [[nodiscard]] bool next_is(char c) const noexcept { return at_ < from_.size() && from_[at_] == c; }

    void digits() noexcept {
        const std::size_t begin = at_;
        while (at_ < from_.size() && from_[at_] >= '0' && from_[at_] <= '9') ++at_;
        if (at_ == begin) fail();
    }

    [[nodiscard]] unsigned hex4() noexcept {
        unsigned code = 0;
        if (from_.size() - at_ < 4) {
            fail();
            return 0;
        }
        for (unsigned i = 0; i < 4; ++i) {
            const char c = from_[at_++];
            const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                                   : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                                   : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                                          : 16;
            if (digit == 16) fail();
            code = code * 16 + (digit & 15);
        }
        return code;
    }

    /// At the backslash.
    [[nodiscard]] bool escape(char (&out)[4], std::size_t& size) noexcept {
        ++at_;
        const char c = at_ < from_.size() ? from_[at_++] : '\0';
        constexpr std::string_view names = "\"\\/bfnrt";
        constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
        if (const std::size_t which = names.find(c); which != std::string_view::npos && c != '\0') {
            out[0] = meant[which];
            size = 1;
            return true;
        }
        if (c != 'u') {
            fail();
            return false;
        }
        unsigned code = hex4();
        if (code >= 0xd800 && code < 0xdc00) {
            const bool low_follows = ok_ && from_.substr(at_, 2) == "\\u";
            if (low_follows) at_ += 2;
            const unsigned low = low_follows ? hex4() : 0;
            if (low < 0xdc00 || low > 0xdfff) fail();
            code = 0x10000 + ((code - 0xd800) << 10) + (low & 0x3ffu);
        } else if (code >= 0xdc00 && code <= 0xdfff) {
            fail();
        }
        put_code(code, out, size);
        return ok_;
    }

    static void put_code(unsigned code, char (&out)[4], std::size_t& size) noexcept {
        const auto tail = [code](unsigned shift) { return static_cast<char>(0x80u | ((code >> shift) & 0x3fu)); };
        if (code < 0x80) {
            size = 1;
            out[0] = static_cast<char>(code);
        } else if (code < 0x800) {
            size = 2;
            out[0] = static_cast<char>(0xc0u | (code >> 6));
            out[1] = tail(0);
        } else if (code < 0x10000) {
            size = 3;
            out[0] = static_cast<char>(0xe0u | (code >> 12));
            out[1] = tail(6);
            out[2] = tail(0);
        } else {
            size = 4;
            out[0] = static_cast<char>(0xf0u | (code >> 18));
            out[1] = tail(12);
            out[2] = tail(6);
            out[3] = tail(0);
        }
    }

    void skip_string() noexcept {
        begin_string();
        char c[4];
        std::size_t size = 0;
        while (ok_ && next_character(c, size)) {
        }
    }

    /// A value that has no others in it, or the beginning of one that has; and then what ends there.
    void skip_one(unsigned& depth, std::uint64_t& objects) noexcept {
        const char c = peek();
        if (c == '{' || c == '[') {
            ++at_;
            const bool object = c == '{';
            if (!accept(object ? '}' : ']')) {
                if (depth == deepest) return fail();
                objects = objects << 1 | (object ? 1u : 0u);
                ++depth;
                if (object) skip_name();
                return;
            }
        } else if (c == '"') {
            skip_string();
        } else if (!accept_word("true") && !accept_word("false") && !accept_word("null")) {
            static_cast<void>(get_number());
        }
        while (ok_ && depth != 0) {
            const bool object = (objects & 1u) != 0;
            if (accept(',')) {
                if (object) skip_name();
                return;
            }
            expect(object ? '}' : ']');
            objects >>= 1;
            --depth;
        }
    }

    void skip_name() noexcept {
        skip_string();
        expect(':');
    }

    std::string_view from_;
    std::size_t at_;
    link_names* links_;
    bool ok_ = true;
};

}  // namespace lido
