"""X14, the page of a pool: counters, charts, the map of its slots, and how long its objects lived."""
import base64

from selenium.webdriver.common.action_chains import ActionChains
from support import Keys, PageTest, main, wait_until


class Pool(PageTest):
    def map(self, name):
        return int(self.one("#map").get_attribute(f"data-{name}") or -1)

    def test_every_counter_is_what_the_api_says(self):
        self.open("#/pool/0")
        self.program.still()
        said = self.program.get("pools/0")
        for key in ["live", "peak", "capacity", "max_capacity", "bytes", "idle", "waiting_ends", "retired", "acquired", "released", "refused",
                    "replaced", "merged", "grown", "bad_releases", "created", "destroyed"]:
            wait_until(lambda: self.value(f"[data-counter={key}]") == str(said[key]), f"{key} is {said[key]}")
        self.assertEqual(self.text("h1"), "bullets")

    def test_the_charts_are_drawn(self):
        self.program.do("burst", "orbs")
        self.open("#/pool/2")
        for number in range(1, 5):
            wait_until(lambda: self.painted(f".charts figure:nth-child({number}) canvas") > 3, f"chart {number} has lines and labels")
        self.assertEqual(len(self.all(".charts figure")), 4)

    def test_the_map_has_a_cell_for_every_slot_and_a_colour_for_every_life(self):
        self.open("#/pool/0")
        self.program.still()
        pool = self.program.get("pools/0")
        wait_until(lambda: self.map("cells") == pool["capacity"], "a cell is a slot")
        wait_until(lambda: self.map("used") == pool["live"], "as many cells have a colour as objects live")
        self.assertGreater(self.painted(".map-canvas"), 1)
        self.assertGreater(self.painted(".map-legend-ramp"), 20)
        self.one("[data-by=generation]").click()
        wait_until(lambda: self.one("#map").get_attribute("data-by") == "generation", "the map is coloured by generation")
        self.assertIn("generation", self.text(".map-legend"))

    def test_a_million_slots_fit_and_can_be_looked_at_one_by_one(self):
        self.open("#/pool/4")
        slots = self.program.pools()["decals"]["capacity"]
        self.assertGreaterEqual(slots, 1_000_000)
        wait_until(lambda: self.map("to") == slots and self.map("per-cell") > 1, "all of them fit")
        self.assertGreater(self.map("used"), 0)
        for _ in range(25):
            span = self.map("to") - self.map("from")
            if self.map("per-cell") == 1:
                break
            self.one("[aria-label^='Zoom in']").click()
            wait_until(lambda: self.map("to") - self.map("from") < span, "it zooms in")
        self.assertEqual(self.map("per-cell"), 1)
        here = self.map("from")
        self.one(".map-canvas").send_keys(Keys.ARROW_UP)
        wait_until(lambda: self.map("from") < here, "an arrow moves the map")
        said = self.program.get(f"pools/4/map?by=age&from={self.map('from')}&to={self.map('to')}&cells=65536")
        self.assertEqual(self.map("used"), sum(byte != 0 for byte in base64.b64decode(said["cells"])))
        self.keys("0")
        wait_until(lambda: self.map("to") - self.map("from") == slots, "0 shows all again")

    def test_the_wheel_zooms_and_dragging_moves(self):
        self.open("#/pool/4")
        wait_until(lambda: self.map("cells") > 0, "the map is there")
        canvas = self.one(".map-canvas")
        self.script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        before = self.map("to") - self.map("from")
        wheel = """arguments[0].dispatchEvent(new WheelEvent('wheel', {deltaY: -100, bubbles: true, cancelable: true,
                   clientX: arguments[0].getBoundingClientRect().left + 60, clientY: arguments[0].getBoundingClientRect().top + 60}))"""
        for _ in range(3):
            self.script(wheel, canvas)
        wait_until(lambda: self.map("to") - self.map("from") < before / 2, "the wheel zooms in")
        here = self.map("from")
        ActionChains(self.browser).move_to_element(canvas).click_and_hold().move_by_offset(0, -60).release().perform()
        wait_until(lambda: self.map("from") > here, "dragging up goes on")

    def test_the_pointer_reads_a_slot(self):
        self.open("#/pool/0")
        self.program.still()  # a pool that grows makes its map higher, under the pointer
        capacity = self.program.pools()["bullets"]["capacity"]
        canvas = self.one(".map-canvas")

        def read():
            self.script("arguments[0].scrollIntoView({block: 'center'})", canvas)
            box = canvas.rect
            corner = (int(5 - box["width"] / 2), int(5 - box["height"] / 2))
            ActionChains(self.browser).move_to_element_with_offset(canvas, *corner).perform()
            return self.map("cells") == capacity and self.text("#map .chart-reading").startswith("slot 0: ")

        wait_until(read, "the first slot is read")

    def test_the_histogram_holds_what_the_program_counted(self):
        self.open("#/pool/0")
        wait_until(lambda: int(self.one("#lifetimes").get_attribute("data-seen") or 0) > 20, "lives have been seen to end")
        self.program.still()
        said = self.program.get("pools/0")["lifetimes"]
        wanted = ",".join(map(str, said["counts"]))
        wait_until(lambda: self.one("#lifetimes").get_attribute("data-counts") == wanted, "the counts are those of the program")
        self.assertEqual(sum(said["counts"]), said["seen"])
        self.assertGreater(self.painted("#lifetimes canvas"), 3)

    def test_a_class_of_a_world_has_a_map_too(self):
        pool = self.program.pools()["world/explosion"]["id"]
        self.open(f"#/pool/{pool}")
        self.program.still()
        live = self.program.get(f"pools/{pool}")["live"]
        self.assertGreater(live, 0)
        wait_until(lambda: self.map("used") == live, "as many cells have a colour as objects live")
        self.assertEqual(self.text(".place"), "in world")

    def test_a_pool_that_is_not_there_is_said_plainly(self):
        self.open("#/pool/999")
        wait_until(lambda: self.text("h1") == "There is no pool 999", "the page says so")


