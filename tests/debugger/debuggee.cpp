// What the debugger views are shown: a pool of every shape, storage and bookkeeping, with known content.
// gdb stops in look(), goes one frame up and prints these variables (views.gdb); the program itself checks nothing.
#include <lido/core.hpp>
#include <lido/core/bytemap_pool.hpp>
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/flag_pool.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace game {

struct bullet {
    float x;
    float y;
    int damage;
};

/// Its size is a multiple of 256, so slot pools leave a gap after every 64.
struct page {
    int id;
    char text[252];
};

struct orb {
    float x;
    double weight;
    char kind[3];
    lido::handle<bullet> target;
};

struct mesh {
    int vertices = 0;
};

struct vehicle {
    virtual ~vehicle() = default;
    int wheels = 0;
};
struct truck : vehicle {
    double load = 0;
};

/// A user's own storage, on top of one of lido's.
struct own_storage {
    template <lido::storage_layout L>
    class memory : public lido::heap_storage::memory<L> {};
};

/// Begins some lives, and ends all but those that `keep` names.
template <class Pool, class Make, class Keep>
void churn(Pool& pool, int lives, Make make, Keep keep) {
    for (int i = 0; i < lives; ++i) static_cast<void>(pool.acquire(make(i)));
    pool.release_if([&](typename Pool::const_reference object) { return !keep(object); });
}

bullet shot(int i) { return {static_cast<float>(i), 0.5f, i}; }
bool kept(const bullet& b) { return b.damage % 4 == 1; }

/// For variables that only the debugger looks at.
template <class... Variables>
void seen(const Variables&...) {}

[[gnu::noinline]] void look() { asm volatile(""); }  // NOLINT(hicpp-no-assembler): a place to stop at

}  // namespace game

