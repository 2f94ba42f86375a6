// From rows to entities.
//
//   load()        a creation asks: a request, or a life that begins at once
//   ask           the row is nobody's, and all of it is durable: the writer claims it
//   finish        the row has come: the life begins, in a tick of the stage
//   replay        the stage went back to before that, and the tick has come again
#include <lido/core/config.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "../row_text.hpp"
#include "engine.hpp"

namespace lido::store_detail {

constexpr const char* row_is_taken = "another entity of its class has the row of this key; end that one first";

std::uint64_t engine::this_tick() const noexcept {
    return (std::max)(stage_.changes().tick().count, stage_.now().count);
}

bool engine::is_loading(const beginning& life) const {
    const entity_look there = stage_.look_at(life.of);
    return there && there.loading() && there.info().generation == life.generation && there.info().id == life.id;
}

entity_store::load_answer engine::load(const load_request& q) {
    if (!usable()) return {begins::refused, why_.c_str()};
    if (wrong_name(q.key) != nullptr || wrong_name(q.of_class) != nullptr)
        return {begins::refused,
                "the key of its row, or the name of its class, is none that a database takes: 1 to 255 "
                "bytes of UTF-8 without control characters"};
    if (making_ == nowhere && pending_ >= options_.max_pending) {
        ++figures_.creations_refused;
        return {begins::refused, full_.c_str()};
    }
    known_class& c = class_of(q.of.class_of(), q.of_class, q.schema);
    const beginning life{q.of, q.generation, q.id};
    const std::uint64_t tick = this_tick();
    std::uint32_t i = rows_.find(c, q.key);
    if (i != nowhere && rows_[i].request != nowhere && requests_[rows_[i].request].life != life) {
        if (is_loading(requests_[rows_[i].request].life)) return {begins::refused, row_is_taken};
        // A creation that was called off, or taken back.
        drop_request(rows_[i].request);
        i = rows_.find(c, q.key);
    }
    if (i == nowhere) {
        i = rows_.find_or_add(c, q.key);
        if (c.all_known) {
            rows_.begin(i, q.generation, q.of, tick, false);
            return {begins::new_one, nullptr};
        }
    }
    known_row& r = rows_[i];
    if (i == making_) {
        rows_.begin(i, q.generation, q.of, tick, true);
        return {begins::loading, nullptr};
    }
    // The same creation, played again.
    for (finished& f : finished_) {
        if (f.row != i || f.life != life) continue;
        f.tick = (std::max)(f.tick, stage_.now().count + 1);
        rows_.begin(i, q.generation, q.of, tick, true);
        return {begins::loading, nullptr};
    }
    if (r.begun == q.generation && r.begun_as == q.of) return {r.loading ? begins::loading : begins::new_one, nullptr};
    // Two entities of one row would overwrite one another.
    const entity_info begun = r.begun != 0 ? stage_.info(r.begun_as) : entity_info{};
    if ((r.holder != 0 && stage_.info(r.held_by).generation == r.holder) || (begun && begun.generation == r.begun))
        return {begins::refused, row_is_taken};
    // Its request goes on.
    if (r.request != nowhere) return {begins::loading, nullptr};
    request wanted;
    wanted.life = life;
    wanted.row = i;
    wanted.token = ++tokens_;
    // A life that may be in the journal, and may have ended: until that is certain nobody knows what is stored.
    if (r.begun != 0) wanted.after_tick = (std::max)(tick, std::uint64_t{1});
    r.request = static_cast<std::uint32_t>(requests_.size());
    requests_.push_back(std::move(wanted));
    return {begins::loading, nullptr};
}

void engine::drop_request(std::uint32_t i) {
    const std::uint32_t row = requests_[i].row;
    rows_[row].request = nowhere;
    if (rows_[row].begun == requests_[i].life.generation && rows_[row].loading) rows_.unbegin(row);
    if (i + 1 != requests_.size()) {
        requests_[i] = std::move(requests_.back());
        rows_[requests_[i].row].request = i;
    }
    requests_.pop_back();
    rows_.drop_if_unused(row);
}

void engine::ask_for_rows() {
    for (std::size_t n = requests_.size(); n-- > 0;) {
        const auto i = static_cast<std::uint32_t>(n);
        request& q = requests_[i];
        if (q.asked) continue;
        if (!is_loading(q.life)) {
            drop_request(i);
            continue;
        }
        known_row& r = rows_[q.row];
        if (r.holder != 0 || r.begun != 0) continue;
        if (q.after_tick != 0 && stage_.changes().first_open_tick().count <= q.after_tick) continue;
        if (r.pending()) {
            due_ = (std::min)(due_, now_);
            continue;
        }
        rows_.begin(q.row, q.life.generation, q.life.of, this_tick(), true);
        q.asked = true;
        claim_job& job = jobs_.emplace_back(claim_job{q.row, q.token, r.of, {}});
        if (!spare_keys_.empty()) {
            job.key.swap(spare_keys_.back());
            spare_keys_.pop_back();
        }
        job.key = r.key;
    }
    writer_->ask(jobs_);
}

void engine::drop_dead() {
    // All that is confirmed has been read: what began before and was not in it was taken back, or called off.
    const std::uint64_t open = stage_.changes().first_open_tick().count;
    rows_.for_each_begun([&](std::uint32_t i) {
        const known_row& r = rows_[i];
        if (r.begun_tick >= open) return;
        rows_.unbegin(i);
        rows_.drop_if_unused(i);
    });
    if (finished_.empty()) return;
    std::erase_if(finished_, [&](const finished& f) { return f.tick < open; });
}

void engine::tell_refused(const known_class& c, std::string_view key, std::string_view why) {
    ++figures_.loads_refused;
    if (told_.refused.empty()) return;
    LIDO_TRY { told_.refused.fire(store::load_event{c.name, key, why}); }
    LIDO_CATCH_ALL {
        if (!thrown_) thrown_ = std::current_exception();
    }
}

engine::ended engine::refuse(any_entity_ref which, std::uint32_t row, const std::string& why) {
    const stage_answer done = stage_.refuse_load(which, why);
    if (!done && (done.reason() == stage_refusal::journal || done.reason() == stage_refusal::busy)) return ended::later;
    known_row& r = rows_[row];
    rows_.unbegin(row);
    tell_refused(*r.of, r.key, why);
    return ended::refused;
}

engine::ended engine::finish(const beginning& life, std::uint32_t row, read_row& found) {
    known_row& r = rows_[row];
    const any_entity_ref which = life.of;
    if (!is_loading(life)) {
        if (r.begun == life.generation && r.loading) rows_.unbegin(row);
        return ended::gone;
    }
    if (found.what == row_kind::failed) return refuse(which, row, found.why);
    loaded_entity with;
    with.generation = found.generation;
    if (found.what == row_kind::stored) {
        std::byte* const object = room_.of(*r.of->schema);
        if (r.of->has_links) {
            std::string why;
            if (!read_linked(r, found, object, why)) return refuse(which, row, why);
        } else {
            std::memcpy(object, found.data.data(), r.of->schema->size());
        }
        with.data = object;
        with.version = found.version;
        with.owner = {found.owner};
    }
    stage_answer done;
    LIDO_TRY { done = stage_.finish_load(which, with); }
    LIDO_CATCH_ALL {
        // Its on_begin: the creation was called off.
        if (!thrown_) thrown_ = std::current_exception();
        rows_.unbegin(row);
        tell_refused(*r.of, r.key, "its on_begin threw");
        return ended::refused;
    }
    if (!done) {
        if (done.reason() == stage_refusal::journal || done.reason() == stage_refusal::busy) {
            if (is_loading(life)) return ended::later;
        } else if (is_loading(life)) {
            return refuse(which, row, done.why());
        }
        rows_.unbegin(row);
        tell_refused(*r.of, r.key, done.why());
        return ended::refused;
    }
    rows_.begin(row, stage_.info(which).generation, which, this_tick(), false);
    r.clean = found.what == row_kind::stored;
    ++figures_.loads;
    if (stage_.rollback().count != 0) finished_.push_back({stage_.now().count, life, row, found});
    return ended::made;
}

void engine::finish_loads() {
    for (std::size_t n = 0; n < requests_.size();) {
        const auto i = static_cast<std::uint32_t>(n);
        if (!requests_[i].has) {
            ++n;
            continue;
        }
        // Listeners and hooks may create, which moves the requests.
        const std::uint32_t token = requests_[i].token;
        const std::uint32_t row = requests_[i].row;
        read_row found = std::move(requests_[i].found);
        const beginning life = requests_[i].life;
        const ended how = finish(life, row, found);
        const std::uint32_t now = rows_[row].request;
        if (now == nowhere || requests_[now].token != token) continue;
        if (how == ended::later) {
            requests_[now].found = std::move(found);
            ++n;
        } else {
            drop_request(now);
        }
    }
}

void engine::give_up_loads(const std::string& why) {
    for (request& r : requests_) {
        r.has = true;
        r.found = {};
        r.found.what = row_kind::failed;
        r.found.why = why;
    }
    finish_loads();
    for (const auto& b : bulks_) {
        if (b->progress.done) continue;
        for (; b->next < b->entities.size(); ++b->next) {
            const bulk::made m = b->entities[b->next];
            read_row none;
            none.what = row_kind::failed;
            none.why = why;
            if (finish(m.life, m.row, none) == ended::refused) ++b->progress.refused;
        }
        if (b->progress.why.empty()) b->progress.why = why;
        b->progress.done = true;
    }
}

void engine::replay_loads() {
    const std::uint64_t now = stage_.now().count;
    for (std::size_t n = 0; n < finished_.size(); ++n) {
        finished& f = finished_[n];
        if (f.tick > now || !is_loading(f.life)) continue;
        finished again = std::move(f);
        finished_.erase(finished_.begin() + static_cast<std::ptrdiff_t>(n--));
        if (finish(again.life, again.row, again.found) != ended::later) continue;
        again.tick = now + 1;
        finished_.push_back(std::move(again));
    }
}

// --- many ----------------------------------------------------------------------------------------------------------------------

store::load_ticket engine::load_all(std::string_view of_class, const class_schema* of, std::string_view prefix) {
    auto b = std::make_unique<bulk>();
    b->ticket = {++tickets_};
    b->prefix = prefix;
    if (!usable()) b->progress.why = why_;
    for (class_number n = 0; usable() && n < stage_.class_limit(); ++n) {
        const entity_class_info info = stage_.class_info_of(n);
        if (!info || (of != nullptr ? info.schema != of : !of_class.empty() && info.name != of_class)) continue;
        if (info.changeable) b->classes.push_back(class_for(n));
    }
    if (b->classes.empty()) {
        if (b->progress.why.empty()) b->progress.why = "the stage has no such class that this role may change";
        b->progress.done = true;
    }
    for (known_class* const c : b->classes) {
        ++c->scans;
        writer_->scan({b->ticket.number, c, b->prefix, {}, 0, false});
    }
    bulks_.push_back(std::move(b));
    return bulks_.back()->ticket;
}

store::load_progress engine::progress(store::load_ticket of) const {
    for (const auto& b : bulks_) {
        if (b->ticket == of) return b->progress;
    }
    store::load_progress none;
    none.done = true;
    none.why = "there is no such load";
    return none;
}

void engine::take_page(scan_page&& page) {
    for (const auto& b : bulks_) {
        if (b->ticket.number != page.ticket || b->classes.empty()) continue;
        known_class* const c = b->classes.front();
        b->progress.read += page.rows.size();
        if (std::exchange(b->counted, c) != c) b->progress.of += page.count;
        if (page.last) {
            if (page.why.empty()) b->whole.push_back(c);
            if (!page.why.empty() && b->progress.why.empty()) b->progress.why = page.why;
            b->classes.erase(b->classes.begin());
            if (!page.why.empty()) --c->scans;
        }
        b->page_of.push_back(c);
        b->pages.push_back(std::move(page));
        return;
    }
}

void engine::go_on_with_bulks() {
    bool all_made = true;
    std::uint32_t budget = options_.rows_a_tick;
    for (const auto& b : bulks_) {
        if (b->progress.done) continue;
        if (b->classes.empty()) make_entities(*b, budget);
        all_made = all_made && b->made_all;
    }
    // A link finds whom it names as soon as that one has begun to load, so all of them have before the first is finished.
    if (!all_made) return;
    for (const auto& b : bulks_) {
        if (!b->progress.done) finish_entities(*b, budget);
    }
}

void engine::make_entities(bulk& b, std::uint32_t& budget) {
    for (; b.page < b.pages.size(); ++b.page, b.at = 0) {
        for (; b.at < b.pages[b.page].rows.size(); ++b.at) {
            if (budget == 0) return;
            --budget;
            if (!make_entity(b, *b.page_of[b.page], b.pages[b.page].rows[b.at], static_cast<std::uint32_t>(b.page),
                             static_cast<std::uint32_t>(b.at)))
                return;
            ++moved_;
        }
    }
    b.made_all = true;
}

bool engine::make_entity(bulk& b, known_class& c, read_row& found, std::uint32_t page, std::uint32_t at) {
    std::uint32_t row = rows_.find(c, found.key);
    // Who has had to do with the row since the scan began may have changed it: that one asks for it again.
    const bool fresh = row == nowhere;
    if (!fresh && (rows_[row].held() || rows_[row].request != nowhere)) {
        ++b.progress.there;
        return true;
    }
    if (fresh) row = rows_.find_or_add(c, found.key);
    if (found.what == row_kind::failed) {
        ++b.progress.refused;
        tell_refused(c, found.key, found.why);
        return true;
    }
    if (fresh) {
        rows_[row].birth = found.birth;
        making_ = row;
    }
    created_entity got = any_entity_ref();
    LIDO_TRY { got = stage_.create_in_class(c.number, {.id = found.key, .persistent = true, .stored_id = true}); }
    LIDO_CATCH_ALL {
        making_ = nowhere;
        LIDO_RETHROW;
    }
    making_ = nowhere;
    if (!got) {
        if (got.reason() == stage_refusal::journal || got.reason() == stage_refusal::busy) {
            rows_.unbegin(row);
            if (fresh) rows_.drop(row);
            return false;
        }
        ++b.progress.refused;
        tell_refused(c, found.key, got.why());
        rows_.unbegin(row);
        return true;
    }
    if (fresh) {
        const entity_info made = stage_.info(got.reference());
        b.entities.push_back({{got.reference(), made.generation, made.id}, row, page, at});
    } else {
        ++b.progress.there;
    }
    return true;
}

void engine::finish_entities(bulk& b, std::uint32_t& budget) {
    for (; b.next < b.entities.size(); ++b.next) {
        if (budget == 0) return;
        --budget;
        ++moved_;
        const bulk::made m = b.entities[b.next];
        // What is behind is not needed again: a million rows have hundreds of megabytes.
        for (; b.let_go < m.page; ++b.let_go) b.pages[b.let_go].rows = {};
        switch (finish(m.life, m.row, b.pages[m.page].rows[m.at])) {
            case ended::made: ++b.progress.made; break;
            case ended::refused: ++b.progress.refused; break;
            case ended::gone: break;
            case ended::later: --moved_; return;
        }
    }
    for (known_class* const c : b.whole) {
        --c->scans;
        if (b.prefix.empty()) c->all_known = true;
    }
    b.progress.done = true;
    ++moved_;
    b.pages = {};
    b.entities = {};
    rows_.for_each([&](std::uint32_t i, const known_row&) { rows_.drop_if_unused(i); });
}

}  // namespace lido::store_detail
