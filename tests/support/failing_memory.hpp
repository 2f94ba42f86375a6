// lido tests: sources of memory that count, check how they are used, and refuse on request.
//
//   using storage = lido::basic_reserved_storage<failing_pages<>>;             // basic_heap_storage<failing_source<>>
//
//   failing_memory::reset();
//   const std::size_t refused = refuse_each_call(memory_failure::once, [&] { ... });  // fails at the 1st, 2nd, ... call
//   EXPECT_GT(refused, 0u);                                                    // or the walk has shown nothing
//   EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
//
// One state for the program; one thread.
#pragma once

#include "lido/core/memory/heap_storage.hpp"
#include "lido/core/memory/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido::test {

/// once: the nth call is refused and later ones are not. onwards: the nth call and all after it.
enum class memory_failure { once, onwards };

class failing_memory {
public:
    /// Forgets plans, counts and errors, and starts with nothing live.
    static void reset() { state() = {}; }

    /// Refuses the nth fallible call from now (1 is the next). 0: none.
    static void refuse(std::size_t nth, memory_failure how = memory_failure::once) {
        state().calls = 0;
        state().refused = 0;
        state().nth = nth;
        state().how = how;
    }

    /// Refuses what would bring the bytes held above this, as a system does that runs out.
    static void limit_bytes(std::size_t bytes) { state().limit = bytes; }

    [[nodiscard]] static std::size_t calls() {
        return state().calls;
    }  // that could be refused, since refuse() or reset()
    [[nodiscard]] static std::size_t refused() { return state().refused; }  // of those
    [[nodiscard]] static std::size_t decommits() { return state().decommits; }
    [[nodiscard]] static std::size_t held_bytes() { return state().held; }  // allocated and committed now
    [[nodiscard]] static std::size_t live() { return state().blocks.size() + state().reservations.size(); }

    /// Every block and reservation was released, each once, with the size it was given; nothing was committed twice.
    [[nodiscard]] static bool balanced() { return live() == 0 && held_bytes() == 0 && errors() == 0; }
    [[nodiscard]] static std::size_t errors() { return state().errors.size(); }
    [[nodiscard]] static std::string report() {
        std::string text = "live " + std::to_string(live()) + ", held bytes " + std::to_string(held_bytes());
        for (const std::string& error : state().errors) {
            text += "\n" + error;
        }
        return text;
    }

private:
    template <class>
    friend struct failing_source;
    template <class>
    friend struct failing_pages;

    struct block {
        std::size_t bytes;
        std::size_t alignment;
    };

    struct reservation {
        std::size_t bytes;
        std::vector<bool> committed;  // a page each
    };

    struct all {
        std::size_t calls = 0;
        std::size_t refused = 0;
        std::size_t decommits = 0;
        std::size_t nth = 0;
        memory_failure how = memory_failure::once;
        std::size_t limit = SIZE_MAX;
        std::size_t held = 0;
        std::map<void*, block> blocks;
        std::map<std::uintptr_t, reservation> reservations;
        std::vector<std::string> errors;
    };

    static all& state() {
        static all instance;
        return instance;
    }

    static void error(const char* what) { state().errors.emplace_back(what); }

    // Counts a call that takes this many bytes; true when it is to be refused.
    static bool refuses(std::size_t bytes) {
        all& s = state();
        ++s.calls;
        const bool planned = s.nth != 0 && (s.how == memory_failure::once ? s.calls == s.nth : s.calls >= s.nth);
        const bool over = bytes != 0 && bytes > s.limit - (s.held < s.limit ? s.held : s.limit);
        if (planned || over) {
            ++s.refused;
        }
        return planned || over;
    }

    // The pages [first, last) that a range names, in the reservation that holds it; null, and an error, when there is
    // none.
    static reservation* find(void* at, std::size_t bytes, std::size_t page, std::size_t& first, std::size_t& last) {
        const auto address = reinterpret_cast<std::uintptr_t>(at);
        auto next = state().reservations.upper_bound(address);
        if (next == state().reservations.begin()) {
            error("a range outside every reservation");
            return nullptr;
        }
        auto& [base, found] = *--next;
        const std::size_t offset = address - base;
        if (bytes == 0 || offset % page != 0 || bytes % page != 0) {
            error("a range that is not whole pages");
        }
        if (offset > found.bytes || bytes > found.bytes - offset) {
            error("a range past the end of its reservation");
            return nullptr;
        }
        first = offset / page;
        last = first + bytes / page;
        return &found;
    }
};

