// What a stage says to a request: done, or why not, as a sentence that names the entity, the field and the reason.
#pragma once

#include <lido/core/config.hpp>
#include <lido/entity/identity/entity_id.hpp>
#include <lido/entity/journal/answer.hpp>
#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/stage/entity_object.hpp>
#include <lido/world/spawned.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace lido {

/// Why a stage did not do what it was asked.
enum class stage_refusal : std::uint8_t {
    none,
    no_class,        ///< the stage has no such class
    not_here,        ///< this role may not change the class
    bad_id,          ///< the text is no id
    reserved_id,     ///< ids that begin with ~ are generated
    id_taken,        ///< an entity has that id
    id_reserved,     ///< an entity of that id is just being created
    no_store,        ///< persistent without a store
    store_refused,   ///< the store did not take it
    loading,         ///< its data is not there yet
    invalid,         ///< a field, or all of them together
    old_generation,  ///< a life of that generation has been
    too_high,        ///< a generation or version of 2^63 or more, or the last generation has been given
    spawn_refused,   ///< the world had no object for it
    called_off,      ///< it was ended while it began
    ended,           ///< the reference is of a life that has ended, or of none
    beginning,       ///< it is just being created
    conflict,        ///< changed since the edit was opened
    locked,          ///< somebody else has a lock on it
    lock_lost,       ///< the lock of the request has ended
    not_locked,      ///< there is no such lock
    twice,           ///< an entity is in an edit twice
    rewound,         ///< the stage was restored since the edit was opened
    no_room,         ///< the arena of dynamic edits is full
    busy,            ///< asked from inside of a save, a restore, a check or a release
    fresh,           ///< the class is never pooled
    journal,         ///< the journal could not take it
    no_memory,
    no_history,  ///< the class keeps none, or not that version any more
};

namespace entity_detail {

/// All that a sentence needs. Copied around, and turned into words only where somebody asks.
struct refusal_facts {
    stage_refusal reason = stage_refusal::none;
    id_fault id_wrong = id_fault::none;
    field_fault field_wrong = field_fault::none;
    journal_refusal journal_wrong = journal_refusal::none;
    spawn_refusal spawn_wrong = spawn_refusal::none;
    entity_id id = {};  ///< of the entity; empty where it is not known
    lock_name who = {};
    std::string_view of_class = {};
    const field_schema* field = nullptr;  ///< null: the fields together
    std::uint64_t expected = 0;
    std::uint64_t found = 0;
    const char* store_says = nullptr;  ///< of store_refused; stays
};

/// Facts that are there only where something was refused: most answers are a yes, and cost no more than that.
class kept_facts {
public:
    kept_facts() noexcept {}  // NOLINT(modernize-use-equals-default): no facts are made
    kept_facts(const refusal_facts& facts) noexcept : facts_(facts), there_(true) {}
    kept_facts(const kept_facts& other) noexcept : there_(other.there_) {
        if (there_) facts_ = other.facts_;
    }
    kept_facts& operator=(const kept_facts& other) noexcept {
        there_ = other.there_;
        if (there_ && this != &other) facts_ = other.facts_;
        return *this;
    }
    ~kept_facts() = default;

    /// New ones, to be filled in.
    refusal_facts& begin() noexcept {
        facts_ = {};
        there_ = true;
        return facts_;
    }
    LIDO_INLINE void clear() noexcept { there_ = false; }
    [[nodiscard]] LIDO_INLINE stage_refusal reason() const noexcept {
        return there_ ? facts_.reason : stage_refusal::none;
    }
    /// Pre: reason() is one.
    [[nodiscard]] const refusal_facts& operator*() const noexcept { return facts_; }

private:
    union {
        refusal_facts facts_;
    };
    bool there_ = false;
};
static_assert(std::is_trivially_copyable_v<refusal_facts>);

/// Characters up to a bound, always ended.
class sentence {
public:
    static constexpr std::size_t room = 320;

    sentence() noexcept {}  // NOLINT(modernize-use-equals-default): nothing is written
    sentence(const sentence&) noexcept {}
    sentence& operator=(const sentence&) noexcept { return *this; }
    ~sentence() = default;

