// The writer: who calls the database. Work comes in by give(), ask() and scan(), one step takes one transaction or one page of rows, and what came
// of it is taken back by the game's thread. It has a thread of its own, or is stepped by whoever has the clock.
//
//   load by name (claims of many rows)   before saves, so that nobody waits for a long one longer than for one
//   save (one batch)                     tried again until it is durable; the batch stays as it is meanwhile
//   load of many (a page)                between the others
//
// KW1. What came in comes back once: a batch with an end for each entry, a load with its row or a reason, pages until the last one.
// KW2. After `lost` or `unusable` nothing is written any more, and all that comes in comes back as failed.
#pragma once

#include <lido/store/database.hpp>
#include <lido/store/store_options.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "known_class.hpp"
#include "save_batch.hpp"

namespace lido::store_detail {

using nanoseconds = std::chrono::nanoseconds;

enum class row_kind : std::uint8_t { none, stored, erased, failed };

struct read_row {
    row_kind what = row_kind::none;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    std::uint64_t birth = 0;
    std::uint64_t owner = 0;
    std::int64_t revision = 0;
    std::string key;
    std::vector<std::byte> data;  ///< a struct of the class; of a class with links empty, and `text` is there
    std::string text;
    std::string why;  ///< it failed
};

struct claim_job {
    std::uint32_t row = nowhere;
    std::uint32_t token = 0;
    known_class* of = nullptr;
    std::string key;
};
struct claim_result {
    std::uint32_t row = nowhere;
    std::uint32_t token = 0;
    read_row found;
    std::string key = {};  ///< the job's: its room is used for another
};
struct scan_job {
    std::uint32_t ticket = 0;
    known_class* of = nullptr;
    std::string prefix;
    std::string after;
    std::uint64_t count = 0;
    bool counted = false;
};
struct scan_page {
    std::uint32_t ticket = 0;
    std::uint64_t count = 0;
    bool last = false;
    std::string why;
    std::vector<read_row> rows;
};

class writer {
public:
    static constexpr nanoseconds never = (nanoseconds::max)();

    writer(store::database& db, std::uint64_t epoch, const store::store_options& options);
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;
    ~writer() { stop(); }

    void start();
    /// Ends the thread. What it was doing is interrupted.
    void stop();

    // --- the game's thread -----------------------------------------------------------------------------------------------------

    /// Pre: none is under way.
    void give(save_batch* batch);
    void ask(std::vector<claim_job>& jobs);  ///< and empties it
    void scan(scan_job job);
    /// Back-off is over, once.
    void hurry();

    struct results {
        save_batch* done = nullptr;
        std::vector<claim_result> claims;
        std::vector<scan_page> pages;
        bool broken = false;
    };
    /// Pre: `into` is empty.
    void take(results& into);
    /// Until there is something to take, or it takes too long.
    void wait_for_results(std::chrono::milliseconds at_most);
    /// Why nothing can be written for now, or for good.
    [[nodiscard]] std::string trouble() const;

    struct figures {
        std::atomic<std::uint64_t> transactions{0};
        std::atomic<std::uint64_t> retries{0};
        std::atomic<std::uint64_t> bytes{0};
    };
    [[nodiscard]] const figures& stats() const noexcept { return figures_; }

    // --- the writer's thread ---------------------------------------------------------------------------------------------------

    bool step();
    [[nodiscard]] nanoseconds next_step() const;

private:
    void run();
    void take_mail();
    void claim_rows();
    void write_batch();
    void read_page();
    enum class written : std::uint8_t { all, again_without, given_up };
    [[nodiscard]] written try_batch(save_batch& b);
    void leave_out(save_batch& b, std::uint32_t culprit, store::save_end end, const std::string& why);
    store::db_answer note_classes(const save_batch& b);
    [[nodiscard]] read_row row_from(const known_class& of, const store::stored_row& r);
    void success();
    /// Whether what was being done is to be tried again later; else it has failed for good.
    [[nodiscard]] bool again(const store::db_answer& why);
    void fail_all(const std::string& why);
    void put_batch_back(save_batch* b);

    store::database& db_;
    const std::uint64_t epoch_;
    const store::store_options& options_;
    figures figures_;

    // The writer's own.
    std::vector<claim_job> claims_;
    std::vector<scan_job> scans_;
    save_batch* batch_ = nullptr;
    bool claimed_last_ = false;
    bool in_trouble_ = false;
    nanoseconds trouble_since_{0};
    nanoseconds delay_{0};
    std::string broken_;
    std::vector<char> room_;
    struct_room struct_;

    mutable std::mutex mutex_;
    std::condition_variable mail_came_;
    std::condition_variable results_came_;
    // Under the mutex.
    std::vector<claim_job> new_claims_;
    std::vector<scan_job> new_scans_;
    save_batch* new_batch_ = nullptr;
    bool mail_ = false;
    bool hurry_ = false;
    bool stopping_ = false;
    bool idle_ = true;
    nanoseconds not_before_{0};
    std::string trouble_;
    results out_;
    std::thread thread_;
};

}  // namespace lido::store_detail
