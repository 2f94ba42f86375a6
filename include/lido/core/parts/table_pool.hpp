// A pool that sits on a table: how it gets its memory, moves and ends, and what it says of itself in the same words as every other.
//
// The one base with members, the table and the leases. `Surface` is the stateless base of the shape (parts/surface.hpp), and comes with it.
// `Table` has open(), open_inside(), steal(), check_leaks(), unguard(), expect_unmoved(), size() and so on: row_table is the one to read.
// A shape opens to it
//
//   destroy_all()      ends every object, for good; generations and the order of free slots need not follow
//
// and writes its own moves (= default) and destructor (close_down()), because an element's destructor may still ask the pool.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/surface.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::detail {

struct row_door;

template <class Pool, class Table, class Surface>
class table_pool : public Surface {
    using memory = typename Table::memory;

public:
    using handle_type = typename Table::handle_type;
    using settings_type = typename Table::settings_type;
    using size_type = std::uint32_t;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` objects, and for growth where the settings ask for it and the shape can. When the memory cannot be had, the pool
    /// has capacity 0, refuses every acquire, and has said so through the misuse handler.
    explicit table_pool(slot_count capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : table_(settings) {
        table_.open(capacity);
    }

    /// Inside the pool object itself: capacity is the storage's N.
    explicit table_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : table_(settings) {
        table_.open_inside();
    }

    /// On memory the caller lends: as many slots as fit (`bytes_for` tells how much that takes).
    explicit table_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : table_(settings) {
        table_.open(buffer);
    }

    /// How large a lent buffer must be for `slots` slots, or rows.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(slots);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept { return table_.contains(handle); }

    [[nodiscard]] size_type size() const noexcept { return table_.size(); }
    [[nodiscard]] bool empty() const noexcept { return table_.size() == 0; }

    /// The most objects that may live now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return table_.capacity(); }
    [[nodiscard]] size_type max_capacity() const noexcept { return table_.max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] bool full() const noexcept { return table_.full(); }

    [[nodiscard]] const settings_type& settings() const noexcept { return table_.settings(); }

protected:
    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has capacity 0.
    table_pool(table_pool&& other) noexcept
        requires memory::movable
        : table_(other.settings()) {
        steal(other);
    }
    table_pool& operator=(table_pool&& other) noexcept
        requires memory::movable
    {
        if (this != &other) {
            table_.expect_unmoved();
            close_down();
            steal(other);
        }
        return *this;
    }
    ~table_pool() = default;

    /// Ends every object, or what settings.leaks says.
    void close_down() noexcept {
        leases_.drop_all();
        if (table_.check_leaks()) this->self().destroy_all();
        table_.unguard();
    }

    // What the surfaces ask for, but for take() and end_life().
    friend Surface;
    friend typename Surface::common_surface;
    friend holder_surface<Pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return table_.limits(); }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return table_.limits(); }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return table_.book(); }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return table_.book(); }
    [[nodiscard]] auto& counters() noexcept { return table_.counters(); }
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    [[nodiscard]] LIDO_INLINE Table& the_table() noexcept { return table_; }
    [[nodiscard]] LIDO_INLINE const Table& the_table() const noexcept { return table_; }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept { return table_.generation_of(slot); }

    friend rewind_door;
    friend row_door;

    LIDO_NO_UNIQUE_ADDRESS Table table_;  // so that the leases lie in its padding, where it has any
    lease_list<Pool> leases_;

private:
    void steal(table_pool& other) noexcept {
        table_.steal(other.table_);
        leases_.adopt(other.leases_, this->self());
    }
};

}  // namespace lido::detail
