#include "writer.hpp"

#include <lido/core/config.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;
using store::save_end;

namespace {

/// Rows that one transaction claims, and that one page has.
constexpr std::size_t most_claims = 4096;
constexpr std::uint64_t page_rows = 1024;

}  // namespace

writer::writer(store::database& db, std::uint64_t epoch, const store::store_options& options)
    : db_(db), epoch_(epoch), options_(options) {}

void writer::start() {
    thread_ = std::thread([this] { run(); });
}

void writer::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    mail_came_.notify_all();
    if (thread_.joinable()) {
        db_.interrupt();
        thread_.join();
    }
}

void writer::run() {
    for (;;) {
        if (step()) continue;
        std::unique_lock lock(mutex_);
        if (stopping_) return;
        if (mail_) continue;
        if (not_before_ == nanoseconds{0} || idle_) {
            mail_came_.wait(lock, [this] { return mail_ || stopping_; });
        } else {
            const nanoseconds left = not_before_ - options_.clock();
            mail_came_.wait_for(lock, (std::max)(left, nanoseconds{0}), [this] { return mail_ || stopping_; });
        }
        if (stopping_) return;
    }
}

// --- the game's thread -----------------------------------------------------------------------------------------------------

void writer::give(save_batch* batch) {
    {
        const std::lock_guard lock(mutex_);
        new_batch_ = batch;
        mail_ = true;
    }
    mail_came_.notify_one();
}

void writer::ask(std::vector<claim_job>& jobs) {
    if (jobs.empty()) return;
    {
        const std::lock_guard lock(mutex_);
        for (claim_job& j : jobs) new_claims_.push_back(std::move(j));
        mail_ = true;
    }
    jobs.clear();
    mail_came_.notify_one();
}

void writer::scan(scan_job job) {
    {
        const std::lock_guard lock(mutex_);
        new_scans_.push_back(std::move(job));
        mail_ = true;
    }
    mail_came_.notify_one();
}

void writer::hurry() {
    {
        const std::lock_guard lock(mutex_);
        hurry_ = mail_ = true;
    }
    mail_came_.notify_one();
}

void writer::take(results& into) {
    const std::lock_guard lock(mutex_);
    std::swap(into.done, out_.done);
    into.claims.swap(out_.claims);
    into.pages.swap(out_.pages);
    into.broken = out_.broken;
}

void writer::wait_for_results(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    results_came_.wait_for(lock, at_most,
                           [this] { return out_.done != nullptr || !out_.claims.empty() || !out_.pages.empty(); });
}

std::string writer::trouble() const {
    const std::lock_guard lock(mutex_);
    return trouble_;
}

// --- the writer's thread ---------------------------------------------------------------------------------------------------

nanoseconds writer::next_step() const {
    const std::lock_guard lock(mutex_);
    if (hurry_) return nanoseconds{0};
    if (mail_ && not_before_ == nanoseconds{0}) return nanoseconds{0};
    if (idle_ && !mail_) return never;
    return not_before_;
}

void writer::take_mail() {
    const std::lock_guard lock(mutex_);
    mail_ = false;
    for (claim_job& j : new_claims_) claims_.push_back(std::move(j));
    new_claims_.clear();
    for (scan_job& j : new_scans_) scans_.push_back(std::move(j));
    new_scans_.clear();
    if (new_batch_ != nullptr) batch_ = std::exchange(new_batch_, nullptr);
    if (std::exchange(hurry_, false)) not_before_ = nanoseconds{0};
    idle_ = claims_.empty() && scans_.empty() && batch_ == nullptr;
}

bool writer::step() {
    take_mail();
    {
        const std::lock_guard lock(mutex_);
        if (idle_ || (not_before_ != nanoseconds{0} && options_.clock() < not_before_)) return false;
    }
    if (!broken_.empty()) {
        fail_all(broken_);
    } else if (!claims_.empty() && !(claimed_last_ && batch_ != nullptr)) {
        claimed_last_ = true;
        claim_rows();
    } else if (batch_ != nullptr) {
        claimed_last_ = false;
        write_batch();
    } else {
        claimed_last_ = false;
        read_page();
    }
    const std::lock_guard lock(mutex_);
    idle_ = claims_.empty() && scans_.empty() && batch_ == nullptr;
    return true;
}

void writer::success() {
    in_trouble_ = false;
    delay_ = nanoseconds{0};
    const std::lock_guard lock(mutex_);
    not_before_ = nanoseconds{0};
    trouble_.clear();
}

