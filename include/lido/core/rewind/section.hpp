// Memory for what one pool (or one plain struct) puts into a snapshot.
//
//   data   | state | array 0 | array 1 | ... | elements |       offsets from section_plan; every part starts at 16 bytes,
//                                                               the elements at their own alignment
//
// A section keeps its memory when it is filled again, so a ring of snapshots stops allocating once it has seen its largest state.
// What is made of pools itself (a world) puts each of them into a section inside its own: parts().
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/type_identity.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

/// What a section holds. Only ever compared within one run, but across its shared libraries.
template <class T>
inline constexpr const detail::type_identity& section_kind = detail::identity_of<T>;

namespace detail {

/// Offsets of parts that are laid one after the other.
template <std::size_t Parts>
struct section_plan {
    std::size_t offset[Parts] = {};
    std::size_t bytes[Parts] = {};
    std::size_t total = 0;

    constexpr void add(std::size_t part, std::size_t size, std::size_t alignment = 16) noexcept {
        total = (total + alignment - 1) / alignment * alignment;
        offset[part] = total;
        bytes[part] = size;
        total += size;
    }
};

}  // namespace detail

class section {
public:
    section() noexcept = default;
    section(section&& other) noexcept { swap(other); }
    section& operator=(section&& other) noexcept {
        swap(other);
        return *this;
    }
    ~section() {
        drop();
        release();
    }

    /// Room for `bytes`, or null when there is none. What was held is dropped either way.
    [[nodiscard]] std::byte* begin(std::size_t bytes, std::size_t alignment) noexcept {
        drop();
        alignment = alignment < least_alignment ? least_alignment : alignment;
        if (bytes > capacity_ || alignment > alignment_) {
            // A little more than asked for: the state of a running game changes in size from tick to tick.
            const std::size_t more = bytes + bytes / 8;
            release();
            data_ = static_cast<std::byte*>(::operator new(more, std::align_val_t{alignment}, std::nothrow));
            if (data_ == nullptr) return nullptr;
            capacity_ = more;
            alignment_ = alignment;
        }
        used_ = bytes;
        return data_;
    }

    /// What content a section has: compare it with `&section_kind<T>`.
    class content_kind {
    public:
        explicit content_kind(const detail::type_identity* type) noexcept : type_(type) {}
        friend bool operator==(content_kind kind, const detail::type_identity* type) noexcept {
            return detail::same_type(kind.type_, type);
        }

    private:
        const detail::type_identity* type_;
    };

    /// The content is complete and of this kind.
    void seal(const detail::type_identity* kind) noexcept { kind_ = kind; }

    /// `count` objects that live at `first`, inside the data, are destroyed with the content.
    template <class T>
    void owns(T* first, std::size_t count) noexcept {
        objects_ = first;
        count_ = count;
        end_ = [](void* objects, std::size_t n) noexcept {
            T* const all = static_cast<T*>(objects);
            for (std::size_t i = 0; i < n; ++i) all[i].~T();
        };
    }

    /// Sections inside this one, as many as asked for; those that were there keep their memory. Throws std::bad_alloc.
    [[nodiscard]] std::span<section> parts(std::size_t count) {
        if (parts_.size() != count) parts_.resize(count);
        return parts_;
    }
    [[nodiscard]] std::span<const section> parts() const noexcept { return parts_; }

    void drop() noexcept {
        for (section& part : parts_) part.drop();
        if (end_ != nullptr) end_(objects_, count_);
        end_ = nullptr;
        objects_ = nullptr;
        count_ = 0;
        kind_ = nullptr;
        used_ = 0;
    }

    [[nodiscard]] content_kind kind() const noexcept { return content_kind(kind_); }
    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t used() const noexcept {
        std::size_t sum = used_;
        for (const section& part : parts_) sum += part.used();
        return sum;
    }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] void* objects() const noexcept { return objects_; }

    void swap(section& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
        std::swap(alignment_, other.alignment_);
        std::swap(used_, other.used_);
        std::swap(kind_, other.kind_);
        std::swap(objects_, other.objects_);
        std::swap(count_, other.count_);
        std::swap(end_, other.end_);
        parts_.swap(other.parts_);
    }

private:
    static constexpr std::size_t least_alignment = 64;

    void release() noexcept {
        if (data_ != nullptr) ::operator delete(data_, std::align_val_t{alignment_});
        data_ = nullptr;
        capacity_ = alignment_ = 0;
    }

    std::byte* data_ = nullptr;
    std::size_t capacity_ = 0;
    std::size_t alignment_ = 0;
    std::size_t used_ = 0;
    const detail::type_identity* kind_ = nullptr;
    void* objects_ = nullptr;
    std::size_t count_ = 0;
    void (*end_)(void*, std::size_t) noexcept = nullptr;
    std::vector<section> parts_;
};

/// memcpy that accepts the null pointers of empty arrays; asked for by name, so that no compiler has to guess.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
    if (bytes != 0 && to != nullptr && from != nullptr) std::memcpy(to, from, bytes);
}

inline void zero_bytes(void* to, std::size_t bytes) noexcept {
    if (bytes != 0 && to != nullptr) std::memset(to, 0, bytes);
}

}  // namespace lido