class LastMinute(PageTest):
    """The rates and sums of a pool, from samples as they may come."""

    def played(self, samples):
        """What a page that has seen nothing else makes of (ms, acquired, refused)."""
        return self.script("""
            return import(`./app/store.js?${Math.random()}`).then(({store, takePools, takeSample}) => {
                takePools({tick: 0, worlds: [], pools: [{id: 0, name: 'a', gone: false, acquired: 0, refused: 0, replaced: 0}]});
                for (const [ms, acquired, refused] of arguments[0]) {
                    takeSample({tick: ms, ms, pools: [[0, 0, 0, 0, 0, acquired, refused, 0, 0, 0, 0, 0]]});
                }
                const {series} = store.pools.get(0);
                const all = (values) => Array.from({length: series.count}, (_, i) => values[series.at(i)]);
                return {rates: all(series.rate.acquired), refused: series.total('refused', store.now, 60000),
                        second: series.lastSecond('acquired')};
            });""", samples)

    def test_samples_that_arrive_together_have_the_rates_of_their_own_time(self):
        self.open()
        seen = self.played([(1000, 0, 0), (1250, 25, 0), (1500, 50, 0), (1750, 75, 0), (2000, 100, 0)])
        self.assertEqual(seen["rates"], [100, 100, 100, 100])
        self.assertEqual(seen["second"], 100)

    def test_the_last_minute_is_never_more_than_the_total(self):
        self.open()
        samples, refused = [(0, 0, 0)], 0
        for period in range(1, 40):
            refused += 10 if period % 2 else -7  # plays on, is taken back, plays the same again
            samples.append((period * 250, 0, refused))
            if period % 13 == 0:
                self.assertEqual(self.played(samples)["refused"], refused)
        self.assertEqual(self.played(samples)["refused"], refused)
        self.assertEqual(self.played(samples + [(10000, 0, 0)])["refused"], 0)

    def test_what_the_program_remembers_ends_at_its_own_time(self):
        self.open()
        seen = self.script("""
            return import('./app/series.js').then(({Series}) => {
                const series = new Series();
                series.push(1000, 1, {acquired: 0, refused: 0, replaced: 0});
                series.push(2250, 9, {acquired: 5, refused: 0, replaced: 0});
                series.fill({ms: 2000, period_ms: 250, live: [1, 2], acquired: [10, 20], refused: [0, 0], replaced: [0, 0]});
                const all = (values) => Array.from({length: series.count}, (_, i) => values[series.at(i)]);
                return [all(series.time), all(series.live), all(series.rate.acquired)];
            });""")
        self.assertEqual(seen, [[1750, 2000, 2250], [1, 2, 9], [40, 80, 20]])


if __name__ == "__main__":
    main()
