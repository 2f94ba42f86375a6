// Who listens for the end of which life: the lists of one class, in one pool, so that a life without listeners pays eight bytes.
//
//   a life     | last |-----------------+
//                                       v
//   nodes      | call, next | -> | call, next | -> (the first again)        in the order in which they came
//
// Part of a rewind, as the lives are. A list is fired once, from its front, each node leaving before it is called: who disconnects
// meanwhile is not called, and nobody is called twice.
#pragma once

#include <lido/core/delegate.hpp>
#include <lido/core/handle.hpp>
#include <lido/core/options.hpp>
#include <lido/core/slot_pool.hpp>
#include <lido/world/ref.hpp>

#include <cstdint>
#include <utility>

namespace lido {

/// Names one listener of one life. Zero names none.
struct life_connection {
    class_number of = 0;
    std::uint64_t listener = 0;
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return listener != 0; }
    friend constexpr bool operator==(life_connection, life_connection) noexcept = default;
};

namespace world_detail {

/// What is called with an object, whatever its type: the class that calls knows it.
using life_call = delegate<void(void* object, any_ref which)>;

class life_listeners {
    struct node;

public:
    using node_handle = handle<node>;
    using node_pool = slot_pool<node, options{.forensics = false}>;

    /// Lies in the object's record.
    struct list {
        node_handle last;
    };

    life_listeners()
        : nodes_(16, {.name = "listeners", .on_full = on_full::grow_to(1u << 24), .leaks = leaks::allow}) {}

    /// Null when there is no memory for it.
    node_handle connect(list& of, std::uint64_t life, life_call call) {
        const node_handle added = nodes_.acquire(call, node_handle{}, life);
        if (!added) return {};
        at(added).next = of.last ? std::exchange(at(of.last).next, added) : added;
        of.last = added;
        return added;
    }

    /// A call that no list holds: one that waits for its tick. Null when there is no memory for it.
    node_handle keep(std::uint64_t life, life_call call) { return nodes_.acquire(call, node_handle{}, life); }
    /// The kept call, which is kept no longer. Empty when it has gone before.
    [[nodiscard]] life_call take(node_handle which) noexcept {
        node* const n = nodes_.try_get(which);
        if (n == nullptr) return {};
        const life_call call = n->call;
        nodes_.release(which);
        return call;
    }

    /// Whose end the listener waits for; 0 when it is no longer there, or a call that is kept: what a restore undid may have had the
    /// same handle.
    [[nodiscard]] std::uint64_t life_of(node_handle which) const noexcept {
        const node* const n = nodes_.try_get(which);
        return n != nullptr && n->next ? n->life : 0;
    }

    /// Pre: `which` is in the list. Complexity: O(listeners of that life).
    void disconnect(list& of, node_handle which) noexcept {
        node_handle before = of.last;
        while (at(before).next != which) before = at(before).next;
        at(before).next = at(which).next;
        if (of.last == which) of.last = before == which ? node_handle{} : before;
        nodes_.release(which);
    }

    /// Calls everybody, first come first called, and leaves the list empty.
    void fire(list& of, void* object, any_ref which) {
        while (of.last) {
            const node_handle first = at(of.last).next;
            const life_call call = at(first).call;
            drop_first(of, first);
            call(object, which);
        }
    }

    void drop_all(list& of) noexcept {
        while (of.last) drop_first(of, at(of.last).next);
    }

    void clear() noexcept { nodes_.clear(); }

    [[nodiscard]] std::uint32_t size() const noexcept { return nodes_.size(); }
    [[nodiscard]] node_pool& nodes() noexcept { return nodes_; }
    [[nodiscard]] const node_pool& nodes() const noexcept { return nodes_; }

private:
    struct node {
        life_call call;
        node_handle next;
        std::uint64_t life;
    };

    [[nodiscard]] node& at(node_handle n) noexcept { return nodes_.get_found(n); }

    void drop_first(list& of, node_handle first) noexcept {
        if (first == of.last) {
            of.last = {};
        } else {
            at(of.last).next = at(first).next;
        }
        nodes_.release(first);
    }

    node_pool nodes_;
};

}  // namespace world_detail
}  // namespace lido
