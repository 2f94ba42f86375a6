// Records what the misuse handler is told, and puts the old handler back.
#pragma once

#include <lido/core/checks/report.hpp>
#include <lido/core/misuse.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lido::test {

class misuse_log {
public:
    struct entry {
        misuse_kind kind;
        std::string pool;
        std::string what;
        bool names_slot;
        std::uint32_t slot;
        std::uint32_t generation;
        std::uint32_t slot_generation;
        std::string story;
        std::uint64_t count;
    };

    /// `each_time`: a place is told as often as it comes, and not only at the first and every tenth power.
    explicit misuse_log(bool each_time = true) : before_(set_misuse_handler(&record)) {
        clear();
        tells_each_time() = each_time;
    }
    misuse_log(const misuse_log&) = delete;
    misuse_log& operator=(const misuse_log&) = delete;
    ~misuse_log() { set_misuse_handler(before_); }

    [[nodiscard]] std::size_t count() const { return entries().size(); }
    [[nodiscard]] std::size_t count(misuse_kind kind) const {
        std::size_t n = 0;
        for (const entry& e : entries()) {
            n += e.kind == kind ? 1u : 0u;
        }
        return n;
    }

    /// The only entry, which is forgotten; a failure and an empty one when there are more or none.
    [[nodiscard]] entry only() {
        if (count() != 1) {
            ADD_FAILURE() << count() << " reports instead of one";
            clear();
            return {};
        }
        entry e = entries().front();
        clear();
        return e;
    }
    [[nodiscard]] const std::vector<entry>& all() const { return entries(); }
    /// What comes next is told as if it came for the first time.
    void clear() {
        entries().clear();
        forget_reports();
    }

private:
    static std::vector<entry>& entries() {
        static std::vector<entry> all;
        return all;
    }
    static bool& tells_each_time() {
        static bool each = true;
        return each;
    }
    static void record(const misuse& m) {
        if (tells_each_time()) forget_reports();
        entries().push_back(
            {m.kind, m.pool, m.what, m.names_slot, m.slot, m.generation, m.slot_generation, m.story, m.count});
    }

    misuse_handler before_;
};

}  // namespace lido::test
