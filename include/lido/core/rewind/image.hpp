// Images: the state of pools as bytes for the outside (a file, a network), little-endian, sealed with a checksum, and read as if
// a stranger had written them.
//
//   0      4        6       8        16          24
//   | lido | version| parts | bytes  | checksum  | part | part | ...        checksum covers all from byte 24 on
//
// The checksum finds accidents. It does not stop someone who computes it anew, so every count, index and generation is checked
// again while reading; a wrong image is refused before anything changes.
//
// Elements without a codec are their bytes in memory, with padding zeroed: such an image can be read by builds in which the
// element has the same size, layout and byte order. Elements with save() and load() decide for themselves.
#pragma once

#include <lido/core/base/config.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace lido {

/// The version of the image format. A change that old readers cannot read raises it, and CHANGELOG.md says so.
inline constexpr std::uint16_t image_version = 1;

enum class restore_error : std::uint8_t {
    none,
    not_kept,       ///< rewind: that tick is not among the kept ones
    not_an_image,   ///< the bytes do not start as an image does
    other_version,  ///< an image of another format version
    other_parts,    ///< saved from another set of pools
    truncated,      ///< the bytes end too early
    damaged,        ///< the checksum does not match
    other_shape,    ///< saved from a pool of another shape
    other_type,     ///< saved from a pool of another element type
    other_options,  ///< saved from a pool with other handle, generation or tracking options
    too_large,      ///< does not fit this pool
    inconsistent,   ///< the content contradicts itself
    no_memory,      ///< the memory for it could not be had
    reentrant,      ///< asked for from inside of a call on the same pool: from a constructor, destructor or hook
    let_go,         ///< options::confirmed_ends: an object that it has to bring back was let go since
};

[[nodiscard]] constexpr const char* to_string(restore_error e) noexcept {
    switch (e) {
        case restore_error::none: return "restored";
        case restore_error::not_kept: return "that tick is not kept";
        case restore_error::not_an_image: return "not a lido image";
        case restore_error::other_version: return "an image of another format version";
        case restore_error::other_parts: return "saved from another set of pools";
        case restore_error::truncated: return "the bytes end too early";
        case restore_error::damaged: return "the checksum does not match: the bytes are damaged";
        case restore_error::other_shape: return "saved from a pool of another shape";
        case restore_error::other_type: return "saved from a pool of another element type";
        case restore_error::other_options: return "saved from a pool with other options";
        case restore_error::too_large: return "more than this pool may hold";
        case restore_error::inconsistent: return "the content contradicts itself";
        case restore_error::no_memory: return "no memory";
        case restore_error::reentrant: return "asked for from inside of a call on the same pool";
        case restore_error::let_go:
            return "an object that it has to bring back was let go since: its end was confirmed";
    }
    return "unknown";
}

/// The answer of restore(): true when all was restored; otherwise nothing was changed and `what()` says why.
struct [[nodiscard]] restore_result {
    restore_error error = restore_error::none;
    const char* detail = nullptr;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return error == restore_error::none; }
    [[nodiscard]] constexpr const char* what() const noexcept { return detail != nullptr ? detail : to_string(error); }
};

/// The result of save() into an image: true when it was written. Pools are always written; a world is not while it holds what an image
/// cannot.
struct save_result {
    const char* why = nullptr;  ///< a sentence; it stays until the part that said it is saved or restored again

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return why == nullptr; }
    [[nodiscard]] constexpr const char* what() const noexcept { return why != nullptr ? why : "written"; }
};

namespace detail {

/// The number that goes into an image for an N: unsigned and as wide.
template <class N>
struct image_number {
    static_assert(std::integral<N>,
                  "lido: an image holds whole numbers: put an enum as its number (static_cast), a float as its bits "
                  "(std::bit_cast), anything else field by field");
    using type = std::uint8_t;
};
template <std::integral N>
struct image_number<N> {
    using type = std::make_unsigned_t<N>;
};
template <>
struct image_number<bool> {
    using type = std::uint8_t;
};

}  // namespace detail

