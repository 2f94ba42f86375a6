// One reader of a journal: it is given every entry once, in order, without a gap, or is told that it has to take a snapshot.
#pragma once

#include <lido/entity/journal/commit_group.hpp>
#include <lido/entity/journal/journal_core.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace lido {

/// Ends its reader with its life. One that outlives its journal is closed by the end of the journal.
/// Threads: those of its journal.
class journal_cursor {
    using core_type = entity_detail::journal_core;

public:
    static constexpr std::uint64_t no_limit = ~std::uint64_t{0};

    journal_cursor() noexcept = default;
    journal_cursor(core_type& core, const reader_settings& settings) noexcept : core_(&core) {
        slot_ = core.open(settings, this);
        if (slot_ == nullptr) core_ = nullptr;
    }
    journal_cursor(journal_cursor&& other) noexcept { take_over(other); }
    journal_cursor& operator=(journal_cursor&& other) noexcept {
        if (this != &other) {
            close();
            take_over(other);
        }
        return *this;
    }
    ~journal_cursor() { close(); }

    /// False for one that was not opened because the journal has no room for another reader, or was closed.
    [[nodiscard]] explicit operator bool() const noexcept { return core_ != nullptr; }

    /// Calls f(entry) for each entry that has not been read and was there when this began: at most `most`.
    ///
    /// f may return a bool: false stops, and the entry counts as not read. f may commit (its entries are for the next read), open and close
    /// readers, this one included, and read with others. Throws: what f throws; its entry counts as not read.
    template <class F>
    read_result read(F&& f, std::uint64_t most = no_limit) {
        return run<false>(f, most);
    }

    /// The same, commit by commit: f(group). `most` counts commits. A commit of which read() has given a part goes on with its rest.
    template <class F>
    read_result read_commits(F&& f, std::uint64_t most = no_limit) {
        return run<true>(f, most);
    }

    /// The entry that a read would give next. Valid until anything is appended, or read with this cursor.
    [[nodiscard]] std::optional<journal_entry> peek() const noexcept {
        if (core_ == nullptr) return std::nullopt;
        const core_type::read_limit limit = core_->limit_of(*slot_);
        if (const auto n = core_->notice_for(*slot_, limit); n.there) return n.entry;
        if (!core_->has_entry(*slot_, limit)) return std::nullopt;
        return core_->entry_at(*slot_, core_->record_for(*slot_));
    }

    /// Passes over that entry. False where there is none, and from inside of a read with this cursor.
    bool skip() noexcept {
        if (core_ == nullptr || slot_->busy) return false;
        const core_type::read_limit limit = core_->limit_of(*slot_);
        if (const auto n = core_->notice_for(*slot_, limit); n.there) {
            core_->take(*slot_, n);
            return true;
        }
        if (!core_->has_entry(*slot_, limit)) return false;
        core_->take(*slot_, core_->record_for(*slot_));
        return true;
    }

    /// Passes over all entries that a read would give now: for who knows that nobody wants them. False, with nothing done, where there is
    /// something else to be told first, and from inside of a read with this cursor. Complexity: O(1).
    bool skip_all() noexcept {
        if (core_ == nullptr || slot_->busy || !core_->has_no_notice(*slot_)) return false;
        core_->skip_all(*slot_);
        return true;
    }

    /// Where the state is that a snapshot for this reader is taken of, now: for a reader of confirmed entries the live state without what
    /// is not confirmed (journal::undo()), for one of everything the live state.
    [[nodiscard]] journal_position snapshot_position() const noexcept {
        return core_ != nullptr ? core_->snapshot_position(*slot_) : journal_position{};
    }

    /// Goes on behind a snapshot. Refused where that is not possible any more, with nothing changed.
    journal_answer resume(const journal_position& from) noexcept {
        return core_ != nullptr ? core_->resume(*slot_, from) : journal_answer{journal_refusal::closed};
    }
    /// Behind one that was just taken, or from here on without any.
    journal_answer resume() noexcept { return resume(snapshot_position()); }

    [[nodiscard]] reader_state state() const noexcept { return core_ != nullptr ? slot_->state : reader_state::closed; }
    /// Of the entry that comes next.
    [[nodiscard]] entry_number next() const noexcept { return {core_ != nullptr ? slot_->entries : 0}; }
    [[nodiscard]] reader_lag lag() const noexcept { return core_ != nullptr ? core_->lag(*slot_) : reader_lag{}; }
    [[nodiscard]] reader_stats stats() const noexcept {
        return core_ != nullptr ? core_->stats_of(*slot_) : nothing_read();
    }

    /// From inside of a read with it, too, which then returns `closed`.
    void close() noexcept {
        if (core_ != nullptr) core_->close(*slot_);
        forget();
    }

private:
    friend class journal;  // which ends them all with itself

    void forget() noexcept {
        core_ = nullptr;
        slot_ = nullptr;
    }

    template <bool Groups, class F>
    read_result run(F& f, std::uint64_t most) {
        if (core_ == nullptr) return {0, reader_state::closed};
        if (slot_->busy) return {0, reader_state::busy};
        core_type& core = *core_;  // f may close or move this cursor
        entity_detail::reader_slot& slot = *slot_;
        const core_type::read_limit limit = core.limit_of(slot);
        const core_type::reading under_way(core, slot);
        read_result done;
        for (; most != 0; --most) {
            if (!core.has_no_notice(slot)) [[unlikely]] {
                const core_type::notice n = core.notice_for(slot, limit);
                if (n.there) {
                    bool wanted = false;
                    if constexpr (Groups) {
                        wanted = goes_on(f, commit_group(n.entry));
                    } else {
                        wanted = goes_on(f, n.entry);
                    }
                    if (slot.state == reader_state::closed || !wanted) break;
                    core.take(slot, n);
                    ++done.entries;
                    continue;
                }
            }
            if (!core.has_entry(slot, limit)) break;
            const std::uint64_t record = core.record_for(slot);
            bool wanted = false;
            if constexpr (Groups) {
                wanted = goes_on(f, commit_group(core.ring().at(record), {slot.entries}));
            } else {
                wanted = goes_on(f, core.entry_at(slot, record));
            }
            if (slot.state == reader_state::closed || !wanted) break;
            if constexpr (Groups) {
                done.entries += core.take_commit(slot, record);
            } else {
                core.take(slot, record);
                ++done.entries;
            }
        }
        done.state = slot.state;
        return done;
    }

    template <class F, class Given>
    static bool goes_on(F& f, const Given& given) {
        if constexpr (std::is_void_v<std::invoke_result_t<F&, const Given&>>) {
            f(given);
            return true;
        } else {
            return static_cast<bool>(f(given));
        }
    }

    [[nodiscard]] static reader_stats nothing_read() noexcept {
        reader_stats s;
        s.state = reader_state::closed;
        return s;
    }

    void take_over(journal_cursor& other) noexcept {
        core_ = std::exchange(other.core_, nullptr);
        slot_ = std::exchange(other.slot_, nullptr);
        if (slot_ != nullptr) slot_->cursor = this;
    }

    core_type* core_ = nullptr;
    entity_detail::reader_slot* slot_ = nullptr;
};

}  // namespace lido
