// What is known of the fields of one class, without its type: for whatever handles entities of any class. Made once a class, by
// schema_of<T>(); nothing here asks for memory.
//
// Objects are passed as pointers to their struct. Pre of every function: the pointer is to a T of schema_of<T>(), and field numbers and
// field_schemas are of this class.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/entity/schema/byte_io.hpp>
#include <lido/entity/schema/field_set.hpp>
#include <lido/entity/schema/record.hpp>
#include <lido/entity/schema/text_io.hpp>
#include <lido/entity/schema/value_fault.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace lido {

class class_schema;
struct field_schema;

namespace entity_detail {

/// What one type of value can do; all of it through pointers to a value.
struct value_ops {
    void (*encode)(const void* value, byte_writer& to) noexcept;
    void (*decode)(byte_reader& from, void* value) noexcept;
    void (*print)(const void* value, text_writer& to) noexcept;
    bool (*parse)(std::string_view text, link_names* links, void* value) noexcept;
    void (*hash)(hasher& h, const void* value) noexcept;
    void (*hash_wire)(hasher& h, const void* value, const number_range& range) noexcept;
    void (*round)(void* value, const number_range& range) noexcept;
    std::uint64_t (*quantise)(const void* value, const number_range& range) noexcept;
    void (*unquantise)(std::uint64_t steps, const number_range& range, void* value) noexcept;
    void (*spell)(const number_range& range, text_writer& to) noexcept;
};

struct numbered_fault {
    std::uint32_t field;  ///< no_field: of the whole
    field_fault fault;
};
inline constexpr std::uint32_t no_field = 0xffffffffu;

/// What one class can do. The hooks of the user may throw, and nothing was changed then.
struct class_ops {
    numbered_fault (*first_fault)(const void* object);
    field_set (*changed)(const void* a, const void* b) noexcept;
    field_set (*changed_on_wire)(const void* a, const void* b) noexcept;
    void (*migrate)(const record& old, void* now);
};

template <class T>
struct class_data;

}  // namespace entity_detail

/// One field. Static data: it lives as long as the program.
struct field_schema {
    std::string_view name;                    ///< "hp", "at.x"
    std::span<const std::string_view> names;  ///< the same, and then its former ones
    field_id id = 0;
    field_kind kind = field_kind::local;
    seen send = seen::by_everyone;
    bool save = true;
    bool links = false;        ///< there may be a link in it
    std::uint32_t number = 0;  ///< in order of declaration
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    std::size_t most_bytes = 0;     ///< that encode() writes of it
    number_range range;             ///< of the numbers in it
    std::uint64_t fingerprint = 0;  ///< of name, type, range and step
    const entity_detail::value_ops* ops = nullptr;

    [[nodiscard]] bool sent() const noexcept { return send != seen::by_nobody; }
    /// It is one number, or a flag, and the wire has range.bits bits of it.
    [[nodiscard]] bool is_number() const noexcept {
        return kind == field_kind::flag || kind == field_kind::whole || kind == field_kind::real ||
               kind == field_kind::enumerated;
    }
    [[nodiscard]] const void* in(const void* object) const noexcept {
        return static_cast<const std::byte*>(object) + offset;
    }
    [[nodiscard]] void* in(void* object) const noexcept { return static_cast<std::byte*>(object) + offset; }
};

/// The first thing that is wrong with an object. False where nothing is.
struct finding {
    const field_schema* field = nullptr;  ///< null where the fields do not go together
    field_fault fault = field_fault::none;

    [[nodiscard]] explicit operator bool() const noexcept { return fault != field_fault::none; }
};

/// Why a stored entity was not loaded.
enum class load_fault : std::uint8_t {
    none,
    not_a_record,  ///< the text is no JSON object, or a name is in it twice
    from_future,   ///< it was stored by a later version of the program
    does_not_fit,  ///< a value that the field cannot have, and that no `migrate` took
    invalid,       ///< a value out of its range, or fields that do not go together
};

[[nodiscard]] constexpr const char* to_string(load_fault fault) noexcept {
    switch (fault) {
        case load_fault::none: return "it was loaded";
        case load_fault::not_a_record: return "what is stored is not a JSON object with each name once";
        case load_fault::from_future: return "it was stored by a later version of the program";
        case load_fault::does_not_fit:
            return "a stored value is none that the field can have, and no `migrate` took it";
        case load_fault::invalid: return "what was loaded breaks the rules of the schema";
    }
    return "unknown";
}

