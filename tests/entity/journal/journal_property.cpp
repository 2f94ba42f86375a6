// X18, D28, D29: the journal against vectors: random commits over several entities, ticks, confirmations, cuts, resets, slow readers and
// readers that commit. Every cursor sees exactly the model's stream.
#include "entity/journal/journal_model.hpp"
#include "support/dose.hpp"

#include <lido/entity/journal.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace journal_journal_property {

using namespace lido;
using namespace lido::test;

struct pair_of_journals {
    journal real;
    model_journal model;
    entry_maker make;
    std::deque<journal_cursor> cursors;  // beside model.readers
    std::vector<model_save> saves;

    pair_of_journals(std::size_t bytes, std::uint32_t rollback, std::uint32_t seed)
        : real({.bytes = bytes, .readers = 6, .rollback = rollback}), make(seed) {
        model.confirms_itself = rollback == 0;
        for (const reads what : {reads::confirmed, reads::everything}) {
            for (const bool tell : {false, true})
                open({.what = what, .from = read_from::oldest, .tell_confirmed = tell});
        }
    }

    void open(const reader_settings& settings) {
        cursors.push_back(real.open(settings));
        RC_ASSERT(cursors.back());
        model_reader r{settings, 0};
        r.confirmed_before = model.confirmed_before;
        const auto limit = model.limit_of(r);
        r.next = settings.from == read_from::now ? limit.at : model.dropped_before;
        model.readers.push_back(r);
    }

    void close(std::size_t i) {
        cursors[i].close();
        cursors.erase(cursors.begin() + static_cast<std::ptrdiff_t>(i));
        model.readers.erase(model.readers.begin() + static_cast<std::ptrdiff_t>(i));
    }

    void commit() {
        std::vector<plain_entry> entries;
        const std::uint32_t many = make.one_in(6) ? 8 : 3;
        for (std::uint32_t n = 1 + make.below(many); n != 0; --n) entries.push_back(make.any());
        const journal_stats before = real.stats();
        const journal_answer done = write(real, entries);
        if (done) {
            model.commit(std::move(entries));
        } else {
            const journal_stats after = real.stats();
            RC_ASSERT(after.kept == before.kept && after.used == before.used && after.entries == before.entries);
            // Only where open entries and what a reader holds leave no room, a pad before the commit included.
            const std::size_t bytes = bytes_of(entries);
            if (done.refusal == journal_refusal::too_large) {
                RC_ASSERT(bytes > before.capacity / 2);
            } else if (done.refusal == journal_refusal::full) {
                RC_ASSERT(before.open + 2 * bytes > before.capacity);
            } else {
                RC_ASSERT(done.refusal == journal_refusal::held_by_reader);
            }
        }
        take_over_drops();
    }

    void take_over_drops() {
        const journal_stats s = real.stats();
        const std::uint64_t first = s.entries - s.kept;
        RC_ASSERT(first >= model.dropped_before);
        RC_ASSERT(first <= model.confirmed);
        if (first != model.dropped_before) model.drop_before(first);
    }

    void save() {
        saves.push_back(model.save(real.position()));
        if (saves.size() > 12) saves.erase(saves.begin());
    }

    void cut() {
        if (saves.empty()) return;
        const model_save s = saves[make.below(static_cast<std::uint32_t>(saves.size()))];
        const bool holds = model.holds(s);
        const journal_answer done = real.cut(s.position);
        RC_ASSERT(static_cast<bool>(done) == (holds && s.entries >= model.confirmed));
        if (done) {
            model.cut(s);
        } else {
            RC_ASSERT(done.refusal == (holds ? journal_refusal::confirmed : journal_refusal::cut_off));
        }
    }

