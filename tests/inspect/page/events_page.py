"""The events: what was dropped, replaced, grown and misused, and the filters over them."""
from support import By, PageTest, main, wait_until


class Events(PageTest):
    def shown(self):
        return self.script("return [...document.querySelectorAll('.event')].map((e) => [e.dataset.kind, e.dataset.pool])")

    def test_what_happens_is_listed_with_its_text(self):
        self.open("#/events")
        self.program.do("burst", "orbs")
        self.program.do("misuse")
        wait_until(lambda: {"refused", "misuse"} <= {kind for kind, _ in self.shown()}, "a drop and a misuse are listed")
        said = self.program.get("events?after=0")["events"]
        misuse = next(event for event in said if event["kind"] == "misuse")
        wait_until(lambda: self.text(f"[data-number='{misuse['number']}'] .event-text") == misuse["text"], "the text is the program's")
        self.assertIn("bullets", misuse["text"])
        numbers = self.script("return [...document.querySelectorAll('.event')].map((e) => Number(e.dataset.number))")
        self.assertEqual(numbers, sorted(numbers, reverse=True), "newest first")

    def test_drops_that_go_on_are_one_line_that_grows(self):
        self.open("#/events")
        self.program.do("burst", "orbs")
        line = ".event[data-kind=refused]"
        count = lambda: int((self.text(f"{line} .event-text") or "0").split()[0].replace(",", ""))
        wait_until(lambda: count() > 0, "a drop is listed")
        before = count()
        self.program.do("burst", "orbs")
        wait_until(lambda: count() >= before + 300, "the same line counts on")
        self.assertEqual(len(self.all(line)), 1)

    def test_misuse_has_a_badge_wherever_one_is(self):
        self.open()
        bullets = self.program.pools()["bullets"]["id"]
        row = f"[data-pool='{bullets}'] .misused"
        self.assertFalse(self.one("#misuse-badge").is_displayed())
        self.assertFalse(self.one(row).is_displayed())
        self.program.do("misuse")
        wait_until(lambda: self.one("#misuse-badge").is_displayed() and self.text("#misuse-badge") == "1", "the tab of the events says so")
        self.assertEqual(self.one("#misuse-badge").get_attribute("title"), "1 report of misuse")
        self.assertEqual(self.text(row), "1 misuse")
        for other in self.all(".pool-row .misused"):
            self.assertEqual(other.is_displayed(), other == self.one(row))
        self.go(f"#/pool/{bullets}")
        self.assertTrue(self.one(".page-head .misused").is_displayed())
        self.assertTrue(self.one("#misuse-badge").is_displayed())

    def test_the_kinds_and_the_pools_are_filters(self):
        self.open("#/events")
        self.program.do("burst", "orbs")
        for _ in range(2):  # the first grows to the most there may be, the second is refused
            self.program.do("burst", "bullets")
        orbs = str(self.program.pools()["orbs"]["id"])
        bullets = str(self.program.pools()["bullets"]["id"])
        wait_until(lambda: {("refused", orbs), ("refused", bullets), ("grown", bullets)} <= {(kind, pool) for kind, pool in self.shown()},
                   "drops of two pools and growth are listed")
        self.one(".chip[data-kind=refused]").click()
        wait_until(lambda: {kind for kind, _ in self.shown()} == {"refused"}, "only drops")
        choice = self.one("select[aria-label=Pool]")
        choice.find_element(By.CSS_SELECTOR, f"option[value='{orbs}']").click()
        wait_until(lambda: {pool for _, pool in self.shown()} == {orbs}, "only those of the orbs")
        self.one(".chip[data-kind=refused]").click()
        self.one(".chip[data-kind=merged]").click()
        wait_until(lambda: self.shown() == [] and "No such event" in self.text(".note"), "nothing is left, and the page says so")
        self.one(".chip[data-kind=merged]").click()
        self.one("select[aria-label=Pool] option[value='']").click()
        wait_until(lambda: len({pool for _, pool in self.shown()}) > 1, "without filters all are there again")

    def test_the_page_of_a_pool_lists_its_own(self):
        self.program.do("burst", "orbs")
        self.program.do("burst", "bullets")
        orbs = self.program.pools()["orbs"]["id"]
        self.open(f"#/pool/{orbs}")
        wait_until(lambda: self.shown(), "events are listed")
        self.assertEqual({pool for _, pool in self.shown()}, {str(orbs)})

    def test_a_row_says_that_it_drops(self):
        self.open()
        self.program.do("burst", "orbs")
        orbs = self.program.pools()["orbs"]["id"]
        wait_until(lambda: self.text(f"[data-pool='{orbs}'] .mark") == "dropping", "the row is marked")
        wait_until(lambda: self.script("return document.querySelector('.total:has([data-total=refused])').hasAttribute('data-lately')"),
                   "and the total")


if __name__ == "__main__":
    main()
