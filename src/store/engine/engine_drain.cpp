// From entries of the journal to the copies of entities, and to the batch.
#include <lido/core/config.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine.hpp"

namespace lido::store_detail {

known_class& engine::class_of(class_number number, std::string_view name, const class_schema& schema) {
    if (number < by_number_.size() && by_number_[number] != nullptr && by_number_[number]->name == name &&
        by_number_[number]->schema == &schema)
        return *by_number_[number];
    if (number >= by_number_.size()) by_number_.resize(std::size_t{number} + 1);
    classes_.push_back(std::make_unique<known_class>(number, name, schema, wait_of(name)));
    return *(by_number_[number] = classes_.back().get());
}

known_class* engine::class_for(class_number number) {
    if (number < by_number_.size() && by_number_[number] != nullptr) return by_number_[number];
    const entity_class_info info = stage_.class_info_of(number);
    return info ? &class_of(number, info.name, *info.schema) : nullptr;
}

void engine::drain() {
    const read_result got = cursor_.read([this](const journal_entry& e) { take(e); });
    if (got.state == reader_state::reset) renumber();
    if (got.state == reader_state::behind || got.state == reader_state::reset) take_snapshot();
}

/// What was restored may have other numbers for its classes, and what is known of them by a number is of another one.
void engine::renumber() {
    by_number_.assign(stage_.class_limit(), nullptr);
    for (class_number n = 0; n < by_number_.size(); ++n) {
        const entity_class_info info = stage_.class_info_of(n);
        for (const auto& c : classes_) {
            if (!info || c->schema != info.schema || c->name != info.name) continue;
            c->number = n;
            by_number_[n] = c.get();
        }
    }
}

/// The row is nobody's, if it was that life's.
void engine::let_go_of(const kept_life& life) {
    if (rows_[life.row].holder == life.generation) rows_[life.row].holder = 0;
    rows_.drop_if_unused(life.row);
}

LIDO_INLINE void engine::take(const journal_entry& e) {
    if (is_notice(e.kind())) return;
    seen_.tick = e.what.tick.count;
    seen_.commit = e.what.commit.value;
    switch (e.kind()) {
        case change_kind::updated: {
            known_class* const c = e.what.local_class < by_number_.size() ? by_number_[e.what.local_class] : nullptr;
            if (c != nullptr) take_update(*c, e);
            return;
        }
        case change_kind::created:
            if ((e.what.detail & entity_bytes::persistent) != 0) take_created(e);
            return;
        default:
            if (is_end(e.kind()) && (e.what.detail & entity_bytes::was_persistent) != 0) take_end(e);
            return;
    }
}

void engine::take_update(known_class& c, const journal_entry& e) {
    const std::uint32_t slot = e.what.entity.value;
    kept_life* const l = c.find(slot, e.what.generation.value);
    if (l == nullptr) return;
    l->version = e.what.version.value;
    if (e.what.detail == entity_bytes::owner_changed) {
        std::memcpy(&l->owner, e.after.data(), sizeof(l->owner));
    } else {
        std::byte* const copy = c.copy_of(slot);
        const std::byte* from = e.after.data();
        e.changed.for_each([&](std::size_t i) {
            const field_schema& f = c.schema->fields()[i];
            std::memcpy(copy + f.offset, from, f.size);
            from += f.size;
        });
    }
    change(c, slot, *l);
    if (!(e.first && e.last)) tie(l->row, e);
}

void engine::take_created(const journal_entry& e) {
    known_class* const c = class_for(e.what.local_class);
    if (c == nullptr || c->id != e.what.of_class) return;
    const std::uint32_t slot = e.what.entity.value;
    const std::uint64_t generation = e.what.generation.value;
    c->make_room(slot);
    std::uint32_t row = rows_.find_begun(generation);
    bool clean = false;
    if (row != nowhere) {
        clean = rows_[row].clean;
        rows_.unbegin(row);
    } else {
        // It was there before the store was, or came from an image.
        row = rows_.find_or_add(*c, e.id);
    }
    known_row& r = rows_[row];
    kept_life& l = c->lives[slot];
    if (!l.here) {
        ++figures_.entities;
    } else if (l.row != row) {
        let_go_of(l);  // a restore has put another one in its place
    }
    l = {};
    std::memcpy(&l.owner, e.after.data(), sizeof(l.owner));
    std::memcpy(&l.life, e.after.data() + entity_bytes::owner, sizeof(l.life));
    std::memcpy(c->copy_of(slot), e.after.data() + entity_bytes::head, c->schema->size());
    l.generation = generation;
    l.version = e.what.version.value;
    l.id = entity_id(e.id);
    l.row = row;
    l.here = true;
    l.seen = true;
    r.holder = generation;
    r.held_by = any_entity_ref(c->number, l.life);
    if (r.birth == 0) r.birth = generation;
    l.birth = r.birth;
    // What is as it is stored need not be written.
    if (clean) return;
    change(*c, slot, l);
    if (!(e.first && e.last)) tie(row, e);
}

void engine::take_end(const journal_entry& e) {
    const std::uint32_t slot = e.what.entity.value;
    known_class* const c = class_for(e.what.local_class);
    kept_life* const l = c != nullptr ? c->find(slot, e.what.generation.value) : nullptr;
    if (l == nullptr) return;
    l->here = false;
    --figures_.entities;
    const std::uint32_t row = l->row;
    known_row& r = rows_[row];
    if (r.holder == l->generation) r.holder = 0;
    if (e.kind() == change_kind::erased) {
        save_entry& to = enter(row, slot);
        to.generation = l->generation;
        to.version = e.what.version.value;
        to.birth = r.birth;
        to.owner = l->owner;
        to.erased = true;
        r.birth = 0;
        r.kept.reset();
        to.kept = nullptr;
        if (!(e.first && e.last)) tie(row, e);
        return;
    }
    // Its last changes are in the batch already, detached from it; without any it is stored as it was.
    rows_.drop_if_unused(row);
}

save_entry& engine::enter(std::uint32_t row, std::uint32_t slot) {
    known_row& r = rows_[row];
    save_batch& b = batches_[filling_];
    if (r.in[filling_] != nowhere) {
        ++figures_.coalesced;
        save_entry& there = b.entries[r.in[filling_]];
        there.slot = slot;
        return there;
    }
    if (!r.pending()) ++pending_;
    known_class& c = *r.of;
    const auto number = static_cast<std::uint32_t>(b.entries.size());
    save_entry& e = b.entries.emplace_back();
    r.in[filling_] = number;
    e.of = &c;
    e.row = row;
    e.slot = slot;
    e.tie = number;
    e.key_at = b.add_text(r.key);
    e.key_size = static_cast<std::uint32_t>(r.key.size());
    e.data_at = b.bytes.size();
    if (r.kept != nullptr) {
        b.kept_fields_of.push_back(r.kept);
        e.kept = r.kept.get();
    }
    b.bytes.resize(b.bytes.size() + c.schema->size());
    due_ = (std::min)(due_, now_ + c.wait);
    return e;
}

void engine::drop_changed_links(known_row& r, const std::byte* copy) {
    const auto changed = [&](const kept_field& k) {
        return std::memcmp(copy + r.of->schema->fields()[k.field].offset, k.was.data(), k.was.size()) != 0;
    };
    if (std::none_of(r.kept->all.begin(), r.kept->all.end(), changed)) return;
    // The old ones may be at the writer.
    auto left = std::make_shared<kept_fields>(*r.kept);
    std::erase_if(left->all, changed);
    r.kept = left->all.empty() ? nullptr : std::move(left);
    const std::uint32_t at = r.in[filling_];
    if (at == nowhere) return;
    batches_[filling_].entries[at].kept = r.kept.get();
    if (r.kept != nullptr) batches_[filling_].kept_fields_of.push_back(r.kept);
}

void engine::change(known_class& c, std::uint32_t slot, kept_life& life) {
    // Before a later change can bring the same bytes back: null, for one.
    if (rows_[life.row].kept != nullptr) [[unlikely]]
        drop_changed_links(rows_[life.row], c.copy_of(slot));
    save_entry& e = enter(life.row, slot);
    e.generation = life.generation;
    e.version = life.version;
    e.birth = life.birth;
    e.owner = life.owner;
    e.erased = false;
    life.failed = false;
    std::memcpy(batches_[filling_].bytes.data() + e.data_at, c.copy_of(slot), c.schema->size());
}

void engine::tie(std::uint32_t row, const journal_entry& e) {
    const std::uint32_t entry = rows_[row].in[filling_];
    if (tied_commit_ == e.what.commit.value && tied_entry_ != nowhere) {
        batches_[filling_].tie(tied_entry_, entry);
    } else {
        tied_commit_ = e.what.commit.value;
        tied_entry_ = entry;
    }
}

void engine::take_snapshot() {
    ++figures_.snapshots;
    for (const auto& c : classes_) {
        for (kept_life& l : c->lives) l.seen = false;
    }
    const journal_state at = cursor_.snapshot_position().state;
    const journal_answer done = stage_.catch_up(cursor_, [&](const journal_entry& e) {
        if ((e.what.detail & entity_bytes::persistent) == 0) return;
        known_class* const c = class_for(e.what.local_class);
        if (c == nullptr) return;
        kept_life* const l = c->find(e.what.entity.value, e.what.generation.value);
        if (l == nullptr) {
            take_created(e);
            return;
        }
        l->seen = true;
        std::byte* const copy = c->copy_of(e.what.entity.value);
        const std::byte* const now = e.after.data() + entity_bytes::head;
        if (l->version == e.what.version.value && std::memcmp(copy, now, c->schema->size()) == 0) return;
        l->version = e.what.version.value;
        std::memcpy(&l->owner, e.after.data(), sizeof(l->owner));
        std::memcpy(copy, now, c->schema->size());
        change(*c, e.what.entity.value, *l);
    });
    // Else it is taken again.
    if (!done) return;
    seen_.tick = at.tick.count;
    seen_.commit = at.commit.value;
    for (const auto& c : classes_) {
        for (kept_life& l : c->lives) {
            if (!l.here || l.seen) continue;
            // How it ended, and as what, nobody has kept: the row stays as it was.
            l.here = false;
            --figures_.entities;
            let_go_of(l);
        }
    }
}

}  // namespace lido::store_detail
