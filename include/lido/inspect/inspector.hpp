// inspector: shows the pools, worlds and entities of a running program in a browser, and to Prometheus.
//
//   lido::inspector look{{.program = "arena"}};
//   const auto shown = look.watch_scoped("bullets", bullets);   // until `shown` ends
//   …
//   look.sample(tick);                                          // once per tick
//
// The program's thread collects; a thread of the inspector's own serves readers from what was collected, and never touches a pool.
// docs/guide/inspector.md says what it costs and what keeps strangers out, docs/protocol/inspector.md is the protocol.
#pragma once

#include <lido/inspect/command.hpp>
#include <lido/inspect/source.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido {

struct inspector_options {
    std::string program = "program";      ///< what the page is headed with
    std::string bind = "127.0.0.1";       ///< an IPv4 or IPv6 address
    std::uint16_t port = 0;               ///< 0: the first free one from 7777 on
    bool allow_remote = false;            ///< without it, only an address of this machine's loopback may be bound
    std::string token = {};               ///< empty: one is made
    std::vector<std::string> hosts = {};  ///< names, beside addresses, that a remote reader may call this machine by
};

class inspector;

/// Names something that is watched. Zero names nothing.
struct watch_id {
    std::uint32_t number = 0;
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return number != 0; }
    friend constexpr bool operator==(watch_id, watch_id) noexcept = default;
};

/// Ends the watch with its scope. Pre: the inspector lives longer.
class [[nodiscard]] watched {
public:
    watched() = default;
    watched(inspector& by, watch_id id) noexcept : by_(&by), id_(id) {}
    watched(watched&& other) noexcept : by_(std::exchange(other.by_, nullptr)), id_(std::exchange(other.id_, {})) {}
    watched& operator=(watched&& other) noexcept {
        if (this != &other) {
            end();
            by_ = std::exchange(other.by_, nullptr);
            id_ = std::exchange(other.id_, {});
        }
        return *this;
    }
    ~watched() { end(); }

    void end() noexcept;
    [[nodiscard]] watch_id id() const noexcept { return id_; }

private:
    inspector* by_ = nullptr;
    watch_id id_;
};

/// Threads: all but the constructor and destructor belong to the thread that owns the pools; misuse reports may come from any.
/// One per program is enough: a second one serves as well, on the next port, but only the first is told of misuse.
class inspector {
public:
    /// Starts to serve. Never throws for what the machine refuses: running() is false then, and error() says what to do.
    explicit inspector(inspector_options options = {});
    inspector(const inspector&) = delete;
    inspector& operator=(const inspector&) = delete;
    /// Says goodbye to readers and is gone within a second. The misuse handler is the one from before.
    ~inspector();

    [[nodiscard]] bool running() const noexcept;
    /// Why it does not run, and what to do about it; empty while it runs.
    [[nodiscard]] const std::string& error() const noexcept;
    /// "http://127.0.0.1:7777"; empty when it does not run.
    [[nodiscard]] std::string address() const;
    /// The address of the page with the token, to open in a browser: whoever has it may give commands. What follows the # stays in
    /// the browser.
    [[nodiscard]] std::string link() const;
    [[nodiscard]] const std::string& token() const noexcept;
    [[nodiscard]] std::uint16_t port() const noexcept;

    /// Shows a pool of any shape; a world, whose classes appear as pools; a stage with its entities and its journal, whose world is
    /// watched beside it; or a store, with how much of that stage is durable. Pre: unwatch() comes before it is moved or ends, or no sample() after that.
    template <class Pool>
        requires(inspect::watchable_pool<Pool> || inspect::watchable_world<Pool> || inspect::watchable_stage<Pool> ||
                 inspect::watchable_store<Pool>)
    watch_id watch(std::string name, const Pool& pool) {
        if constexpr (inspect::watchable_store<Pool>) {
            return add(std::move(name), inspect::store_source_of(pool));
        } else if constexpr (inspect::watchable_stage<Pool>) {
            return add(std::move(name), inspect::stage_source_of(pool));
        } else if constexpr (inspect::watchable_world<Pool>) {
            return add(std::move(name), inspect::world_source_of(pool));
        } else {
            return add(std::move(name), inspect::source_of(pool));
        }
    }
    /// The same until what it returns ends.
    template <class Pool>
        requires(inspect::watchable_pool<Pool> || inspect::watchable_world<Pool> || inspect::watchable_stage<Pool> ||
                 inspect::watchable_store<Pool>)
    watched watch_scoped(std::string name, const Pool& pool) {
        return {*this, watch(std::move(name), pool)};
    }
    /// Readers see it as gone from then on. An id that is not watched does nothing.
    void unwatch(watch_id id) noexcept;

    /// Once per tick: collects what is due, runs the commands that came. Never waits for a reader.
    /// Complexity: O(1) on most ticks; O(pools, classes and readers of stages, and classes of stores) four times a second; O(live objects) of those pools
    /// whose slots somebody looks at. Of entities somebody looks at, 1024 places or one entity a tick.
    void sample(std::uint64_t tick);

    /// Lets readers who have the token ask for something. `run` returns what to say to them. A name that is there is replaced;
    /// one that is empty, longer than 64 bytes or has control characters is refused and reported, and so is an empty `run`.
    void command(command_description what, std::function<std::string(const command_value&)> run);

    /// Whether somebody looks at that view, so that its next frame is worth making. The first call makes the view known.
    [[nodiscard]] bool wants(std::string_view view);
    /// The latest frame of a view: one JSON text, which goes to readers as it is. Dropped when nobody looks, when a reader is just
    /// being served, and when it is longer than 1 MiB.
    void publish(std::string_view view, std::string_view json);

private:
    [[nodiscard]] watch_id add(const std::string& name, inspect::pool_source source);
    [[nodiscard]] watch_id add(std::string name, inspect::world_source source);
    [[nodiscard]] watch_id add(std::string name, const inspect::stage_source& source);
    [[nodiscard]] watch_id add(std::string name, const inspect::store_source& source);

    struct rooms;
    std::unique_ptr<rooms> rooms_;
};

inline void watched::end() noexcept {
    if (by_ != nullptr) by_->unwatch(id_);
    by_ = nullptr;
    id_ = {};
}

}  // namespace lido
