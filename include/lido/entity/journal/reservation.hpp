// One commit on its way into the journal: room for all of its entries is there before anything is changed, and they appear together.
#pragma once

#include <lido/entity/journal/journal_core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace lido {

/// Where an entry's bytes are to be written, all of them, before it is published. No field is marked yet; the rest holds anything.
struct entry_room {
    std::span<std::byte> changed;  ///< as changed_fields says
    std::span<std::byte> before;
    std::span<std::byte> after;
    std::span<char> id;

    /// Pre: the class has this field, and the entry is an update.
    void mark(std::size_t field) noexcept {
        LIDO_ASSERT(field / 8 < changed.size(), "journal: a field was marked that the class does not have");
        changed[field / 8] |= static_cast<std::byte>(1u << (field % 8));
    }
};

/// False where the journal refused. One that is neither published nor abandoned abandons itself. Never throws; allocates nothing.
class [[nodiscard]] journal_reservation {
public:
    journal_reservation() noexcept = default;
    explicit journal_reservation(journal_refusal why) noexcept : refusal_(why) {}
    LIDO_INLINE journal_reservation(entity_detail::journal_core& core, std::uint64_t start,
                                    std::uint64_t bytes) noexcept
        : core_(&core),
          start_(start),
          at_(core.memory_at(start)),
          room_(bytes),
          last_(core.ring().last_record()),
          refusal_(journal_refusal::none) {}
    journal_reservation(journal_reservation&& other) noexcept
        : core_(std::exchange(other.core_, nullptr)),
          start_(other.start_),
          at_(other.at_),
          room_(other.room_),
          used_(other.used_),
          last_(other.last_),
          count_(other.count_),
          refusal_(other.refusal_) {}
    journal_reservation& operator=(journal_reservation&&) = delete;
    ~journal_reservation() { abandon(); }

    [[nodiscard]] explicit operator bool() const noexcept { return refusal_ == journal_refusal::none; }
    [[nodiscard]] journal_refusal why_refused() const noexcept { return refusal_; }
    [[nodiscard]] const char* why() const noexcept { return to_string(refusal_); }

    /// One entry more. `tick` and `commit` of the stamp are the journal's to fill in.
    /// Pre: true, not published; the entries take no more than was reserved; wrong_shape() finds nothing; no notice.
    LIDO_INLINE entry_room add(const stamp& what, const entry_shape& shape) noexcept {
        using namespace entity_detail;
        LIDO_ASSERT(!is_notice(what.kind), "journal: a notice is the journal's own: a stage cannot write one");
        LIDO_ASSERT(wrong_shape(what.kind, shape) == nullptr, wrong_shape(what.kind, shape));
        LIDO_VERIFY(shape.before <= entry_shape::max_bytes && shape.after <= entry_shape::max_bytes,
                    "journal: an entry carries 16 MiB at most of what was and of what is");
        const std::uint32_t size = record_size(shape);
        const std::uint64_t whole = whole_words(size);
        LIDO_VERIFY(core_ != nullptr && whole <= room_ - used_, "journal: entries take more bytes than were reserved");
        const std::uint64_t here = start_ + used_;
        record_header h;
        h.size = size;
        h.fields = shape.fields;
        h.kind = static_cast<std::uint8_t>(what.kind);
        h.id_and_flags = static_cast<std::uint8_t>(shape.id_size << 2 | (used_ == 0 ? record_header::first : 0));
        h.back = last_ != entry_ring::no_place ? static_cast<std::uint32_t>(here - last_) : 0;
        h.entity = what.entity.value;
        h.tick = core_->tick();
        h.commit = core_->next_commit();
        h.generation = what.generation.value;
        h.version = what.version.value;
        h.class_id = what.of_class;
        h.local_class = what.local_class;
        h.before_and_detail = shape.before | std::uint32_t{what.detail} << 24;
        std::byte* const record = at_ + used_;
        put_header(record, h);
        std::byte* const set = record + sizeof h;
        const std::uint32_t set_size = set_bytes(shape.fields);
        for (std::uint32_t i = 0; i < set_size; i += 8) std::memset(set + i, 0, 8);
        std::byte* const before = set + set_size;
        std::byte* const after = before + shape.before;
        std::byte* const id = after + shape.after;
        used_ += whole;
        last_ = here;
        ++count_;
        return {{set, changed_fields::bytes_for(shape.fields)},
                {before, shape.before},
                {after, shape.after},
                {reinterpret_cast<char*>(id), shape.id_size}};
    }

    /// All entries appear, as one commit. Returns its number; 0 where nothing was added, which is no commit.
    LIDO_INLINE commit_number publish() noexcept {
        if (core_ == nullptr || count_ == 0) {
            abandon();
            return {};
        }
        using entity_detail::record_header;
        std::byte& flags = core_->memory_at(last_)[offsetof(record_header, id_and_flags)];
        flags |= std::byte{record_header::last};
        const commit_number number{core_->next_commit()};
        std::exchange(core_, nullptr)->publish(start_, start_ + used_, last_, count_);
        return number;
    }

    /// As if it had never been.
    void abandon() noexcept {
        if (core_ != nullptr) std::exchange(core_, nullptr)->abandon();
    }

private:
    entity_detail::journal_core* core_ = nullptr;
    std::uint64_t start_ = 0;
    std::byte* at_ = nullptr;
    std::uint64_t room_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t count_ = 0;
    journal_refusal refusal_ = journal_refusal::no_memory;
};

}  // namespace lido
