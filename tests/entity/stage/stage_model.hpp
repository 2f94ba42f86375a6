// A stage as a plain program would write it: maps and vectors, copied whole for each save. What the real one does is compared with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stage_tests {

struct model_entity {
    int key = 0;  ///< of the test, for this life
    std::string id;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    std::uint64_t owner = 0;
    std::int64_t gold = 0;
    std::uint64_t lock = 0;
    std::uint64_t lock_until = 0;
    std::vector<int> managed;            ///< resources, in the order in which they were given
    std::optional<std::uint64_t> timer;  ///< the tick in which it is destroyed
    std::map<std::uint64_t, std::int64_t> past;
};

struct model_entry {
    std::string kind;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    std::uint64_t tick = 0;
    std::int64_t gold = 0;  ///< after it
    friend bool operator==(const model_entry&, const model_entry&) = default;
};

struct stage_model {
    static constexpr std::size_t history = 3;

    // State: what a save copies.
    std::map<int, model_entity> living;  ///< by key
    std::uint64_t births = 0;
    std::uint64_t generated = 0;
    std::uint64_t locks = 0;
    std::uint64_t now = 0;
    std::vector<model_entry> journal;
    std::size_t delivered = 0;
    int next_key = 0;
    struct ended {
        std::uint64_t tick;
        int resource;
    };
    std::vector<ended> waiting;  ///< resources whose life is over, not yet for certain

    // No state.
    std::vector<int> released;
    std::uint64_t confirmed_before = 0;

    [[nodiscard]] model_entity* find(const std::string& id) {
        for (auto& [key, e] : living) {
            if (e.id == id) return &e;
        }
        return nullptr;
    }
    void write(const char* kind, const model_entity& e) {
        journal.push_back({kind, e.generation, e.version, now, e.gold});
    }
    [[nodiscard]] bool locked(const model_entity& e) const { return e.lock_until > now; }

    bool create(std::string id, std::uint64_t owner, std::int64_t gold) {
        if (!id.empty() && find(id) != nullptr) return false;
        if (gold < 0) return false;
        if (id.empty()) id = "~1." + std::to_string(++generated);
        const int key = next_key++;
        model_entity e;
        e.key = key;
        e.id = id;
        e.generation = ++births;
        e.owner = owner;
        e.gold = gold;
        write("created", e);
        living[key] = e;
        return true;
    }
    bool commit(const std::vector<std::pair<int, std::int64_t>>& gold, const std::map<int, std::uint64_t>& versions,
                std::uint64_t lock) {
        for (const auto& [key, to] : gold) {
            const auto it = living.find(key);
            if (it == living.end() || it->second.version != versions.at(key)) return false;
            if (it->second.gold == to) continue;
            if (locked(it->second) ? it->second.lock != lock : false) return false;
            if (to < 0) return false;
        }
        for (const auto& [key, to] : gold) {
            model_entity& e = living.at(key);
            if (e.gold == to) continue;
            e.past[e.version] = e.gold;
            while (e.past.size() > history) e.past.erase(e.past.begin());
            e.gold = to;
            ++e.version;
            write("updated", e);
        }
        return true;
    }
    bool end(int key, const char* kind, std::uint64_t lock) {
        const auto it = living.find(key);
        if (it == living.end()) return false;
        model_entity& e = it->second;
        if (lock != 0 ? !locked(e) || e.lock != lock : locked(e)) return false;
        finish(e, kind);
        return true;
    }
    void finish(model_entity& e, const char* kind) {
        ++e.version;
        write(kind, e);
        for (auto r = e.managed.rbegin(); r != e.managed.rend(); ++r) waiting.push_back({now, *r});
        living.erase(e.key);
    }
    std::uint64_t lock(int key, std::uint64_t ticks) {
        const auto it = living.find(key);
        if (it == living.end() || locked(it->second)) return 0;
        write("locked", it->second);
        it->second.lock = ++locks;
        it->second.lock_until = now + ticks;
        return locks;
    }
    void let_go(std::uint64_t last) {
        std::size_t n = 0;
        while (n < waiting.size() && waiting[n].tick <= last) released.push_back(waiting[n++].resource);
        waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(n));
    }
    void tick(std::uint64_t rollback) {
        ++now;
        if (now >= rollback + 1) let_go(now - rollback - 1);
        for (;;) {
            model_entity* due = nullptr;
            for (auto& [key, e] : living) {
                if (e.timer && *e.timer <= now && (due == nullptr || *e.timer < *due->timer)) due = &e;
            }
            if (due == nullptr) break;
            due->timer.reset();
            // Whoever has locked it keeps it.
            if (!locked(*due)) finish(*due, "destroyed");
        }
        if (now > rollback) confirmed_before = std::max(confirmed_before, now - rollback);
    }
    /// A listener creates an entity for each update to a multiple of seven.
    void deliver() {
        while (delivered < journal.size()) {
            const model_entry e = journal[delivered++];
            if (e.kind == "updated" && e.gold % 7 == 0) create("", 0, 1);
        }
    }
    void confirm(std::uint64_t last) {
        let_go(last);
        confirmed_before = std::max(confirmed_before, std::min(last, now - 1) + 1);
    }
    /// Back to a save of the same model: what came after it never was.
    void restore(const stage_model& then) {
        std::vector<int> of_then;
        for (const auto& [key, e] : then.living) of_then.insert(of_then.end(), e.managed.begin(), e.managed.end());
        for (const ended& w : then.waiting) of_then.push_back(w.resource);
        std::vector<int> here;
        for (const auto& [key, e] : living) here.insert(here.end(), e.managed.begin(), e.managed.end());
        for (const ended& w : waiting) here.push_back(w.resource);
        std::sort(here.begin(), here.end(), std::greater<>());  // the newest first
        std::vector<int> gone = released;
        for (const int r : here) {
            if (std::find(of_then.begin(), of_then.end(), r) == of_then.end()) gone.push_back(r);
        }
        const std::uint64_t confirmed = confirmed_before;
        *this = then;
        released = gone;
        confirmed_before = confirmed;
        // What was let go since is not waiting any more.
        std::erase_if(waiting,
                      [&](const ended& w) { return std::find(gone.begin(), gone.end(), w.resource) != gone.end(); });
    }
};

}  // namespace stage_tests
