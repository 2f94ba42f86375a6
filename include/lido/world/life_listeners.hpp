// Who waits for what of which life: listeners of its end, and calls that wait for their tick. The lists of one class, in one pool, so
// that a life without any pays eight bytes.
//
//   a life     | last |-----------------+
//                                       v
//   nodes      | call, next, before | <-> | call, next, before | <-> (the first again)        in the order in which they came
//
// A node with a timer is a call that waits. It goes with its life, as listeners do: nothing of an ended life is left.
//
// Part of a rewind, as the lives are. A list is fired once, from its front, each node leaving before it is called: who disconnects
// meanwhile is not called, and nobody is called twice.
#pragma once

#include <lido/core/delegate.hpp>
#include <lido/core/handle.hpp>
#include <lido/core/memory/reserved_storage.hpp>
#include <lido/core/options.hpp>
#include <lido/core/slot_pool.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/named_calls.hpp>
#include <lido/world/ref.hpp>

#include <algorithm>
#include <cstddef>
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

/// What is called with an object, whatever its type: the class that calls knows it. Room as in an event.
using life_call = delegate<void(any_object object, any_ref which, end_reason why), 32>;

class life_listeners {
    struct node;

public:
    using node_handle = handle<node>;
    using node_pool = slot_pool<node, options{.forensics = false}, lazy_reserved_storage>;

    /// Lies in the object's record.
    struct list {
        node_handle last;
    };

    /// Room for `most` at once.
    explicit life_listeners(std::uint32_t most = 0)
        : nodes_((std::min)(most, 16u),
                 {.name = "listeners", .on_full = on_full::grow_to(most), .leaks = leaks::allow}) {}

    /// Address space for one, with what is kept beside it.
    [[nodiscard]] static constexpr std::size_t node_bytes() noexcept { return sizeof(node) + 16; }

    /// `name`: of a call that has one (named_calls.hpp), else 0. Null when there is no memory for it.
    node_handle connect(list& of, std::uint64_t life, const life_call& call, class_id name = 0) {
        const node_handle added = nodes_.acquire(call, node_handle{}, node_handle{}, life, std::uint64_t{0}, name);
        if (!added) return {};
        node& n = at(added);
        if (of.last) {
            n.before = of.last;
            n.next = std::exchange(at(of.last).next, added);
            at(n.next).before = added;
        } else {
            n.next = n.before = added;
        }
        of.last = added;
        return added;
    }
    /// The node is a call that waits for this timer.
    void wait_for(node_handle which, std::uint64_t timer) noexcept { at(which).timer = timer; }

    /// The call, which leaves its list. Pre: `which` is in it.
    [[nodiscard]] life_call take(list& of, node_handle which) noexcept {
        const life_call call = at(which).call;
        drop(of, which);
        return call;
    }

    /// Whose end the listener waits for; 0 when it is no longer there, or waits for its tick: what a restore undid may have had the
    /// same handle.
    [[nodiscard]] std::uint64_t life_of(node_handle which) const noexcept {
        const node* const n = nodes_.try_get(which);
        return n != nullptr && n->timer == 0 ? n->life : 0;
    }

    /// Pre: `which` is in the list. Complexity: O(1).
    void drop(list& of, node_handle which) noexcept {
        const node& n = at(which);
        if (n.next == which) {
            of.last = {};
        } else {
            at(n.before).next = n.next;
            at(n.next).before = n.before;
            if (of.last == which) of.last = n.before;
        }
        nodes_.release(which);
    }

    /// Calls every listener, first come first called, and leaves the list empty. Calls that wait are dropped: `cancel(timer)` is told.
    template <class Cancel>
    void fire(list& of, any_object object, any_ref which, end_reason why, Cancel&& cancel) {
        while (of.last) {
            const node_handle first = at(of.last).next;
            const std::uint64_t timer = at(first).timer;
            const life_call call = take(of, first);
            if (timer != 0) {
                cancel(timer);
            } else {
                call(object, which, why);
            }
        }
    }

    /// Nobody is called.
    template <class Cancel>
    void drop_all(list& of, Cancel&& cancel) noexcept {
        while (of.last) {
            if (const std::uint64_t timer = at(of.last).timer; timer != 0) cancel(timer);
            drop(of, of.last);
        }
    }

    void clear() noexcept { nodes_.clear(); }

    /// How many wait in a list whose links may be anything; 0 when it is no list of that life.
    [[nodiscard]] std::uint32_t length_of(list of, std::uint64_t life) const noexcept {
        std::uint32_t count = 0;
        node_handle at = of.last;
        do {
            const node* const n = nodes_.try_get(at);
            const node* const next = n != nullptr ? nodes_.try_get(n->next) : nullptr;
            if (next == nullptr || n->life != life || next->before != at || ++count > size()) return 0;
            at = n->next;
        } while (at != of.last);
        return count;
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return nodes_.size(); }
    [[nodiscard]] node_pool& nodes() noexcept { return nodes_; }
    [[nodiscard]] const node_pool& nodes() const noexcept { return nodes_; }

private:
    struct node {
        life_call call;
        node_handle next;
        node_handle before;
        std::uint64_t life;
        std::uint64_t timer;  ///< 0: a listener
        class_id name;        ///< 0: it has none; else it holds a bound_call

        node() noexcept : life(0), timer(0), name(0) {}
        node(const life_call& f, node_handle after, node_handle before_it, std::uint64_t of, std::uint64_t when,
             class_id by) noexcept
            : call(f), next(after), before(before_it), life(of), timer(when), name(by) {}
        void save(image_writer& w) const {
            w.put(next.to_bits());
            w.put(before.to_bits());
            w.put(life);
            w.put(timer);
            write_named(w, call, name);
        }
        [[nodiscard]] bool load(image_reader& r) noexcept {
            next = node_handle::from_bits(r.take<std::uint64_t>());
            before = node_handle::from_bits(r.take<std::uint64_t>());
            life = r.take<std::uint64_t>();
            timer = r.take<std::uint64_t>();
            return read_named(r, call, name);
        }
    };

    [[nodiscard]] node& at(node_handle n) noexcept { return nodes_.get_found(n); }

    node_pool nodes_;
};

}  // namespace world_detail
}  // namespace lido
