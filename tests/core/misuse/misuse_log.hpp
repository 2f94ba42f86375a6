// Records what the misuse handler is told, and puts the old handler back.
#pragma once

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
    };

    misuse_log() : before_(set_misuse_handler(&record)) { entries().clear(); }
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
            entries().clear();
            return {};
        }
        entry e = entries().front();
        entries().clear();
        return e;
    }
    void clear() { entries().clear(); }

private:
    static std::vector<entry>& entries() {
        static std::vector<entry> all;
        return all;
    }
    static void record(const misuse& m) {
        entries().push_back({m.kind, m.pool, m.what, m.names_slot, m.slot, m.generation, m.slot_generation});
    }

    misuse_handler before_;
};

}  // namespace lido::test
