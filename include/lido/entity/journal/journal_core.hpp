// The state of a journal: its ring, its readers, and what is confirmed. journal, journal_reservation and journal_cursor are the three
// sides from which it is used.
//
// EJ1. The confirmed place lies from the beginning to the end of the ring: entries that are not confirmed are kept.
// EJ2. A reader that is ready stands where an entry begins, or at the end, and behind nothing that was dropped; one of confirmed entries
//      stands no further than the confirmed place.
// EJ3. The ticks of entries never go back, and none is above the open tick. Numbers of commits rise by one.
// EJ4. While a reader is being read, nothing from its commit on is dropped; while entries are walked over, none of them.
#pragma once

#include <lido/core/checks/misuse.hpp>
#include <lido/core/config.hpp>
#include <lido/core/memory/heap_storage.hpp>
#include <lido/entity/journal/answer.hpp>
#include <lido/entity/journal/cut_log.hpp>
#include <lido/entity/journal/entry_ring.hpp>
#include <lido/entity/journal/position.hpp>
#include <lido/entity/journal/reader.hpp>
#include <lido/entity/journal/stats.hpp>
#include <lido/entity/journal/tick_marks.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace lido {

struct journal_settings {
    const char* name = "journal";
    std::size_t bytes =
        std::size_t{1} << 20;  ///< for entries: made a power of two, 1 KiB to 1 GiB; 96 bytes hold an update of 24
    std::size_t readers = 16;  ///< at once; 104 bytes each
    /// How many ticks stay open until confirm(): what can be taken back. 0: each tick is confirmed as it ends.
    std::uint32_t rollback = 0;
};

namespace entity_detail {

LIDO_SHARED inline std::atomic<std::uint64_t> journals_made{0};

class journal_core {
public:
    explicit journal_core(const journal_settings& settings) noexcept
        : confirms_itself_(settings.rollback == 0), name_(settings.name) {
        const std::size_t bytes = std::bit_ceil(std::clamp(settings.bytes, entry_ring::least, entry_ring::most));
        const std::size_t marks = (std::min<std::size_t>)(settings.rollback, most_marks) + 2;
        const std::size_t readers = (std::min)(settings.readers, most_readers);
        block_bytes_ = bytes + marks * sizeof(tick_mark) + readers * sizeof(reader_slot);
        block_ = static_cast<std::byte*>(heap_source::allocate(block_bytes_, alignment));
        if (block_ == nullptr) {
            report_misuse(
                {.kind = misuse_kind::no_memory, .pool = name_, .what = "there was no memory for the journal"});
            block_bytes_ = 0;
            ring_.open(nullptr, 0);
            return;
        }
        ring_.open(block_, bytes);
        auto* const first_mark = reinterpret_cast<tick_mark*>(block_ + bytes);
        for (std::size_t i = 0; i < marks; ++i) ::new (static_cast<void*>(first_mark + i)) tick_mark{};
        marks_.open(first_mark, marks);
        slots_ = reinterpret_cast<reader_slot*>(first_mark + marks);
        slot_count_ = readers;
        for (std::size_t i = 0; i < readers; ++i) ::new (static_cast<void*>(slots_ + i)) reader_slot{};
    }
    journal_core(const journal_core&) = delete;
    journal_core& operator=(const journal_core&) = delete;
    /// Pre: nobody reads or writes it. Its cursors are closed by the one who has them, or by journal.
    ~journal_core() {
        LIDO_VERIFY(reading_ == 0 && !writing_, "a journal ended while it was read or written");
        if (block_ != nullptr) heap_source::release(block_, block_bytes_, alignment);
    }

    [[nodiscard]] const entry_ring& ring() const noexcept { return ring_; }
    [[nodiscard]] const char* name() const noexcept { return name_; }

    // --- writing ----------------------------------------------------------------------------------------------------

    /// Where `bytes` are to be written; no_place with a reason where they cannot be. Pre: whole words.
    [[nodiscard]] LIDO_INLINE std::uint64_t reserve(std::uint64_t bytes, journal_refusal& why) noexcept {
        std::uint64_t start = writing_ ? entry_ring::no_place : ring_.quick_room(bytes);
        if (start == entry_ring::no_place) [[unlikely]] {
            start = reserve_slowly(bytes);
            if (start == entry_ring::no_place) {
                why = last_refusal_;
                return start;
            }
        }
        writing_ = true;
        return start;
    }

