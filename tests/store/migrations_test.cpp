// S5.9: rows of earlier builds: fields added, dropped, widened, renamed, and what `migrate` makes of the rest.
#include <gtest/gtest.h>

#include <string>

#include "store/folder.hpp"
#include "store/sqlite_place.hpp"
#include "store/town.hpp"

namespace store_migrations {

using namespace std::chrono_literals;
using store_tests::folder;

namespace first_build {
struct knight {
    std::int8_t health = 100;
    float angle = 0;
    bool dropped = true;
};
constexpr auto describe(lido::type<knight>) { return lido::schema{1}; }
}  // namespace first_build

namespace second_build {
struct knight {
    std::int64_t hp = 100;  // renamed and widened
    double degrees = 0;     // in another unit
    lido::text<8> banner;   // added
};
constexpr auto describe(lido::type<knight>) { return lido::schema{2, lido::field<&knight::hp>{.was = "health"}}; }
inline void migrate(lido::from_revision<1>, const lido::record& old, knight& now) {
    if (old.number("angle") < -360) throw 7;
    now.degrees = old.number("angle") * 90;
    static_cast<void>(now.banner.assign("none"));
}
}  // namespace second_build

template <class Knight>
struct build {
    lido::world world;
    lido::stage stage{world};
    std::unique_ptr<lido::store::sqlite> store;
    explicit build(const folder& where) {
        stage.template add<Knight>("knight");
        store =
            std::make_unique<lido::store::sqlite>(stage, where.file("k.db"), lido::store::store_options{},
                                                  lido::store::sqlite_options{.sync = lido::store::sync_level::off});
    }
    lido::entity_ref<Knight> open(const char* id, const Knight& data = {}) {
        const auto k = stage.template create<Knight>({.id = id, .persistent = true}, data);
        EXPECT_TRUE(store->wait_for_loads());
        return k;
    }
};

TEST(store_migrations, S5_9_an_entity_of_an_earlier_build_is_loaded_into_the_struct_of_this_one) {
    const folder where;
    {
        build<first_build::knight> b(where);
        b.open("k", {.health = 33, .angle = 2});
        b.open("odd", {.health = 1, .angle = -1000});
    }
    build<second_build::knight> b(where);
    std::string refused;
    b.store->refused.connect(
        [&](const lido::store::load_event& e) { refused = std::string(e.key) + ": " + std::string(e.why); });
    const auto k = b.open("k");
    ASSERT_TRUE(b.stage.lives(k));
    EXPECT_EQ(b.stage.get(k)->hp, 33);
    EXPECT_EQ(b.stage.get(k)->degrees, 180);
    EXPECT_EQ(b.stage.get(k)->banner.view(), "none");
    EXPECT_FALSE(b.stage.lives(b.open("odd")));
    EXPECT_EQ(refused, "odd: its `migrate` or `valid` threw");
    auto e = b.stage.edit(k);
    e->hp = 5'000'000'000;
    ASSERT_TRUE(e.commit());
}

TEST(store_migrations, what_was_loaded_from_an_earlier_revision_and_not_changed_stays_as_that_wrote_it) {
    const folder where;
    {
        build<first_build::knight> b(where);
        b.open("k", {.health = 33, .angle = 2});
    }
    {
        build<second_build::knight> b(where);
        b.open("k");
    }
    build<first_build::knight> b(where);
    EXPECT_EQ(b.stage.get(b.open("k"))->health, 33);
}

TEST(store_migrations, an_earlier_build_refuses_what_a_later_one_wrote_and_does_not_write_over_it) {
    const folder where;
    {
        build<second_build::knight> b(where);
        b.open("k", {.hp = 7});
    }
    {
        build<first_build::knight> b(where);
        std::string why;
        b.store->refused.connect([&](const lido::store::load_event& e) { why = e.why; });
        EXPECT_FALSE(b.stage.lives(b.open("k", {.health = 1})));
        EXPECT_EQ(why,
                  "it was stored by a later version of the program (revision 2, this one knows 1); run that version");
    }
    build<second_build::knight> b(where);
    EXPECT_EQ(b.stage.get(b.open("k"))->hp, 7);
}

}  // namespace store_migrations