/// A block source for basic_heap_storage.
template <class Base = heap_source>
struct failing_source {
    static void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
        if (failing_memory::refuses(bytes)) {
            return nullptr;
        }
        void* at = Base::allocate(bytes, alignment);
        if (at != nullptr) {
            failing_memory::state().blocks[at] = {bytes, alignment};
            failing_memory::state().held += bytes;
        }
        return at;
    }

    static void release(void* at, std::size_t bytes, std::size_t alignment) noexcept {
        auto& blocks = failing_memory::state().blocks;
        const auto found = blocks.find(at);
        if (found == blocks.end()) {
            return failing_memory::error("released a block that is not live");
        }
        if (found->second.bytes != bytes || found->second.alignment != alignment) {
            failing_memory::error("released a block with another size or alignment than it has");
        }
        failing_memory::state().held -= found->second.bytes;
        blocks.erase(found);
        Base::release(at, bytes, alignment);
    }
};

/// Pages that are taken and returned on demand: the system's, or on a platform without them a pretence of it.
struct pretended_pages : portable_pages {
    static constexpr bool on_demand = true;
};
using demand_pages = std::conditional_t<os_pages::on_demand, os_pages, pretended_pages>;

/// A page source for basic_reserved_storage.
template <class Base = demand_pages>
struct failing_pages {
    static constexpr bool on_demand = Base::on_demand;

    static std::size_t page_size() noexcept { return Base::page_size(); }

    static void* reserve(std::size_t bytes) noexcept {
        if (failing_memory::refuses(0)) {
            return nullptr;
        }
        void* at = Base::reserve(bytes);
        if (at != nullptr) {
            auto& entry = failing_memory::state().reservations[reinterpret_cast<std::uintptr_t>(at)];
            entry = {bytes, std::vector<bool>(bytes / page_size())};
        }
        return at;
    }

    static bool commit(void* at, std::size_t bytes) noexcept {
        std::size_t first = 0;
        std::size_t last = 0;
        auto* const found = failing_memory::find(at, bytes, page_size(), first, last);
        if (found == nullptr || failing_memory::refuses(bytes) || !Base::commit(at, bytes)) {
            return false;
        }
        for (std::size_t i = first; i < last; ++i) {
            if (found->committed[i]) {
                failing_memory::error("committed a page twice");
            }
            found->committed[i] = true;
        }
        failing_memory::state().held += bytes;
        return true;
    }

    static void decommit(void* at, std::size_t bytes) noexcept {
        std::size_t first = 0;
        std::size_t last = 0;
        auto* const found = failing_memory::find(at, bytes, page_size(), first, last);
        if (found == nullptr) {
            return;
        }
        for (std::size_t i = first; i < last; ++i) {
            if (!found->committed[i]) {
                failing_memory::error("gave back a page that was not committed");
            }
            found->committed[i] = false;
        }
        ++failing_memory::state().decommits;
        failing_memory::state().held -= bytes;
        Base::decommit(at, bytes);
    }

    static void release(void* at, std::size_t bytes) noexcept {
        auto& reservations = failing_memory::state().reservations;
        const auto found = reservations.find(reinterpret_cast<std::uintptr_t>(at));
        if (found == reservations.end()) {
            return failing_memory::error("released a reservation that is not live");
        }
        if (found->second.bytes != bytes) {
            failing_memory::error("released a reservation with another size than it has");
        }
        for (const bool committed : found->second.committed) {
            if (committed) {
                failing_memory::state().held -= page_size();
            }
        }
        reservations.erase(found);
        Base::release(at, bytes);
    }
};

/// Runs `operation` with its 1st, 2nd, ... call for memory refused, up to the first run in which none was left to
/// refuse. Returns in how many runs something was refused; SIZE_MAX when it does not end.
template <class Operation>
std::size_t refuse_each_call(memory_failure how, Operation&& operation) {
    for (std::size_t nth = 1; nth < 10000; ++nth) {
        failing_memory::refuse(nth, how);
        operation();
        const bool completed = failing_memory::refused() == 0;
        failing_memory::refuse(0);
        if (completed) {
            return nth - 1;
        }
    }
    return SIZE_MAX;
}

}  // namespace lido::test