    [[nodiscard]] std::byte* memory_at(std::uint64_t position) noexcept { return ring_.at(position); }
    /// Of the commit that is being written.
    [[nodiscard]] std::uint64_t next_commit() const noexcept { return commits_ + 1; }
    [[nodiscard]] std::uint64_t tick() const noexcept { return tick_; }

    LIDO_INLINE void publish(std::uint64_t start, std::uint64_t end, std::uint64_t last, std::uint64_t count) noexcept {
        ring_.publish(start, end, last, entries_, entries_ + count);
        entries_ += count;
        ++commits_;
        writing_ = false;
    }
    void abandon() noexcept { writing_ = false; }
    /// Why a request was refused that was refused just now.
    [[nodiscard]] journal_refusal last_refusal() const noexcept { return last_refusal_; }

    /// The records of one commit, for who knows their sizes before: room, record after record, published. Nothing else is done with the
    /// journal meanwhile, so that all of it stays in registers. journal_reservation is the same for everybody else.
    class quick_commit {
    public:
        /// False where the journal refused. Pre: `bytes` is the sum of the whole words of all records, above 0.
        LIDO_INLINE quick_commit(journal_core& core, std::uint64_t bytes) noexcept
            : core_(core), start_(core.ring_.end()) {
            if (core.writing_ || !core.ring_.fits(bytes)) [[unlikely]] {
                start_ = core.reserve_slowly(bytes);
            } else {
                LIDO_ASSUME(start_ != entry_ring::no_place);  // so that a test for a refusal costs nothing
            }
            end_ = start_ + bytes;
            at_ = start_;
            last_ = core.ring_.last_record();
        }

        [[nodiscard]] LIDO_INLINE explicit operator bool() const noexcept { return start_ != entry_ring::no_place; }
        [[nodiscard]] journal_refusal why_refused() const noexcept { return core_.last_refusal(); }

        /// The next record, with its header; what is behind that is the caller's to write. Only: there is no other. Word by word, each
        /// loaded and stored: a header that is made first and stored then takes more registers than there are.
        template <bool Only = false>
        LIDO_INLINE std::byte* add(change_kind kind, std::uint8_t detail, const entry_shape& shape,
                                   std::uint32_t entity, const std::uint64_t& generation, std::uint64_t version,
                                   const std::uint64_t& of_class, const std::uint32_t& local_class) noexcept {
            std::byte* const record = core_.memory_at(at_);
            const std::uint32_t size = record_size(shape);
            const std::uint64_t next = Only ? end_ : at_ + whole_words(size);
            const std::uint32_t first = Only || at_ == start_ ? record_header::first : 0u;
            const std::uint32_t last = Only || next == end_ ? record_header::last : 0u;
            put_start(record, {size, shape.fields, static_cast<std::uint8_t>(kind),
                               static_cast<std::uint8_t>(std::uint32_t{shape.id_size} << 2 | first | last)});
            const std::uint32_t back = last_ != entry_ring::no_place ? static_cast<std::uint32_t>(at_ - last_) : 0;
            put_pair(record + offsetof(record_header, back), back, entity);
            put_word(record + offsetof(record_header, tick), core_.tick_);
            put_word(record + offsetof(record_header, commit), core_.commits_ + 1);
            put_word(record + offsetof(record_header, generation), generation);
            put_word(record + offsetof(record_header, version), version);
            put_word(record + offsetof(record_header, class_id), of_class);
            put_pair(record + offsetof(record_header, local_class), local_class,
                     shape.before | std::uint32_t{detail} << 24);
            last_ = at_;
            at_ = next;
            ++count_;
            return record;
        }
        /// Pre: true, and the records fill the room.
        LIDO_INLINE void publish() noexcept {
            LIDO_ASSERT(at_ == end_, "journal: a commit is not of the size that was said");
            core_.ring_.publish(start_, end_, last_, core_.entries_, core_.entries_ + count_);
            core_.entries_ += count_;
            ++core_.commits_;
        }

