"""X14: a store's line on the overview: whether it saves, what waits, and what is wrong in the database's own words."""
from support import PageTest, main, wait_until


class Stores(PageTest):
    def state(self):
        return self.text("[data-store='0'] .state")

    def cell(self, key):
        return self.value(f"[data-store='0'] [data-cell={key}]")

    def test_the_figures_are_what_the_api_says(self):
        self.open()
        wait_until(lambda: self.all("[data-store='0']"), "the overview has a line for the store")
        said = self.program.get("stores")["stores"][0]
        self.assertEqual(self.text("[data-store='0'] .store-name"), "saves")
        self.assertEqual(self.text("[data-store='0'] .shape"), "SQLite 3.40.1, world.db")
        for key in ["entities", "pending", "failed", "retries", "loads", "loads_refused", "bytes_held"]:
            self.assertEqual(self.cell(key), str(said[key]), key)
        self.assertEqual(self.cell("durable_tick"), "121")
        self.assertEqual(self.state(), "ready")

    def test_what_is_wrong_is_said_as_long_as_it_is(self):
        self.open()
        wait_until(lambda: self.state() == "ready", "all is well")
        self.program.do("disk full", True)
        wait_until(lambda: self.state() == "retrying" and self.text("[data-store='0'] .store-why") == "the disk of <b>world.db</b> is full",
                   "the reason, as text")
        self.assertEqual([self.cell("pending"), self.cell("durable_tick")], ["3", "118"])
        self.assertEqual(self.one("[data-store='0'] [data-cell=retries]").get_attribute("data-level"), "warn")
        self.program.do("disk full", False)
        wait_until(lambda: self.state() == "ready" and self.text("[data-store='0'] .store-why") == "", "it goes through again")

    def test_failures_are_highlighted(self):
        self.open()
        wait_until(lambda: self.state() == "ready", "all is well")
        self.program.do("lose store")
        wait_until(lambda: self.state() == "stopped" and self.cell("failed") == "3", "its work has ended")
        self.assertEqual(self.one("[data-store='0'] [data-cell=failed]").get_attribute("data-level"), "bad")
        self.assertEqual(self.one("[data-store='0'] .state").get_attribute("data-state"), "stopped")
        self.assertEqual(self.text("[data-store='0'] .store-why"), "another program has it")


if __name__ == "__main__":
    main()
