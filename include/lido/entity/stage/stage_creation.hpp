// How a life begins in a stage. One path, for objects that are new and for those that were pooled.
//
//   asked      class, role, id, persistence, data            refused: nothing has changed
//   reserved   the id is taken; hooks may run                thrown or refused from here on: the id is free again
//   begun      head, context, data, on_begin
//   there      in the journal, found by id and reference
#pragma once

#include <lido/entity/stage/stage.hpp>

namespace lido {

namespace entity_detail {

/// The id of an entity that is just being created: free again unless it was settled.
class reserved_id {
public:
    reserved_id(id_table& ids, const entity_id& id, class_number of) noexcept : ids_(ids), id_(id), of_(of) {
        ids_.put(id_, of_, 0);
    }
    reserved_id(const reserved_id&) = delete;
    reserved_id& operator=(const reserved_id&) = delete;
    ~reserved_id() {
        if (!settled_) static_cast<void>(ids_.erase(id_.view(), of_, 0));
    }
    void settled() noexcept { settled_ = true; }

private:
    id_table& ids_;
    const entity_id& id_;
    class_number of_;
    bool settled_ = false;
};

}  // namespace entity_detail

template <class World>
template <class T>
created<T> basic_stage<World>::create_in(source_place from, class_of_type<T>* c, const creation& how, const T& data,
                                         context_of<T>&& context) {
    entity_detail::refusal_facts why;
    static_cast<void>(why.id.assign(how.id));
    const auto refuse = [&why](stage_refusal reason) -> created<T> {
        why.reason = reason;
        return why;
    };
    if (c == nullptr) {
        why.of_class = type_name<T>();
        return refuse(stage_refusal::no_class);
    }
    why.of_class = c->name();
    if (closed_ != 0) return refuse(stage_refusal::busy);
    if (!c->changeable()) return refuse(stage_refusal::not_here);
    entity_id id;
    if (!how.id.empty()) {
        why.id_wrong = id.assign(how.id);
        if (why.id_wrong != id_fault::none) return refuse(stage_refusal::bad_id);
        if (id.generated() && !how.stored_id) return refuse(stage_refusal::reserved_id);
        if (const auto* const there = ids_.find(id.view()))
            return refuse(there->life == 0 ? stage_refusal::id_reserved : stage_refusal::id_taken);
    }
    if (how.persistent && store_ == nullptr) return refuse(stage_refusal::no_store);
    if (how.generation != 0 && how.generation <= state_.births) {
        why.expected = how.generation;
        why.found = state_.births;
        return refuse(stage_refusal::old_generation);
    }
    {
        const closed_stage meanwhile(*this);
        const entity_detail::numbered_fault wrong = first_fault(data);
        if (wrong.fault != field_fault::none) {
            why.field_wrong = wrong.fault;
            if (wrong.field != entity_detail::no_field) why.field = &c->schema().fields()[wrong.field];
            return refuse(stage_refusal::invalid);
        }
    }
    LIDO_TRY { ids_.reserve(ids_.size() + 1); }
    LIDO_CATCH_ALL { return refuse(stage_refusal::no_memory); }
    // Nothing of the program has run since the id was looked up, and from here on it is taken.
    while (id.empty() || ids_.find(id.view()) != nullptr)
        id = entity_detail::make_generated_id(settings_.run, ++state_.generated);
    why.id = id;
    const std::uint64_t generation = state_.births = (std::max)(state_.births + 1, how.generation);
    entity_detail::reserved_id reserved(ids_, id, c->number());
    owning::access::start(world_);
    const auto got = c->objects().spawn(
        from, {}, [&](entity_object<T>& o) { begin_life(*c, o, how, data, std::move(context), id, generation, why); });
    if (!got) {
        if (why.reason == stage_refusal::none) {
            why.spawn_wrong = got.why();
            why.reason =
                got.why() == spawn_refusal::ended_at_once ? stage_refusal::called_off : stage_refusal::spawn_refused;
        }
        return why;
    }
    reserved.settled();
    entity_object<T>& o = *got;
    return {c->reference(got.reference().life().to_bits()), access::head(o).lives() ? &access::data(o) : nullptr};
}

template <class World>
template <class T>
void basic_stage<World>::begin_life(class_of_type<T>& c, entity_object<T>& o, const creation& how, const T& data,
                                    context_of<T>&& context, const entity_id& id, std::uint64_t generation,
                                    entity_detail::refusal_facts& why) {
    const std::uint64_t life = c.objects().ref_of(o).life().to_bits();
    const any_entity_ref self(c.number(), life);
    const std::uint32_t slot = entity_detail::slot_of(life);
    c.make_room(slot);
    c.history().begin(slot, life);
    entity_detail::entity_head head;
    head.id = id;
    head.generation = generation;
    head.version = how.version;
    head.owner = how.owner;
    head.persistent = how.persistent;
    access::begin(o, data, std::move(context), head);
    entity_detail::entity_head& h = access::head(o);
    const auto give_up = [&](stage_refusal reason) {
        why.reason = reason;
        call_off(c, h, self);
    };
    if (how.persistent) {
        const closed_stage meanwhile(*this);
        const auto answer =
            store_->load({self, h.id, how.key.empty() ? h.id.view() : how.key, c.name(), c.schema(), generation});
        if (answer.how == entity_store::begins::refused) {
            why.store_says = answer.why;
            return give_up(stage_refusal::store_refused);
        }
        if (answer.how == entity_store::begins::loading) h.phase = entity_detail::life_phase::loading;
    }
    const bool loading = h.phase == entity_detail::life_phase::loading;
    if (!loading) {
        LIDO_TRY { access::tell_begin(o, self); }
        LIDO_CATCH_ALL {
            managed_.end_life(self, now().count);
            listeners_.end_life(self, now().count);
            access::scrub(o);
            LIDO_RETHROW;
        }
        if (h.phase != entity_detail::life_phase::beginning) return give_up(stage_refusal::called_off);
    }
    const entry_shape shape{0, static_cast<std::uint8_t>(h.id.size()), 0, loading ? 0 : whole_size(c)};
    journal_reservation r = reserve(journal::bytes_of(shape));
    if (!r) {
        why.journal_wrong = r.why_refused();
        return give_up(stage_refusal::journal);
    }
    if (loading) {
        const entry_room room = r.add(stamp_of(c, change_kind::loading, life, h), shape);
        std::memcpy(room.id.data(), h.id.view().data(), room.id.size());
    } else {
        put_created(r, shape, c, h, life, &access::data(o));
        h.phase = entity_detail::life_phase::living;
    }
    r.publish();
    ids_.settle(h.id, c.number(), life);
    c.note_life(life, generation);
    state_.lives = ++lives_seen_;
}

}  // namespace lido
