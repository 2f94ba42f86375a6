#include "json_form.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace lido::store_detail {

namespace {

/// The most digits that exponents may add: jsonb writes 1e300 as 301 digits, and a text of 1 GiB can be read no more.
constexpr std::uint64_t most_digits = std::uint64_t{256} << 20;

class json_reader {
public:
    explicit json_reader(std::string_view text) : text_(text) {}

    json_form read() {
        json_form form;
        while (at_ < text_.size() && form.refused.empty()) {
            switch (const char c = text_[at_]) {
                case '{':
                case '[':
                    levels_.push_back({keys_.size(), c == '{'});
                    key_next_ = c == '{';
                    ++at_;
                    break;
                case '}':
                case ']':
                    if (levels_.empty()) return form;
                    close(form);
                    ++at_;
                    break;
                case ',':
                    key_next_ = !levels_.empty() && levels_.back().object;
                    ++at_;
                    break;
                case '"':
                    if (!string(form)) return form;
                    break;
                default:
                    if (c == '-' || (c >= '0' && c <= '9'))
                        number(form);
                    else
                        ++at_;
            }
        }
        return form;
    }

private:
    struct level {
        std::size_t first_key;
        bool object;
    };

    /// False where it does not end.
    bool string(json_form& form) {
        const std::size_t begin = ++at_;
        bool escapes = false;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (text_[at_] != '\\') continue;
            escapes = true;
            if (text_.substr(at_, 6) == "\\u0000") {
                form.refused = "a text in it has a NUL (\\u0000), which PostgreSQL does not keep";
                return false;
            }
            ++at_;
        }
        if (at_ >= text_.size()) return false;
        const std::string_view inside = text_.substr(begin, at_++ - begin);
        if (!key_next_) return true;
        key_next_ = false;
        keys_.push_back(escapes ? std::string_view(plain_.emplace_back(without_escapes(inside))) : inside);
        return true;
    }

    void number(json_form& form) {
        const bool negative = text_[at_] == '-';
        bool zero = true;
        bool in_exponent = false;
        std::uint64_t exponent = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == 'e' || c == 'E') {
                in_exponent = true;
            } else if (c >= '0' && c <= '9') {
                if (in_exponent)
                    exponent = std::min<std::uint64_t>(exponent * 10 + static_cast<std::uint64_t>(c - '0'), 1u << 20);
                else
                    zero = zero && c == '0';
            } else if (c != '-' && c != '+' && c != '.') {
                break;
            }
        }
        if (negative && zero) form.needs_text = true;
        digits_ += exponent;
        if (digits_ > most_digits)
            form.refused = "its numbers have such exponents that their digits take more than 256 MiB";
    }

    void close(json_form& form) {
        const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(levels_.back().first_key);
        std::sort(first, keys_.end());
        if (const auto twice = std::adjacent_find(first, keys_.end()); twice != keys_.end())
            form.refused = "the name \"" + std::string(twice->substr(0, 64)) +
                           "\" is in an object of it twice, and PostgreSQL would keep one of the two";
        keys_.erase(first, keys_.end());
        levels_.pop_back();
        key_next_ = false;
    }

    static std::string without_escapes(std::string_view inside) {
        std::string plain;
        for (std::size_t i = 0; i < inside.size(); ++i) {
            if (inside[i] != '\\' || i + 1 >= inside.size()) {
                plain += inside[i];
                continue;
            }
            const char c = inside[++i];
            if (c != 'u') {
                plain += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
                continue;
            }
            std::uint32_t code = unit_at(inside, i + 1);
            i += 4;
            if ((code & 0xfc00u) == 0xd800u && inside.substr(std::min(i + 1, inside.size()), 2) == "\\u") {
                code = 0x10000u + ((code & 0x3ffu) << 10) + (unit_at(inside, i + 3) & 0x3ffu);
                i += 6;
            }
            put_character(plain, code);
        }
        return plain;
    }

    static std::uint32_t unit_at(std::string_view text, std::size_t at) {
        std::uint32_t code = 0;
        for (std::size_t i = at; i < at + 4 && i < text.size(); ++i) {
            const char c = text[i];
            const int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
            code = (code << 4) | static_cast<std::uint32_t>(digit & 15);
        }
        return code;
    }

    static void put_character(std::string& to, std::uint32_t code) {
        const auto put = [&](std::uint32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
        if (code < 0x80) return put(code);
        if (code < 0x800) {
            put(0xc0u | (code >> 6));
        } else if (code < 0x10000) {
            put(0xe0u | (code >> 12));
            put(0x80u | ((code >> 6) & 0x3fu));
        } else {
            put(0xf0u | (code >> 18));
            put(0x80u | ((code >> 12) & 0x3fu));
            put(0x80u | ((code >> 6) & 0x3fu));
        }
        put(0x80u | (code & 0x3fu));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<level> levels_;
    std::vector<std::string_view> keys_;  // of all objects that are open, the innermost last
    std::deque<std::string> plain_;       // keys that had escapes; a deque, because views of them stay
    std::uint64_t digits_ = 0;
    bool key_next_ = false;
};

}  // namespace

json_form json_form_of(std::string_view text) { return json_reader(text).read(); }

}  // namespace lido::store_detail
