// A program that included windows.h first, without NOMINMAX: its macros must not reach into lido.
#include "standard_headers.hpp"

// What windef.h, minwindef.h and rpcndr.h define.
#define near
#define far
#define NEAR
#define FAR
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define small char
#define hyper __int64
#define interface struct
#define pascal __stdcall
#define cdecl
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define ERROR 0
#define DELETE (0x00010000L)
#define IGNORE 0
#define INFINITE 0xFFFFFFFF
#define TRANSPARENT 1
#define OPAQUE 2
#define ABSOLUTE 1
#define RELATIVE 2
#define DIFFERENCE 11
#define STRICT 1
#define TRUE 1
#define FALSE 0

#include <lido/core.hpp>
#include <lido/entity.hpp>
#include <lido/inspect/inspector.hpp>
#include <lido/world.hpp>
#include <lido/world/settings_file.hpp>

namespace {

struct orb {
    int x, y, amount;
};

struct box {
    float size = 1;
    int count = 0;
    lido::text<8> name;
};
constexpr auto describe(lido::type<box>) {
    return lido::schema{1, lido::field<&box::size>{.min = 0, .max = 8, .step = 0.5f}};
}

}  // namespace

// What is a template is read in full only where it is used.
void use() {
    lido::column_pool<orb> orbs{64};
    lido::merge_pass merging{64};
    merging.run(
        orbs, 4,
        [](auto row) {
            return std::pair{row.template get<&orb::x>(), row.template get<&orb::y>()};
        },
        [](auto into, auto from) {
            into.template get<&orb::amount>() += from.template get<&orb::amount>();
            return true;
        });
    lido::slot_pool<orb> slots{64};
    lido::dense_pool<orb> dense{64};
    lido::recycle_pool<orb> recycled{64};
    lido::bytemap_pool<orb> bytemap{64};
    lido::ring_pool<orb> ring{64};
    lido::snapshot saved;
    lido::save(saved, orbs, slots, dense, ring);
    static_cast<void>(lido::restore(saved, orbs, slots, dense, ring));
    static_cast<void>(lido::state_hash(orbs, slots, dense, ring));
    slots.acquire(1, 2, 3);
    dense.acquire(1, 2, 3);
    recycled.acquire();
    bytemap.acquire(1, 2, 3);
    slots.trim();
    dense.trim();
    recycled.trim();
    lido::world world;
    world.add<orb>("orb");
    world.spawn<orb>();
    world.tick();
    box b;
    const lido::class_schema& boxes = lido::schema_of<box>();
    static_cast<void>(boxes.first_invalid(&b));
    static_cast<void>(boxes.load(lido::record("{}", 1), &b));
}