    void add(std::string_view text) noexcept {
        const std::size_t n = text.size() < room - 1 - size_ ? text.size() : room - 1 - size_;
        if (n != 0) std::memcpy(text_ + size_, text.data(), n);
        size_ += n;
        text_[size_] = '\0';
    }
    void add(std::uint64_t number) noexcept {
        char digits[20];
        const char* const end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
        add(std::string_view(digits, static_cast<std::size_t>(end - digits)));
    }
    void clear() noexcept {
        size_ = 0;
        text_[0] = '\0';
    }
    [[nodiscard]] const char* c_str() const noexcept { return text_; }

private:
    // Written by clear() and add(): most answers are never asked for their words.
    char text_[room];
    std::size_t size_;
};

LIDO_COLD inline void say(sentence& to, const refusal_facts& f) noexcept {
    using r = stage_refusal;
    to.clear();
    if (f.reason == r::none) return to.add("done");
    if (!f.id.empty()) {
        to.add("\"");
        to.add(f.id.view());
        to.add("\"");
        if (!f.of_class.empty()) to.add(" (");
    }
    if (!f.of_class.empty()) to.add(f.of_class);
    if (!f.id.empty() && !f.of_class.empty()) to.add(")");
    if (!f.id.empty() || !f.of_class.empty()) to.add(": ");
    switch (f.reason) {
        case r::none: break;
        case r::no_class: to.add("the stage has no such class; add it first"); break;
        case r::not_here: to.add("this role may not change it; ask the server by a command"); break;
        case r::bad_id: to.add(std::string_view(to_string(f.id_wrong))); break;
        case r::reserved_id: to.add("ids that begin with ~ are given by the stage; choose another, or none"); break;
        case r::id_taken: to.add("an entity has this id; end it first, or find() it"); break;
        case r::id_reserved: to.add("an entity with this id is just being created"); break;
        case r::no_store: to.add("persistent, but the stage has no store; attach one before"); break;
        case r::store_refused:
            to.add(f.store_says != nullptr ? std::string_view(f.store_says)
                                           : std::string_view("the store did not take it"));
            break;
        case r::loading: to.add("its data is still being loaded"); break;
        case r::invalid:
            if (f.field != nullptr) {
                to.add(f.field->name);
                to.add(": ");
            }
            to.add(std::string_view(to_string(f.field_wrong)));
            break;
        case r::old_generation:
            to.add("generation ");
            to.add(f.expected);
            to.add(" has been; the next one is above ");
            to.add(f.found);
            break;
        case r::too_high: to.add("generations and versions are below 2^63"); break;
        case r::spawn_refused:
            to.add("there is no object for it: ");
            to.add(std::string_view(to_string(f.spawn_wrong)));
            break;
        case r::called_off: to.add("it was ended while it began"); break;
        case r::ended: to.add("this life has ended"); break;
        case r::beginning: to.add("it is just being created; do this when create() has returned"); break;
        case r::conflict:
            to.add("changed meanwhile: version ");
            to.add(f.expected);
            to.add(" when the edit was opened, ");
            to.add(f.found);
            to.add(" now; open a new edit, or reload() this one");
            break;
        case r::locked:
            to.add("locked by ");
            to.add(f.who.view());
            to.add(" until tick ");
            to.add(f.found);
            break;
        case r::lock_lost: to.add("the lock that this was asked under has ended; lock it again"); break;
        case r::not_locked: to.add("there is no such lock"); break;
        case r::twice: to.add("is in this edit twice"); break;
        case r::rewound: to.add("the stage was restored since the edit was opened; open a new one"); break;
        case r::no_room: to.add("the arena of edits is full; raise edit_bytes of the stage"); break;
        case r::busy: to.add("asked from inside of a save, a restore, a check or a release; do this afterwards"); break;
        case r::fresh: to.add("its class is fresh, so it is never pooled; destroy() it"); break;
        case r::journal: to.add(std::string_view(to_string(f.journal_wrong))); break;
        case r::no_memory: to.add("no memory"); break;
        case r::no_history:
            to.add("version ");
            to.add(f.expected);
            to.add(" is not in its history; the class keeps as many commits as its setting history says");
            break;
    }
}

}  // namespace entity_detail

/// True when it was done.
class stage_answer {
public:
    stage_answer() noexcept = default;
    stage_answer(const entity_detail::refusal_facts& facts) noexcept : facts_(facts) {}

    [[nodiscard]] explicit operator bool() const noexcept { return reason() == stage_refusal::none; }
    [[nodiscard]] stage_refusal reason() const noexcept { return facts_.reason(); }
    /// Whose fault it was; empty where no entity is to blame.
    [[nodiscard]] std::string_view entity() const noexcept { return done() ? std::string_view() : (*facts_).id.view(); }
    /// The name of the field; empty where it is none.
    [[nodiscard]] std::string_view field() const noexcept {
        return !done() && (*facts_).field != nullptr ? (*facts_).field->name : std::string_view();
    }
    [[nodiscard]] field_fault fault() const noexcept { return done() ? field_fault::none : (*facts_).field_wrong; }
    /// Who holds the lock.
    [[nodiscard]] std::string_view locked_by() const noexcept {
        return done() ? std::string_view() : (*facts_).who.view();
    }

    /// One sentence. Valid as long as this.
    [[nodiscard]] const char* why() const noexcept {
        entity_detail::say(words_, done() ? entity_detail::refusal_facts{} : *facts_);
        return words_.c_str();
    }

protected:
    entity_detail::kept_facts facts_;

private:
    [[nodiscard]] bool done() const noexcept { return reason() == stage_refusal::none; }

    mutable entity_detail::sentence words_;
};

}  // namespace lido
