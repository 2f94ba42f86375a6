// How a commit is made (commit.hpp): with types, and without.
#pragma once

#include <lido/entity/stage/stage.hpp>

namespace lido {

/// Why one entity of a commit stands in its way, if it does; what of it differs.
template <class World>
template <class P>
LIDO_INLINE bool basic_stage<World>::check_part(P& p, entity_detail::refusal_facts& why) {
    using T = std::remove_cvref_t<decltype(p.staged)>;
    class_of_type<T>* const c = typed<T>(p.of.class_of());
    entity_object<T>* const o = c != nullptr ? c->find_object(p.of.life()) : nullptr;
    if (o == nullptr || !access::head(*o).lives() || !c->changeable()) [[unlikely]] {
        why = {};
        static_cast<void>(may_change(p.of, why));
        if (why.reason == stage_refusal::none) why.reason = stage_refusal::ended;
        return false;
    }
    const entity_detail::entity_head& h = access::head(*o);
    p.object = o;
    // What an earlier refusal has left is not this one's.
    const auto name_it = [&]() -> bool {
        const entity_detail::refusal_facts found = why;
        why = {};
        why.reason = found.reason;
        why.expected = found.expected;
        why.found = found.found;
        if (found.reason == stage_refusal::locked) why.who = found.who;
        if (found.reason == stage_refusal::invalid) {
            why.field = found.field;
            why.field_wrong = found.field_wrong;
        }
        why.id = h.id;
        why.of_class = c->name();
        return false;
    };
    if (h.version != p.version) [[unlikely]] {
        why.reason = stage_refusal::conflict;
        why.expected = p.version;
        why.found = h.version;
        return name_it();
    }
    p.changed = entity_detail::typed_class<T>::changed_between(access::data(*o), p.staged);
    if (p.changed.empty()) {
        p.bytes = 0;
        return true;
    }
    if ((h.lock_until | p.lock_number) != 0 && !lock_lets(h, p.lock_number, why)) [[unlikely]]
        return name_it();
    entity_detail::numbered_fault wrong;
    if constexpr (entity_detail::has_valid<T>) {
        const closed_stage meanwhile(*this);
        wrong = first_fault(p.staged);
    } else {
        wrong = first_fault(p.staged);
    }
    if (wrong.fault != field_fault::none) [[unlikely]] {
        why.reason = stage_refusal::invalid;
        why.field_wrong = wrong.fault;
        why.field = wrong.field != entity_detail::no_field ? &c->schema().fields()[wrong.field] : nullptr;
        return name_it();
    }
    p.bytes = entity_detail::bytes_of_fields<T>(p.changed);
    return true;
}

template <class World>
template <class... Parts>
LIDO_INLINE entity_detail::commit_outcome basic_stage<World>::commit_parts(std::uint64_t epoch,
                                                                           entity_detail::refusal_facts& why,
                                                                           Parts&... parts) {
    using outcome = entity_detail::commit_outcome;
    const auto refuse = [&](stage_refusal reason) {
        const journal_refusal of_journal = why.journal_wrong;
        why = {};
        why.reason = reason;
        why.journal_wrong = of_journal;
        ++commits_refused_;
        return outcome::refused;
    };
    if (closed_ != 0 || epoch != restores_) [[unlikely]]
        return refuse(closed_ != 0 ? stage_refusal::busy : stage_refusal::rewound);
    if constexpr (sizeof...(Parts) > 1) {
        const any_entity_ref all[] = {parts.of...};
        for (std::size_t i = 1; i < sizeof...(Parts); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (all[i] == all[k]) {
                    refuse(stage_refusal::twice);
                    static_cast<void>(may_change(all[i], why));
                    why.reason = stage_refusal::twice;
                    return outcome::refused;
                }
            }
        }
    }
    if (!(check_part(parts, why) && ...)) [[unlikely]] {
        ++commits_refused_;
        return outcome::refused;
    }
    const auto shape_of = [](const auto& p) {
        using T = std::remove_cvref_t<decltype(p.staged)>;
        return entry_shape{static_cast<std::uint16_t>(entity_detail::leaves_of<T>::count), 0, p.bytes, p.bytes};
    };
    const std::size_t bytes = ((parts.bytes != 0 ? journal::bytes_of(shape_of(parts)) : 0) + ...);
    if (bytes == 0) return outcome::unchanged;
    journal_reservation r = reserve(bytes);
    if (!r) [[unlikely]] {
        why.journal_wrong = r.why_refused();
        return refuse(stage_refusal::journal);
    }
    const auto apply = [&](auto& p) {
        using T = std::remove_cvref_t<decltype(p.staged)>;
        if (p.bytes == 0) return;
        class_of_type<T>& c = *typed<T>(p.of.class_of());
        entity_object<T>& o = *static_cast<entity_object<T>*>(p.object);
        entity_detail::entity_head& h = access::head(o);
        T& live = access::data(o);
        p.version = ++h.version;
        if (c.history().kept()) c.history().add(entity_detail::slot_of(p.of.life()), {h.version, now()}, &live);
        entity_detail::put_fields(r.add(stamp_of(c, change_kind::updated, p.of.life(), h), shape_of(p)), p.changed,
                                  live, std::as_const(p.staged));
        std::memcpy(static_cast<void*>(&live), &p.staged, sizeof(T));
    };
    (apply(parts), ...);
    r.publish();
    return outcome::committed;
}

