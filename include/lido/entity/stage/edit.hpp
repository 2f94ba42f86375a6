// Edits: changes of one entity or of several, prepared in copies that belong to the edit, and committed all or none.
//
//   auto trade = stage.edit(ann, bob);
//   trade[ann].gold -= 5;
//   trade[bob].gold += 5;
//   if (!trade.commit()) std::puts(trade.why());
//
// An edit sees nobody's changes and shows nobody its own until it commits. Two open ones never mix: the second of two that changed the same
// entity is refused, with both versions in its words. A refused edit keeps its copies, and can be thrown away or asked again; one that has
// committed goes on from there.
#pragma once

#include <lido/core/config.hpp>
#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/stage/commit.hpp>
#include <lido/entity/stage/creation.hpp>
#include <lido/entity/stage/edit_arena.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido {

/// Of a number of entities known when it is compiled. All of its memory is in it. Pre: the stage outlives it.
template <class Stage, class... Ts>
class edit : public stage_answer {
    template <class T>
    using part = typename Stage::template part_of<T>;

public:
    LIDO_INLINE edit(Stage& stage, entity_ref<Ts>... which) noexcept : stage_(&stage), epoch_(stage.epoch()) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (open(std::get<I>(parts_), which), ...);
        }(std::index_sequence_for<Ts...>{});
    }
    edit(const edit&) = delete;
    edit& operator=(const edit&) = delete;

    /// The copy that belongs to the edit. Of an entity that had ended when the edit was opened it is a T{}, and the commit is refused.
    /// Pre: it is one of the entities of the edit.
    template <class T>
        requires(std::is_same_v<T, Ts> || ...)
    [[nodiscard]] T& operator[](entity_ref<T> which) noexcept {
        T* found = nullptr;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (look<T>(std::get<I>(parts_), which, found), ...);
        }(std::index_sequence_for<Ts...>{});
        LIDO_VERIFY(found != nullptr, "edit: this entity is not one of those that the edit was opened for");
        return *found;
    }
    template <class T>
    [[nodiscard]] T& operator[](const created<T>& which) noexcept {
        return (*this)[which.reference()];
    }

    /// Where there is one entity.
    [[nodiscard]] auto* operator->() noexcept
        requires(sizeof...(Ts) == 1)
    {
        return &std::get<0>(parts_).staged;
    }
    [[nodiscard]] auto& operator*() noexcept
        requires(sizeof...(Ts) == 1)
    {
        return std::get<0>(parts_).staged;
    }

    /// Commits under that lock, which must be in force then.
    edit& under(const entity_lock& lock) noexcept {
        std::apply([&](auto&... p) { ((p.of == lock.of ? void(p.lock_number = lock.number) : void()), ...); }, parts_);
        return *this;
    }

    /// Validates all of it and changes all of it, or nothing. True also when nothing differs: that is no new version.
    /// Allocates nothing. Throws: what `valid` throws; nothing has changed then.
    LIDO_INLINE bool commit() {
        this->facts_.clear();
        outcome_ = commit_all(std::index_sequence_for<Ts...>{});
        return outcome_ != entity_detail::commit_outcome::refused;
    }
    /// Whether the last commit() made new versions.
    [[nodiscard]] bool changed() const noexcept { return outcome_ == entity_detail::commit_outcome::committed; }

    /// The copies as the entities are now: for another try after a conflict.
    void reload() noexcept {
        epoch_ = stage_->epoch();
        this->facts_.clear();
        std::apply([&](auto&... p) { (load(p), ...); }, parts_);
    }

private:
    template <std::size_t... I>
    LIDO_INLINE entity_detail::commit_outcome commit_all(std::index_sequence<I...>) {
        return stage_->commit_parts(epoch_, this->facts_, std::get<I>(parts_)...);
    }
    template <class T>
    LIDO_INLINE void open(part<T>& p, entity_ref<T> which) noexcept {
        p.of = which;
        p.lock_number = 0;
        load(p);
    }
    template <class T>
    LIDO_INLINE void load(part<T>& p) noexcept {
        stage_->load_part(p);
    }
    template <class T, class U>
    static void look([[maybe_unused]] part<U>& p, [[maybe_unused]] entity_ref<T> which,
                     [[maybe_unused]] T*& found) noexcept {
        if constexpr (std::is_same_v<T, U>) {
            if (found == nullptr && p.of == any_entity_ref(which)) found = &p.staged;
        }
    }

    Stage* stage_;
    std::uint64_t epoch_;
    entity_detail::commit_outcome outcome_ = entity_detail::commit_outcome::refused;
    std::tuple<part<Ts>...> parts_;
};