struct load_result {
    load_fault fault = load_fault::none;
    const field_schema* field = nullptr;
    field_fault why = field_fault::none;  ///< with load_fault::invalid

    [[nodiscard]] explicit operator bool() const noexcept { return fault == load_fault::none; }
};

class class_schema {
public:
    class_schema(const class_schema&) = delete;
    class_schema& operator=(const class_schema&) = delete;

    [[nodiscard]] std::string_view type_name() const noexcept { return type_name_; }
    [[nodiscard]] std::int64_t revision() const noexcept { return revision_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t alignment() const noexcept { return alignment_; }

    /// In order of declaration.
    [[nodiscard]] std::span<const field_schema> fields() const noexcept { return fields_; }
    /// Numbers of fields in order of ids, which is the same in every program that has these names.
    [[nodiscard]] std::span<const std::uint16_t> by_id() const noexcept { return by_id_; }
    [[nodiscard]] const field_schema* find(std::string_view name) const noexcept { return find(field_id_of(name)); }
    [[nodiscard]] const field_schema* find(field_id id) const noexcept {
        std::size_t low = 0;
        std::size_t high = by_id_.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            (fields_[by_id_[middle]].id < id ? low : high) = fields_[by_id_[middle]].id < id ? middle + 1 : middle;
        }
        return low < by_id_.size() && fields_[by_id_[low]].id == id ? &fields_[by_id_[low]] : nullptr;
    }

    [[nodiscard]] const field_set& all() const noexcept { return all_; }
    [[nodiscard]] const field_set& sent() const noexcept { return sent_; }
    [[nodiscard]] const field_set& saved() const noexcept { return saved_; }

    /// What the field is, in words: "angle f32 from 0 to 120 in steps of 0.5". All that is in its fingerprint.
    static void spell(const field_schema& field, text_writer& to) noexcept {
        to.put(field.name);
        to.put(" ");
        field.ops->spell(field.range, to);
    }

    /// Of names, types, ranges and steps of the fields that are sent: both ends of a connection have the same, or cannot talk.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

    // --- objects ----------------------------------------------------------------------------------------------------------

    /// The first field whose value breaks its rules, in order of declaration; then `valid`. Throws what `valid` throws.
    [[nodiscard]] finding first_invalid(const void* object) const {
        const auto found = ops_->first_fault(object);
        return {found.field == entity_detail::no_field ? nullptr : &fields_[found.field], found.fault};
    }

    /// Fields whose values differ.
    [[nodiscard]] field_set changed(const void* a, const void* b) const noexcept { return ops_->changed(a, b); }
    /// Sent fields that differ in what the wire has of them.
    [[nodiscard]] field_set changed_on_wire(const void* a, const void* b) const noexcept {
        return ops_->changed_on_wire(a, b);
    }

    void copy(void* to, const void* from, const field_set& which) const noexcept {
        which.for_each([&](std::size_t i) { std::memcpy(fields_[i].in(to), fields_[i].in(from), fields_[i].size); });
    }

    /// To T{}, padding and all.
    void scrub(void* object) const noexcept { std::memcpy(object, defaults_, size_); }
    /// A T{}.
    [[nodiscard]] const void* defaults() const noexcept { return defaults_; }

    /// Makes of the sent fields what arrives of them at the other end.
    void round_to_wire(void* object) const noexcept {
        sent_.for_each([&](std::size_t i) { fields_[i].ops->round(fields_[i].in(object), fields_[i].range); });
    }

    /// Of these fields' names and values; the order of declaration does not matter.
    [[nodiscard]] std::uint64_t hash(const void* object, const field_set& which) const noexcept {
        hasher h;
        for (const std::uint16_t i : by_id_) {
            if (which.has(i)) fields_[i].ops->hash(h.add(fields_[i].id), fields_[i].in(object));
        }
        return h.digest();
    }
    /// Of what the wire has of these fields: equal at both ends.
    [[nodiscard]] std::uint64_t wire_hash(const void* object, const field_set& which) const noexcept {
        hasher h;
        for (const std::uint16_t i : by_id_) {
            const field_schema& f = fields_[i];
            if (which.has(i) && f.sent()) f.ops->hash_wire(h.add(f.id), f.in(object), f.range);
        }
        return h.digest();
    }

    // --- numbers on the wire ----------------------------------------------------------------------------------------------

    /// Pre of both: field.is_number().
    [[nodiscard]] static std::uint64_t quantise(const field_schema& field, const void* object) noexcept {
        return field.ops->quantise(field.in(object), field.range);
    }
    static void unquantise(const field_schema& field, std::uint64_t steps, void* object) noexcept {
        field.ops->unquantise(steps, field.range, field.in(object));
    }

