// An entry of the journal, as readers see it.
#pragma once

#include <lido/entity/journal/change.hpp>
#include <lido/entity/journal/numbers.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/ticks.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lido {

/// What happened, when, and to whom.
struct stamp {
    change_kind kind = change_kind::updated;
    std::uint8_t detail = 0;       ///< of an end: why (the writer's numbers); of a reset: reset_cause
    class_number local_class = 0;  ///< the class in this stage; means nothing elsewhere
    class_id of_class = 0;         ///< the class everywhere
    entity_number entity = {};
    generation_number generation = {};
    version_number version = {};
    ticks tick = {};            ///< a journal fills it in
    commit_number commit = {};  ///< and this

    friend constexpr bool operator==(const stamp&, const stamp&) noexcept = default;
};

/// The set of fields that an update changed: field k is bit k % 8 of byte k / 8. A view.
class changed_fields {
public:
    constexpr changed_fields() noexcept = default;
    /// Pre: bytes_for(fields) bytes.
    constexpr changed_fields(const std::byte* bytes, std::uint16_t fields) noexcept : bytes_(bytes), fields_(fields) {}

    [[nodiscard]] static constexpr std::size_t bytes_for(std::uint16_t fields) noexcept { return (fields + 7u) / 8u; }

    /// How many fields the class has.
    [[nodiscard]] constexpr std::uint16_t fields() const noexcept { return fields_; }
    [[nodiscard]] constexpr std::span<const std::byte> bytes() const noexcept { return {bytes_, bytes_for(fields_)}; }

    /// False for a field that the class does not have, too.
    [[nodiscard]] constexpr bool has(std::size_t field) const noexcept {
        return field < fields_ && (std::to_integer<unsigned>(bytes_[field / 8]) >> (field % 8) & 1u) != 0;
    }

    /// How many changed. Complexity: O(fields), as for_each.
    [[nodiscard]] constexpr std::size_t size() const noexcept {
        std::size_t sum = 0;
        for_each([&](std::size_t) { ++sum; });
        return sum;
    }

    /// Calls f(field) for each that changed, in order.
    template <class F>
    constexpr void for_each(F&& f) const {
        for (std::size_t at = 0; at < bytes_for(fields_); ++at) {
            const auto byte = std::to_integer<unsigned>(bytes_[at]);
            if (byte == 0) continue;
            for (std::size_t bit = 0; bit < 8; ++bit) {
                if ((byte >> bit & 1u) != 0) f(at * 8 + bit);
            }
        }
    }

private:
    const std::byte* bytes_ = nullptr;
    std::uint16_t fields_ = 0;
};

/// What it refers to is the journal's: valid until the reader's function returns.
struct journal_entry {
    stamp what;
    entry_number number = {};
    bool first = false;  ///< of its commit
    bool last = false;
    changed_fields changed = {};
    std::span<const std::byte> before = {};  ///< the changed fields as they were; of an end, the whole entity
    std::span<const std::byte> after = {};   ///< the changed fields as they are; of a creation, the whole entity
    std::string_view id = {};

    [[nodiscard]] constexpr change_kind kind() const noexcept { return what.kind; }
    [[nodiscard]] constexpr entry_shape shape() const noexcept {
        return {changed.fields(), static_cast<std::uint8_t>(id.size()), static_cast<std::uint32_t>(before.size()),
                static_cast<std::uint32_t>(after.size())};
    }
};

}  // namespace lido
