// How a persistent entity comes to be there: what a store says when it has looked (entity_store.hpp).
#pragma once

#include <lido/entity/stage/stage_base.hpp>

namespace lido::entity_detail {

inline stage_answer stage_base::finish_load(any_entity_ref which, const loaded_entity& with) {
    refusal_facts why;
    entity_class_base* const c = class_at(which.class_of());
    const entity_class_base::found e =
        c != nullptr && closed_ == 0 ? c->find(which.life()) : entity_class_base::found{};
    if (e.head == nullptr || e.head->phase != life_phase::loading) {
        why.reason = closed_ != 0 ? stage_refusal::busy : stage_refusal::ended;
        return why;
    }
    entity_head& h = *e.head;
    why.id = h.id;
    why.of_class = c->name();
    if (with.version > last_generation || (std::max)(state_.births, with.generation) >= last_generation) {
        why.reason = stage_refusal::too_high;
        return why;
    }
    if (with.data != nullptr) {
        const closed_stage meanwhile(*this);
        if (const finding wrong = c->schema().first_invalid(with.data)) {
            why.reason = stage_refusal::invalid;
            why.field = wrong.field;
            why.field_wrong = wrong.fault;
            return why;
        }
        std::memcpy(e.data, with.data, c->schema().size());
    }
    h.version = (std::max)(h.version, with.version);
    if (with.owner) h.owner = with.owner;
    if (with.generation >= h.generation) {
        // Its later saves must win over what is stored.
        h.generation = state_.births = (std::max)(state_.births, with.generation) + 1;
        c->note_life(which.life(), h.generation);
    }
    const entry_shape shape{0, static_cast<std::uint8_t>(h.id.size()), 0, whole_size(*c)};
    if (const journal_reservation room = reserve(journal::bytes_of(shape)); !room) {
        // It goes on loading: the same works when ticks were confirmed.
        why.reason = stage_refusal::journal;
        why.journal_wrong = room.why_refused();
        return why;
    }
    const auto give_up = [&](stage_refusal reason) -> stage_answer {
        why.reason = reason;
        call_off(*c, h, which);
        return why;
    };
    h.phase = life_phase::beginning;
    LIDO_TRY {
        const inside_hook meanwhile(*this);
        c->tell_begin(which.life());
    }
    LIDO_CATCH_ALL {
        call_off(*c, h, which);
        LIDO_RETHROW;
    }
    if (h.phase != life_phase::beginning) return give_up(stage_refusal::called_off);
    journal_reservation r = reserve(journal::bytes_of(shape));
    if (!r) {
        why.journal_wrong = r.why_refused();
        return give_up(stage_refusal::journal);
    }
    put_created(r, shape, *c, h, which.life(), e.data);
    r.publish();
    h.phase = life_phase::living;
    state_.lives = ++lives_seen_;
    return {};
}

inline stage_answer stage_base::refuse_load(any_entity_ref which, std::string_view reason) {
    refusal_facts why;
    entity_class_base* const c = class_at(which.class_of());
    const entity_class_base::found e =
        c != nullptr && closed_ == 0 ? c->find(which.life()) : entity_class_base::found{};
    if (e.head == nullptr || e.head->phase != life_phase::loading) {
        why.reason = closed_ != 0 ? stage_refusal::busy : stage_refusal::ended;
        return why;
    }
    reason = reason.substr(0, 255);
    const entry_shape shape{0, static_cast<std::uint8_t>(e.head->id.size()), 0,
                            static_cast<std::uint32_t>(reason.size())};
    journal_reservation r = reserve(journal::bytes_of(shape));
    if (!r) return journal_full(why, r);
    const entry_room room = r.add(stamp_of(*c, change_kind::load_refused, which.life(), *e.head), shape);
    if (!reason.empty()) std::memcpy(room.after.data(), reason.data(), reason.size());
    std::memcpy(room.id.data(), e.head->id.view().data(), room.id.size());
    r.publish();
    call_off(*c, *e.head, which);
    return {};
}

inline void stage_base::call_off(entity_class_base& c, entity_head& h, any_entity_ref which) noexcept {
    static_cast<void>(ids_.erase(h.id_tag, &h.id, which.class_of(), which.life()));
    h.phase = life_phase::called_off;
    h.end = entity_end::called_off;
    managed_.end_life(which, now().count);
    listeners_.end_life(which, now().count);
    state_.lives = ++lives_seen_;
    static_cast<void>(c.end(source_place{}, which.life(), end_reason::lifetime));
}

}  // namespace lido::entity_detail
