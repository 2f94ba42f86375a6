// The game's half of a store: what it keeps between the journal and the writer. store.hpp has the drawing and the invariants.
//
//   engine.cpp        beginning, tick, hand-over, flush, end       engine_drain.cpp   from entries of the journal to the batch
//   engine_loads.cpp  from rows to entities                         engine_links.cpp   names of links, there and back
#pragma once

#include <lido/core/stats.hpp>
#include <lido/entity/stage/stage_base.hpp>
#include <lido/store/store.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "known_class.hpp"
#include "row_table.hpp"
#include "save_batch.hpp"
#include "writer.hpp"

namespace lido::store_detail {

class engine final : public entity_store {
public:
    engine(store::store& told, any_stage& stage, std::unique_ptr<store::database> db,
           const store::store_options& options);
    ~engine();

    [[nodiscard]] bool usable() const noexcept { return why_.empty(); }
    [[nodiscard]] const char* why() const noexcept { return why_.empty() ? "ready" : why_.c_str(); }
    [[nodiscard]] std::string trouble() const { return usable() ? writer_->trouble() : why_; }
    [[nodiscard]] const std::string& describe() const noexcept { return describe_; }
    [[nodiscard]] std::uint64_t run() const noexcept { return opened_.epoch; }

    void tick();
    void set_wait(std::string_view of_class, nanoseconds wait);
    store::flush_result flush(std::chrono::milliseconds limit);
    /// Ticks of the store, with all that is committed, until done() or until it takes too long, or cannot go on here.
    template <class F>
    bool go_on_until(F&& done, bool hurry, std::chrono::milliseconds limit);
    void hurry();
    [[nodiscard]] bool is_saved(any_entity_ref which) const noexcept;
    store::load_ticket load_all(std::string_view of_class, const class_schema* of, std::string_view prefix);
    [[nodiscard]] store::load_progress progress(store::load_ticket of) const;
    store::load_progress wait(store::load_ticket for_it, std::chrono::milliseconds limit);
    bool wait_for_loads(std::chrono::milliseconds limit);
    [[nodiscard]] store::store_stats stats() const noexcept;
    [[nodiscard]] verdict validate() const;
    bool step() { return usable() && writer_->step(); }
    [[nodiscard]] nanoseconds next_step() const noexcept { return usable() ? writer_->next_step() : writer::never; }

    // --- for the stage ---------------------------------------------------------------------------------------------------------

    [[nodiscard]] load_answer load(const load_request& request) override;
    [[nodiscard]] bool settled(const entity_id& id, std::uint64_t generation,
                               std::uint64_t version) const noexcept override;
    [[nodiscard]] std::uint64_t births() const noexcept override { return births_; }

private:
    friend class links_of_stage;

    /// A life that is loading. After a rewind another one may have its reference and its generation, so the id is part of it.
    struct beginning {
        any_entity_ref of;
        std::uint64_t generation = 0;
        entity_id id;
        friend bool operator==(const beginning&, const beginning&) noexcept = default;
    };
    /// A creation that waits for its row.
    struct request {
        beginning life;
        std::uint32_t row = nowhere;
        std::uint32_t token = 0;
        std::uint64_t after_tick = 0;  ///< what was there before is certain when this tick is
        bool asked = false;
        bool has = false;
        read_row found;
    };
    /// A load that was finished in a tick that can still be taken back.
    struct finished {
        std::uint64_t tick = 0;
        beginning life;
        std::uint32_t row = nowhere;
        read_row found;
    };
    struct bulk {
        struct made {
            beginning life;
            std::uint32_t row = nowhere;
            std::uint32_t page = 0;
            std::uint32_t at = 0;
        };
        store::load_ticket ticket;
        std::vector<known_class*> classes;  ///< still to be read: the first one is
        std::string prefix;
        std::vector<scan_page> pages;
        std::vector<known_class*> page_of;
        std::vector<made> entities;
        std::size_t page = 0;  ///< the next row to make an entity of
        std::size_t at = 0;
        std::size_t next = 0;             ///< the next entity to finish
        std::uint32_t let_go = 0;         ///< pages before this one are empty again
        std::vector<known_class*> whole;  ///< classes of which all rows are read
        known_class* counted = nullptr;
        bool made_all = false;
        store::load_progress progress;
    };