template <class World>
template <class Part>
entity_detail::commit_outcome basic_stage<World>::commit_list(std::uint64_t epoch, entity_detail::refusal_facts& why,
                                                              Part* first) {
    using outcome = entity_detail::commit_outcome;
    const auto refuse = [&](stage_refusal reason) {
        why.reason = reason;
        ++commits_refused_;
        return outcome::refused;
    };
    if (closed_ != 0 || epoch != restores_) return refuse(closed_ != 0 ? stage_refusal::busy : stage_refusal::rewound);
    std::size_t bytes = 0;
    for (Part* p = first; p != nullptr; p = p->next) {
        const entity_detail::entity_class_base* const c = may_change(p->of, why);
        if (c == nullptr) return refuse(why.reason);
        const auto e = class_at(p->of.class_of())->find(p->of.life());
        if (e.head->version != p->version) {
            why.expected = p->version;
            why.found = e.head->version;
            return refuse(stage_refusal::conflict);
        }
        p->changed = c->schema().changed(e.data, p->staged);
        p->bytes = 0;
        if (p->changed.empty()) continue;
        if (!lock_lets(*e.head, p->lock_number, why)) return refuse(why.reason);
        finding wrong;
        {
            const closed_stage meanwhile(*this);
            wrong = c->schema().first_invalid(p->staged);
        }
        if (wrong) {
            why.field = wrong.field;
            why.field_wrong = wrong.fault;
            return refuse(stage_refusal::invalid);
        }
        p->bytes = entity_detail::bytes_of_fields(c->schema(), p->changed);
        bytes += journal::bytes_of({field_count(*c), 0, p->bytes, p->bytes});
    }
    why = {};
    if (bytes == 0) return outcome::unchanged;
    journal_reservation r = reserve(bytes);
    if (!r) {
        why.journal_wrong = r.why_refused();
        return refuse(stage_refusal::journal);
    }
    for (Part* p = first; p != nullptr; p = p->next) {
        if (p->bytes == 0) continue;
        entity_detail::entity_class_base& c = *class_at(p->of.class_of());
        const auto e = c.find(p->of.life());
        p->version = ++e.head->version;
        c.history().add(entity_detail::slot_of(p->of.life()), {e.head->version, now()}, e.data);
        entity_detail::put_fields(
            r.add(stamp_of(c, change_kind::updated, p->of.life(), *e.head), {field_count(c), 0, p->bytes, p->bytes}),
            c.schema(), p->changed, e.data, p->staged);
        std::memcpy(e.data, p->staged, c.schema().size());
    }
    r.publish();
    return outcome::committed;
}

}  // namespace lido
