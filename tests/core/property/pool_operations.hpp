// The elements and operations of the model tests: a run is a list of plain `op`s, so that RapidCheck can shrink and print it. No
// gtest here, so that other programs can use it.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/rewind/image.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string_view>
#include <vector>

namespace lido::test {

// --- elements -------------------------------------------------------------------------------------------------------

/// Plain bytes; the second word tells a torn one.
struct cell {
    explicit cell(int v) noexcept : value(v), check(~static_cast<std::uint32_t>(v)) {}
    [[nodiscard]] int read() const noexcept { return check == ~static_cast<std::uint32_t>(value) ? value : -1; }
    void write(int v) noexcept { *this = cell(v); }
    void hash(hasher& h) const noexcept { h.add(static_cast<std::uint64_t>(value)).add(std::uint64_t{check}); }

    std::int32_t value;
    std::uint32_t check;
};

/// Owns memory, so that a lost or doubled object is a leak or a double free; copied one by one; its own image codec.
class owner {
public:
    owner() : owned_(std::make_unique<int>(-1)) {}
    explicit owner(int v) : owned_(std::make_unique<int>(v)) {}
    owner(const owner& other) : owned_(std::make_unique<int>(*other.owned_)) {}
    owner(owner&&) noexcept = default;
    owner& operator=(const owner&) = delete;
    owner& operator=(owner&&) noexcept = default;
    ~owner() = default;

    [[nodiscard]] int read() const noexcept { return owned_ ? *owned_ : -1; }
    void write(int v) noexcept { *owned_ = v; }
    void hash(hasher& h) const noexcept { h.add(static_cast<std::uint64_t>(read())); }
    void save(image_writer& w) const { w.put(static_cast<std::uint32_t>(read())); }
    bool load(image_reader& r) {
        *owned_ = static_cast<int>(r.take<std::uint32_t>());
        return *owned_ >= 0;
    }

private:
    std::unique_ptr<int> owned_;
};

/// Silences the misuse reports, which the runs cause on purpose.
class quiet_misuse {
public:
    quiet_misuse() : before_(set_misuse_handler([](const misuse&) {})) {}
    quiet_misuse(const quiet_misuse&) = delete;
    quiet_misuse& operator=(const quiet_misuse&) = delete;
    ~quiet_misuse() { set_misuse_handler(before_); }

private:
    misuse_handler before_;
};

// --- operations -----------------------------------------------------------------------------------------------------

enum class op_kind : std::uint8_t {
    acquire,
    acquire_as,
    release_live,
    release_ended,
    release_wild,
    release_object,
    release_foreign,
    release_if,
    acquire_n,
    release_n,
    reserve,
    clear,
    trim,
    write,
    ask_wild,
    lease,
    drop_lease,
    save,
    restore,
    save_image,
    restore_image,
    tick,
    jump,
    count
};

inline constexpr std::string_view op_names[] = {
    "acquire",    "acquire_as", "release_live", "release_ended", "release_wild", "release_object", "release_foreign",
    "release_if", "acquire_n",  "release_n",    "reserve",       "clear",        "trim",           "write",
    "ask_wild",   "lease",      "drop_lease",   "save",          "restore",      "save_image",     "restore_image",
    "tick",       "jump"};
static_assert(std::size(op_names) == static_cast<std::size_t>(op_kind::count));

/// What `a` and `b` mean depends on the kind; every value means something, so that shrinking needs no rules.
struct op {
    op_kind kind = op_kind::acquire;
    std::uint32_t a = 0;
    std::uint32_t b = 0;

    friend std::ostream& operator<<(std::ostream& out, const op& o) {
        return out << op_names[static_cast<std::size_t>(o.kind)] << '(' << o.a << ", " << o.b << ')';
    }
};

/// A small generator of our own: the same numbers on every standard library.
class operation_dice {
public:
    explicit operation_dice(std::uint64_t seed) noexcept : state_(seed) {}
    std::uint32_t roll() noexcept {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t x = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return static_cast<std::uint32_t>((x ^ (x >> 31)) >> 32);
    }
    std::uint32_t below(std::uint32_t n) noexcept {
        return static_cast<std::uint32_t>(std::uint64_t{roll()} * n >> 32);
    }

private:
    std::uint64_t state_;
};

/// How often each kind is drawn; acquires and releases are weighed by the run, so that some runs are full and some are empty.
inline std::vector<op> random_ops(std::uint64_t seed, std::size_t count) {
    constexpr std::uint32_t weights[] = {0, 40, 0, 12, 6,  25, 3, 5, 14, 12, 30, 2,
                                         8, 20, 8, 12, 10, 10, 8, 5, 4,  18, 6};
    static_assert(std::size(weights) == static_cast<std::size_t>(op_kind::count));
    operation_dice d(seed);
    const std::uint32_t acquires = 100 + d.below(300);
    const std::uint32_t releases = 60 + d.below(260);
    std::uint32_t sum = acquires + releases;
    for (const std::uint32_t w : weights) sum += w;
    std::vector<op> ops(count);
    for (op& o : ops) {
        std::uint32_t at = d.below(sum);
        o.a = d.roll();
        o.b = d.roll();
        if (at < acquires) {
            o.kind = op_kind::acquire;
        } else if (at < acquires + releases) {
            o.kind = op_kind::release_live;
        } else {
            at -= acquires + releases;
            std::size_t k = 0;
            while (at >= weights[k]) at -= weights[k++];
            o.kind = static_cast<op_kind>(k);
        }
    }
    return ops;
}

}  // namespace lido::test
