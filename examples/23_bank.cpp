// Two accounts: a transfer happens whole or not at all, two that cross are told apart by their versions, and a lock keeps others out. (X17)
#include <lido/entity.hpp>

#include <cstdint>
#include <cstdio>

struct account {
    std::int64_t gold = 0;
};
constexpr auto describe(lido::type<account>) { return lido::schema{1, lido::field<&account::gold>{.min = 0}}; }

namespace {

using ref = lido::entity_ref<account>;

bool transfer(lido::stage& bank, ref from, ref to, std::int64_t gold) {
    auto edit = bank.edit(from, to);
    edit[from].gold -= gold;
    edit[to].gold += gold;
    if (edit.commit()) return true;
    std::printf("refused: %s\n", edit.why());
    return false;
}

void show(const lido::stage& bank, ref ann, ref bob) {
    std::printf("ann %d, bob %d\n", static_cast<int>(bank.get(ann)->gold), static_cast<int>(bank.get(bob)->gold));
}

}  // namespace

int main() {
    lido::world world;
    lido::stage bank{world};
    bank.add<account>("account", {.history = 10});
    const ref ann = bank.create<account>({.id = "ann"}, {.gold = 10});
    const ref bob = bank.create<account>({.id = "bob"});

    transfer(bank, ann, bob, 4);
    show(bank, ann, bob);
    transfer(bank, ann, bob, 7);  // ann has 6: neither account changes
    show(bank, ann, bob);

    // Two edits of the same versions: the first one wins, the second is told what came between.
    auto first = bank.edit(ann);
    auto second = bank.edit(ann);
    first->gold += 1;
    second->gold += 100;
    first.commit();
    if (!second.commit()) std::printf("refused: %s\n", second.why());

    // An audit: nobody else moves ann's gold until it is done, or three ticks have passed.
    const auto audit = bank.lock(ann, "audit", lido::ticks{3});
    transfer(bank, bob, ann, 1);
    auto correction = bank.edit(ann);
    correction->gold = 20;
    correction.under(audit).commit();
    for (int i = 0; i < 3; ++i) bank.tick();
    transfer(bank, bob, ann, 1);
    show(bank, ann, bob);

    bank.undo_to(ann, 0);
    show(bank, ann, bob);
    std::printf("ann has version %d\n", static_cast<int>(bank.info(ann).version));
}

/* Output:
ann 6, bob 4
refused: "ann" (account): gold: the value is below its minimum
ann 6, bob 4
refused: "ann" (account): changed meanwhile: version 1 when the edit was opened, 2 now; open a new edit, or reload() this one
refused: "ann" (account): locked by audit until tick 3
ann 21, bob 3
ann 10, bob 3
ann has version 5
*/
