// X1 S5.8: a random run, an image of it in a fresh stage whose classes were added in another order, and the same further run of both.
#include <lido/core/rewind/save.hpp>
#include <lido/entity/stage/stage.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/dose.hpp"

namespace stage_image_property {

using lido::ticks;

constexpr std::uint32_t window = 3;

struct node {
    std::int32_t value = 0;
    lido::link<node> next;
    lido::text<6> word;
};
constexpr auto describe(lido::type<node>) { return lido::schema{1, lido::field<&node::value>{.min = -50, .max = 50}}; }

struct pebble {
    using context_type = std::uint32_t;
    std::uint8_t size = 0;
};
struct leaf {
    std::uint32_t green = 3;
    lido::ref<leaf> under;
    void on_acquire() { *this = leaf(); }
};

struct garden {
    lido::world world{lido::role::standalone, {.rollback = window}};
    lido::stage stage{world};

    explicit garden(unsigned order) {
        for (unsigned i = 0; i < 3; ++i) {
            switch ((order + i * (order < 3 ? 1 : 2)) % 3) {
                case 0: stage.add<node>("node", {.idle = 2, .history = 3}); break;
                case 1: stage.add<pebble>("pebble", {.max_lifetime = ticks{9}}); break;
                default: world.add<leaf>("leaf", {.max_lifetime = ticks{12}, .leaks = lido::leaks::allow}); break;
            }
        }
        static_cast<void>(
            stage.name_call<node>("drop", [this](lido::entity_ref<node> n) { static_cast<void>(stage.destroy(n)); }));
    }

    [[nodiscard]] std::vector<lido::entity_ref<node>> nodes() const {
        std::vector<lido::entity_ref<node>> all;
        stage.for_each<node>([&](const node&, lido::entity_ref<node> which) { all.push_back(which); });
        return all;
    }

    /// All that it does follows from these numbers and from the stage.
    void step(std::uint32_t what, std::uint32_t a, std::uint32_t b) {
        const auto all = nodes();
        const auto one = all.empty() ? lido::entity_ref<node>() : all[a % all.size()];
        const auto two = all.empty() ? lido::entity_ref<node>() : all[b % all.size()];
        switch (what % 10) {
            case 0: {
                node n;
                n.value = static_cast<std::int32_t>(a % 60);
                n.next = stage.link_to(two);
                static_cast<void>(stage.create<node>({.id = b % 3 == 0 ? "n" + std::to_string(a % 5) : ""}, n));
                break;
            }
            case 1: {
                const auto p = stage.create<pebble>({.owner = {a % 4}}, {.size = static_cast<std::uint8_t>(b)}, a);
                if (p) ++*stage.context(p.reference());
                break;
            }
            case 2: {
                auto change = stage.edit();
                node* const x = change.add(one);
                node* const y = change.add(two);
                if (x != nullptr && y != nullptr) {
                    x->value += static_cast<std::int32_t>(b % 7);
                    y->value -= static_cast<std::int32_t>(b % 7);
                    y->next = stage.link_to(one);
                    static_cast<void>(x->word.assign(b % 2 == 0 ? "a" : "bcd"));
                }
                static_cast<void>(change.commit());
                break;
            }
            case 3: static_cast<void>(b % 2 == 0 ? stage.pool(one) : stage.destroy(one)); break;
            case 4: static_cast<void>(stage.lock(one, "x", ticks{b % 4 + 1})); break;
            case 5: static_cast<void>(stage.after(one, ticks{b % 5 + 1}, lido::named{"drop"})); break;
            case 6: {
                const auto l = world.spawn<leaf>();
                if (leaf* const it = world.get(l.reference())) it->under = l.reference();
                break;
            }
            case 7: static_cast<void>(stage.undo_to(one, b % 6)); break;
            case 8: static_cast<void>(stage.set_owner(one, {b % 3})); break;
            default: stage.tick(); break;
        }
    }
    void expect_sound() const {
        RC_ASSERT(stage.validate().broken == nullptr);
        RC_ASSERT(world.validate().broken == nullptr);
        RC_ASSERT(stage.changes().validate().broken == nullptr);
    }
};

RC_GTEST_PROP(stage_image_property, goes_on_in_another_stage_as_where_it_was_written, ()) {
    const auto numbers = *rc::gen::container<std::vector<std::uint32_t>>(
        static_cast<std::size_t>(*rc::gen::inRange(0, lido::test::dose(900))), rc::gen::arbitrary<std::uint32_t>());
    garden first(*rc::gen::inRange(0u, 6u));
    auto second = std::make_unique<garden>(*rc::gen::inRange(0u, 6u));
    // What it had is gone.
    for (std::uint32_t i = 0; i < numbers.size() % 40; ++i) second->step(i, i * 7, i * 3);
    const auto play = [&](garden& g, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i + 2 < to; i += 3) g.step(numbers[i], numbers[i + 1], numbers[i + 2]);
    };
    const std::size_t half = numbers.size() / 6 * 3;
    play(first, 0, half);
    std::vector<std::byte> image;
    const lido::save_result written = first.stage.save(image);
    RC_ASSERT(static_cast<bool>(written));
    const lido::restore_result restored = second->stage.restore(image);
    RC_ASSERT(restored.error == lido::restore_error::none);
    second->expect_sound();
    RC_ASSERT(second->stage.state_hash() == first.stage.state_hash());
    std::vector<std::byte> again;
    RC_ASSERT(static_cast<bool>(second->stage.save(again)));
    RC_ASSERT(again == image);
    play(first, half, numbers.size());
    play(*second, half, numbers.size());
    second->expect_sound();
    RC_ASSERT(second->stage.state_hash() == first.stage.state_hash());
    for (const auto which : first.nodes()) {
        const lido::entity_info here = first.stage.info(which);
        const auto there = second->stage.find<node>(here.id.view());
        RC_ASSERT(second->stage.lives(there));
        RC_ASSERT(second->stage.history_size(there) == first.stage.history_size(which));
        const auto next = first.stage.follow(first.stage.get(which)->next);
        const auto next_there = second->stage.follow(second->stage.get(there)->next);
        RC_ASSERT(static_cast<bool>(next) == static_cast<bool>(next_there));
        if (next) RC_ASSERT(first.stage.info(next).id == second->stage.info(next_there).id);
    }
}

}  // namespace stage_image_property