    // engine.cpp
    void step_game(bool hurry, bool confirm = false);
    void take_results();
    void settle(save_batch& done);
    void put_back(save_batch& failed);
    void fail_filling();
    void hand_over(bool hurry);
    void break_down(std::string why);
    void say(const std::string& what) const;
    [[nodiscard]] std::string what_is_left() const;
    [[nodiscard]] nanoseconds wait_of(std::string_view of_class) const;

    // engine_drain.cpp
    known_class* class_for(class_number number);
    known_class& class_of(class_number number, std::string_view name, const class_schema& schema);
    void drain();
    void take_snapshot();
    void renumber();
    void let_go_of(const kept_life& life);
    void take(const journal_entry& e);
    void take_created(const journal_entry& e);
    void take_update(known_class& c, const journal_entry& e);
    void take_end(const journal_entry& e);
    save_entry& enter(std::uint32_t row, std::uint32_t slot);
    void drop_changed_links(known_row& r, const std::byte* copy);
    void change(known_class& c, std::uint32_t slot, kept_life& life);
    void tie(std::uint32_t row, const journal_entry& e);

    // engine_loads.cpp
    void ask_for_rows();
    void drop_dead();
    void finish_loads();
    void give_up_loads(const std::string& why);
    void replay_loads();
    void go_on_with_bulks();
    void make_entities(bulk& b, std::uint32_t& budget);
    void finish_entities(bulk& b, std::uint32_t& budget);
    void take_page(scan_page&& page);
    [[nodiscard]] bool make_entity(bulk& b, known_class& c, read_row& row, std::uint32_t page, std::uint32_t at);
    [[nodiscard]] std::uint64_t this_tick() const noexcept;
    enum class ended : std::uint8_t { made, refused, gone, later };
    ended finish(const beginning& life, std::uint32_t row, read_row& found);
    ended refuse(any_entity_ref which, std::uint32_t row, const std::string& why);
    void tell_refused(const known_class& c, std::string_view key, std::string_view why);
    [[nodiscard]] bool is_loading(const beginning& life) const;
    void drop_request(std::uint32_t i);

    // engine_links.cpp
    void name_links(save_batch& b, save_entry& e);
    [[nodiscard]] bool name_of_link(std::uint64_t bits, link_name& name) const;
    [[nodiscard]] std::uint64_t bits_of_link(const link_name& name) const;
    [[nodiscard]] std::uint64_t birth_of(any_entity_ref which, const entity_info& info) const;
    [[nodiscard]] bool read_linked(known_row& row, read_row& found, std::byte* object, std::string& why);

    store::store& told_;
    any_stage& stage_;
    std::unique_ptr<store::database> db_;
    store::store_options options_;
    store::opened_database opened_;
    std::uint64_t births_ = 0;  ///< the highest generation that the database has been told of, or is being told of
    std::string why_;
    std::string describe_;
    std::string full_;
    std::unique_ptr<writer> writer_;
    journal_cursor cursor_;

    std::vector<std::unique_ptr<known_class>> classes_;
    std::vector<known_class*> by_number_;
    std::map<std::string, nanoseconds, std::less<>> waits_;
    row_table rows_;

    save_batch batches_[2];
    std::uint32_t filling_ = 0;
    bool writing_ = false;  ///< the other one is at the writer
    nanoseconds due_ = writer::never;
    nanoseconds now_{0};
    bool hurry_ = false;
    std::size_t pending_ = 0;
    std::uint64_t tied_commit_ = 0;
    std::uint32_t tied_entry_ = nowhere;
    store::stored_position seen_;
    store::stored_position durable_;

    std::vector<request> requests_;
    std::vector<finished> finished_;
    std::vector<std::unique_ptr<bulk>> bulks_;
    std::vector<claim_job> jobs_;
    std::vector<std::string> spare_keys_;  ///< of jobs that have come back: as many as there ever were at once
    writer::results results_;
    std::uint32_t tokens_ = 0;
    std::uint32_t tickets_ = 0;
    std::uint64_t moved_ = 0;         ///< rows of loads of many, so far
    std::uint32_t making_ = nowhere;  ///< the row of which load_all is making an entity
    bool inside_ = false;
    std::exception_ptr thrown_;
    store::store_stats figures_;
    struct_room room_;
    std::vector<std::byte> scratch_;
    std::vector<std::uint64_t> links_seen_;
};

}  // namespace lido::store_detail