    private:
        journal_core& core_;
        std::uint64_t start_;
        std::uint64_t end_;
        std::uint64_t at_;
        std::uint64_t last_;
        std::uint64_t count_ = 0;
    };

    // --- time -------------------------------------------------------------------------------------------------------

    [[nodiscard]] journal_answer begin_tick(std::uint64_t tick) noexcept {
        if (tick <= tick_) return {journal_refusal::past_tick};
        if (writing_) return {journal_refusal::writing};
        peak_open_ = (std::max)(peak_open_, ring_.end() - confirmed_.at);
        const journal_place here = end_place();
        if (confirms_itself_) {
            confirmed_ = here;
            confirmed_before_ = tick;
        } else {
            marks_.push({tick_, here});
        }
        tick_ = tick;
        return {};
    }

    [[nodiscard]] journal_answer confirm(std::uint64_t tick) noexcept {
        if (tick >= tick_) return {journal_refusal::open_tick};
        if (writing_) return {journal_refusal::writing};
        if (tick < confirmed_before_) return {};
        marks_.take_until(tick, confirmed_);
        while (confirmed_.at < ring_.end()) {  // past the marks, where there were too many ticks for them
            const std::uint64_t record = ring_.record_at(confirmed_.at);
            const record_header h = header_of(ring_.at(record));
            if (h.tick > tick) break;
            confirmed_ = {ring_.behind(record), confirmed_.entries + 1, h.commit};
        }
        confirmed_before_ = tick + 1;
        return {};
    }

    bool confirm_so_far() noexcept {
        if (!confirms_itself_ || writing_) return false;
        peak_open_ = (std::max)(peak_open_, ring_.end() - confirmed_.at);
        confirmed_ = end_place();
        return true;
    }

    // --- positions --------------------------------------------------------------------------------------------------

    [[nodiscard]] journal_position position() const noexcept { return position_of(end_place(), tick_); }
    [[nodiscard]] journal_position confirmed_position() const noexcept {
        return position_of(confirmed_, confirmed_before_);
    }
    [[nodiscard]] std::uint64_t confirmed_before() const noexcept { return confirmed_before_; }

    [[nodiscard]] journal_answer can_cut(const journal_position& to) const noexcept {
        if (to.journal != identity_) return {journal_refusal::other_journal};
        if (reading_ != 0) return {journal_refusal::reading};
        if (writing_) return {journal_refusal::writing};
        if (!cuts_.holds(to.at, to.cuts)) return {journal_refusal::cut_off};
        if (to.at < confirmed_.at) return {journal_refusal::confirmed};
        return {};
    }

    [[nodiscard]] journal_answer cut(const journal_position& to) noexcept {
        if (const journal_answer can = can_cut(to); !can) return can;
        if (to.at != ring_.end()) {
            cuts_.cut(to.at);
            ++cut_count_;
            for (std::size_t i = 0; i < slot_count_; ++i) cut_reader(slots_[i], to);
        }
        ring_.cut(to.at);
        entries_ = to.state.next.value;
        commits_ = to.state.commit.value;
        tick_ = to.state.tick.count;
        marks_.drop_from(tick_, to.at);
        return {};
    }

    [[nodiscard]] journal_answer reset(reset_cause cause, const journal_state& to) noexcept {
        if (reading_ != 0) return {journal_refusal::reading};
        if (writing_) return {journal_refusal::writing};
        cuts_.reset();
        ++reset_count_;
        entries_ = to.next.value;
        commits_ = to.commit.value;
        tick_ = to.tick.count;
        ring_.clear(entries_);
        marks_.clear();
        confirmed_ = end_place();
        confirmed_before_ = tick_;
        for (std::size_t i = 0; i < slot_count_; ++i) {
            reader_slot& s = slots_[i];
            if (!s.used) continue;
            place(s, ring_.end(), entries_);
            s.state = reader_state::reset;
            s.reset = true;
            s.cause = cause;
        }
        return {};
    }

    // --- readers ----------------------------------------------------------------------------------------------------