bool writer::again(const db_answer& why) {
    if (why.fault() == db_fault::lost || why.fault() == db_fault::unusable) {
        broken_ = why.why();
        {
            const std::lock_guard lock(mutex_);
            trouble_ = broken_;
            not_before_ = nanoseconds{0};
        }
        fail_all(broken_);
        return false;
    }
    const nanoseconds now = options_.clock();
    if (!in_trouble_) {
        in_trouble_ = true;
        trouble_since_ = now;
    }
    ++figures_.retries;
    delay_ = delay_ == nanoseconds{0} ? nanoseconds(options_.retry.first)
                                      : (std::min)(delay_ * 2, nanoseconds(options_.retry.longest));
    delay_ = (std::max)(delay_, nanoseconds{1});
    {
        const std::lock_guard lock(mutex_);
        not_before_ = now + delay_;
        trouble_ = why.why();
    }
    const nanoseconds limit = options_.retry.give_up;
    if (limit == nanoseconds{0} || now - trouble_since_ < limit) return true;
    // What waits is told. It is the game's thread that keeps it, and gives it back with what has come meanwhile.
    trouble_since_ = now;
    if (batch_ != nullptr) batch_->kept = true;
    fail_all(why.why());
    return false;
}

void writer::fail_all(const std::string& why) {
    std::vector<claim_result> claims;
    for (claim_job& j : claims_) {
        claim_result r{j.row, j.token, {}, std::move(j.key)};
        r.found.what = row_kind::failed;
        r.found.why = why;
        claims.push_back(std::move(r));
    }
    std::vector<scan_page> pages;
    for (const scan_job& j : scans_) pages.push_back({j.ticket, j.count, true, why, {}});
    claims_.clear();
    scans_.clear();
    if (batch_ != nullptr) {
        batch_->reasons.push_back(why);
        for (save_entry& e : batch_->entries) {
            if (e.left_out) continue;
            e.end = save_end::failed;
            e.why = static_cast<std::uint32_t>(batch_->reasons.size() - 1);
        }
    }
    save_batch* const b = std::exchange(batch_, nullptr);
    {
        const std::lock_guard lock(mutex_);
        if (b != nullptr) out_.done = b;
        for (claim_result& r : claims) out_.claims.push_back(std::move(r));
        for (scan_page& p : pages) out_.pages.push_back(std::move(p));
        if (!broken_.empty()) out_.broken = true;
    }
    results_came_.notify_all();
}

// --- loads -------------------------------------------------------------------------------------------------------------------

read_row writer::row_from(const known_class& of, const store::stored_row& r) {
    read_row found;
    found.key = r.key;
    found.generation = r.generation;
    found.version = r.version;
    found.birth = r.birth;
    found.owner = r.owner;
    found.revision = r.revision;
    switch (r.state) {
        case store::row_state::claimed: return found;
        case store::row_state::erased: found.what = row_kind::erased; return found;
        case store::row_state::stored: break;
    }
    found.what = row_kind::stored;
    if (of.has_links) {
        // Who is there is known on the game's thread alone.
        found.text = r.data;
        return found;
    }
    std::byte* const object = struct_.of(*of.schema);
    if (!read_entity(*of.schema, r.data, r.revision, nullptr, object, found.why)) {
        found.what = row_kind::failed;
    } else {
        found.data.assign(object, object + of.schema->size());
    }
    return found;
}

void writer::claim_rows() {
    const std::size_t count = (std::min)(claims_.size(), most_claims);
    std::vector<claim_result> got(count);
    for (std::size_t i = 0; i < count; ++i) {
        got[i].row = claims_[i].row;
        got[i].token = claims_[i].token;
    }
    db_answer answer;
    for (bool redo = true; redo;) {
        redo = false;
        answer = db_.begin();
        for (std::size_t i = 0; answer && i < count; ++i) {
            if (got[i].found.what == row_kind::failed && !got[i].found.why.empty()) continue;
            const claim_job& j = claims_[i];
            const auto each = [&](const store::stored_row& r) {
                got[i].found = row_from(*j.of, r);
                if (r.epoch > epoch_) {
                    got[i].found.what = row_kind::failed;
                    got[i].found.why = "another writer has the row (its epoch is " + std::to_string(r.epoch) + ")";
                }
                return true;
            };
            store::row_function to(each);
            answer = db_.claim(j.of->name, j.key, epoch_, options_.wall_clock(), to);
            if (answer.fault() == db_fault::row) {
                got[i].found = {};
                got[i].found.what = row_kind::failed;
                got[i].found.why = answer.why();
                db_.rollback();
                redo = true;
                break;
            }
        }
        if (redo) continue;
        if (answer) answer = db_.commit();
    }
    if (!answer) {
        db_.rollback();
        static_cast<void>(again(answer));
        return;
    }
    ++figures_.transactions;
    success();
    for (std::size_t i = 0; i < count; ++i) got[i].key = std::move(claims_[i].key);
    claims_.erase(claims_.begin(), claims_.begin() + static_cast<std::ptrdiff_t>(count));
    {
        const std::lock_guard lock(mutex_);
        for (claim_result& r : got) out_.claims.push_back(std::move(r));
    }
    results_came_.notify_all();
}

