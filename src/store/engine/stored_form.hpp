// From the struct of an entity to the JSON of its row and back, without its type.
#pragma once

#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/schema/record.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace lido::store_detail {

struct known_class;

/// Room for one struct of any class.
class struct_room {
public:
    struct_room() noexcept = default;
    struct_room(const struct_room&) = delete;
    struct_room& operator=(const struct_room&) = delete;
    ~struct_room() { free(); }
    /// Throws: std::bad_alloc.
    [[nodiscard]] std::byte* of(const class_schema& c) {
        if (c.size() > size_ || c.alignment() > alignment_) {
            free();
            at_ = static_cast<std::byte*>(::operator new(c.size(), std::align_val_t{c.alignment()}));
            size_ = c.size();
            alignment_ = c.alignment();
        }
        return at_;
    }

private:
    void free() noexcept {
        if (at_ != nullptr) ::operator delete(at_, std::align_val_t{alignment_});
        at_ = nullptr;
        size_ = alignment_ = 0;
    }
    std::byte* at_ = nullptr;
    std::size_t size_ = 0;
    std::size_t alignment_ = 0;
};

/// A field whose stored text names entities that were not there when it was loaded. As long as its bytes stay, the text does, too.
struct kept_field {
    std::uint32_t field;
    std::string text;
    std::vector<std::byte> was;
};
struct kept_fields {
    std::vector<kept_field> all;
};

/// The JSON object of a row, in `room`, which grows. Empty where it is larger than any row may be.
[[nodiscard]] std::string_view print_entity(const class_schema& of, const void* object, const link_names* links,
                                            const kept_fields* kept, std::vector<char>& room);

/// False with the reason, in words, where the row is none that the class can have. What `migrate` or `valid` throws is a reason, too.
[[nodiscard]] bool read_entity(const class_schema& of, std::string_view text, std::int64_t revision, link_names* links,
                               void* object, std::string& why);

/// What a class is, for class_note::fields.
[[nodiscard]] std::string print_fields(const class_schema& of);

}  // namespace lido::store_detail