    /// Null where there is no room for another.
    [[nodiscard]] reader_slot* open(const reader_settings& settings, journal_cursor* cursor) noexcept {
        for (std::size_t i = 0; i < slot_count_; ++i) {
            if (slots_[i].used) continue;
            reader_slot& s = slots_[i];
            s = {};
            s.used = true;
            s.cursor = cursor;
            s.what = settings.what;
            s.tell_confirmed = settings.tell_confirmed;
            s.set_name(settings.name);
            if (settings.from == read_from::now) {
                const journal_place now = settings.what == reads::confirmed ? confirmed_ : end_place();
                place(s, now.at, now.entries);
            } else {
                place(s, ring_.begin(), ring_.first_entry());
            }
            return &s;
        }
        return nullptr;
    }

    void close(reader_slot& s) noexcept {
        s.cursor = nullptr;
        s.state = reader_state::closed;
        if (!s.busy) s = {};
    }

    [[nodiscard]] journal_position snapshot_position(const reader_slot& s) const noexcept {
        return s.what == reads::confirmed ? confirmed_position() : position();
    }

    [[nodiscard]] journal_answer resume(reader_slot& s, const journal_position& from) noexcept {
        if (s.busy) return {journal_refusal::reading};
        if (from.journal != identity_) return {journal_refusal::other_journal};
        if (!cuts_.holds(from.at, from.cuts)) return {journal_refusal::cut_off};
        if (from.state.next.value < ring_.first_entry()) return {journal_refusal::dropped};
        if (s.what == reads::confirmed && from.at > confirmed_.at) return {journal_refusal::not_confirmed};
        place(s, (std::max)(from.at, ring_.begin()), from.state.next.value);
        // What was confirmed since a snapshot of confirmed entities was taken is still to be told.
        if (s.what == reads::confirmed) s.confirmed_before = (std::min)(confirmed_before_, from.state.tick.count);
        return {};
    }

    [[nodiscard]] reader_lag lag(const reader_slot& s) const noexcept {
        const journal_place to = s.what == reads::confirmed ? confirmed_ : end_place();
        return {to.entries - s.entries, to.at - s.at};
    }

    /// Up to where a read goes that begins now: what is appended meanwhile is for the next one.
    struct read_limit {
        std::uint64_t at = 0;
        std::uint64_t confirmed_before = 0;
    };
    [[nodiscard]] read_limit limit_of(const reader_slot& s) const noexcept {
        return {s.what == reads::confirmed ? confirmed_.at : ring_.end(), confirmed_before_};
    }

    /// Whether a reader has nothing to be told but entries. Else notice() comes first.
    [[nodiscard]] LIDO_INLINE bool has_no_notice(const reader_slot& s) const noexcept {
        return s.state == reader_state::ready && !s.cut && !(s.tell_confirmed && s.at >= confirmed_.at);
    }

    /// What a reader has to be told before it is given its next entry; none for most.
    struct notice {
        journal_entry entry;
        bool there = false;
        std::uint64_t confirmed_before = 0;  // of a confirmation: the first tick that is not
    };
    [[nodiscard]] LIDO_COLD notice notice_for(const reader_slot& s, const read_limit& to) const noexcept {
        notice n;
        n.there = true;
        n.entry.number = {s.entries};
        n.entry.first = n.entry.last = true;
        stamp& what = n.entry.what;
        if (s.reset) {
            what.kind = change_kind::reset;
            what.detail = static_cast<std::uint8_t>(s.cause);
            what.tick = {tick_};
        } else if (s.state == reader_state::ready && s.cut) {
            what.kind = change_kind::cut;
            what.tick = {s.cut_tick};
        } else if (s.state == reader_state::ready && s.tell_confirmed && s.at >= confirmed_.at &&
                   s.confirmed_before < to.confirmed_before) {
            what.kind = change_kind::confirmed;
            what.tick = {to.confirmed_before - 1};
            n.confirmed_before = to.confirmed_before;
        } else {
            n.there = false;
        }
        return n;
    }
    void take(reader_slot& s, const notice& n) const noexcept {
        ++s.read;
        switch (n.entry.kind()) {
            case change_kind::cut: s.cut = false; break;
            case change_kind::reset: s.reset = false; break;
            default: s.confirmed_before = n.confirmed_before; break;
        }
    }

