// A journal in plain vectors, and one reader's way through it: what lido::journal is compared with.
#pragma once

#include <lido/entity/journal.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace lido::test {

/// An entry with bytes of its own.
struct plain_entry {
    stamp what;
    std::uint64_t number = 0;
    bool first = false;
    bool last = false;
    std::vector<std::size_t> changed;
    std::uint16_t fields = 0;
    std::string before;
    std::string after;
    std::string id;

    friend bool operator==(const plain_entry&, const plain_entry&) = default;
};

inline std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline plain_entry copy_of(const journal_entry& e) {
    plain_entry made{e.what,           e.number.value,   e.first, e.last, {}, e.changed.fields(), text_of(e.before),
                     text_of(e.after), std::string(e.id)};
    e.changed.for_each([&](std::size_t field) { made.changed.push_back(field); });
    return made;
}

struct model_reader {
    reader_settings settings;
    std::uint64_t next = 0;  // number of the next entry
    bool cut = false;
    bool reset = false;
    reader_state state = reader_state::ready;
    std::uint64_t cut_tick = 0;
    std::uint64_t confirmed_before = 0;
    reset_cause cause = reset_cause::loaded;
};

struct model_save {
    journal_position position;
    std::uint64_t entries = 0;
    std::uint64_t commits = 0;
    std::uint64_t tick = 0;
    std::uint64_t serial = 0;  // of the entry before it, which no other entry ever has
    std::uint64_t resets = 0;
};

struct model_journal {
    struct kept_entry {
        plain_entry entry;
        std::uint64_t serial;
    };

    bool confirms_itself = true;
    std::uint64_t base = 0;  // number of all[0]
    std::vector<kept_entry> all;
    std::uint64_t commits = 0;
    std::uint64_t tick = 0;
    std::uint64_t confirmed = 0;  // entries, as a number
    std::uint64_t confirmed_before = 0;
    std::uint64_t serials = 0;
    std::uint64_t resets = 0;
    std::uint64_t dropped_before = 0;  // told by the journal
    std::vector<model_reader> readers;

    [[nodiscard]] std::uint64_t end() const { return base + all.size(); }
    [[nodiscard]] const plain_entry& at(std::uint64_t number) const { return all[number - base].entry; }

    void commit(std::vector<plain_entry> entries) {
        ++commits;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            plain_entry& e = entries[i];
            e.what.tick = {tick};
            e.what.commit = {commits};
            e.number = end();
            e.first = i == 0;
            e.last = i + 1 == entries.size();
            all.push_back({e, ++serials});
        }
    }

    void begin_tick(std::uint64_t t) {
        tick = t;
        if (!confirms_itself) return;
        confirmed = end();
        confirmed_before = t;
    }

    void confirm(std::uint64_t t) {
        if (t < confirmed_before) return;
        while (confirmed < end() && at(confirmed).what.tick.count <= t) ++confirmed;
        confirmed_before = t + 1;
    }

    [[nodiscard]] model_save save(const journal_position& p) const {
        return {p, end(), commits, tick, all.empty() ? 0 : all.back().serial, resets};
    }
    [[nodiscard]] bool holds(const model_save& s) const {
        if (s.resets != resets || s.entries > end() || s.entries < base) return false;
        return s.entries == base ? s.serial == 0 : all[s.entries - 1 - base].serial == s.serial;
    }

    void cut(const model_save& s) {
        for (model_reader& r : readers) {
            if (r.state != reader_state::ready || r.next <= s.entries) continue;
            r.next = s.entries;
            r.cut = true;
            r.cut_tick = s.tick;
        }
        all.resize(s.entries - base);
        commits = s.commits;
        tick = s.tick;
    }

    void reset(reset_cause cause, const journal_state& to) {
        ++resets;
        all.clear();
        base = confirmed = dropped_before = to.next.value;
        commits = to.commit.value;
        tick = confirmed_before = to.tick.count;
        for (model_reader& r : readers) {
            r = {r.settings, base, false, true, reader_state::reset, 0, confirmed_before, cause};
        }
    }

    /// What the journal says that it dropped.
    void drop_before(std::uint64_t number) {
        dropped_before = number;
        for (model_reader& r : readers) {
            if (r.state != reader_state::ready || r.next >= number) continue;
            r.state = reader_state::behind;
            r.cut = false;
        }
    }

    void resume(model_reader& r, std::uint64_t at) {
        r.next = at;
        r.state = reader_state::ready;
        r.cut = r.reset = false;
        r.confirmed_before = confirmed_before;
    }

    struct limit {
        std::uint64_t at;
        std::uint64_t confirmed_before;
    };
    [[nodiscard]] limit limit_of(const model_reader& r) const {
        return {r.settings.what == reads::confirmed ? confirmed : end(), confirmed_before};
    }

    /// What a reader is given next, which it takes.
    std::optional<plain_entry> take(model_reader& r, const limit& to) {
        plain_entry notice;
        notice.number = r.next;
        notice.first = notice.last = true;
        if (r.reset) {
            r.reset = false;
            notice.what.kind = change_kind::reset;
            notice.what.detail = static_cast<std::uint8_t>(r.cause);
            notice.what.tick = {tick};
            return notice;
        }
        if (r.state != reader_state::ready) return std::nullopt;
        if (r.cut) {
            r.cut = false;
            notice.what.kind = change_kind::cut;
            notice.what.tick = {r.cut_tick};
            return notice;
        }
        if (r.settings.tell_confirmed && r.confirmed_before < to.confirmed_before && r.next >= confirmed) {
            r.confirmed_before = to.confirmed_before;
            notice.what.kind = change_kind::confirmed;
            notice.what.tick = {to.confirmed_before - 1};
            return notice;
        }
        if (r.next >= to.at) return std::nullopt;
        return at(r.next++);
    }
};

