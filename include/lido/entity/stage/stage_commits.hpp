// How a commit is made (commit.hpp): with types, and without.
#pragma once

#include <lido/entity/stage/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>

namespace lido {

/// Whether one entity of a commit stands in its way, and what of it differs. What is wrong, if anything, is found out apart: a commit
/// that is made needs none of it.
template <class World>
template <class P>
LIDO_INLINE auto basic_stage<World>::check_part(P& p, std::uint64_t epoch, entity_detail::kept_facts& why)
    -> found_change<P> {
    using T = typename P::type;
    if (p.lives != lives_seen_ || !p.in->reachable()) [[unlikely]]
        return check_slowly(p, epoch, why);
    const entity_detail::entity_head& h = access::head(*p.object);
    if (h.version != p.version) [[unlikely]]
        return check_slowly(p, epoch, why);
    found_change<P> found;
    found.good = true;
    P::steps::compare(access::data(*p.object), p.staged, found.changed, found.bytes);
    if (found.changed.empty()) return found;
    if ((h.lock_until | p.lock_number) != 0 || !P::steps::good(p.staged)) [[unlikely]]
        return check_slowly(p, epoch, why);
    if constexpr (entity_detail::has_valid<T>) {
        const closed_stage meanwhile(*this);
        if (!valid(std::as_const(p.staged))) return check_slowly(p, epoch, why);
    }
    return found;
}

/// The same in order, with the words for who is refused. Calls `valid` again.
template <class World>
template <class P>
auto basic_stage<World>::check_slowly(P& p, std::uint64_t epoch, entity_detail::kept_facts& facts) -> found_change<P> {
    using T = typename P::type;
    found_change<P> found{};
    if (epoch != restores_) {
        facts.begin().reason = stage_refusal::rewound;
        return found;
    }
    class_of_type<T>* const c = typed<T>(p.of.class_of());
    entity_object<T>* const o = c != nullptr ? c->find_object(p.of.life()) : nullptr;
    if (o == nullptr || !access::head(*o).lives() || !c->changeable()) {
        entity_detail::refusal_facts& why = facts.begin();
        static_cast<void>(may_change(p.of, why));
        if (why.reason == stage_refusal::none) why.reason = stage_refusal::ended;
        return found;
    }
    const entity_detail::entity_head& h = access::head(*o);
    p.in = c;
    p.object = o;
    p.lives = lives_seen_;
    const auto refuse = [&]() -> entity_detail::refusal_facts& {
        entity_detail::refusal_facts& why = facts.begin();
        why.id = h.id;
        why.of_class = c->name();
        return why;
    };
    if (h.version != p.version) {
        entity_detail::refusal_facts& why = refuse();
        why.reason = stage_refusal::conflict;
        why.expected = p.version;
        why.found = h.version;
        return found;
    }
    P::steps::compare(access::data(*o), p.staged, found.changed, found.bytes);
    if (found.changed.empty()) {
        found.good = true;
        return found;
    }
    entity_detail::refusal_facts of_lock;
    if (!lock_lets(h, p.lock_number, of_lock)) {
        entity_detail::refusal_facts& why = refuse();
        why.reason = of_lock.reason;
        why.who = of_lock.who;
        why.found = of_lock.found;
        return found;
    }
    entity_detail::numbered_fault wrong;
    {
        const closed_stage meanwhile(*this);
        wrong = first_fault(p.staged);
    }
    if (wrong.fault != field_fault::none) {
        entity_detail::refusal_facts& why = refuse();
        why.reason = stage_refusal::invalid;
        why.field_wrong = wrong.fault;
        why.field = wrong.field != entity_detail::no_field ? &c->schema().fields()[wrong.field] : nullptr;
        return found;
    }
    found.good = true;
    return found;
}

/// Its entry, and its new values. Nothing can fail from here on.
/// Only: it is the one of its commit, and something of it differs.
template <class World>
template <bool Only, class P>
LIDO_INLINE void basic_stage<World>::apply_part(P& p, const found_change<P>& found,
                                                entity_detail::journal_core::quick_commit& to) {
    using namespace entity_detail;
    using T = typename P::type;
    if (!Only && found.changed.empty()) return;
    entity_head& h = access::head(*p.object);
    T& live = access::data(*p.object);
    const std::uint64_t version = h.version + 1;
    h.version = p.version = version;
    if (p.in->history().kept()) [[unlikely]]
        p.in->history().add(slot_of(p.of.life()), {version, now()}, &live);
    constexpr std::uint16_t fields = P::steps::fields;
    std::byte* const record =
        to.template add<Only>(change_kind::updated, 0, {fields, 0, found.bytes, found.bytes}, slot_of(p.of.life()),
                              h.generation, version, p.in->id(), p.in->number());
    std::byte* const set = record + sizeof(record_header);
    found.changed.write(set);
    std::byte* const before = set + set_bytes(fields);
    P::steps::apply(found.changed, before, before + found.bytes, live, p.staged);
}

template <class World>
template <class... Parts>
LIDO_INLINE entity_detail::commit_outcome basic_stage<World>::commit_parts(std::uint64_t epoch,
                                                                           entity_detail::kept_facts& why,
                                                                           Parts&... parts) {
    if (closed_ != 0) [[unlikely]]
        return refuse_commit(why, stage_refusal::busy);
    if constexpr (sizeof...(Parts) > 1) {
        if (const any_entity_ref twice = first_twice(parts.of...)) [[unlikely]]
            return refuse_twice(why, twice);
    }
    return commit_each(std::index_sequence_for<Parts...>{}, epoch, why, parts...);
}

template <class World>
template <std::size_t... I, class... Parts>
LIDO_INLINE entity_detail::commit_outcome basic_stage<World>::commit_each(std::index_sequence<I...>,
                                                                          std::uint64_t epoch,
                                                                          entity_detail::kept_facts& why,
                                                                          Parts&... parts) {
    using namespace entity_detail;
    constexpr bool only = sizeof...(Parts) == 1;
    std::tuple<found_change<Parts>...> found;
    if (!((std::get<I>(found) = check_part(parts, epoch, why)).good && ...)) [[unlikely]] {
        ++commits_refused_;
        return commit_outcome::refused;
    }
    if ((std::get<I>(found).changed.empty() && ...)) return commit_outcome::unchanged;
    // The record of one that has not changed is none.
    const auto bytes_of = []<class P>(const found_change<P>& f) -> std::uint64_t {
        return !only && f.changed.empty() ? 0 : whole_words(record_size({P::steps::fields, 0, f.bytes, f.bytes}));
    };
    sync_tick();
    journal_core::quick_commit to(journal_.core(), (bytes_of(std::get<I>(found)) + ...));
    if (!to) [[unlikely]]
        return refuse_commit(why, stage_refusal::journal, to.why_refused());
    (apply_part<only>(parts, std::get<I>(found), to), ...);
    to.publish();
    return commit_outcome::committed;
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
