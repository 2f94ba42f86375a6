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

/// The id of an entity that is just being created: free again unless it was settled. Pre: it is in the table, of no life.
class reserved_id {
public:
    LIDO_INLINE reserved_id(id_table& ids, const entity_id& id, std::uint32_t tag, class_number of) noexcept
        : ids_(ids), id_(id), tag_(tag), of_(of) {}
    reserved_id(const reserved_id&) = delete;
    reserved_id& operator=(const reserved_id&) = delete;
    LIDO_INLINE ~reserved_id() {
        if (!settled_) [[unlikely]]
            static_cast<void>(ids_.erase(tag_, &id_, of_, 0));
    }
    void settled() noexcept { settled_ = true; }

private:
    id_table& ids_;
    const entity_id& id_;
    std::uint32_t tag_;
    class_number of_;
    bool settled_ = false;
};

}  // namespace entity_detail

/// Words for who is refused. The id is named where it is one.
template <class World>
template <class T>
created<T> basic_stage<World>::refuse_creation(const class_of_type<T>* c, const creation& how, stage_refusal reason,
                                               const T& data) {
    entity_detail::refusal_facts why;
    why.reason = reason;
    why.of_class = c != nullptr ? std::string_view(c->name()) : type_name<T>();
    const id_fault of_id = how.id.empty() ? id_fault::none : why.id.assign(how.id);
    if (reason == stage_refusal::bad_id) why.id_wrong = of_id;
    if (reason == stage_refusal::old_generation) {
        why.expected = how.generation;
        why.found = state_.births;
    }
    if (reason == stage_refusal::invalid) {
        const closed_stage meanwhile(*this);
        const entity_detail::numbered_fault wrong = first_fault(data);
        // What `valid` says twice need not be the same.
        why.field_wrong = wrong.fault != field_fault::none ? wrong.fault : field_fault::refused;
        if (wrong.fault != field_fault::none && wrong.field != entity_detail::no_field)
            why.field = &c->schema().fields()[wrong.field];
    }
    return why;
}

template <class World>
template <class T>
created<T> basic_stage<World>::create_in(source_place from, class_of_type<T>* c, const creation& how, const T& data,
                                         context_of<T>&& context) {
    const auto refuse = [&](stage_refusal reason) { return refuse_creation<T>(c, how, reason, data); };
    if (c == nullptr) [[unlikely]]
        return refuse(stage_refusal::no_class);
    if (closed_ != 0) [[unlikely]]
        return refuse(stage_refusal::busy);
    if (!c->changeable()) [[unlikely]]
        return refuse(stage_refusal::not_here);
    entity_id id;
    std::uint32_t tag = 0;
    if (!how.id.empty()) {
        if (id.assign(how.id) != id_fault::none) [[unlikely]]
            return refuse(stage_refusal::bad_id);
        if (id.generated() && !how.stored_id) [[unlikely]]
            return refuse(stage_refusal::reserved_id);
        tag = entity_detail::id_table::tag_of(how.id);  // not of the copy, which is being written still
        if (const auto* const there = ids_.find(id.view(), tag)) [[unlikely]]
            return refuse(there->life == 0 ? stage_refusal::id_reserved : stage_refusal::id_taken);
    }
    if (how.persistent && store_ == nullptr) [[unlikely]]
        return refuse(stage_refusal::no_store);
    if (how.generation != 0 && how.generation <= state_.births) [[unlikely]]
        return refuse(stage_refusal::old_generation);
    // None is given twice, and none that a store could not keep.
    if (state_.births >= last_generation || ((how.generation | how.version) > last_generation)) [[unlikely]]
        return refuse(stage_refusal::too_high);
    if (!entity_detail::commit_steps<T>::good(data)) [[unlikely]]
        return refuse(stage_refusal::invalid);
    if constexpr (entity_detail::has_valid<T>) {
        const closed_stage meanwhile(*this);
        if (!valid(data)) return refuse(stage_refusal::invalid);
    }
    LIDO_TRY { ids_.reserve(ids_.size() + 1); }
    LIDO_CATCH_ALL { return refuse(stage_refusal::no_memory); }
    // Nothing of the program has run since the id was looked up, and from here on it is taken.
    if (!how.id.empty()) {
        static_cast<void>(ids_.find_or_put(id, tag, c->number(), 0));
    } else {
        do {
            generated_.make(++state_.generated, id);
            tag = entity_detail::id_table::tag_of(id.view());
        } while (ids_.find_or_put(id, tag, c->number(), 0) != nullptr);
    }
    state_.births = (std::max)(state_.births + 1, how.generation);
    entity_detail::reserved_id reserved(ids_, id, tag, c->number());
    owning::access::start(world_);
    entity_detail::kept_facts why;
    // One capture: what it takes goes through memory.
    struct {
        basic_stage* stage;
        class_of_type<T>* of_class;
        const creation* how;
        const T* data;
        context_of<T>* context;
        entity_detail::entity_birth_facts birth;
        entity_detail::kept_facts* why;
    } begins{this, c, &how, &data, &context, {id, tag, state_.births, how.version, how.owner, how.persistent}, &why};
    const auto got = c->objects().spawn(from, {}, [&begins](entity_object<T>& o, auto life) {
        begins.stage->begin_life(*begins.of_class, o, life.to_bits(), *begins.how, *begins.data,
                                 std::move(*begins.context), begins.birth, *begins.why);
    });
    if (!got) [[unlikely]] {
        entity_detail::refusal_facts facts;
        facts.id = id;
        facts.of_class = c->name();
        facts.reason = why.reason();
        if (facts.reason == stage_refusal::none) {
            facts.spawn_wrong = got.why();
            facts.reason =
                got.why() == spawn_refusal::ended_at_once ? stage_refusal::called_off : stage_refusal::spawn_refused;
        } else {
            facts.journal_wrong = (*why).journal_wrong;
            facts.store_says = (*why).store_says;
        }
        return facts;
    }
    reserved.settled();
    entity_object<T>& o = *got;
    return {c->reference(got.reference().life().to_bits()), access::head(o).lives() ? &access::data(o) : nullptr};
}

