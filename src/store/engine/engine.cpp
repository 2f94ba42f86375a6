#include "engine.hpp"

#include <lido/core/config.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "../row_text.hpp"

namespace lido::store_detail {

using store::flush_result;
using store::save_end;
using store::save_event;

engine::engine(store::store& told, any_stage& stage, std::unique_ptr<store::database> db,
               const store::store_options& options)
    : told_(told), stage_(stage), db_(std::move(db)), options_(options) {
    if (!options_.clock) {
        options_.clock = [] { return nanoseconds(std::chrono::steady_clock::now().time_since_epoch()); };
    }
    if (!options_.wall_clock) {
        options_.wall_clock = [] {
            return store::wall_time{std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count()};
        };
    }
    full_ = "the store has as many entities with changes that are not saved as max_pending allows (" +
            std::to_string(options_.max_pending) + "); wait until its database catches up, or raise it";
    describe_ = db_->describe();
    if (stage_.attached() != nullptr) {
        why_ = "the stage has another store, and a stage has one; end that one first";
        return;
    }
    if (const store::db_answer answer = db_->open(store::open_mode::write, opened_); !answer) {
        why_ = answer.why();
        stage_.attach(this);  // which says why creations are refused
        return;
    }
    describe_ = db_->describe();
    for (const std::string& warning : opened_.warnings) say("lido::store: " + warning);
    durable_ = opened_.position;
    births_ = opened_.position.births;
    stage_.continue_from(births_, opened_.epoch);
    cursor_ = stage_.changes().open({.name = "store", .from = read_from::oldest});
    writer_ = std::make_unique<writer>(*db_, opened_.epoch, options_);
    if (!cursor_) {
        why_ = "the journal of the stage has no room for another reader; raise journal_readers of the stage";
    } else if (options_.by == store::runner::thread) {
        writer_->start();
    }
    stage_.attach(this);
}

engine::~engine() {
    if (usable()) {
        LIDO_TRY {
            const flush_result done = flush(options_.flush_at_end);
            if (!done)
                say("lido::store: " + describe_ + ": not saved at the end: " + what_is_left() + ": " + done.why());
            const journal_stats journal = stage_.changes().stats();
            if (stage_.rollback().count != 0 && journal.entries > journal.confirmed)
                say("lido::store: " + describe_ + ": " + std::to_string(journal.entries - journal.confirmed) +
                    " changes of ticks that were not confirmed are not saved");
        }
        LIDO_CATCH_ALL { say("lido::store: " + describe_ + ": an exception ended the last flush"); }
    }
    if (stage_.attached() == this) {
        LIDO_TRY { give_up_loads("the store has ended"); }
        LIDO_CATCH_ALL { say("lido::store: " + describe_ + ": an exception ended the loads that were left"); }
        stage_.attach(nullptr);
    }
    if (writer_ != nullptr) writer_->stop();
    db_->close();
}

void engine::say(const std::string& what) const {
    if (options_.say) {
        options_.say(what);
    } else {
        std::fprintf(stderr, "%s\n", what.c_str());
    }
}

std::string engine::what_is_left() const {
    std::string all;
    std::size_t named = 0;
    rows_.for_each([&](std::uint32_t, const known_row& r) {
        if (!r.pending()) return;
        if (++named > 8) return;
        all += (named > 1 ? ", \"" : "\"") + r.key + "\"";
    });
    if (named > 8) all += " and " + std::to_string(named - 8) + " more";
    return all;
}

nanoseconds engine::wait_of(std::string_view of_class) const {
    const auto found = waits_.find(of_class);
    return found != waits_.end() ? found->second : nanoseconds(options_.wait);
}

void engine::set_wait(std::string_view of_class, nanoseconds wait) {
    waits_.insert_or_assign(std::string(of_class), wait);
    for (const auto& c : classes_) {
        if (c->name == of_class) c->wait = wait;
    }
}

// --- a tick ------------------------------------------------------------------------------------------------------------------

void engine::tick() {
    if (inside_) return;
    step_game(false);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void engine::step_game(bool hurry, bool confirm) {
    if (!usable()) return;
    inside_ = true;
    LIDO_TRY {
        now_ = options_.clock();
        take_results();
        if (usable()) {
            const bool certain = confirm && stage_.confirm_so_far();
            drain();
            if (certain) {
                // All that there was has been read: who waits for its tick to be over need not.
                for (request& r : requests_) r.after_tick = 0;
            }
            replay_loads();
            finish_loads();
            go_on_with_bulks();
            drop_dead();
            ask_for_rows();
            hand_over(hurry || hurry_);
        }
    }
    LIDO_CATCH_ALL {
        inside_ = false;
        LIDO_RETHROW;
    }
    inside_ = false;
}

void engine::take_results() {
    writer_->take(results_);
    if (results_.done != nullptr) settle(*std::exchange(results_.done, nullptr));
    for (claim_result& r : results_.claims) {
        spare_keys_.push_back(std::move(r.key));
        const std::uint32_t i = rows_[r.row].request;
        // One that was given up meanwhile.
        if (i == nowhere || requests_[i].token != r.token) continue;
        requests_[i].found = std::move(r.found);
        requests_[i].has = true;
        rows_[r.row].birth = requests_[i].found.what == row_kind::stored ? requests_[i].found.birth : 0;
    }
    results_.claims.clear();
    for (scan_page& p : results_.pages) take_page(std::move(p));
    results_.pages.clear();
    if (results_.broken) break_down(writer_->trouble());
}

void engine::break_down(std::string why) {
    fail_filling();
    why_ = std::move(why);
    give_up_loads(why_);
    say("lido::store: " + describe_ + ": " + why_ + "; nothing is saved any more");
}

void engine::settle(save_batch& done) {
    const std::uint32_t number = &done == &batches_[0] ? 0 : 1;
    writing_ = false;
    bool any = false;
    if (done.kept) put_back(done);
    for (save_entry& e : done.entries) {
        known_row& r = rows_[e.row];
        r.in[number] = nowhere;
        if (!r.pending()) --pending_;
        const bool good = e.end == save_end::durable || e.end == save_end::superseded;
        any = any || good;
        switch (e.end) {
            case save_end::durable: ++figures_.saves; break;
            case save_end::superseded: ++figures_.superseded; break;
            default: ++figures_.failed; break;
        }
        if (kept_life* const l = e.of->find(e.slot, e.generation)) l->failed = !good;
        event<const save_event&>& to = good ? told_.saved : told_.failed;
        if (!to.empty()) {
            save_event what;
            what.of_class = e.of->name;
            what.key = done.key_of(e);
            what.generation = e.generation;
            what.version = e.version;
            what.end = e.end;
            what.erased = e.erased;
            what.kept = done.kept && !e.left_out;
            what.why = done.reasons[e.why];
            LIDO_TRY { to.fire(what); }
            LIDO_CATCH_ALL {
                if (!thrown_) thrown_ = std::current_exception();
            }
        }
        rows_.drop_if_unused(e.row);
    }
    if (any && !done.kept) durable_ = done.position;
    done.clear();
}

void engine::put_back(save_batch& failed) {
    save_batch& to = batches_[filling_];
    for (save_entry& e : failed.entries) {
        if (e.left_out) continue;
        const bool newer = rows_[e.row].in[filling_] != nowhere;
        save_entry& again = enter(e.row, e.slot);
        if (newer) continue;
        again.generation = e.generation;
        again.version = e.version;
        again.birth = e.birth;
        again.owner = e.owner;
        again.erased = e.erased;
        if (!e.erased)
            std::copy_n(failed.bytes.begin() + static_cast<std::ptrdiff_t>(e.data_at), e.of->schema->size(),
                        to.bytes.begin() + static_cast<std::ptrdiff_t>(again.data_at));
    }
    for (std::uint32_t i = 0; i < failed.entries.size(); ++i) {
        const std::uint32_t root = failed.root(i);
        if (root != i && !failed.entries[i].left_out)
            to.tie(rows_[failed.entries[i].row].in[filling_], rows_[failed.entries[root].row].in[filling_]);
    }
}

/// All that waits, as if it had been handed over and had failed.
void engine::fail_filling() {
    save_batch& b = batches_[filling_];
    const std::string why = writer_->trouble();
    b.reasons.push_back(why);
    for (save_entry& e : b.entries) {
        e.end = save_end::failed;
        e.why = static_cast<std::uint32_t>(b.reasons.size() - 1);
    }
    const bool was = writing_;
    settle(b);
    writing_ = was;
    due_ = writer::never;
}

void engine::hand_over(bool hurry) {
    save_batch& b = batches_[filling_];
    if (writing_ || b.entries.empty()) {
        hurry_ = hurry_ && !b.entries.empty();
        return;
    }
    if (!hurry && now_ < due_) return;
    for (save_entry& e : b.entries) {
        if (e.of->has_links && !e.erased) name_links(b, e);
    }
    b.position = seen_;
    b.position.run = opened_.epoch;
    births_ = (std::max)(births_, stage_.stats().births);
    b.position.births = births_;
    hurry_ = false;
    due_ = writer::never;
    tied_commit_ = 0;
    tied_entry_ = nowhere;
    writing_ = true;
    filling_ ^= 1u;
    writer_->give(&b);
}

// --- waiting -----------------------------------------------------------------------------------------------------------------

void engine::hurry() {
    hurry_ = true;
    if (usable()) writer_->hurry();
}

template <class F>
bool engine::go_on_until(F&& done, bool hurry, std::chrono::milliseconds limit) {
    const auto real = [] { return nanoseconds(std::chrono::steady_clock::now().time_since_epoch()); };
    const bool stepped = options_.by == store::runner::step;
    const nanoseconds end = (stepped ? options_.clock() : real()) + limit;
    for (;;) {
        const std::uint64_t moved = moved_;
        step_game(hurry, true);
        if (!usable()) return false;
        if (done()) return true;
        if (moved_ != moved) {
            // Those who listen must not fall behind; the store reads on at once.
            stage_.deliver();
            continue;
        }
        if (stepped) {
            if (writer_->step()) continue;
            // Time goes on when the caller says so, not here.
            if (writer_->next_step() > options_.clock() || options_.clock() >= end) return false;
        } else {
            const nanoseconds left = end - real();
            if (left <= nanoseconds{0}) return false;
            writer_->wait_for_results(
                std::chrono::ceil<std::chrono::milliseconds>((std::min)(left, nanoseconds(std::chrono::seconds{1}))));
        }
    }
}

flush_result engine::flush(std::chrono::milliseconds limit) {
    if (!usable()) return {pending_, why_};
    if (inside_) return {pending_, "asked from inside of what the store tells; flush when that has returned"};
    writer_->hurry();
    const bool done = go_on_until([this] { return pending_ == 0; }, true, limit);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (done) return {};
    std::string why = trouble();
    if (why.empty()) why = "the database did not get through with it in time";
    return {pending_,
            std::to_string(pending_) + (pending_ == 1 ? " entity is" : " entities are") + " not saved: " + why};
}

bool engine::wait_for_loads(std::chrono::milliseconds limit) {
    if (inside_) return false;
    const bool done = !usable() || go_on_until([this] { return requests_.empty(); }, false, limit);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    return done && usable();
}

store::load_progress engine::wait(store::load_ticket for_it, std::chrono::milliseconds limit) {
    if (!inside_ && usable()) {
        static_cast<void>(go_on_until([&] { return progress(for_it).done; }, false, limit));
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }
    return progress(for_it);
}

bool engine::is_saved(any_entity_ref which) const noexcept {
    const entity_info i = stage_.info(which);
    return i && i.persistent && settled(i.id, i.generation, i.version);
}

bool engine::settled(const entity_id& id, std::uint64_t generation, std::uint64_t version) const noexcept {
    const any_entity_ref which = stage_.find(id.view());
    const known_class* const c = which.class_of() < by_number_.size() ? by_number_[which.class_of()] : nullptr;
    // Without data there is nothing to save.
    if (stage_.look_at(which).loading()) return true;
    if (c == nullptr) return false;
    const std::uint32_t slot = slot_of(which);
    if (slot >= c->lives.size()) return false;
    const kept_life& l = c->lives[slot];
    return l.here && l.generation == generation && l.version == version && !l.failed && !rows_[l.row].pending();
}

store::store_stats engine::stats() const noexcept {
    store::store_stats s = figures_;
    s.pending = pending_;
    s.loading = requests_.size();
    s.durable = durable_;
    s.confirmed = seen_;
    s.confirmed.run = opened_.epoch;
    for (const auto& c : classes_) s.bytes_held += c->copies.capacity() + c->lives.capacity() * sizeof(kept_life);
    for (const save_batch& b : batches_) s.bytes_held += b.held();
    if (writer_ != nullptr) {
        s.transactions = writer_->stats().transactions;
        s.retries = writer_->stats().retries;
        s.bytes_written = writer_->stats().bytes;
    }
    return s;
}

verdict engine::validate() const {
    const char* broken = nullptr;
    std::size_t waiting = 0;
    rows_.for_each([&](std::uint32_t i, const known_row& r) {
        if (rows_.find(*r.of, r.key) != i) broken = "KR1: a row is not found by its key";
        if (r.begun != 0 && rows_.find_begun(r.begun) != i) broken = "KR1: a row is not found by its life";
        if (r.pending()) ++waiting;
        const std::uint32_t at = r.in[filling_];
        if (at != nowhere && (at >= batches_[filling_].entries.size() || batches_[filling_].entries[at].row != i))
            broken = "KS1: a row's entry is another one's";
    });
    if (waiting != pending_) broken = "KS1: the count of what is pending is wrong";
    std::size_t here = 0;
    for (const auto& c : classes_) {
        for (const kept_life& l : c->lives) {
            if (!l.here) continue;
            ++here;
            if (rows_[l.row].of != c.get()) broken = "KS4: an entity has a row of another class, or none";
        }
    }
    if (here != figures_.entities) broken = "KS5: the count of entities is wrong";
    return {broken};
}

}  // namespace lido::store_detail
