#include "books.hpp"

#include <memory>

namespace arena {

books::books(scene_stage& of)
    : stage_(of), cursor_(of.changes().open({.name = "books", .what = lido::reads::confirmed})) {}

std::int64_t* books::account(accounts& all, const lido::stamp& of) noexcept {
    const std::size_t slot = of.entity.value;
    return of.local_class < all.size() && slot < slots ? &all[of.local_class][slot] : nullptr;
}

void books::read() {
    const lido::read_result got = cursor_.read([this](const lido::journal_entry& e) { write(e); });
    if (!got) wrong_ = got.why();
}

void books::write(const lido::journal_entry& e) {
    const lido::entity_class_info of = stage_.class_info_of(e.what.local_class);
    std::int64_t* const has = account(gold_, e.what);
    if (!of || has == nullptr) {
        wrong_ = "a change of what the books have no page for";
        return;
    }
    if (e.first) {
        ++commits_;
        moved_ = 0;
        closed_ = true;
    }
    counts& n = counts_[e.what.local_class];
    switch (e.kind()) {
        case lido::change_kind::created:
            ++n.created;
            closed_ = false;  // what it begins with comes from nowhere
            break;
        case lido::change_kind::updated: ++n.commits; break;
        case lido::change_kind::pooled:
        case lido::change_kind::destroyed:
        case lido::change_kind::erased: ++n.ended; break;
        case lido::change_kind::locked: ++n.locks; return;
        default: return;  // says nothing of fields
    }
    const lido::entity_event event(e, *of.schema, {}, {});
    const auto before = event.before<std::int64_t>("gold");
    const auto after = event.after<std::int64_t>("gold");
    if (before && *before != *has) wrong_ = "a change does not begin where the one before it ended";
    if (before || after) {
        const std::int64_t becomes = after.value_or(0);
        moved_ += becomes - *has;
        *has = becomes;
    }
    if (e.last && closed_ && moved_ != 0) wrong_ = "a commit made gold, or lost some";
}

const char* books::compare() const {
    if (wrong_ != nullptr) return wrong_;
    lido::journal_cursor late = stage_.changes().open({.name = "audit of the books"});
    const auto fresh = std::make_unique<accounts>();
    const lido::journal_answer told = stage_.catch_up(late, [&](const lido::journal_entry& e) {
        const lido::entity_class_info of = stage_.class_info_of(e.what.local_class);
        const lido::entity_event event(e, *of.schema, {}, {});
        std::int64_t* const has = account(*fresh, e.what);
        if (const auto gold = event.after<std::int64_t>("gold"); gold && has != nullptr) *has = *gold;
    });
    if (!told) return told.why();
    return *fresh == gold_ ? nullptr : "the books say another sum than an entity has";
}

}  // namespace arena
