"""X14: the overview shows what the program has, in the order that was asked for."""
from support import Keys, PageTest, main, wait_until


class Overview(PageTest):
    def test_every_pool_shows_what_the_api_and_the_pool_itself_say(self):
        self.open()
        own = self.program.still()
        said = self.program.pools()
        self.assertGreaterEqual(len(said), 7)
        keys = ["live", "capacity", "peak", "bytes", "refused", "replaced", "grown", "retired"]
        for name, pool in said.items():
            wait_until(lambda: self.row(pool["id"]) == {key: pool[key] for key in keys}, f"the row of {name} shows {pool}")
        for name, figures in own.items():
            shown = self.row(said[name]["id"])
            self.assertEqual({key: shown[key] for key in figures}, figures, name)

    def test_the_totals_are_the_sums_of_the_rows(self):
        self.open()
        self.program.still()
        pools = self.program.pools().values()
        for key in ["live", "bytes", "refused", "replaced", "grown", "retired"]:
            total = sum(pool[key] for pool in pools)
            wait_until(lambda: self.value(f"[data-total={key}]") == str(total), f"the total of {key} is {total}")
        self.assertEqual(self.value("[data-total=pools]"), str(len(pools)))

    def test_a_running_program_moves_without_being_asked(self):
        self.open()
        before = self.text("#status-tick")
        wait_until(lambda: self.text("#status-tick") != before, "the tick goes on")
        wait_until(lambda: float(self.value("[data-pool='0'] [data-cell=churn]")) > 60, "churn is a rate: two a tick")
        wait_until(lambda: self.painted("[data-pool='0'] .spark") > 2, "the sparkline is drawn")

    def test_the_classes_of_a_world_stand_under_it(self):
        self.open()
        wait_until(lambda: self.all(".world-row"), "the world has a row")
        order = self.script("return [...document.querySelectorAll('.pools tbody tr')].map((r) => r.dataset.pool ?? 'world')")
        pools = self.program.get("pools")["pools"]
        nested = [str(pool["id"]) for pool in pools if pool["world"] is not None]
        self.assertEqual(order[order.index("world") + 1:], nested)
        self.one(".world-link").click()
        wait_until(lambda: self.all("[data-class=explosion]"), "the page of the world lists its classes")

    def test_a_world_shows_its_classes_as_the_api_does(self):
        self.open("#/world/0")
        self.program.still()
        for type_ in self.program.get("pools")["worlds"][0]["classes"]:
            for key in ["active", "timers", "listeners", "spawned", "returned", "expired", "destroyed", "replaced", "refused",
                        "stale_ends"]:
                wait_until(lambda: self.value(f"[data-class={type_['name']}] [data-cell={key}]") == str(type_[key]),
                           f"{key} of {type_['name']} is {type_[key]}")
        self.assertEqual(self.text("[data-class=explosion] .state"), "runs")

    def test_a_click_on_a_column_sorts_by_it_and_another_turns_it_round(self):
        self.open()
        self.program.still()
        free = [pool for pool in self.program.pools().values() if pool["world"] is None]

        def order():
            return self.script("""return [...document.querySelectorAll('.pools tbody tr:not(.nested)[data-pool]')]
                                  .map((r) => Number(r.dataset.pool))""")

        for column, key, down in [("bytes", lambda p: p["bytes"], True), ("name", lambda p: p["name"], False),
                                  ("live", lambda p: p["live"] / p["capacity"], True)]:
            head = f"th:has([data-sort={column}])"
            for turned in [down, not down]:
                self.one(f"[data-sort={column}]").click()
                wanted = [p["id"] for p in sorted(free, key=lambda p: ((-1 if turned else 1) * key(p) if column != "name" else key(p), p["id"]))]
                if column == "name" and turned:
                    wanted.reverse()
                wait_until(lambda: order() == wanted, f"sorted by {column}, descending: {turned}")
                self.assertEqual(self.one(head).get_attribute("aria-sort"), "descending" if turned else "ascending")
            self.one(f"[data-sort={column}]").click()
            wait_until(lambda: order() == sorted(p["id"] for p in free), "a third click gives the program's own order back")

    def test_the_filter_leaves_what_is_named_so(self):
        self.open()
        self.keys("/")
        self.keys("embe")
        wait_until(lambda: [e.text for e in self.all(".pool-link")] == ["embers"], "only the embers are left")
        self.keys(Keys.ESCAPE)
        self.assertNotEqual(self.browser.switch_to.active_element.tag_name, "input")

    def test_the_keyboard_walks_opens_and_comes_back(self):
        self.open()
        wait_until(lambda: len(self.all(".pool-link")) >= 7, "the pools are listed")
        focused = lambda: self.browser.switch_to.active_element.text
        self.keys("j")
        wait_until(lambda: focused() == "bullets", "j goes to the first pool")
        self.keys("j")
        self.keys("j")
        self.keys("k")
        wait_until(lambda: focused() == "embers", "j and k walk")
        self.keys(Keys.ENTER)
        wait_until(lambda: self.text("h1") == "embers", "Enter opens the pool")
        self.keys("j")
        wait_until(lambda: self.text("h1") == "orbs", "j goes to the next pool there too")
        self.keys(Keys.ESCAPE)
        wait_until(lambda: self.text("h1") == "Pools" and focused() == "orbs", "Esc comes back to the row that was left")
        self.keys("?")
        wait_until(lambda: self.all("dialog.help[open]"), "? shows the help")
        self.keys(Keys.ESCAPE)
        wait_until(lambda: not self.all("dialog"), "Esc closes it")
        self.keys("2")
        wait_until(lambda: self.text("h1") == "Events", "2 opens the events")


if __name__ == "__main__":
    main()
