// The bytes of a journal: records in one power of two of memory, appended at the end and dropped at the beginning, a commit at a time.
//
//   positions count bytes and never come round; a position's place in memory is its lower bits
//
//         begin                             end                             begin + capacity
//     ------|== commit ==|=== commit ===|pad|== commit ==|·········|·········|
//           |       |       |       |       |       |                 64 chunks: of each is known the first commit that begins
//           c0      c1      c2      c3      c4      c5                in it or after it, so a drop reads no old record
//
// ER1. begin <= end <= begin + capacity; all three are whole multiples of 8.
// ER2. From begin to end lie whole records without a gap; a pad ends where the memory ends, and a record follows it.
// ER3. A record's `back` leads to the record before it.
// ER4. For each beginning of a chunk from begin + 1 to end, the note of the chunk is the first beginning of a commit there or behind, and the
//      number of its first entry.
// ER5. A commit is in one piece: its first record is marked first, its last one last, and no other.
//
// Rejected: a queue of commits, each in memory of its own: it allocates, or wastes what the largest commit needs. Rejected: dropping record
// by record: the oldest records are out of every cache, so that each append would wait for memory.
#pragma once

#include <lido/core/base/stats.hpp>
#include <lido/core/config.hpp>
#include <lido/entity/journal/record.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lido::entity_detail {

class entry_ring {
public:
    static constexpr std::size_t chunks = 64;
    static constexpr std::size_t least =
        1024;  // bytes: chunks of 16, the smallest that a pad or header start fits into
    static constexpr std::size_t most = std::size_t{1} << 30;  // `back` and `size` are 32 bits
    static constexpr std::uint64_t no_place = ~std::uint64_t{0};

    /// Pre: `bytes` is a power of two from least to most, and memory of so many bytes, 8-byte aligned; or both are nothing.
    void open(std::byte* memory, std::size_t bytes) noexcept {
        memory_ = memory;
        capacity_ = bytes;
        mask_ = bytes != 0 ? bytes - 1 : 0;
        chunk_shift_ = bytes != 0 ? static_cast<unsigned>(std::countr_zero(bytes / chunks)) : 4;
        set_limit();
    }