    /// Whether there is an entry for it, when its notices are told.
    [[nodiscard]] LIDO_INLINE bool has_entry(const reader_slot& s, const read_limit& to) const noexcept {
        return s.state == reader_state::ready && s.at < to.at;
    }
    /// Where its next entry lies. Pre: it has one.
    [[nodiscard]] LIDO_INLINE std::uint64_t record_for(const reader_slot& s) const noexcept {
        return ring_.record_at(s.at);
    }
    [[nodiscard]] LIDO_INLINE journal_entry entry_at(const reader_slot& s, std::uint64_t record) const noexcept {
        return entry_of(ring_.at(record), {s.entries});
    }
    LIDO_INLINE void take(reader_slot& s, std::uint64_t record) const noexcept {
        const record_start start = start_of(ring_.at(record));
        ++s.read;
        ++s.entries;
        s.at = record + whole_words(start.size);
        if ((start.id_and_flags & record_header::last) != 0) s.commit_at = s.at;
    }
    /// The rest of the commit, too. Returns how many entries that were.
    std::uint64_t take_commit(reader_slot& s, std::uint64_t record) const noexcept {
        std::uint64_t count = 0;
        for (bool last = false; !last; record = s.at, ++count) {  // no pad inside of a commit
            last = (start_of(ring_.at(record)).id_and_flags & record_header::last) != 0;
            take(s, record);
        }
        return count;
    }

    /// All that a read would give now, unseen. Pre: has_no_notice().
    LIDO_INLINE void skip_all(reader_slot& s) const noexcept {
        const journal_place to = s.what == reads::confirmed ? confirmed_ : end_place();
        s.read += to.entries - s.entries;
        s.at = s.commit_at = to.at;
        s.entries = to.entries;
    }

    /// While a reader's function runs.
    class reading {
    public:
        reading(journal_core& core, reader_slot& slot) noexcept : core_(core), slot_(slot) {
            slot.busy = true;
            ++core.reading_;
        }
        reading(const reading&) = delete;
        reading& operator=(const reading&) = delete;
        ~reading() {
            --core_.reading_;
            slot_.busy = false;
            if (slot_.state == reader_state::closed) slot_ = {};
        }

    private:
        journal_core& core_;
        reader_slot& slot_;
    };

    /// Calls f(entry) for each entry behind `to`, the latest first.
    template <class F>
    void walk_back(const journal_place to, F&& f) {  // a copy: f may confirm
        const holding walking(*this, to.at);
        std::uint64_t number = entries_;
        if (ring_.end() == to.at) return;
        for (std::uint64_t record = ring_.last_record();;) {
            f(entry_of(ring_.at(record), {--number}));
            if (number == to.entries) return;
            record -= header_of(ring_.at(record)).back;
        }
    }
    [[nodiscard]] const journal_place& confirmed() const noexcept { return confirmed_; }

    /// Calls f(entry) for the last ones that are kept, the latest first, at most so many. Pre: f does not write.
    template <class F>
    void look_back(std::uint64_t most, F&& f) const {
        std::uint64_t number = entries_;
        if (number == ring_.first_entry() || most == 0) return;
        for (std::uint64_t record = ring_.last_record();;) {
            f(entry_of(ring_.at(record), {--number}));
            if (number == ring_.first_entry() || --most == 0) return;
            record -= header_of(ring_.at(record)).back;
        }
    }

    // --- figures ----------------------------------------------------------------------------------------------------

    [[nodiscard]] journal_state state() const noexcept { return {{tick_}, {commits_}, {entries_}}; }

    [[nodiscard]] journal_stats stats() const noexcept {
        journal_stats s;
        s.name = name_;
        s.capacity = ring_.capacity();
        s.used = ring_.end() - ring_.begin();
        s.open = ring_.end() - confirmed_.at;
        s.entries = entries_;
        s.kept = entries_ - ring_.first_entry();
        s.confirmed = confirmed_.entries;
        s.commits = commits_;
        s.dropped = dropped_;
        s.refused = refused_;
        s.cuts = cut_count_;
        s.resets = reset_count_;
        s.peak_open = (std::max)(peak_open_, s.open);
        s.max_readers = slot_count_;
        for (std::size_t i = 0; i < slot_count_; ++i) s.readers += slots_[i].used ? 1 : 0;
        return s;
    }

