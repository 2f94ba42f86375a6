// What a pool's diary holds of its slots: where and when the last two lives of each began and ended.
//
//   slot        | older or newer life | the other one |      32 bytes each; life n is at place n % 2
//   chunk k     | 64 * 2^k slots ...                  |      a chunk never moves; 26 of them reach 2^32 slots
//
// Apart from the pool's own storage: a lent buffer has the same slots with and without a diary, and an inline pool stays small.
// The pages come from the operating system and not from the heap, because programs count what their pools allocate.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/memory/pages.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lido::detail {

/// LN1. Without `begun` nothing is known of the life; with `undone`, which excludes it, where it began before a restore undid it.
/// LN2. Ticks are the low 32 bits, which told ticks go round in two years of 60 a second; they mean something only with their flag.
struct life_note {
    enum : std::uint32_t { begun = 1, ended = 2, begun_has_tick = 4, ended_has_tick = 8, undone = 16 };

    std::uintptr_t acquired = 0;  ///< bits of a place
    std::uintptr_t released = 0;
    std::uint32_t acquired_tick = 0;
    std::uint32_t released_tick = 0;
    std::uint32_t generation = 0;
    std::uint32_t flags = 0;
};
static_assert(sizeof(life_note) == 16 + 2 * sizeof(std::uintptr_t));

class life_notes {
public:
    static constexpr std::size_t chunks = 27;
    static constexpr std::size_t first_chunk = 64;  // slots: their notes are one page

    life_notes() noexcept = default;
    life_notes(life_notes&& other) noexcept { swap(other); }
    life_notes& operator=(life_notes&& other) noexcept {
        life_notes moved(std::move(other));
        swap(moved);
        return *this;
    }
    ~life_notes() { drop(); }

    /// The two notes of a slot, or null where there are none yet.
    [[nodiscard]] const life_note* find(std::uint32_t slot) const noexcept {
        const auto [k, at] = locate(slot);
        return chunk_[k] != nullptr ? chunk_[k] + 2 * at : nullptr;
    }

    /// The same, with room made for them; null when there is no memory, which costs reports and nothing else.
    [[nodiscard]] life_note* make(std::uint32_t slot) noexcept {
        const auto [k, at] = locate(slot);
        if (chunk_[k] == nullptr && !add(k)) return nullptr;
        return chunk_[k] + 2 * at;
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (std::size_t k = 0; k < chunks; ++k) sum += chunk_[k] != nullptr ? chunk_bytes(k) : 0;
        return sum;
    }

private:
    struct spot {
        std::size_t chunk;
        std::size_t at;
    };
    /// Chunk k starts at slot 64 * (2^k - 1).
    [[nodiscard]] static spot locate(std::uint32_t slot) noexcept {
        const std::uint64_t n = std::uint64_t{slot} / first_chunk + 1;
        const auto k = static_cast<std::size_t>(std::bit_width(n) - 1);
        return {k, static_cast<std::size_t>(slot - first_chunk * ((std::uint64_t{1} << k) - 1))};
    }
    [[nodiscard]] static std::size_t chunk_bytes(std::size_t k) noexcept {
        const std::size_t page = os_pages::page_size();
        return ((first_chunk << k) * 2 * sizeof(life_note) + page - 1) / page * page;
    }

    LIDO_COLD bool add(std::size_t k) noexcept {
        void* const at = os_pages::reserve(chunk_bytes(k));
        if (at == nullptr) return false;
        if (!os_pages::commit(at, chunk_bytes(k))) {
            os_pages::release(at, chunk_bytes(k));
            return false;
        }
        chunk_[k] = static_cast<life_note*>(at);  // zero bytes are notes that know nothing
        return true;
    }

    void drop() noexcept {
        for (std::size_t k = 0; k < chunks; ++k) {
            if (chunk_[k] != nullptr) os_pages::release(chunk_[k], chunk_bytes(k));
        }
    }

    void swap(life_notes& other) noexcept {
        for (std::size_t k = 0; k < chunks; ++k) std::swap(chunk_[k], other.chunk_[k]);
    }

    life_note* chunk_[chunks] = {};
};

}  // namespace lido::detail
