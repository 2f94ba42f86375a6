// How lives end in a stage, and what is rare: the part of stage_base that its surface does not need to be read for.
#pragma once

#include <lido/entity/stage/stage_base.hpp>

#include <limits>

namespace lido::entity_detail {

inline end_result stage_base::end_entity(source_place from, any_entity_ref which, entity_end how,
                                         const end_options& options) {
    // The common end first: an entity that lives, that nobody has locked, and that no store holds back.
    if (entity_class_base* const quick = class_at(which.class_of());
        quick != nullptr && which && closed_ == 0 && options.under.number == 0) [[likely]] {
        const entity_class_base::quick_end done = quick->end_quickly(from, which.life(), how);
        if (done == entity_class_base::quick_end::done) [[likely]]
            return outcome_of(how);
        if (done == entity_class_base::quick_end::no_room) return no_room_for_end(which);
    }
    return end_slowly(from, which, how, options);
}

LIDO_COLD inline end_result stage_base::no_room_for_end(any_entity_ref which) noexcept {
    refusal_facts why;
    static_cast<void>(may_change(which, why));
    why.reason = stage_refusal::journal;
    why.journal_wrong = journal_.core().last_refusal();
    return why;
}

LIDO_COLD inline end_result stage_base::end_slowly(source_place from, any_entity_ref which, entity_end how,
                                                   const end_options& options) {
    refusal_facts why;
    entity_class_base* const c = may_change(which, why);
    // A load that has not come yet can be given up. Nobody knows yet what an erase would remove.
    if (c == nullptr && (why.reason != stage_refusal::loading || how == entity_end::erased)) return why;
    entity_class_base& of = *class_at(which.class_of());
    const entity_class_base::found e = of.find(which.life());
    if (how == entity_end::pooled && of.fresh()) {
        why.reason = stage_refusal::fresh;
        return why;
    }
    if (!lock_lets(*e.head, options.under.of == which ? options.under.number : 0, why)) return why;
    if (options.unsaved == unsaved::refuse && store_ != nullptr && e.head->persistent &&
        !store_->settled(e.head->id, e.head->generation, e.head->version)) {
        why.reason = stage_refusal::store_refused;
        why.store_says = "it has changes that are not saved yet; flush the store, or pool it with unsaved::flush";
        return why;
    }
    if (how == entity_end::pooled && !of.idle_has_room()) {
        how = entity_end::destroyed;
        ++idle_overflow_;
    }
    if (!announce_end(of, e, which.life(), how, end_reason::reference, why)) return why;
    leave(*e.head, which, how);
    static_cast<void>(of.end(from, which.life(), end_reason::reference));
    return outcome_of(how);
}

template <class T, class Transform>
void entity_class<T, Transform>::has_ended(object& o, std::uint64_t life, end_reason why) noexcept {
    stage_.life_ended(*this, entity_access::head(o), reinterpret_cast<std::byte*>(&entity_access::data(o)), life, why);
}

template <class T, class Transform>
auto entity_class<T, Transform>::end_quickly(source_place from, std::uint64_t life, entity_end how) noexcept
    -> quick_end {
    auto* const r = find_record(life);
    if (r == nullptr) [[unlikely]]
        return quick_end::look_closer;
    object* const o = &r->object();
    entity_head& h = entity_access::head(*o);
    stage_base& s = stage_;
    // What a store holds back, and what else is rare, is looked at apart.
    if (!h.lives() || (h.lock_until != 0) || h.persistent || !changeable()) [[unlikely]]
        return quick_end::look_closer;
    const bool to_be_pooled = how == entity_end::pooled;
    if (to_be_pooled && (is_fresh<T> || !pool_.idle_has_room())) [[unlikely]]
        return quick_end::look_closer;
    const entry_shape shape{0, static_cast<std::uint8_t>(h.id.size()),
                            static_cast<std::uint32_t>(entity_bytes::head + sizeof(T)), 0};
    s.sync_tick();
    journal_core::quick_commit to(s.journal_.core(), journal::bytes_of(shape));
    if (!to) [[unlikely]]
        return quick_end::no_room;
    std::byte* const record =
        to.template add<true>(stage_base::kind_of_end(how), static_cast<std::uint8_t>(end_reason::reference), shape,
                              slot_of(life), h.generation, ++h.version, id(), number());
    std::byte* const behind =
        stage_base::put_entity(record + sizeof(record_header), h, life, &entity_access::data(*o), sizeof(T));
    copy_id_bytes(behind, h.id.view().data(), h.id.size());
    to.publish();
    s.leave(h, {number(), life}, how);
    static_cast<void>(pool_.end_found(from, r, handle_type::from_bits(life), end_reason::reference));
    return quick_end::done;
}

inline bool stage_base::announce_end(entity_class_base& c, const entity_class_base::found& e, std::uint64_t life,
                                     entity_end how, end_reason why, refusal_facts& facts) noexcept {
    const entry_shape shape = end_shape(c, *e.head);
    journal_reservation r = reserve(journal::bytes_of(shape));
    if (!r) {
        static_cast<void>(journal_full(facts, r));
        return false;
    }
    ++e.head->version;
    stamp what = stamp_of(c, kind_of_end(how), life, *e.head);
    what.detail = static_cast<std::uint8_t>(static_cast<unsigned>(why) |
                                            (e.head->persistent ? entity_bytes::was_persistent : 0u));
    const entry_room room = r.add(what, shape);
    put_whole(room.before, c, *e.head, life, e.data);
    std::memcpy(room.id.data(), e.head->id.view().data(), room.id.size());
    r.publish();
    return true;
}

inline void stage_base::life_ended(entity_class_base& c, entity_head& h, std::byte* data, std::uint64_t life,
                                   end_reason why) noexcept {
    const any_entity_ref which(c.number(), life);
    switch (h.phase) {
        case life_phase::living:
        case life_phase::loading: break;
        case life_phase::beginning:
            h.phase = life_phase::called_off;
            h.end = entity_end::called_off;
            return;
        default: return;
    }
    const entity_end how = c.fresh() || !c.idle_has_room() ? entity_end::destroyed : entity_end::pooled;
    refusal_facts facts;
    if (!going_ && !announce_end(c, {&h, data}, life, how, why, facts)) {
        // An end that the world decides cannot be refused, and no reader may miss it: they all begin anew.
        report_misuse({.kind = misuse_kind::bad_setting,
                       .pool = c.name().c_str(),
                       .what = "the journal had no room for the end of a life, so its readers take snapshots; confirm "
                               "ticks, or raise journal_bytes of the stage"});
        static_cast<void>(journal_.reset(reset_cause::restored, journal_.state()));
        state_.delivered = journal_.position();
        static_cast<void>(signals_.resume());
    }
    leave(h, which, how);
}

inline lock_result stage_base::take_lock(any_entity_ref which, std::string_view who, ticks how_long,
                                         const entity_lock& mine) {
    refusal_facts why;
    entity_class_base* const c = may_change(which, why);
    if (c == nullptr) return why;
    entity_head& h = *c->find(which.life()).head;
    if (!lock_lets(h, mine.number, why)) return why;
    lock_name name;
    if (who.empty() || !name.assign(who)) {
        why.reason = stage_refusal::bad_id;
        why.id_wrong = who.empty()                        ? id_fault::empty
                       : who.size() > lock_name::max_size ? id_fault::too_long
                                                          : id_fault::not_text;
        return why;
    }
    if (!append_lock(*c, change_kind::locked, which, h, name, why)) return why;
    h.lock_by = name;
    const std::uint64_t first_without = now().count + (std::max)(how_long.count, std::uint64_t{1});
    // One that is longer than time lasts until its end.
    h.lock_until = first_without > now().count ? first_without : (std::numeric_limits<std::uint64_t>::max)();
    if (mine.number == 0) h.lock_number = ++state_.locks;
    return lock_result({which, h.lock_number});
}

inline bool stage_base::append_lock(entity_class_base& c, change_kind kind, any_entity_ref which, const entity_head& h,
                                    const lock_name& who, refusal_facts& why) noexcept {
    const entry_shape shape{0, 0, 0, static_cast<std::uint32_t>(who.size())};
    journal_reservation r = reserve(journal::bytes_of(shape));
    if (!r) {
        static_cast<void>(journal_full(why, r));
        return false;
    }
    const entry_room room = r.add(stamp_of(c, kind, which.life(), h), shape);
    std::memcpy(room.after.data(), who.view().data(), room.after.size());
    r.publish();
    return true;
}

inline std::size_t stage_base::end_owned(source_place from, player who) {
    std::size_t count = 0;
    for (const any_entity_ref which : owned_by(who)) {
        const entity_class_base* const c = class_at(which.class_of());
        entity_head* const h = look(which).head;
        if (c == nullptr || h == nullptr || !shown(*h)) continue;
        ++count;
        switch (c->settings().owner_leaves) {
            case without_owner::keep:
                // Nobody has heard of the owner of one that is loading.
                if (h->lives()) {
                    static_cast<void>(set_owner(which, {}));
                } else if (closed_ == 0) {
                    h->owner = {};
                }
                break;
            case without_owner::pool:
                static_cast<void>(end_entity(from, which, c->fresh() ? entity_end::destroyed : entity_end::pooled,
                                             {.under = lock_of(which)}));
                break;
            case without_owner::destroy:
                static_cast<void>(end_entity(from, which, entity_end::destroyed, {.under = lock_of(which)}));
                break;
        }
    }
    return count;
}

inline std::vector<any_entity_ref> stage_base::owned_by(player who) const {
    std::vector<any_entity_ref> all;
    if (!who) return all;
    ids_.for_each([&](const id_table::entry& e) {
        const any_entity_ref which(e.of, e.life);
        const entity_head* const h = look(which).head;
        if (h != nullptr && h->owner == who) all.push_back(which);
    });
    // By class and slot: the order in the table is that of the hash, and that of the ends must be the same on every machine.
    std::sort(all.begin(), all.end(), [](any_entity_ref a, any_entity_ref b) {
        return a.class_of() != b.class_of() ? a.class_of() < b.class_of() : a.life() < b.life();
    });
    return all;
}

template <class F>
entity_place stage_base::look_through(entity_place from, std::uint32_t places, F&& f) const {
    for (; from.of < classes_.size(); from = {static_cast<class_number>(from.of + 1), 0}) {
        const entity_class_base* const c = classes_[from.of].get();
        // By what is known of slots, and not by a walk over objects: it can be broken off anywhere.
        for (; c != nullptr && from.slot < c->slot_limit(); ++from.slot) {
            if (places-- == 0) return from;
            const std::uint64_t life = c->last_life_in(from.slot);
            const entity_look e = life != 0 ? look_at({from.of, life}) : entity_look();
            if (!e) continue;
            if constexpr (std::is_void_v<std::invoke_result_t<F&, const entity_look&>>) {
                f(e);
            } else if (!f(e)) {
                return {from.of, from.slot + 1};
            }
        }
    }
    return from;
}

inline void stage_base::tell(const journal_entry& e, first_exception& thrown) {
    entity_class_base* const c = class_at(e.what.local_class);
    if (is_notice(e.kind()) || c == nullptr || c->id() != e.what.of_class) return;
    const any_entity_ref which = life_in(*c, e);
    const entity_head* const h = look(which).head;
    const entity_event what(e, c->schema(), which, h != nullptr ? h->id.view() : std::string_view());
    entity_signals* const of_class = signals_of_[c->number()].get();
    const auto fire = [&](event<const entity_event&>& to) {
        if (!to.empty()) to.fire_each([&](auto&& call) { thrown.keep(call); }, what);
    };
    if (e.kind() == change_kind::created) return fire(of_class->created);
    if (e.kind() == change_kind::updated) {
        listeners_.for_each(which, [&](const life_listener& l) {
            if (l.what == listens_to::updates) thrown.keep([&] { l.call(what); });
        });
        return fire(of_class->updated);
    }
    if (!is_end(e.kind())) return;
    listeners_.for_each(which, [&](const life_listener& l) {
        if (l.what == listens_to::end) thrown.keep([&] { l.call(what); });
    });
    listeners_.end_life(which, now().count);
    fire(of_class->released);
    if (e.kind() != change_kind::pooled) fire(of_class->destroyed);
}

inline any_entity_ref stage_base::life_in(const entity_class_base& c, const journal_entry& e) noexcept {
    const std::span<const std::byte> whole = e.before.empty() ? e.after : e.before;
    std::uint64_t life = 0;
    if (e.kind() == change_kind::created || is_end(e.kind())) {
        std::memcpy(&life, whole.data() + entity_bytes::owner, sizeof(life));
    } else {
        life = c.life_in(e.what.entity.value, e.what.generation.value);
    }
    return {c.number(), life};
}

inline void stage_base::collect_ids() noexcept {
    ids_.clear();
    for (const auto& c : classes_) {
        if (c == nullptr) continue;
        struct to_ids {
            id_table* ids;
            class_number of;
            entity_class_base* of_class;
        } to{&ids_, c->number(), c.get()};
        c->for_each(&to, [](void* at, entity_head& h, std::byte*, std::uint64_t life) {
            auto& into = *static_cast<to_ids*>(at);
            if (!h.lives() && h.phase != life_phase::loading) return;
            into.ids->reserve(into.ids->size() + 1);
            static_cast<void>(into.ids->find_or_put(h.id, h.id_tag, into.of, life));
            into.of_class->note_life(life, h.generation);
        });
    }
}

}  // namespace lido::entity_detail