    [[nodiscard]] reader_stats stats_of(const reader_slot& s) const noexcept {
        return {s.name, s.what, s.state, lag(s), s.read, s.fell_behind};
    }

    [[nodiscard]] std::size_t slot_count() const noexcept { return slot_count_; }
    [[nodiscard]] reader_slot& slot(std::size_t i) noexcept { return slots_[i]; }
    [[nodiscard]] const reader_slot& slot(std::size_t i) const noexcept { return slots_[i]; }

    [[nodiscard]] verdict validate() const noexcept {
        if (const verdict v = ring_.validate(entries_); !v) return v;
        if (const verdict v = marks_.validate(); !v) return v;
        if (const verdict v = cuts_.validate(); !v) return v;
        if (confirmed_.at < ring_.begin() || confirmed_.at > ring_.end() || confirmed_.entries > entries_ ||
            confirmed_.entries < ring_.first_entry())
            return {"EJ1: what is confirmed lies outside of the ring"};
        std::size_t placed = 0;
        for (std::size_t i = 0; i < slot_count_; ++i) {
            const reader_slot& s = slots_[i];
            if (!s.used || s.state != reader_state::ready) continue;
            ++placed;
            if (s.at < ring_.begin()) return {"EJ2: a reader that is ready stands before the oldest entry"};
            if (s.what == reads::confirmed && s.at > confirmed_.at)
                return {"EJ2: a reader of confirmed entries is ahead of what is confirmed"};
        }
        std::uint64_t tick = 0;
        std::uint64_t number = ring_.first_entry();
        std::uint64_t commit = 0;
        for (std::uint64_t p = ring_.begin(); p < ring_.end(); ++number) {
            placed -= readers_at(p, number);
            const std::uint64_t record = ring_.record_at(p);
            const record_header h = header_of(ring_.at(record));
            if (h.tick < tick || h.tick > tick_) return {"EJ3: an entry is out of the order of ticks"};
            const bool first = (h.id_and_flags & record_header::first) != 0;
            if (commit != 0 && h.commit != commit + (first ? 1 : 0)) return {"EJ3: commits are out of order"};
            tick = h.tick;
            commit = h.commit;
            p = ring_.behind(record);
        }
        if (commit != 0 && commit != commits_) return {"EJ3: the last commit is not the last one that was counted"};
        placed -= readers_at(ring_.end(), entries_);
        return placed == 0 ? verdict{} : verdict{"EJ2: a reader does not stand where an entry begins"};
    }

private:
    static constexpr std::size_t alignment = 64;
    static constexpr std::size_t most_marks = 4096;    // ticks that are open; more are found by walking
    static constexpr std::size_t most_readers = 1024;  // each cut and each drop visits them all
    static_assert(sizeof(tick_mark) % 8 == 0 && alignof(reader_slot) <= 8 && alignof(tick_mark) <= 8);

    /// While entries are walked over: nothing from `at` on is dropped or cut.
    class holding {
    public:
        holding(journal_core& core, std::uint64_t at) noexcept : core_(core), before_(core.held_) {
            core.held_ = (std::min)(core.held_, at);
            ++core.reading_;
        }
        holding(const holding&) = delete;
        holding& operator=(const holding&) = delete;
        ~holding() {
            --core_.reading_;
            core_.held_ = before_;
        }

    private:
        journal_core& core_;
        std::uint64_t before_;
    };

    [[nodiscard]] journal_place end_place() const noexcept { return {ring_.end(), entries_, commits_}; }
    [[nodiscard]] journal_position position_of(const journal_place& p, std::uint64_t tick) const noexcept {
        return {{{tick}, {p.commits}, {p.entries}}, p.at, cuts_.count(), identity_};
    }