template <class World>
template <class T>
LIDO_INLINE void basic_stage<World>::begin_life(class_of_type<T>& c, entity_object<T>& o, std::uint64_t life,
                                                const creation& how, const T& data, context_of<T>&& context,
                                                const entity_detail::entity_birth_facts& birth,
                                                entity_detail::kept_facts& why) {
    using namespace entity_detail;
    const any_entity_ref self(c.number(), life);
    const std::uint32_t slot = slot_of(life);
    c.make_room(slot);
    c.history().begin(slot, life);
    access::begin(o, data, std::move(context), birth);
    entity_head& h = access::head(o);
    if (how.persistent) [[unlikely]] {
        if (!begin_load(c, h, self, how, why)) return;
    }
    const bool loading = h.phase == life_phase::loading;
    if constexpr (begins_by_itself<T> || begins_with_context<T, context_of<T>>) {
        if (!loading) {
            LIDO_TRY { access::tell_begin(o, self); }
            LIDO_CATCH_ALL {
                managed_.end_life(self, now().count);
                listeners_.end_life(self, now().count);
                access::scrub(o);
                LIDO_RETHROW;
            }
            if (h.phase != life_phase::beginning) return give_up(c, h, self, why, stage_refusal::called_off);
        }
    }
    const entry_shape shape{0, static_cast<std::uint8_t>(h.id.size()), 0,
                            loading ? 0 : static_cast<std::uint32_t>(entity_bytes::head + sizeof(T))};
    sync_tick();
    journal_core::quick_commit to(journal_.core(), journal::bytes_of(shape));
    if (!to) [[unlikely]]
        return give_up(c, h, self, why, stage_refusal::journal, to.why_refused());
    const std::uint8_t detail = !loading && h.persistent ? entity_bytes::persistent : 0;
    std::byte* at = to.template add<true>(loading ? change_kind::loading : change_kind::created, detail, shape, slot,
                                          h.generation, h.version, c.id(), c.number()) +
                    sizeof(record_header);
    if (!loading) {
        at = put_entity(at, h, life, &access::data(o), sizeof(T));
        h.phase = life_phase::living;
    }
    copy_id_bytes(at, h.id.view().data(), h.id.size());
    to.publish();
    ids_.settle(birth.id_tag, &birth.id, &h.id, c.number(), life);
    c.note_life(life, birth.generation);
    state_.lives = ++lives_seen_;
}

}  // namespace lido