    // --- bytes ------------------------------------------------------------------------------------------------------------

    /// The most that encode() writes of these fields.
    [[nodiscard]] std::size_t most_bytes(const field_set& which) const noexcept {
        std::size_t sum = 0;
        which.for_each([&](std::size_t i) { sum += fields_[i].most_bytes; });
        return sum;
    }

    /// These fields in order of ids, without saying which they are.
    void encode(const void* object, const field_set& which, byte_writer& to) const noexcept {
        for (const std::uint16_t i : by_id_) {
            if (which.has(i)) fields_[i].ops->encode(fields_[i].in(object), to);
        }
    }
    /// After a failure of `from`, which is what refused bytes are, the object has some of the fields: decode into a copy. Ranges are not
    /// looked at: first_invalid() does that.
    void decode(byte_reader& from, const field_set& which, void* object) const noexcept {
        for (const std::uint16_t i : by_id_) {
            if (from.ok() && which.has(i)) fields_[i].ops->decode(from, fields_[i].in(object));
        }
    }

    // --- text -------------------------------------------------------------------------------------------------------------

    static void print(const field_schema& field, const void* object, text_writer& to) noexcept {
        field.ops->print(field.in(object), to);
    }
    /// False, and nothing changes, where the text is not exactly one value that the field can have. Ranges are not looked at.
    [[nodiscard]] static bool parse(const field_schema& field, std::string_view text, void* object,
                                    link_names* links = nullptr) noexcept {
        return field.ops->parse(text, links, field.in(object));
    }

    /// The stored form: the saved fields of an object, as a JSON object. The revision belongs beside it.
    void store(const void* object, text_writer& to) const noexcept {
        to.put("{");
        bool first = true;
        saved_.for_each([&](std::size_t i) {
            if (!first) to.put(",");
            first = false;
            to.put_string(fields_[i].name);
            to.put(":");
            print(fields_[i], object, to);
        });
        to.put("}");
    }

    /// Makes a T{} of `object` and fills in what is stored: by name, by former name, then by `migrate` from every revision between. Throws
    /// what `migrate` and `valid` throw. Where it returns a fault the object has some of the fields, and must not be used or saved.
    [[nodiscard]] load_result load(const record& stored, void* object) const;

private:
    template <class T>
    friend struct entity_detail::class_data;

    class_schema() noexcept = default;

    /// Whether the field is as stored, or is not stored at all; else it is as in T{}.
    [[nodiscard]] bool load_field(const field_schema& field, const record& stored, void* object) const noexcept;
    [[nodiscard]] static bool taken_by_migrate(const field_schema& field, const record& stored) noexcept;

    std::string_view type_name_;
    std::int64_t revision_ = 1;
    std::size_t size_ = 0;
    std::size_t alignment_ = 1;
    std::span<const field_schema> fields_;
    std::span<const std::uint16_t> by_id_;
    const void* defaults_ = nullptr;
    const entity_detail::class_ops* ops_ = nullptr;
    std::uint64_t fingerprint_ = 0;
    field_set all_;
    field_set sent_;
    field_set saved_;
};

inline bool class_schema::load_field(const field_schema& field, const record& stored, void* object) const noexcept {
    for (const std::string_view name : field.names) {
        const std::string_view value = stored.raw(name);
        if (!value.empty()) return parse(field, value, object, stored.links());
    }
    return true;
}

inline bool class_schema::taken_by_migrate(const field_schema& field, const record& stored) noexcept {
    for (const std::string_view name : field.names) {
        if (stored.taken(name)) return true;
    }
    return false;
}

inline load_result class_schema::load(const record& stored, void* object) const {
    scrub(object);
    stored.begin_load();
    if (stored.fault() != record_fault::none || stored.revision() < 1) return {load_fault::not_a_record};
    if (stored.revision() > revision_) return {load_fault::from_future};
    field_set failed;
    saved_.for_each([&](std::size_t i) {
        if (!load_field(fields_[i], stored, object)) failed.add(i);
    });
    if (stored.revision() < revision_) ops_->migrate(stored, object);
    load_result result;
    failed.for_each([&](std::size_t i) {
        if (result && !taken_by_migrate(fields_[i], stored)) result = {load_fault::does_not_fit, &fields_[i]};
    });
    if (!result) return result;
    if (const finding wrong = first_invalid(object)) return {load_fault::invalid, wrong.field, wrong.fault};
    return result;
}

}  // namespace lido