    [[nodiscard]] LIDO_COLD std::uint64_t reserve_slowly(std::uint64_t bytes) noexcept {
        journal_refusal& why = last_refusal_;
        why = journal_refusal::none;
        if (writing_) {
            why = journal_refusal::writing;
        } else if (ring_.capacity() == 0) {
            why = journal_refusal::no_memory;
        } else if (bytes > ring_.largest()) {
            why = journal_refusal::too_large;
        }
        if (why != journal_refusal::none) {
            ++refused_;
            return entry_ring::no_place;
        }
        std::uint64_t keep = (std::min)(confirmed_.at, held_);
        for (std::size_t i = 0; reading_ != 0 && i < slot_count_; ++i) {
            if (slots_[i].busy) keep = (std::min)(keep, slots_[i].commit_at);
        }
        const std::uint64_t oldest = ring_.first_entry();
        const std::uint64_t begin = ring_.begin();
        const std::uint64_t start = ring_.make_room(bytes, keep);
        if (start == entry_ring::no_place) {
            ++refused_;
            peak_open_ = (std::max)(peak_open_, ring_.end() - confirmed_.at);
            why = keep < confirmed_.at ? journal_refusal::held_by_reader : journal_refusal::full;
            return start;
        }
        dropped_ += ring_.first_entry() - oldest;
        if (ring_.begin() != begin) leave_behind();
        return start;
    }

    /// Readers that had not read what is gone now.
    void leave_behind() noexcept {
        for (std::size_t i = 0; i < slot_count_; ++i) {
            reader_slot& s = slots_[i];
            if (!s.used || s.state != reader_state::ready || s.at >= ring_.begin()) continue;
            if (s.entries == ring_.first_entry()) {  // only a pad is gone
                s.at = s.commit_at = ring_.begin();
                continue;
            }
            s.state = reader_state::behind;
            s.cut = false;
            ++s.fell_behind;
        }
    }

    static void cut_reader(reader_slot& s, const journal_position& to) noexcept {
        if (!s.used || s.state != reader_state::ready || s.at <= to.at) return;
        s.at = s.commit_at = to.at;
        s.entries = to.state.next.value;
        s.cut_tick = to.state.tick.count;
        s.cut = true;
    }

    /// From there on, with nothing left to be told.
    void place(reader_slot& s, std::uint64_t at, std::uint64_t entries) const noexcept {
        if (!s.used || s.state == reader_state::closed) return;
        s.at = s.commit_at = at;
        s.entries = entries;
        s.state = reader_state::ready;
        s.cut = s.reset = false;
        s.confirmed_before = confirmed_before_;
    }

    [[nodiscard]] std::size_t readers_at(std::uint64_t at, std::uint64_t number) const noexcept {
        std::size_t n = 0;
        for (std::size_t i = 0; i < slot_count_; ++i) {
            const reader_slot& s = slots_[i];
            n += s.used && s.state == reader_state::ready && s.at == at && s.entries == number ? 1 : 0;
        }
        return n;
    }

    entry_ring ring_;
    std::uint64_t entries_ = 0;
    std::uint64_t commits_ = 0;
    std::uint64_t tick_ = 0;
    bool writing_ = false;
    bool confirms_itself_;
    unsigned reading_ = 0;                       // reads and walks that are under way
    std::uint64_t held_ = entry_ring::no_place;  // from here on entries are being walked over
    journal_place confirmed_;
    std::uint64_t confirmed_before_ = 0;  // the first tick that is not confirmed
    reader_slot* slots_ = nullptr;
    std::size_t slot_count_ = 0;
    tick_marks marks_;
    cut_log cuts_;
    const char* name_;
    std::uint64_t identity_ = journals_made.fetch_add(1, std::memory_order_relaxed) + 1;
    std::uint64_t dropped_ = 0;
    std::uint64_t refused_ = 0;
    journal_refusal last_refusal_ = journal_refusal::none;  // for who has just been refused
    std::uint64_t cut_count_ = 0;
    std::uint64_t reset_count_ = 0;
    std::uint64_t peak_open_ = 0;
    std::byte* block_ = nullptr;
    std::size_t block_bytes_ = 0;
};

}  // namespace entity_detail
}  // namespace lido