    void read(std::size_t i) {
        model_reader& r = model.readers[i];
        const auto limit = model.limit_of(r);
        const std::uint32_t most = make.one_in(2) ? 1000 : make.below(6);
        const bool commits_inside = make.one_in(4);
        const bool by_commit = make.one_in(3);
        std::uint64_t seen = 0;
        std::uint64_t calls = 0;
        bool same = true;
        const auto expect = [&](const journal_entry& e) {
            const auto expected = model.take(r, limit);
            same = same && expected && *expected == copy_of(e);
            ++seen;
        };
        const std::uint32_t throws_at = make.one_in(5) ? make.below(4) : 1000;
        read_result done;
        try {
            if (by_commit) {
                done = cursors[i].read_commits(
                    [&](const commit_group& g) {
                        if (calls++ == throws_at) throw 1;
                        for (const journal_entry& e : g) expect(e);
                        if (commits_inside) commit();
                    },
                    most);
            } else {
                done = cursors[i].read(
                    [&](const journal_entry& e) {
                        if (calls++ == throws_at) throw 1;
                        expect(e);
                        if (commits_inside && e.last) commit();
                    },
                    most);
            }
        } catch (int) {
            done = {seen, cursors[i].state()};
        }
        RC_ASSERT(same);
        RC_ASSERT(done.entries == seen);
        RC_ASSERT(done.state == r.state);
        RC_ASSERT(cursors[i].next().value == r.next);
        const bool all = !by_commit && most == 1000 && throws_at == 1000;
        if (all) RC_ASSERT(!model.take(r, limit));
        if (r.state != reader_state::ready && make.one_in(3)) resume(i);
    }

    void resume(std::size_t i) {
        model_reader& r = model.readers[i];
        RC_ASSERT(cursors[i].resume());
        model.resume(r, model.limit_of(r).at);
    }

    void check() {
        const verdict v = real.validate();
        if (!v) RC_FAIL(v.broken);
        RC_ASSERT(real.state() == (journal_state{{model.tick}, {model.commits}, {model.end()}}));
        std::uint64_t at = model.end();
        real.undo([&](const journal_entry& e) { RC_ASSERT(copy_of(e) == model.at(--at)); });
        RC_ASSERT(at == model.confirmed);
        for (std::size_t i = 0; i < cursors.size(); ++i) {
            RC_ASSERT(cursors[i].lag().entries == model.limit_of(model.readers[i]).at - model.readers[i].next);
            RC_ASSERT(cursors[i].state() == model.readers[i].state);
        }
    }

    void step() {
        switch (const std::uint32_t what = make.below(100); what) {
            case 0: {
                const journal_state to{{make.below(50)}, {make.below(50)}, {make.below(50)}};
                const auto cause = make.one_in(2) ? reset_cause::loaded : reset_cause::restored;
                RC_ASSERT(real.reset(cause, to));
                model.reset(cause, to);
                break;
            }
            case 1: {
                if (cursors.size() < 6) {
                    open({.what = make.one_in(2) ? reads::everything : reads::confirmed,
                          .from = make.one_in(2) ? read_from::oldest : read_from::now,
                          .tell_confirmed = make.one_in(2)});
                }
                break;
            }
            case 2: close(make.below(static_cast<std::uint32_t>(cursors.size()))); break;
            default:
                if (what < 45) {
                    commit();
                } else if (what < 60) {
                    const std::uint64_t tick = model.tick + 1 + make.below(2);
                    RC_ASSERT(real.begin_tick({tick}));
                    model.begin_tick(tick);
                } else if (what < 66) {
                    const std::uint64_t tick = model.tick - std::min<std::uint64_t>(model.tick, make.below(4));
                    RC_ASSERT(static_cast<bool>(real.confirm({tick})) == (tick < model.tick));
                    if (tick < model.tick) model.confirm(tick);
                } else if (what < 74) {
                    save();
                } else if (what < 78) {
                    cut();
                } else if (!cursors.empty()) {
                    read(make.below(static_cast<std::uint32_t>(cursors.size())));
                }
        }
    }
};

void play(std::size_t bytes, std::uint32_t rollback) {
    pair_of_journals both(bytes, rollback, *rc::gen::arbitrary<std::uint32_t>());
    for (int steps = *rc::gen::inRange(0, dose(400)); steps != 0; --steps) {
        both.step();
        if (both.cursors.empty()) both.open({.from = read_from::oldest});
        both.check();
    }
}

RC_GTEST_PROP(journal, X18_shows_every_reader_the_one_stream_of_vectors, ()) { play(4096, 0); }
RC_GTEST_PROP(journal, X18_shows_it_with_open_ticks_cuts_and_little_room, ()) { play(2048, 3); }
RC_GTEST_PROP(journal, X18_shows_it_in_the_smallest_ring, ()) { play(1024, *rc::gen::inRange<std::uint32_t>(0, 2)); }
RC_GTEST_PROP(journal, X18_shows_it_with_room_for_all, ()) { play(1 << 17, 8); }

}  // namespace journal_journal_property
