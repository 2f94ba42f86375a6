// The stored form of an entity of some revision: names and their values, as JSON. What a `migrate` looks into.
#pragma once

#include <lido/entity/schema/text_io.hpp>
#include <lido/entity/schema/value_text.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lido {

class class_schema;

/// Why a text is no record.
enum class record_fault : std::uint8_t {
    none,
    not_an_object,  ///< not JSON, or no object
    too_many,       ///< more names than a record has room for
    twice,          ///< a name that is in it twice
};

/// A view of text: it may not outlive it. Asking for a name costs less where names are asked for in the order in which they are stored.
class record {
public:
    static constexpr std::size_t max_names = 512;

    /// Pre: text.size() < 2^32. `links` is for fields that are links.
    explicit record(std::string_view text, std::int64_t revision, link_names* links = nullptr) noexcept
        : text_(text), links_(links), revision_(revision) {
        text_reader from(text);
        if (text.size() >= 0xffffffffu) {
            fault_ = record_fault::too_many;
        } else {
            read(from);
        }
        if (fault_ != record_fault::none) count_ = 0;
    }

    [[nodiscard]] record_fault fault() const noexcept { return fault_; }
    [[nodiscard]] std::int64_t revision() const noexcept { return revision_; }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }

    [[nodiscard]] bool has(std::string_view name) const noexcept { return find(name) != none; }

    /// Puts the value of that name into `value`. False, and nothing changes, where there is none, or none that this type can have.
    template <class V>
    bool take(std::string_view name, V& value) const noexcept {
        static_assert(entity_detail::judge_value<V>() == entity_detail::refusal::none,
                      "lido: record: a value is taken as a type that a saved field can have");
        const std::size_t at = find(name);
        if (at == none) return false;
        V taken{};
        text_reader from(text_of(entries_[at]), links_);
        entity_detail::parse_value(from, taken);
        if (!from.done()) return false;
        value = taken;
        entries_[at].taken = true;
        return true;
    }

    /// The value of that name, or `fallback` where there is none that this type can have.
    [[nodiscard]] double number(std::string_view name, double fallback = 0) const noexcept {
        return get(name, fallback);
    }
    [[nodiscard]] std::int64_t whole(std::string_view name, std::int64_t fallback = 0) const noexcept {
        return get(name, fallback);
    }
    [[nodiscard]] bool flag(std::string_view name, bool fallback = false) const noexcept { return get(name, fallback); }
    template <class V>
    [[nodiscard]] V get(std::string_view name, V fallback = {}) const noexcept {
        take(name, fallback);
        return fallback;
    }

    /// The value of that name as it is stored; empty where there is none. Nobody knows then whether it was understood, so a living field
    /// of that name must still be able to have it.
    [[nodiscard]] std::string_view raw(std::string_view name) const noexcept {
        const std::size_t at = find(name);
        return at == none ? std::string_view() : text_of(entries_[at]);
    }

    /// Whether somebody took the value of that name.
    [[nodiscard]] bool taken(std::string_view name) const noexcept {
        const std::size_t at = find(name);
        return at != none && entries_[at].taken;
    }

    [[nodiscard]] link_names* links() const noexcept { return links_; }

private:
    friend class class_schema;

    /// A load begins: what was taken before says nothing about it.
    void begin_load() const noexcept {
        for (std::size_t i = 0; i < count_; ++i) entries_[i].taken = false;
    }

    struct entry {
        std::uint32_t name;
        std::uint32_t name_size;
        std::uint32_t value;
        std::uint32_t value_size;
        mutable bool taken;
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[nodiscard]] std::string_view name_of(const entry& e) const noexcept { return text_.substr(e.name, e.name_size); }
    [[nodiscard]] std::string_view text_of(const entry& e) const noexcept {
        return text_.substr(e.value, e.value_size);
    }

    // Names are compared as they are stored: those of fields have nothing in them that JSON would escape.
    void read(text_reader& from) noexcept {
        from.expect('{');
        if (from.ok() && !from.accept('}')) {
            do {
                const std::string_view quoted = from.peek() == '"' ? from.skip_value() : std::string_view();
                from.expect(':');
                const std::string_view value = from.skip_value();
                if (!from.ok() || quoted.size() < 2) break;
                add(quoted.substr(1, quoted.size() - 2), value);
            } while (fault_ == record_fault::none && from.accept(','));
            from.expect('}');
        }
        if (fault_ == record_fault::none && !from.done()) fault_ = record_fault::not_an_object;
    }

    void add(std::string_view name, std::string_view value) noexcept {
        const auto offset = [this](std::string_view part) {
            return static_cast<std::uint32_t>(part.data() - text_.data());
        };
        if (find(name) != none) {
            fault_ = record_fault::twice;
        } else if (count_ == max_names) {
            fault_ = record_fault::too_many;
        } else {
            entries_[count_++] = {offset(name), static_cast<std::uint32_t>(name.size()), offset(value),
                                  static_cast<std::uint32_t>(value.size()), false};
        }
    }

    /// From where the last one was found, round the end.
    [[nodiscard]] std::size_t find(std::string_view name) const noexcept {
        for (std::size_t i = 0, at = next_; i < count_; ++i, ++at) {
            if (at >= count_) at = 0;
            if (name_of(entries_[at]) == name) {
                next_ = at + 1;
                return at;
            }
        }
        return none;
    }

    std::string_view text_;
    link_names* links_;
    std::int64_t revision_;
    std::size_t count_ = 0;
    mutable std::size_t next_ = 0;
    record_fault fault_ = record_fault::none;
    std::array<entry, max_names> entries_;
};

/// Names the overloads of `migrate`: migrate(lido::from_revision<2>, const lido::record& old, door& now).
template <std::int64_t N>
struct from_revision {};

}  // namespace lido
