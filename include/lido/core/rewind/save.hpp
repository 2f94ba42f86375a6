// Save and restore of any set of pools, and of plain structs beside them (a random generator, a score).
//
//   lido::snapshot s;                                   memory of this run: fast, any copyable element
//   lido::save(s, bullets, enemies, rng);
//   lido::restore(s, bullets, enemies, rng);            all of them, or none
//
//   std::vector<std::byte> bytes;                       an image: for files and networks, checked when read
//   lido::save(bytes, bullets, enemies);
//   if (auto r = lido::restore(bytes, bullets, enemies); !r) log(r.what());
//
// A part is a pool, a world, any trivially copyable object that is not a pointer, or a type of your own (rewind/part.hpp).
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/part.hpp>
#include <lido/core/rewind/section.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace lido {

/// The state of a set of pools in memory. Keeps its memory when it is used again.
class snapshot {
public:
    snapshot() = default;
    /// `other` is empty then.
    snapshot(snapshot&& other) noexcept
        : sections_(std::exchange(other.sections_, {})), whole_(std::exchange(other.whole_, false)) {}
    snapshot& operator=(snapshot&& other) noexcept {
        snapshot taken(std::move(other));
        sections_.swap(taken.sections_);
        std::swap(whole_, taken.whole_);
        return *this;
    }
    ~snapshot() = default;

    /// False until a save has succeeded.
    [[nodiscard]] explicit operator bool() const noexcept { return whole_; }

    /// Bytes that the saved state takes.
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const section& s : sections_) sum += s.used();
        return sum;
    }

    /// Drops the state, keeps the memory. Not from inside of a save to it or a restore from it: then it does nothing, and tells.
    void clear() noexcept {
        if (refuses()) return;
        whole_ = false;
        for (section& s : sections_) s.drop();
    }

private:
    template <class... Parts>
    friend bool save(snapshot&, const Parts&...);
    template <class... Parts>
    friend restore_result restore(const snapshot&, Parts&...);

    /// While it is written or read: constructors, copies and destructors of elements run meanwhile, and may hold it.
    class use {
    public:
        explicit use(const snapshot& of) noexcept : of_(of) { ++of.uses_; }
        use(const use&) = delete;
        use& operator=(const use&) = delete;
        ~use() { --of_.uses_; }

    private:
        const snapshot& of_;
    };
    [[nodiscard]] bool refuses() const noexcept {
        if (uses_ == 0) [[likely]]
            return false;
        report_misuse(
            {.kind = misuse_kind::reentrant_call,
             .pool = "snapshot",
             .what = "a snapshot was to be overwritten from inside of a save to it or a restore from it; refused"});
        return true;
    }

    std::vector<section> sections_;
    bool whole_ = false;
    mutable unsigned uses_ = 0;
};

/// Replaces what `to` held. False when there is no memory for it, and from inside of a restore from it or another save to it. Throws: what copying an element throws; `to` is then empty.
template <class... Parts>
bool save(snapshot& to, const Parts&... parts) {
    if (to.refuses()) return false;
    const snapshot::use writing(to);
    to.whole_ = false;
    // Before anything is measured: the destructors of what was held may change the pools.
    for (section& s : to.sections_) s.drop();
    if (to.sections_.size() != sizeof...(Parts)) to.sections_ = std::vector<section>(sizeof...(Parts));
    std::size_t i = 0;
    to.whole_ = (rewind_of<Parts>::save(parts, to.sections_[i++]) && ...);
    return to.whole_;
}

/// All parts as they were saved, or, when refused or when a copy throws, none of them changed.
template <class... Parts>
restore_result restore(const snapshot& from, Parts&... parts) {
    if (!from.whole_) return {restore_error::not_kept, "the snapshot is empty"};
    const snapshot::use reading(from);
    if (from.sections_.size() != sizeof...(Parts)) return {restore_error::other_parts};
    std::tuple<staged_of<Parts>...> staged;
    restore_result result;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_cast<void>(((result = rewind_of<Parts>::stage(parts, from.sections_[I], std::get<I>(staged)),
                            result.error == restore_error::none) &&
                           ...));
        if (result) (rewind_of<Parts>::commit(parts, std::get<I>(staged)), ...);
    }(std::index_sequence_for<Parts...>{});
    return result;
}

namespace detail {
inline constexpr std::uint32_t image_magic = 0x6f64696c;  // "lido", read as little-endian
inline constexpr std::size_t image_header = 24;           // bytes, as drawn in image.hpp

template <class Part>
[[nodiscard]] save_result write_part(const Part& part, image_writer& w) {
    if constexpr (requires { save_result(rewind_of<Part>::write(part, w)); }) {
        return rewind_of<Part>::write(part, w);
    } else {
        rewind_of<Part>::write(part, w);
        return {};
    }
}
}  // namespace detail

/// Writes an image of the parts, in place of what `to` held. False, with the reason, when a part cannot be written as it is now; `to` is
/// empty then. Throws: std::bad_alloc, and what an element's own `save` throws.
template <class... Parts>
    requires(sizeof...(Parts) >= 1)
save_result save(std::vector<std::byte>& to, const Parts&... parts) {
    to.clear();
    image_writer w(to);
    w.put(detail::image_magic);
    w.put(image_version);
    w.put(static_cast<std::uint16_t>(sizeof...(Parts)));
    w.put(std::uint64_t{0});
    w.put(std::uint64_t{0});
    save_result result;
    if (!((result = detail::write_part(parts, w), result.why == nullptr) && ...)) {
        to.clear();
        return result;
    }
    w.patch(8, static_cast<std::uint64_t>(to.size()));
    w.patch(16, bytes_checksum(std::span<const std::byte>(to).subspan(detail::image_header)));
    return result;
}

/// Restores an image. Whatever the bytes are, they are either the state of pools like these, or refused with nothing changed.
template <class... Parts>
    requires(sizeof...(Parts) >= 1)
restore_result restore(std::span<const std::byte> image, Parts&... parts) {
    image_reader r(image);
    if (image.size() < detail::image_header) {
        return {image.empty() || r.take<std::uint32_t>() == detail::image_magic || image.size() < 4
                    ? restore_error::truncated
                    : restore_error::not_an_image};
    }
    if (r.take<std::uint32_t>() != detail::image_magic) return {restore_error::not_an_image};
    if (r.take<std::uint16_t>() != image_version) return {restore_error::other_version};
    if (r.take<std::uint16_t>() != sizeof...(Parts)) return {restore_error::other_parts};
    const auto size = r.take<std::uint64_t>();
    if (size > image.size()) return {restore_error::truncated};
    if (size != image.size()) return {restore_error::damaged, "bytes follow the end of the image"};
    if (r.take<std::uint64_t>() != bytes_checksum(image.subspan(detail::image_header))) return {restore_error::damaged};

    std::tuple<staged_of<Parts>...> staged;
    restore_result result;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_cast<void>(
            ((result = rewind_of<Parts>::read(parts, r, std::get<I>(staged)), result.error == restore_error::none) &&
             ...));
        if (result && r.left() != 0) result = {restore_error::inconsistent, "bytes follow the last part"};
        if (result) (rewind_of<Parts>::commit(parts, std::get<I>(staged)), ...);
    }(std::index_sequence_for<Parts...>{});
    return result;
}

/// One number for the state of all parts, equal on every compiler, build and machine when the states are.
template <class... Parts>
[[nodiscard]] std::uint64_t state_hash(const Parts&... parts) {
    hasher h;
    (rewind_of<Parts>::hash(parts, h), ...);
    return h.digest();
}

}  // namespace lido