/// What a part tells all that is written or read for it, down to the elements of its pools. It derives from this what it needs, and sets it
/// on the writer or reader.
struct image_notes {
    /// For later builds, too: types go by the names of their classes, and every object says how many bytes it has.
    bool lasting = false;
    /// Reading: objects are passed over, and stay as they were made.
    bool skip = false;
};

/// Appends whole numbers and bytes, little-endian whatever the machine; negative numbers in two's complement.
class image_writer {
public:
    explicit image_writer(std::vector<std::byte>& out) noexcept : out_(out) {}

    template <class N>
    void put(N value) {
        using number = typename detail::image_number<N>::type;
        if constexpr (std::integral<N>) {
            const auto bits = static_cast<number>(value);
            for (std::size_t i = 0; i < sizeof(N); ++i) out_.push_back(static_cast<std::byte>(bits >> (8 * i) & 0xff));
        }
    }
    void put_bytes(std::span<const std::byte> bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }

    /// Overwrites a number written before, at byte `at`.
    template <class N>
    void patch(std::size_t at, N value) noexcept {
        using number = typename detail::image_number<N>::type;
        if constexpr (std::integral<N>) {
            const auto bits = static_cast<number>(value);
            for (std::size_t i = 0; i < sizeof(N); ++i) out_[at + i] = static_cast<std::byte>(bits >> (8 * i) & 0xff);
        }
    }
    [[nodiscard]] std::size_t size() const noexcept { return out_.size(); }

    /// Null: none. Pre: they stay until others are set.
    void set_notes(const image_notes* notes) noexcept { notes_ = notes; }
    [[nodiscard]] const image_notes* notes() const noexcept { return notes_; }
    [[nodiscard]] bool lasting() const noexcept { return notes_ != nullptr && notes_->lasting; }

private:
    std::vector<std::byte>& out_;
    const image_notes* notes_ = nullptr;
};

/// Reads what image_writer wrote. Past the end it returns zeros and remembers; `ok()` tells.
class image_reader {
public:
    explicit image_reader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    template <class N>
    [[nodiscard]] N take() noexcept {
        using number = typename detail::image_number<N>::type;
        if constexpr (std::integral<N>) {
            const std::span<const std::byte> from = take_bytes(sizeof(N));
            number bits = 0;
            for (std::size_t i = 0; i < from.size(); ++i) {
                bits =
                    static_cast<number>(bits | static_cast<number>(std::to_integer<std::uint64_t>(from[i]) << (8 * i)));
            }
            return static_cast<N>(bits);
        } else {
            return N{};
        }
    }

    /// The next `count` bytes, or an empty span when fewer are left.
    [[nodiscard]] std::span<const std::byte> take_bytes(std::size_t count) noexcept {
        if (count > bytes_.size()) {
            ok_ = false;
            bytes_ = {};
            return {};
        }
        const std::span<const std::byte> taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size(); }

    /// True when `count` items of at least `each` bytes can still follow: asked before room for them is made.
    [[nodiscard]] bool has(std::uint64_t count, std::size_t each) const noexcept {
        return each == 0 || count <= bytes_.size() / each;
    }

    /// Null: none. Pre: they stay until others are set.
    void set_notes(image_notes* notes) noexcept { notes_ = notes; }
    [[nodiscard]] image_notes* notes() const noexcept { return notes_; }
    [[nodiscard]] bool lasting() const noexcept { return notes_ != nullptr && notes_->lasting; }

private:
    std::span<const std::byte> bytes_;
    image_notes* notes_ = nullptr;
    bool ok_ = true;
};

/// An element that writes itself into an image and reads itself back: for types that own memory or hold pointers.
/// `load` works on a default-constructed object and returns false when what it reads makes no sense.
template <class T>
concept image_codec =
    std::default_initializable<T> && requires(const T& whole, T& fresh, image_writer& w, image_reader& r) {
        { whole.save(w) } -> std::same_as<void>;
        { fresh.load(r) } -> std::same_as<bool>;
    };

}  // namespace lido
