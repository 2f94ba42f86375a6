"""X14: a stage's entities, one of them with its history and lock, and the journal with what a rewind takes back."""
from urllib.parse import quote

from support import Keys, PageTest, main, wait_until


class Entities(PageTest):
    expected_errors = ("api/v1/stages/0/entity?id=",)  # 404 is the answer for who has ended, and browsers log that

    def ids(self):
        return self.script("return [...document.querySelectorAll('.entity-row:not([hidden]) .pool-link')].map((a) => a.textContent)")

    def whole(self):
        """The look is over, and shown."""
        return self.one("#entities").get_attribute("data-whole") == "true"

    def found(self, wanted, what):
        wait_until(lambda: self.whole() and self.ids() == wanted, what)

    def entries(self):
        return self.script("""return [...document.querySelectorAll('#journal .entry:not(.taken)')].map((e) =>
            `${e.dataset.kind} ${e.querySelector('.entry-what').textContent.trim()}`)""")

    def field(self, name):
        return self.text(f"[data-field={name}]")

    def test_the_figures_are_what_the_api_says(self):
        self.open("#/stage/0")
        said = self.program.get("stages")["stages"][0]
        self.assertEqual(self.text("h1"), "hall")
        for key in ["entities", "births", "commits_refused", "managed", "listeners", "idle_overflow"]:
            wait_until(lambda: self.value(f"[data-figure={key}]") == str(said[key]), f"{key} is {said[key]}")
        for key in ["commits", "used", "open", "dropped", "refused", "cuts", "resets"]:
            wait_until(lambda: self.value(f"[data-figure={key}]") == str(said["journal"][key]), f"{key} is {said['journal'][key]}")
        for one in said["classes"]:
            self.assertEqual(self.value(f"[data-count={one['name']}]"), str(one["live"]))
        self.assertGreater(said["entities"], 3000)
        self.assertIn("everything", self.text("[data-reader=signals]"))

    def test_the_overview_and_the_tab_lead_to_it(self):
        self.open()
        wait_until(lambda: self.value("[data-stage='0'] [data-cell=entities]") == "3004", "the overview has a line for the stage")
        self.one("[data-stage='0'] .stage-link").click()
        wait_until(lambda: self.text("h1") == "hall", "its name leads to its page")
        self.assertEqual(self.one("#tabs a[href='#/stage/0']").get_attribute("aria-current"), "page")
        self.assertIsNone(self.one("#tabs a[href='#/']").get_attribute("aria-current"))
        self.keys("1")
        wait_until(lambda: self.text("h1") == "Pools", "1 is the overview")
        self.keys("4")
        wait_until(lambda: self.text("h1") == "hall", "4 is the stage")

    def test_the_list_has_pages_that_follow_each_other(self):
        self.open("#/stage/0")
        wait_until(lambda: self.whole() and len(self.ids()) == 20, "the first page")
        first = self.ids()
        self.assertEqual(first[:2], ["gate-1", "gate-2"])
        self.keys("n")
        wait_until(lambda: self.whole() and self.ids()[:1] == ["coin-17"], "the next page goes on behind it")
        self.assertEqual(set(first) & set(self.ids()), set())
        self.one("[aria-label^='Page before']").click()
        self.found(first, "the page before")

    def test_a_search_finds_by_parts_of_ids_class_and_lock(self):
        self.program.do("lock")
        self.open("#/stage/0")
        wait_until(self.whole, "the list is there")
        self.keys("/")
        self.keys("GATE")
        self.found(["gate-1", "gate-2"], "two are named so")
        self.keys(Keys.BACKSPACE * 4, "2999")
        self.found(["coin-2999"], "the last of all is found")
        self.keys(Keys.BACKSPACE * 4, "nobody")
        self.found([], "nobody is")
        self.assertEqual(self.text("#entities .empty"), "No entity fits that.")
        self.keys(Keys.BACKSPACE * 6, Keys.ESCAPE)
        self.one("[data-class=boss]").click()
        self.found(["dragon"], "one class")
        self.one("[data-class=boss]").click()
        self.script("""const only = document.querySelector('[aria-label=Which]'); only.value = 'locked';
                       only.dispatchEvent(new Event('change'))""")
        self.found(["gate-1"], "who is locked")
        self.assertIn("locked by shop <b>", self.text(".entity-row"))

    def test_an_entity_opens_and_shows_its_fields(self):
        self.open("#/stage/0")
        wait_until(lambda: "gate-2" in self.ids(), "it is in the list")
        self.keys("j")
        self.keys("j")
        self.keys(Keys.ENTER)
        wait_until(lambda: self.text("h1") == "gate-2" and self.field("hp") == "100", "Enter opens it")
        said = self.program.get("stages/0/entity?id=gate-2")
        for field in said["fields"]:
            if field["name"] != "behind":
                self.assertEqual(self.field(field["name"]), field["value"])
        self.assertEqual(self.text("[data-about=owner]"), "7")
        self.one("[data-field=behind] a").click()
        wait_until(lambda: self.text("h1") == "gate-1" and self.field("sign") == '"Private"', "a link leads to who it names")
        self.keys(Keys.ESCAPE)
        wait_until(lambda: self.text("h1") == "hall", "Esc comes back to the stage")

    def test_a_commit_shows_in_fields_version_history_and_journal(self):
        self.open("#/stage/0/gate-1")
        wait_until(lambda: self.field("hp") == "100" and self.value("[data-about=version]") == "0", "as it was made")
        self.assertEqual(self.text("#history .entry"), None)
        self.program.do("commit", 50)
        wait_until(lambda: self.field("hp") == "50" and self.value("[data-about=version]") == "1", "the commit")
        wait_until(lambda: self.text("#history .entry .entry-what") == "hp 100 → 50", "the history has it")
        wait_until(lambda: self.entries()[:1] == ["updated (1, 1) hp 100 → 50"], "the journal has it")
        self.program.do("lock")
        wait_until(lambda: self.text("[data-about=lock]").startswith("shop <b>, until "), "the lock")
        wait_until(lambda: self.entries()[:1] == ["locked (1, 1) by shop <b>"], "the journal has the lock")
        self.assertEqual(self.program.do("commit", 60), '"gate-1" (door): locked by shop <b> until tick 1000012')

    def test_what_a_rewind_took_back_is_struck_out(self):
        self.program.do("hold")
        self.program.do("commit", 50)
        self.program.do("commit", 40)
        self.open("#/stage/0")
        wait_until(lambda: self.entries()[:2] == ["updated gate-1 (1, 2) hp 50 → 40", "updated gate-1 (1, 1) hp 100 → 50"], "two commits")
        self.program.do("rewind")
        wait_until(lambda: self.text("#journal .cut") == "Rewind to tick 12: 2 entries taken back", "the rewind is told")
        self.assertEqual(len(self.all("#journal .taken")), 2)
        self.assertTrue(self.entries()[0].startswith("created coin-2999"))
        wait_until(lambda: self.value("[data-figure=cuts]") == "1", "it is counted")
        self.program.do("commit", 33)
        wait_until(lambda: self.entries()[0] == "updated gate-1 (1, 1) hp 100 → 33", "what came instead is above it")
        kinds = self.script("return [...document.querySelector('#journal .journal').children].slice(0, 3).map((e) => e.className)")
        self.assertEqual(kinds, ["entry", "cut", "entry taken"])
        self.go("#/stage/0/gate-1")
        wait_until(lambda: self.field("hp") == "33" and self.value("[data-about=version]") == "1", "the entity went back, too")

    def test_an_entity_that_ends_says_so_and_keeps_its_last_look(self):
        self.open("#/stage/0/gate-2")
        wait_until(lambda: self.field("hp") == "100", "it lives")
        self.program.do("destroy")
        wait_until(lambda: self.text(".place") == "It has ended; this is how it was last seen.", "it has ended")
        self.assertEqual(self.text("[data-about=loading]"), "ended")
        self.assertEqual(self.field("hp"), "100")
        wait_until(lambda: self.entries()[:1] == ["destroyed (2, 1) by its reference"], "the journal says how")
        self.go("#/stage/0/nobody")
        wait_until(lambda: self.text(".place") == "no entity of this stage has that id now", "who never was is said plainly")

    def test_odd_ids_are_text_in_the_list_in_the_address_and_on_their_page(self):
        odd = '<b>odd</b>/"&? #%'
        self.open("#/stage/0")
        wait_until(lambda: odd in self.ids(), "it is in the list as it is")
        self.assertEqual(self.all("#entities .entity-row b, #journal .entry b"), [])
        self.script("[...document.querySelectorAll('.entity-row .pool-link')].find((a) => a.textContent === arguments[0]).click()", odd)
        wait_until(lambda: self.text("h1") == odd and self.field("hp") == "100", "its page")
        self.assertIn(quote(odd, safe=""), self.script("return location.hash"))

    def test_an_address_that_is_no_text_opens_the_stage(self):
        self.open()
        self.go("#/stage/0/%ff")
        wait_until(lambda: self.text("h1") == "hall", "the page of the stage")
        self.go("#/stage/7")
        wait_until(lambda: self.text("h1") == "There is no stage 7", "the page says so")


if __name__ == "__main__":
    main()