void writer::read_page() {
    scan_job& j = scans_.front();
    scan_page page;
    page.ticket = j.ticket;
    store::row_range range{.of_class = j.of->name, .prefix = j.prefix, .limit = page_rows};
    db_answer answer;
    if (!j.counted) {
        answer = db_.count(range, j.count);
        j.counted = static_cast<bool>(answer);
    }
    range.after_key = j.after;
    if (!j.after.empty()) range.after_class = j.of->name;
    if (answer) {
        const auto each = [&](const store::stored_row& r) {
            page.rows.push_back(row_from(*j.of, r));
            return true;
        };
        store::row_function to(each);
        answer = db_.scan(range, to);
    }
    if (!answer) {
        static_cast<void>(again(answer));
        return;
    }
    success();
    page.count = j.count;
    page.last = page.rows.size() < page_rows;
    if (!page.rows.empty()) j.after = page.rows.back().key;
    if (page.last) scans_.erase(scans_.begin());
    {
        const std::lock_guard lock(mutex_);
        out_.pages.push_back(std::move(page));
    }
    results_came_.notify_all();
}

// --- saves -------------------------------------------------------------------------------------------------------------------

void writer::leave_out(save_batch& b, std::uint32_t culprit, save_end end, const std::string& why) {
    const std::uint32_t root = b.root(culprit);
    const save_entry& c = b.entries[culprit];
    b.reasons.push_back(why);
    const auto own = static_cast<std::uint32_t>(b.reasons.size() - 1);
    b.reasons.push_back("it is tied by a commit to \"" + std::string(b.key_of(c)) + "\" (" + c.of->name +
                        "), which could not be written: " + why);
    for (std::uint32_t i = 0; i < b.entries.size(); ++i) {
        save_entry& e = b.entries[i];
        if (e.left_out || b.root(i) != root) continue;
        e.left_out = true;
        e.end = i == culprit ? end : save_end::failed;
        e.why = i == culprit ? own : own + 1;
    }
}

db_answer writer::note_classes(const save_batch& b) {
    for (const save_entry& e : b.entries) {
        if (e.of->noted || e.left_out) continue;
        const std::string fields = print_fields(*e.of->schema);
        if (db_answer noted = db_.put_class({e.of->name, e.of->schema->revision(), fields, options_.wall_clock()});
            !noted)
            return noted;
        e.of->noted = true;
    }
    return {};
}

writer::written writer::try_batch(save_batch& b) {
    const auto forget_notes = [&b] {
        for (const save_entry& e : b.entries) e.of->noted = false;
    };
    const auto failed = [&](const db_answer& why) {
        db_.rollback();
        forget_notes();
        static_cast<void>(again(why));
        return written::given_up;
    };
    b.json = 0;
    db_answer answer = db_.begin();
    if (!answer) return failed(answer);
    answer = note_classes(b);
    if (!answer) return failed(answer);
    const store::wall_time now = options_.wall_clock();
    bool any = false;
    for (std::uint32_t i = 0; i < b.entries.size(); ++i) {
        save_entry& e = b.entries[i];
        if (e.left_out) continue;
        const auto without = [&](save_end end, const std::string& why) {
            db_.rollback();
            forget_notes();
            leave_out(b, i, end, why);
            return written::again_without;
        };
        store::row_write w;
        w.of_class = e.of->name;
        w.key = b.key_of(e);
        w.epoch = epoch_;
        w.by = store::fence::database;
        w.generation = e.generation;
        w.version = e.version;
        w.birth = e.birth;
        w.revision = e.of->schema->revision();
        w.owner = e.owner;
        w.erased = e.erased;
        w.now = now;
        if (!e.erased) {
            const batch_link_names names(b, e);
            std::byte* const object = struct_.of(*e.of->schema);
            std::memcpy(object, b.bytes.data() + e.data_at, e.of->schema->size());
            w.data = print_entity(*e.of->schema, object, &names, e.kept, room_);
            if (w.data.empty()) return without(save_end::failed, "it is larger than 64 MiB as JSON");
            b.json += w.data.size();
        }
        store::write_outcome outcome = store::write_outcome::written;
        answer = db_.write(w, outcome);
        if (answer.fault() == db_fault::row) return without(save_end::failed, answer.why());
        if (!answer) return failed(answer);
        switch (outcome) {
            case store::write_outcome::written: e.end = save_end::durable; break;
            case store::write_outcome::superseded: e.end = save_end::superseded; break;
            case store::write_outcome::taken: return without(save_end::taken, "another writer has the row");
        }
        any = true;
    }
    if (!any) {
        db_.rollback();
        forget_notes();
        return written::all;
    }
    answer = db_.put_position(b.position);
    if (answer) answer = db_.commit();
    if (!answer) return failed(answer);
    ++figures_.transactions;
    figures_.bytes += b.json;
    return written::all;
}

void writer::write_batch() {
    written how = written::again_without;
    while (how == written::again_without) how = try_batch(*batch_);
    if (how == written::given_up) return;
    success();
    {
        const std::lock_guard lock(mutex_);
        out_.done = std::exchange(batch_, nullptr);
    }
    results_came_.notify_all();
}

}  // namespace lido::store_detail
