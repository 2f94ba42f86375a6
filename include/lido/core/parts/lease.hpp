// An acquire that releases itself at the end of its scope.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/place.hpp>

#include <utility>

namespace lido {

template <class Pool>
class lease;

/// The leases of one pool, as a list through the leases themselves: no allocation, and a pool that ends or moves can tell each of
/// them. Costs one pointer in the pool and nothing on acquire.
template <class Pool>
class lease_list {
public:
    lease_list() noexcept = default;
    lease_list(const lease_list&) = delete;
    lease_list& operator=(const lease_list&) = delete;
    ~lease_list() { drop_all(); }

    /// The pool has gone or its lives have all ended: leases become empty.
    void drop_all() noexcept {
        while (first_ != nullptr) first_->forget();
    }

    /// Those that hold nothing now become empty. A restore calls it twice: after it, for the lives that it has undone; and before it, for
    /// the lives that had ended: it may bring them back, and nobody's lease ends them then.
    void drop_dead(const Pool& pool) noexcept {
        for (lease<Pool>* at = first_; at != nullptr;) {
            lease<Pool>* const next = at->next_;
            if (!pool.contains(at->handle_)) at->forget();
            at = next;
        }
    }

    /// Pre: this list is empty. Takes over the leases of a pool that was moved to `now`.
    void adopt(lease_list& from, Pool& now) noexcept {
        first_ = std::exchange(from.first_, nullptr);
        for (lease<Pool>* at = first_; at != nullptr; at = at->next_) {
            at->pool_ = &now;
            at->list_ = this;
        }
    }

private:
    friend class lease<Pool>;
    lease<Pool>* first_ = nullptr;
};

/// Move-only. Empty when the pool refused, after reset() and keep(), and once the pool itself has gone.
/// Threads: belongs to the thread that owns the pool.
template <class Pool>
class lease {
public:
    using value_type = typename Pool::value_type;
    using pointer = typename Pool::pointer;
    using handle_type = typename Pool::handle_type;

    lease() noexcept = default;

    lease(Pool& pool, lease_list<Pool>& list, handle_type handle) noexcept {
        if (handle) join(&pool, &list, handle);
    }

    lease(lease&& other) noexcept { take(other); }
    LIDO_ENTRY lease& operator=(lease&& other) noexcept {
        if (this != &other) {
            end(LIDO_CALLER);
            take(other);
        }
        return *this;
    }
    LIDO_ENTRY ~lease() { end(LIDO_CALLER); }

    /// False when empty, and when the object was released another way.
    [[nodiscard]] explicit operator bool() const noexcept { return get() != nullptr; }

    [[nodiscard]] pointer get() const noexcept { return pool_ != nullptr ? pool_->try_get(handle_) : pointer(nullptr); }

    /// Pre: the object still lives.
    [[nodiscard]] LIDO_ENTRY pointer operator->() const noexcept {
        const pointer object = get();
        LIDO_ASSERT_FROM(name(), object != nullptr, "an empty lease was used as an object: test it first");
        return object;
    }
    [[nodiscard]] LIDO_ENTRY typename Pool::reference operator*() const noexcept {
        const pointer object = get();
        LIDO_ASSERT_FROM(name(), object != nullptr, "an empty lease was used as an object: test it first");
        return *object;
    }

    [[nodiscard]] handle_type handle() const noexcept { return handle_; }
    [[nodiscard]] operator handle_type() const noexcept { return handle_; }

    /// Releases the object now. Quiet when it was released another way.
    LIDO_ENTRY void reset() noexcept { end(LIDO_CALLER); }

    /// Lets the object live on; it is the caller's to release.
    handle_type keep() noexcept {
        const handle_type handle = handle_;
        forget();
        return handle;
    }

private:
    friend class lease_list<Pool>;

    /// The pool's; null of an empty lease, which has none.
    [[nodiscard]] const char* name() const noexcept { return pool_ != nullptr ? pool_->name() : nullptr; }

    void join(Pool* pool, lease_list<Pool>* list, handle_type handle) noexcept {
        pool_ = pool;
        list_ = list;
        handle_ = handle;
        before_ = nullptr;
        next_ = list->first_;
        if (next_ != nullptr) next_->before_ = this;
        list->first_ = this;
    }

    void end([[maybe_unused]] const void* caller) noexcept {
        Pool* const pool = pool_;
        const handle_type handle = handle_;
        if (pool == nullptr) return;
        forget();
        if (!pool->contains(handle)) return;
        [[maybe_unused]] const blame here(place_of_caller(caller));
        pool->release(handle);
    }

    void forget() noexcept {
        if (list_ == nullptr) return;
        if (next_ != nullptr) next_->before_ = before_;
        if (before_ != nullptr) {
            before_->next_ = next_;
        } else {
            list_->first_ = next_;
        }
        pool_ = nullptr;
        list_ = nullptr;
        handle_ = {};
    }

    void take(lease& other) noexcept {
        if (other.list_ == nullptr) return;
        Pool* const pool = other.pool_;
        lease_list<Pool>* const list = other.list_;
        const handle_type handle = other.handle_;
        other.forget();
        join(pool, list, handle);
    }

    Pool* pool_ = nullptr;
    lease_list<Pool>* list_ = nullptr;
    lease* before_ = nullptr;
    lease* next_ = nullptr;
    handle_type handle_{};
};

}  // namespace lido
