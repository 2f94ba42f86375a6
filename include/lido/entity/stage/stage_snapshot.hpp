// A snapshot for a reader of the journal that fell behind, or comes late: every entity as a `created` entry, in the form in which the journal has
// it, at the place from which the reader then goes on. For a reader of confirmed changes that is the live state with what is not confirmed undone.
#pragma once

#include <lido/entity/stage/stage_base.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace lido::entity_detail {

class stage_copy {
public:
    /// Throws: std::bad_alloc.
    void add(entity_class_base& c, const entity_head& h, std::uint64_t life, const std::byte* data) {
        entity e{&c, h.id, h.version, h.persistent, std::vector<std::byte>(entity_bytes::head + c.schema().size())};
        std::memcpy(e.whole.data(), &h.owner.id, sizeof(h.owner.id));
        std::memcpy(e.whole.data() + entity_bytes::owner, &life, sizeof(life));
        std::memcpy(e.whole.data() + entity_bytes::head, data, c.schema().size());
        all_.insert_or_assign(key{c.number(), slot_of(life), h.generation}, std::move(e));
    }

    /// As if that change had not been. Entries come the latest first.
    void undo(entity_class_base& c, const journal_entry& e) {
        const key which{c.number(), e.what.entity.value, e.what.generation.value};
        if (e.kind() == change_kind::created) {
            all_.erase(which);
        } else if (is_end(e.kind())) {
            entity back{&c, entity_id(e.id), e.what.version.value - 1,
                        (e.what.detail & entity_bytes::was_persistent) != 0,
                        std::vector<std::byte>(e.before.begin(), e.before.end())};
            all_.insert_or_assign(which, std::move(back));
        } else if (e.kind() == change_kind::updated) {
            const auto found = all_.find(which);
            if (found == all_.end()) return;
            --found->second.version;
            std::byte* const whole = found->second.whole.data();
            if (e.what.detail == entity_bytes::owner_changed) {
                std::memcpy(whole, e.before.data(), entity_bytes::owner);
                return;
            }
            const std::byte* from = e.before.data();
            e.changed.for_each([&](std::size_t i) {
                const field_schema& f = c.schema().fields()[i];
                std::memcpy(whole + entity_bytes::head + f.offset, from, f.size);
                from += f.size;
            });
        }
    }

    /// Calls f(entry) for each, by class, slot and generation.
    template <class F>
    void tell(const journal_position& at, F&& f) const {
        for (const auto& [which, e] : all_) {
            journal_entry entry;
            entry.what.kind = change_kind::created;
            entry.what.detail = e.persistent ? entity_bytes::persistent : 0;
            entry.what.local_class = std::get<0>(which);
            entry.what.of_class = e.of->id();
            entry.what.entity = {std::get<1>(which)};
            entry.what.generation = {std::get<2>(which)};
            entry.what.version = {e.version};
            entry.what.tick = at.state.tick;
            entry.number = at.next();
            entry.first = entry.last = true;
            entry.after = e.whole;
            entry.id = e.id.view();
            f(std::as_const(entry));
        }
    }

private:
    using key = std::tuple<class_number, std::uint32_t, std::uint64_t>;
    struct entity {
        entity_class_base* of;
        entity_id id;
        std::uint64_t version;
        bool persistent;
        std::vector<std::byte> whole;
    };
    std::map<key, entity> all_;
};

template <class F>
journal_answer stage_base::catch_up(journal_cursor& reader, F&& f) {
    const journal_position at = reader.snapshot_position();
    stage_copy all;
    for (const auto& c : classes_) {
        if (c == nullptr) continue;
        std::pair<stage_copy*, entity_class_base*> to{&all, c.get()};
        c->for_each(&to, [](void* both, entity_head& h, std::byte* data, std::uint64_t life) {
            auto& [copy, of] = *static_cast<std::pair<stage_copy*, entity_class_base*>*>(both);
            if (h.lives()) copy->add(*of, h, life, data);
        });
    }
    journal_.undo([&](const journal_entry& e) {
        if (e.number < at.next()) return;
        if (entity_class_base* const c = class_at(e.what.local_class)) all.undo(*c, e);
    });
    all.tell(at, f);
    return reader.resume(at);
}

}  // namespace lido::entity_detail
