// lido: the name of a type as text, and a 64-bit identity made from it, without RTTI.
//
// The compiler's own spelling of a function signature is cut and normalised, so that GCC, Clang and MSVC agree and an
// identity can be written into a save, a trace or a packet. What the normalising does:
//   - "struct ", "class ", "enum ", "union " (MSVC) go;         - a space stays only between two words;
//   - integers have one spelling ("unsigned long", not "long unsigned int");
//   - an unnamed namespace is "(anonymous)";                    - literal suffixes go ("3U" is "3");
//   - inline namespaces of standard libraries go ("std::__cxx11::", "std::__1::").
//
// Where compilers cannot agree, because they print different facts and not only different text: local types (GCC prints
// the function, Clang does not), lambdas, unnamed types, templates with default arguments on MSVC (it prints them),
// enum values and addresses as template arguments, and aliases whose target is platform-defined (std::size_t). Do not
// store the identity of such a type. Two types that print alike have one identity: local types of one name in two
// functions, or types of one name in the unnamed namespaces of two files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lido {
namespace detail {

// Returns a plain pointer and takes one type only: any alias in the signature would make GCC append "; alias = ...".
template <class T>
constexpr const char* raw_signature() noexcept {
#if defined(_MSC_VER) && !defined(__clang__)
    return __FUNCSIG__;
#else
    return __PRETTY_FUNCTION__;
#endif
}

// The text around the name is measured on a type whose spelling is known, so no compiler's format is written down here.
template <class T>
constexpr std::string_view raw_type_name() noexcept {
    constexpr std::string_view probe = raw_signature<double>();
    constexpr std::size_t before = probe.rfind("double");
    constexpr std::size_t after = probe.size() - before - std::string_view{"double"}.size();
    std::string_view text = raw_signature<T>();
    text.remove_prefix(before);
    text.remove_suffix(after);
    return text;
}

constexpr bool is_word_char(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// One pass over a spelling, writing its normal form, which is at most 2 n + 16 long.
template <std::size_t Capacity>
class name_writer {
public:
    constexpr explicit name_writer(std::string_view in) noexcept : in_{in} {
        while (!in_.empty()) {
            step();
        }
        flush_integer();
    }

    constexpr std::string_view text() const noexcept { return {out_.data(), size_}; }

private:
    constexpr void step() noexcept {
        for (std::string_view unnamed :
             {"{anonymous}", "(anonymous namespace)", "<unnamed>", "`anonymous-namespace'", "`anonymous namespace'"}) {
            if (in_.starts_with(unnamed)) {
                flush_integer();
                put("(anonymous)");
                in_.remove_prefix(unnamed.size());
                return;
            }
        }
        const char c = in_.front();
        if (c == ' ') {
            in_.remove_prefix(1);
        } else if (is_word_char(c)) {
            word();
        } else if (c == '\'') {
            literal();
        } else {
            flush_integer();
            put(in_.substr(0, 1));
            in_.remove_prefix(1);
        }
    }

    constexpr void word() noexcept {
        std::size_t n = 1;
        while (n < in_.size() && is_word_char(in_[n])) {
            ++n;
        }
        std::string_view w = in_.substr(0, n);
        in_.remove_prefix(n);
        if (integer_word(w)) {
            return;
        }
        flush_integer();
        // These are keywords, so no type can have such a name.
        if (w == "struct" || w == "class" || w == "enum" || w == "union" || w == "__ptr64" || w == "__cdecl") {
            return;
        }
        if ((w == "__cxx11" || w == "__1" || w == "__ndk1") && text().ends_with("std::") && in_.starts_with("::")) {
            in_.remove_prefix(2);
            return;
        }
        if (w.front() >= '0' && w.front() <= '9') {
            while (w.size() > 1 && (w.back() == 'U' || w.back() == 'L' || w.back() == 'u' || w.back() == 'l')) {
                w.remove_suffix(1);
            }
        }
        put_word(w);
    }

    // A character literal is copied as it stands: the characters in it are not syntax.
    constexpr void literal() noexcept {
        flush_integer();
        std::size_t n = 1;
        while (n < in_.size() && in_[n] != '\'') {
            n += in_[n] == '\\' ? 2U : 1U;
        }
        n = n < in_.size() ? n + 1 : in_.size();
        put(in_.substr(0, n));
        in_.remove_prefix(n);
    }

    constexpr bool integer_word(std::string_view w) noexcept {
        if (w == "long") {
            ++longs_;
        } else if (w == "__int64") {
            longs_ = 2;
        } else if (w == "unsigned") {
            unsigned_ = true;
        } else if (w == "signed") {
            signed_ = true;
        } else if (w == "short") {
            short_ = true;
        } else if (w == "int") {
            int_ = true;
        } else if (w == "char") {
            char_ = true;
        } else if (w == "double") {
            double_ = true;
        } else {
            return false;
        }
        pending_ = true;
        return true;
    }

    constexpr void flush_integer() noexcept {
        if (!pending_) {
            return;
        }
        if (unsigned_) {
            put_word("unsigned");
        } else if (signed_ && char_) {
            put_word("signed");
        }
        for (int i = 0; i < longs_; ++i) {
            put_word("long");
        }
        if (char_) {
            put_word("char");
        } else if (double_) {
            put_word("double");
        } else if (short_) {
            put_word("short");
        } else if (longs_ == 0) {
            put_word("int");
        }
        pending_ = unsigned_ = signed_ = short_ = int_ = char_ = double_ = false;
        longs_ = 0;
    }

    constexpr void put_word(std::string_view w) noexcept {
        if (size_ != 0 && is_word_char(out_[size_ - 1])) {
            put(" ");
        }
        put(w);
    }

    constexpr void put(std::string_view s) noexcept {
        for (char c : s) {
            out_[size_++] = c;
        }
    }

    std::string_view in_;
    std::array<char, Capacity> out_{};
    std::size_t size_ = 0;
    int longs_ = 0;
    bool pending_ = false, unsigned_ = false, signed_ = false, short_ = false, int_ = false, char_ = false,
         double_ = false;
};

template <std::size_t N>
struct fixed_text {
    std::array<char, N + 1> chars{};
    constexpr std::string_view view() const noexcept { return {chars.data(), N}; }
};

// Cuts the working buffer down to the text, so that the program carries the name and nothing more.
template <class T>
constexpr auto make_type_name() noexcept {
    constexpr std::string_view raw = raw_type_name<T>();
    constexpr name_writer<2 * raw.size() + 16> writer{raw};
    fixed_text<writer.text().size()> result;
    for (std::size_t i = 0; i < writer.text().size(); ++i) {
        result.chars[i] = writer.text()[i];
    }
    return result;
}

template <class T>
inline constexpr auto type_name_of = make_type_name<T>();

// FNV-1a with a final avalanche. A function of its own, so that stored identities never depend on lido::hasher.
constexpr std::uint64_t name_hash(std::string_view text) noexcept {
    std::uint64_t h = 0xcbf29ce484222325U;
    for (char c : text) {
        h = (h ^ static_cast<unsigned char>(c)) * 0x00000100000001b3U;
    }
    h = (h ^ (h >> 32)) * 0x9e3779b97f4a7c15U;
    h ^= h >> 29;
    return h == 0 ? 1 : h;
}

}  // namespace detail

/// The name of T with its namespaces, with static storage and a terminating zero after its end.
template <class T>
constexpr std::string_view type_name() noexcept {
    return detail::type_name_of<T>.view();
}

/// The hash of type_name<T>(): the same in every shared library and, for ordinary names, on every compiler. Never 0.
template <class T>
constexpr std::uint64_t type_id() noexcept {
    return detail::name_hash(type_name<T>());
}

}  // namespace lido