/// Of a number of entities known at run time: stage.edit(), then add(). Its copies are in the stage's arena (settings.edit_bytes).
template <class Stage>
class any_edit : public stage_answer {
    struct part : entity_detail::edit_part {
        part() noexcept { version = lock_number = 0; }

        part* next = nullptr;
        void* staged = nullptr;
        field_set changed;        ///< by the check
        std::uint32_t bytes = 0;  ///< of the changed fields, by the check
    };

public:
    explicit any_edit(Stage& stage) noexcept : stage_(&stage), epoch_(stage.epoch()) { stage.arena().open(); }
    any_edit(const any_edit&) = delete;
    any_edit& operator=(const any_edit&) = delete;
    ~any_edit() { stage_->arena().close(share_); }

    /// The copy that belongs to the edit; the same one for an entity that was added before. Null when its life has ended, or the arena is
    /// full: then the commit is refused, too.
    template <class T>
    [[nodiscard]] T* add(entity_ref<T> which) noexcept {
        if (part* const p = find(which)) return static_cast<T*>(p->staged);
        auto* const p = static_cast<part*>(stage_->arena().take(share_, sizeof(part), alignof(part)));
        void* const staged = p != nullptr ? stage_->arena().take(share_, sizeof(T), alignof(T)) : nullptr;
        if (staged == nullptr) {
            failed_ = stage_refusal::no_room;
            return nullptr;
        }
        ::new (static_cast<void*>(p)) part;
        p->of = which;
        p->staged = ::new (staged) T{};
        if (!stage_->load_copy(*p, *static_cast<T*>(p->staged))) {
            failed_ = stage_refusal::ended;
            return nullptr;
        }
        *end_ = p;
        end_ = &p->next;
        ++size_;
        return static_cast<T*>(p->staged);
    }
    template <class T>
    [[nodiscard]] T* add(const created<T>& which) noexcept {
        return add(which.reference());
    }

    /// Null for one that was not added.
    template <class T>
    [[nodiscard]] T* operator[](entity_ref<T> which) noexcept {
        part* const p = find(which);
        return p != nullptr ? static_cast<T*>(p->staged) : nullptr;
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    any_edit& under(const entity_lock& lock) noexcept {
        if (part* const p = find(lock.of)) p->lock_number = lock.number;
        return *this;
    }

    /// As edit::commit.
    bool commit() {
        outcome_ = entity_detail::commit_outcome::refused;
        entity_detail::refusal_facts& why = this->facts_.begin();
        if (failed_ != stage_refusal::none) {
            why.reason = failed_;
            return false;
        }
        outcome_ = stage_->commit_list(epoch_, why, first_);
        if (outcome_ == entity_detail::commit_outcome::refused) return false;
        this->facts_.clear();
        return true;
    }
    [[nodiscard]] bool changed() const noexcept { return outcome_ == entity_detail::commit_outcome::committed; }

private:
    [[nodiscard]] part* find(any_entity_ref which) const noexcept {
        for (part* p = first_; p != nullptr; p = p->next) {
            if (p->of == which) return p;
        }
        return nullptr;
    }

    Stage* stage_;
    std::uint64_t epoch_;
    part* first_ = nullptr;
    part** end_ = &first_;
    std::size_t size_ = 0;
    entity_detail::edit_arena::share share_;
    stage_refusal failed_ = stage_refusal::none;
    entity_detail::commit_outcome outcome_ = entity_detail::commit_outcome::refused;
};

/// What edit_each() did.
class each_result : public stage_answer {
public:
    std::size_t changed = 0;    ///< entities with a new version
    std::size_t unchanged = 0;  ///< of which nothing differed
    std::size_t refused = 0;    ///< the first of them is what why() tells of

    template <class>
    friend class basic_stage;
};

}  // namespace lido