int main() {
    using namespace game;
    using lido::options;

    // --- slot pools, on every storage ------------------------------------------------------------------------------------

    lido::slot_pool<bullet> bullets{1024, {.name = "bullets", .on_full = lido::on_full::grow_to(4096)}};
    const lido::handle<bullet> first = bullets.acquire(1.0f, 2.0f, 3);
    const lido::handle<bullet> ended = bullets.acquire(9.0f, 9.0f, 9);
    bullets.release(ended);
    const lido::handle<bullet> second = bullets.acquire(4.0f, 5.0f, 6);

    lido::slot_pool<page, options{}, lido::heap_storage> pages{200, {.name = "pages"}};
    churn(
        pages, 130,
        [](int i) {
            return page{i, "p"};
        },
        [](const page& p) { return p.id == 1 || p.id >= 128; });

    alignas(64) std::array<std::byte, 1024> buffer{};
    lido::slot_pool<bullet, options{.handle_bits = 32}, lido::lent_storage> lent{std::span<std::byte>(buffer),
                                                                                 {.name = "lent"}};
    churn(lent, 7, shot, kept);

    lido::slot_pool<bullet, options{}, own_storage> own{9, {.name = "own"}};
    churn(own, 3, shot, kept);

    lido::slot_pool<bullet, options{.order = lido::reuse::lowest}, lido::huge_reserved_storage> huge{100000,
                                                                                                     {.name = "huge"}};
    churn(huge, 70000, shot, [](const bullet& b) { return b.damage == 65536; });

    constexpr options everything{.handle_bits = 32,
                                 .index_bits = 8,
                                 .generations = lido::generation_rule::wrap,
                                 .tracks = lido::track::priority,
                                 .reuse_delay = 3,
                                 .headroom = true,
                                 .kinds = 2,
                                 .mark_changes = true};
    lido::inline_slot_pool<bullet, 100, everything> inside{{.name = "inside"}};
    churn(inside, 6, shot, kept);

    // 4 bits of generation: seven lives, and a slot is worn out.
    lido::inline_slot_pool<bullet, 4, options{.handle_bits = 32, .index_bits = 28}> worn{{.name = "worn"}};
    for (int i = 0; i < 7; ++i) worn.release(worn.acquire(shot(i)).handle());
    static_cast<void>(worn.acquire(shot(1)));

    lido::flag_pool<bullet, 70> flags{{.name = "flags"}};
    churn(flags, 70, shot, [](const bullet& b) { return b.damage == 0 || b.damage == 69; });
    lido::flag_pool<bullet, 8, options{.generations = lido::generation_rule::none}> bare{{.name = "bare"}};
    churn(bare, 8, shot, kept);

    // --- rows and columns ------------------------------------------------------------------------------------------------

    lido::dense_pool<bullet> dense{6000, {.name = "dense"}};
    churn(dense, 5000, shot, [](const bullet& b) { return b.damage == 7 || b.damage == 4999; });
    lido::dense_pool<bullet, options{.max_rows = 1U << 21}, lido::heap_storage> wide{300, {.name = "wide"}};
    churn(wide, 6, shot, kept);
    constexpr options short_rows{
        .handle_bits = 32, .tracks = lido::track::age, .reuse_delay = 2, .mark_changes = true, .max_rows = 64};
    lido::inline_dense_pool<bullet, 20, short_rows> short_dense{{.name = "short_dense"}};
    churn(short_dense, 6, shot, kept);

    const auto drop = [second](int i) { return orb{static_cast<float>(i), i * 0.25, {'a', 'b', 0}, second}; };
    const auto heavy = [](const auto& o) { return o.template get<&orb::weight>() >= 1.0; };
    lido::column_pool<orb> orbs{500, {.name = "orbs"}};
    churn(orbs, 6, drop, heavy);
    lido::inline_column_pool<orb, 33, options{.handle_bits = 32, .tracks = lido::track::priority, .reuse_delay = 5}>
        few_orbs{{.name = "few_orbs"}};
    churn(few_orbs, 5, drop, heavy);

    lido::flag_column_pool<orb> rows{70, {.name = "rows"}};
    churn(rows, 70, drop,
          [](const auto& o) { return o.template get<&orb::x>() == 1 || o.template get<&orb::x>() == 69; });
    lido::inline_flag_column_pool<orb, 16,
                                  options{.generations = lido::generation_rule::none, .tracks = lido::track::priority}>
        few_rows{{.name = "few_rows"}};
    churn(few_rows, 5, drop, heavy);

    // --- the other shapes ------------------------------------------------------------------------------------------------

    lido::recycle_pool<mesh> meshes{8, {.name = "meshes"}};
    for (int i = 1; i <= 5; ++i) meshes.acquire()->vertices = i;
    meshes.release_if([](const mesh& m) { return m.vertices > 2; });
    lido::inline_recycle_pool<mesh, 70> few_meshes{{.name = "few_meshes"}};
    few_meshes.acquire()->vertices = 11;
    lido::recycle_pool<mesh, options{.confirmed_ends = true}> predicted{8, {.name = "predicted"}};
    for (int i = 1; i <= 4; ++i) predicted.acquire()->vertices = i;
    predicted.release_if([](const mesh& m) { return m.vertices > 1; });
    lido::slot_pool<mesh, options{.confirmed_ends = true}, lido::heap_storage> foreseen{8, {.name = "foreseen"}};
    for (int i = 1; i <= 4; ++i) foreseen.acquire()->vertices = i;
    foreseen.release_if([](const mesh& m) { return m.vertices > 2; });

    lido::recycled_list<mesh> packed{4, {.name = "packed", .idle_cap = 2}};
    for (int i = 1; i <= 4; ++i) packed.acquire()->vertices = i;
    packed.swap_remove(1);

    lido::ring_pool<bullet> trail{5, {.name = "trail"}};
    for (int i = 0; i < 7; ++i) static_cast<void>(trail.acquire(shot(i)));
    trail.release_if([](const bullet& b) { return b.damage == 5; });
    lido::inline_ring_pool<bullet, 63, options{.handle_bits = 32}> few_trails{{.name = "few_trails"}};
    churn(few_trails, 70, shot, [](const bullet& b) { return b.damage > 67; });

    lido::capped_list<bullet, 15, options{.tracks = lido::track::priority}> numbers{{.name = "numbers"}};
    for (int i = 0; i < 3; ++i) static_cast<void>(numbers.push(shot(i)));

    lido::bytemap_pool<vehicle, sizeof(truck)> cars{10, {.name = "cars"}};
    const auto car = cars.acquire();
    cars.acquire<truck>()->load = 40;
    lido::inline_bytemap_pool<mesh, 9> few_cars{{.name = "few_cars"}};
    churn(
        few_cars, 4, [](int i) { return mesh{i}; }, [](const mesh& m) { return m.vertices == 2; });

    // --- what is passed around -------------------------------------------------------------------------------------------

    const lido::handle<bullet> null;
    const lido::handle32<bullet> short_handle = lido::handle32<bullet>::of(1000, 7);
    const auto never = lido::handle<bullet>::of(3, 2);
    const lido::bytemap_handle<vehicle> old_null;
    const auto old_handle = lido::bytemap_handle<vehicle>::of(5, 127);

    const auto answer = trail.acquire(shot(20));
    const auto row_answer = orbs.acquire(drop(8));
    const auto row = orbs.row(1);
    const auto row_pointer = orbs.get(row_answer.handle());
    const decltype(row_pointer) no_row_pointer;
    const decltype(row) gone_row(&orbs, 99);
    lido::inline_slot_pool<bullet, 1> one{{.name = "one"}};
    auto lease = one.lease(shot(30));
    const auto refused = one.acquire(shot(31));
    auto row_lease = orbs.lease(drop(9));
    auto dense_lease = dense.lease(shot(32));
    auto ring_lease = trail.lease(shot(33));
    auto car_lease = cars.lease();
    auto ended_lease = wide.lease(shot(34));
    wide.release(ended_lease.handle());
    decltype(lease) no_lease;

    const lido::delegate<bool(int)> no_call;
    const lido::delegate<bool(int)> call = [](int i) { return i > 0; };
    const lido::on_full rejects;
    const lido::on_full grows = lido::on_full::grow();
    const lido::on_full grows_and_ends = lido::on_full::grow_to(64).then(lido::on_full::replace_oldest);

    lido::rewind<4> back;
    for (std::uint64_t tick = 3; tick < 9; ++tick) back.save(tick, bullets);
    lido::rewind<4> no_back;
    lido::history<8, decltype(inside)> past;
    for (std::uint64_t tick = 10; tick < 13; ++tick) past.save(tick, inside);

    // --- edges -----------------------------------------------------------------------------------------------------------

    lido::slot_pool<bullet> from{10, {.name = "from"}};
    const lido::slot_pool<bullet> moved = std::move(from);
    lido::slot_pool<int> many{1000, {.name = "many"}};
    for (int i = 0; i < 500; ++i) static_cast<void>(many.acquire(i));
    const lido::slot_pool<int>& many_again = many;
    // Written over by the script.
    lido::slot_pool<bullet> broken{16, {.name = "broken"}};
    churn(broken, 6, shot, kept);

    look();
    seen(first, null, short_handle, never, old_null, old_handle, car, answer, row_answer, refused);
    seen(row, row_pointer, no_row_pointer, gone_row, no_lease, no_call, call, rejects, grows, grows_and_ends, no_back,
         moved, many_again);
}
