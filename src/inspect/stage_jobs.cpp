#include "stage_jobs.hpp"

#include "text.hpp"

#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/schema/text_io.hpp>
#include <lido/entity/stage/stage_base.hpp>
#include <lido/world/end_reason.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace lido::inspect {

namespace {

/// Bytes of a field that the journal's copies are taken of; a larger one is said to be too large.
constexpr std::size_t most_field = 16 * 1024;

/// Whether a part of `text` is `part`, which is in lower case. Letters of ASCII are the same in both cases.
[[nodiscard]] bool has_part(std::string_view text, std::string_view part) noexcept {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

[[nodiscard]] std::uint64_t word_of(std::span<const std::byte> bytes) noexcept {
    std::uint64_t word = 0;
    if (bytes.size() >= sizeof(word)) std::memcpy(&word, bytes.data(), sizeof(word));
    return word;
}

}  // namespace

// --- text ----------------------------------------------------------------------------------------------------------------------

template <class Write>
text_piece text_room::write(const link_names* links, Write&& write) noexcept {
    const std::size_t left = bytes_.size() - used_;
    text_writer to(std::span<char>(bytes_.data() + used_, std::min(left, most_value)), links);
    write(to);
    std::size_t size = to.written().size();
    // Cut off between characters, not within one.
    while (!to.ok() && size > 0 && (static_cast<unsigned char>(bytes_[used_ + size - 1]) & 0xc0) == 0x80) --size;
    if (!to.ok() && size > 0 && static_cast<unsigned char>(bytes_[used_ + size - 1]) >= 0xc0) --size;
    const text_piece piece{static_cast<std::uint32_t>(used_), static_cast<std::uint32_t>(size), !to.ok()};
    used_ += size;
    return piece;
}

text_piece text_room::add(std::string_view text) noexcept {
    return write(nullptr, [text](text_writer& to) { to.put(text); });
}

text_piece text_room::add_value(const field_schema& field, const void* value, const link_names* links) noexcept {
    return write(links, [&](text_writer& to) { field.ops->print(value, to); });
}

text_piece text_room::add_spelling(const field_schema& field) noexcept {
    return write(nullptr, [&field](text_writer& to) {
        if (field.kind == field_kind::local) {
            to.put(field.name);
        } else {
            class_schema::spell(field, to);
        }
    });
}

// --- a page of entities ----------------------------------------------------------------------------------------------------------

list_job::list_job(wish what) : wish_(std::move(what)), at_(wish_.from) {
    if (wish_.of_class && at_ == entity_place{}) at_.of = static_cast<class_number>(*wish_.of_class);
    rows_.reserve(wish_.most);
}

bool list_job::fits(const entity_look& e) const noexcept {
    const entity_info& info = e.info();
    switch (wish_.which) {
        case only::all: break;
        case only::locked:
            if (info.locked_by.view().empty()) return false;
            break;
        case only::persistent:
            if (!info.persistent) return false;
            break;
        case only::loading:
            if (!e.loading()) return false;
            break;
    }
    return has_part(info.id.view(), wish_.text);
}

bool list_job::go_on(const stage_source& from, std::uint32_t places, std::uint64_t now_ms) {
    if (began_ms_ == 0) began_ms_ = std::max<std::uint64_t>(now_ms, 1);
    now_ = from.now(from.stage);
    const auto take = [](void* to, const entity_look& e) {
        list_job& self = *static_cast<list_job*>(to);
        ++self.looked_;
        if (self.wish_.of_class && e.reference().class_of() != *self.wish_.of_class) {
            self.through_ = true;
            return false;
        }
        if (self.fits(e))
            self.rows_.push_back({static_cast<std::uint32_t>(e.reference().class_of()), e.info(), e.loading()});
        return self.rows_.size() < self.wish_.most;
    };
    from.walk(from.stage, &at_, places, this, take);
    through_ = through_ || from.is_through(from.stage, at_) || (wish_.of_class && at_.of > *wish_.of_class);
    return through_ || rows_.size() >= wish_.most || now_ms - began_ms_ >= look_ms;
}

// --- one entity ------------------------------------------------------------------------------------------------------------------

entity_job::entity_job(std::string id) : id_(std::move(id)) {
    fields_.reserve(field_set::max_size);
    commits_.reserve(most_commits);
    changes_.reserve(most_changes);
}

bool entity_job::go_on(const stage_source& from, std::uint32_t, std::uint64_t) {
    const entity_look e = from.find(from.stage, id_);
    found_ = static_cast<bool>(e);
    if (!found_) return true;
    now_ = from.now(from.stage);
    row_ = {static_cast<std::uint32_t>(e.reference().class_of()), e.info(), e.loading()};
    class_ = room_.add(e.of_class());
    for (const field_schema& f : e.schema().fields()) {
        field_row row;
        row.name = room_.add(f.name);
        row.is = room_.add_spelling(f);
        row.value = room_.add_value(f, f.in(e.data()), from.links);
        row.sent = f.sent();
        row.saved = f.save;
        fields_.push_back(row);
    }
    look_at_history(from, e);
    return true;
}

void entity_job::look_at_history(const stage_source& from, const entity_look& e) {
    history_ = e.history_size();
    for (std::uint32_t i = history_; i-- > 0 && commits_.size() < most_commits;) {
        const field_set changed = e.schema().changed(e.before(i), e.after(i));
        if (changes_.size() + changed.size() > most_changes || room_.full()) return;
        changed.for_each([&](std::size_t n) {
            const field_schema& f = e.schema().fields()[n];
            const text_piece name = room_.add(f.name);
            const text_piece before = room_.add_value(f, f.in(e.before(i)), from.links);
            changes_.push_back({name, before, room_.add_value(f, f.in(e.after(i)), from.links)});
        });
        commits_.push_back({e.made(i), changes_.size()});
    }
}

// --- the journal -----------------------------------------------------------------------------------------------------------------

journal_job::journal_job(wish what) : wish_(what), value_(most_field / sizeof(std::max_align_t)) {
    rows_.reserve(wish_.most);
    changes_.reserve(most_changes);
}

bool journal_job::go_on(const stage_source& from, std::uint32_t, std::uint64_t) {
    const journal& changes = from.changes(from.stage);
    now_ = from.now(from.stage);
    stats_ = changes.stats();
    first_open_tick_ = changes.first_open_tick().count;
    const std::uint32_t most = wish_.generation ? most_looked : wish_.most;
    changes.look_back(most, [&](const journal_entry& e) {
        ++looked_;
        if (rows_.size() >= wish_.most || (wish_.generation && e.what.generation.value != *wish_.generation)) return;
        take(from, e);
    });
    return true;
}

void journal_job::take(const stage_source& from, const journal_entry& e) {
    entry_row row;
    row.number = e.number.value;
    row.what = e.what;
    row.last = e.last;
    if (e.id.empty()) {
        row.id = from.whose(from.stage, e).id;
    } else {
        static_cast<void>(row.id.assign(e.id));
    }
    switch (e.kind()) {
        case change_kind::updated: take_changes(from, e); break;
        case change_kind::locked:
        case change_kind::unlocked:
        case change_kind::load_refused:
            row.note = room_.add({reinterpret_cast<const char*>(e.after.data()), e.after.size()});
            break;
        case change_kind::pooled:
        case change_kind::destroyed:
        case change_kind::erased:
            row.note = room_.add(to_string(static_cast<end_reason>(
                e.what.detail & static_cast<std::uint8_t>(~unsigned{entity_bytes::was_persistent}))));
            break;
        default: break;
    }
    row.changes = changes_.size();
    rows_.push_back(row);
}

void journal_job::take_changes(const stage_source& from, const journal_entry& e) {
    if (e.what.detail == entity_bytes::owner_changed) {
        if (changes_.size() == most_changes) return;
        const auto spelled = [&](std::span<const std::byte> bytes) {
            const std::uint64_t owner = word_of(bytes);
            return room_.add(owner == 0 ? std::string_view("null") : std::string_view(std::to_string(owner)));
        };
        const text_piece name = room_.add("owner");
        const text_piece before = spelled(e.before);
        changes_.push_back({name, before, spelled(e.after)});
        return;
    }
    const entity_class_info c = from.class_info(from.stage, static_cast<std::uint32_t>(e.what.local_class));
    if (!c || c.id != e.what.of_class) return;
    // The changed fields of both sides lie one behind the other, without gaps.
    std::size_t at = 0;
    e.changed.for_each([&](std::size_t n) {
        const std::span<const field_schema> fields = c.schema->fields();
        if (n >= fields.size()) return;
        const field_schema& f = fields[n];
        if (at + f.size > e.before.size() || at + f.size > e.after.size()) return;
        take_change(f, e.before.data() + at, e.after.data() + at, from.links);
        at += f.size;
    });
}

void journal_job::take_change(const field_schema& f, const std::byte* before, const std::byte* after,
                              const link_names* links) {
    if (changes_.size() == most_changes) return;
    const auto value = [&](const std::byte* bytes) {
        if (f.size > most_field) return text_piece{0, 0, true};
        // In the journal a value lies anywhere; here it lies as its type wants it.
        std::memcpy(value_.data(), bytes, f.size);
        return room_.add_value(f, value_.data(), links);
    };
    const text_piece name = room_.add(f.name);
    const text_piece was = value(before);
    changes_.push_back({name, was, value(after)});
}

}  // namespace lido::inspect