    [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::uint64_t begin() const noexcept { return begin_.at; }
    [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
    /// The number of the first entry that is kept.
    [[nodiscard]] std::uint64_t first_entry() const noexcept { return begin_.entry; }
    /// Where the last record is; no_place where there was none.
    [[nodiscard]] std::uint64_t last_record() const noexcept { return last_; }

    /// The largest commit. With a pad in front of it, which is smaller than it, it fits an empty ring wherever that ends.
    [[nodiscard]] std::uint64_t largest() const noexcept { return capacity_ / 2; }

    [[nodiscard]] LIDO_INLINE std::byte* at(std::uint64_t position) noexcept { return memory_ + (position & mask_); }
    [[nodiscard]] LIDO_INLINE const std::byte* at(std::uint64_t position) const noexcept {
        return memory_ + (position & mask_);
    }

    /// The record there, or the one behind the pad there. Pre: position < end.
    [[nodiscard]] LIDO_INLINE std::uint64_t record_at(std::uint64_t position) const noexcept {
        const record_start start = start_of(at(position));
        return start.kind == pad_kind ? position + start.size : position;
    }
    /// The position behind a record.
    [[nodiscard]] LIDO_INLINE std::uint64_t behind(std::uint64_t record) const noexcept {
        return record + whole_words(start_of(at(record)).size);
    }

    /// Where `bytes` fit without a pad, a drop or a note; no_place where that takes make_room().
    [[nodiscard]] LIDO_INLINE std::uint64_t quick_room(std::uint64_t bytes) const noexcept {
        return fits(bytes) ? end_ : no_place;
    }
    [[nodiscard]] LIDO_INLINE bool fits(std::uint64_t bytes) const noexcept {
        return bytes <= limit_ - end_;  // the limit is never before the end
    }

    /// Where `bytes` fit; drops what is in the way, but nothing from `keep` on. no_place, with nothing dropped, where that is not enough.
    /// Pre: bytes <= largest(); keep is where a commit begins, or the end.
    [[nodiscard]] LIDO_COLD std::uint64_t make_room(std::uint64_t bytes, std::uint64_t keep) noexcept {
        const std::uint64_t offset = end_ & (capacity_ - 1);
        const std::uint64_t start = offset + bytes <= capacity_ ? end_ : end_ + (capacity_ - offset);
        if (start + bytes > begin_.at + capacity_) {
            const std::uint64_t needed = start + bytes - capacity_;
            if (needed > keep) return no_place;
            while (begin_.at < needed) drop_some(keep);
            set_limit();
        }
        return start;
    }

    /// Takes in what was written from `start` on. `last` is its last record; `entries` the number of the entry to come behind it.
    LIDO_INLINE void publish(std::uint64_t start, std::uint64_t end, std::uint64_t last, std::uint64_t entries_before,
                             std::uint64_t entries) noexcept {
        if (end >= limit_) [[unlikely]]  // else it is in the chunk still, and nothing had to be done to fit it
            note_chunks(start, end, entries_before, entries);
        end_ = end;
        last_ = last;
    }

    /// Pre: begin <= end, where a commit begins or ended.
    void cut(std::uint64_t end) noexcept {
        if (end == end_) return;
        const std::uint64_t next = record_at(end);
        const std::uint64_t back = header_of(at(next)).back;
        last_ = back != 0 ? next - back : no_place;
        end_ = end;
        set_limit();
    }

    /// Drops all, and goes on with entries of this number.
    void clear(std::uint64_t entry) noexcept {
        // The records before are out of reach, and none is to be walked back to.
        last_ = no_place;
        begin_ = {end_, entry};
        set_limit();
    }

    /// `entries` is the number of the entry to come.
    [[nodiscard]] verdict validate(std::uint64_t entries) const noexcept {
        if (capacity_ == 0) return begin_.at == end_ ? verdict{} : verdict{"ER1: a ring without memory has entries"};
        if (begin_.at > end_ || end_ - begin_.at > capacity_ || (begin_.at | end_) % 8 != 0)
            return {"ER1: the ends of the ring are out of order"};
        std::uint64_t count = begin_.entry;
        std::uint64_t before = no_place;
        std::uint64_t noted = begin_.at + 1;
        bool inside = false;
        for (std::uint64_t p = begin_.at; p < end_;) {
            const std::uint64_t record = record_at(p);
            if (record != p && (record & (capacity_ - 1)) != 0)
                return {"ER2: a pad does not end at the end of the memory"};
            if (record >= end_) return {"ER2: no record follows a pad"};
            const record_header h = header_of(at(record));
            const bool first = (h.id_and_flags & record_header::first) != 0;
            if (h.size < sizeof(record_header) || behind(record) > end_ || h.kind == pad_kind || h.kind >= change_kinds)
                return {"ER2: a record is none, or goes beyond the end"};
            if (before != no_place && record - h.back != before)
                return {"ER3: a record does not lead back to the one before"};
            if (first == inside || (inside && record != p)) return {"ER5: a commit is not in one piece"};
            if (first && !notes_hold(noted, p, {record, count}, record != p))
                return {"ER4: the note of a chunk is wrong"};
            if (first) noted = record + 1;
            inside = (h.id_and_flags & record_header::last) == 0;
            ++count;
            before = record;
            p = behind(record);
        }
        if (inside) return {"ER5: a commit is not in one piece"};
        if (!notes_hold(noted, end_, {end_, count}, false)) return {"ER4: the note of a chunk is wrong"};
        if (count != entries) return {"ER2: the entries are not as many as their numbers say"};
        return before == no_place || before == last_ ? verdict{}
                                                     : verdict{"ER3: the last record is not where it is said to be"};
    }

private:
    /// The beginning of a commit.
    struct place {
        std::uint64_t at = 0;
        std::uint64_t entry = 0;  // the number of its first entry
    };

    [[nodiscard]] std::uint64_t chunk_end(std::uint64_t position) const noexcept {
        return (position | ((std::uint64_t{1} << chunk_shift_) - 1)) + 1;
    }
    [[nodiscard]] place& note(std::uint64_t chunk) noexcept { return notes_[(chunk >> chunk_shift_) % chunks]; }
    [[nodiscard]] const place& note(std::uint64_t chunk) const noexcept {
        return notes_[(chunk >> chunk_shift_) % chunks];
    }

    /// Up to where an append needs nothing else done: the room, and the chunk.
    void set_limit() noexcept {
        const std::uint64_t room = begin_.at + capacity_;
        const std::uint64_t chunk = chunk_end(end_);
        limit_ = capacity_ == 0 ? 0 : room < chunk ? room : chunk;
    }

    /// Begins at a later commit: as far as a chunk notes it, else one commit further.
    void drop_some(std::uint64_t keep) noexcept {
        if (const std::uint64_t chunk = chunk_end(begin_.at); chunk <= end_ && note(chunk).at <= keep) {
            begin_ = note(chunk);
            return;
        }
        for (bool last = false; !last;) {
            const std::uint64_t record = record_at(begin_.at);
            last = (start_of(at(record)).id_and_flags & record_header::last) != 0;
            begin_ = {behind(record), begin_.entry + 1};
        }
    }

    LIDO_COLD void note_chunks(std::uint64_t start, std::uint64_t end, std::uint64_t entries_before,
                               std::uint64_t entries) noexcept {
        if (start != end_) {
            const record_start pad{static_cast<std::uint32_t>(start - end_), 0, pad_kind, 0};
            std::memcpy(at(end_), &pad, sizeof pad);
        }
        for (std::uint64_t chunk = chunk_end(end_); chunk <= end; chunk += std::uint64_t{1} << chunk_shift_)
            note(chunk) = chunk <= start ? place{start, entries_before} : place{end, entries};
        end_ = end;
        set_limit();
    }

    /// ER4 for the chunks that begin from `from` to `to`, which leads to `expected`; through a pad, if there is one.
    [[nodiscard]] bool notes_hold(std::uint64_t from, std::uint64_t to, const place& expected,
                                  bool padded) const noexcept {
        const std::uint64_t until = padded ? expected.at : to;
        for (std::uint64_t chunk = chunk_end(from - 1); chunk <= until; chunk += std::uint64_t{1} << chunk_shift_) {
            // Before a pad two commits meet: what ended before it noted its end, and the pad is noted as its record.
            const bool before_pad = padded && chunk <= to;
            if (note(chunk).entry != expected.entry || note(chunk).at != (before_pad ? to : expected.at)) return false;
        }
        return true;
    }

    std::byte* memory_ = nullptr;
    std::uint64_t capacity_ = 0;
    std::uint64_t mask_ = 0;  // capacity - 1
    std::uint64_t limit_ = 0;
    std::uint64_t end_ = 0;
    unsigned chunk_shift_ = 4;
    std::uint64_t last_ = no_place;
    place begin_;
    place notes_[chunks] = {};
};

}  // namespace lido::entity_detail