/// Entries as a stage could write them.
class entry_maker {
public:
    explicit entry_maker(std::uint32_t seed) : random_(seed) {}

    [[nodiscard]] std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    [[nodiscard]] bool one_in(std::uint32_t n) { return below(n) == 0; }

    [[nodiscard]] plain_entry any(std::uint32_t most_bytes = 40) {
        plain_entry e;
        e.what.kind = static_cast<change_kind>(1 + below(10));
        if (one_in(2)) e.what.kind = change_kind::updated;
        e.what.detail = static_cast<std::uint8_t>(below(256));
        e.what.local_class = below(9);
        e.what.of_class = random_();
        e.what.entity = {below(100)};
        e.what.generation = {random_()};
        e.what.version = {random_()};
        if (e.what.kind == change_kind::updated) {
            e.fields = static_cast<std::uint16_t>(1 + below(140));
            for (std::size_t f = 0; f < e.fields; ++f) {
                if (one_in(9)) e.changed.push_back(f);
            }
            e.before = text(below(most_bytes));
        } else if (is_end(e.what.kind)) {
            e.before = text(below(most_bytes));
            e.id = text(1 + below(63));
        } else if (e.what.kind != change_kind::locked && e.what.kind != change_kind::unlocked) {
            e.id = text(1 + below(63));
        }
        if (!is_end(e.what.kind)) e.after = text(below(most_bytes));
        return e;
    }

    [[nodiscard]] std::string text(std::uint32_t size) {
        std::string made(size, ' ');
        for (char& c : made) c = static_cast<char>(random_());
        return made;
    }

private:
    std::mt19937_64 random_;
};

inline entry_shape shape_of(const plain_entry& e) {
    return {e.fields, static_cast<std::uint8_t>(e.id.size()), static_cast<std::uint32_t>(e.before.size()),
            static_cast<std::uint32_t>(e.after.size())};
}

inline void fill(const entry_room& room, const plain_entry& e) {
    entry_room to = room;
    for (const std::size_t field : e.changed) to.mark(field);
    std::copy(e.before.begin(), e.before.end(), reinterpret_cast<char*>(to.before.data()));
    std::copy(e.after.begin(), e.after.end(), reinterpret_cast<char*>(to.after.data()));
    std::copy(e.id.begin(), e.id.end(), to.id.data());
}

inline std::size_t bytes_of(const std::vector<plain_entry>& entries) {
    std::size_t sum = 0;
    for (const plain_entry& e : entries) sum += journal::bytes_of(shape_of(e));
    return sum;
}

/// One commit of these.
inline journal_answer write(journal& j, const std::vector<plain_entry>& entries) {
    journal_reservation room = j.reserve(bytes_of(entries));
    if (!room) return {room.why_refused()};
    for (const plain_entry& e : entries) fill(room.add(e.what, shape_of(e)), e);
    room.publish();
    return {};
}

}  // namespace lido::test
