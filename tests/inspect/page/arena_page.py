"""The arena: the running game on a canvas, its time, and the controls with and without the token."""
import json

from support import Keys, PageTest, main, wait_until


class ArenaTest(PageTest):
    def frame(self):
        """The next frame, read beside the page."""
        return json.loads(self.script("""
            return new Promise((resolve) => {
                const source = new EventSource('api/v1/views/arena');
                source.addEventListener('frame', (event) => { source.close(); resolve(event.data); });
            });"""))

    def press(self, command):
        self.one(f"button[data-command={command}]").click()

    def paused(self):
        return self.one("[data-command=pause]").get_attribute("aria-pressed") == "true"

    def tick(self):
        return int(self.text("#tick").replace(",", ""))


class Arena(ArenaTest):
    def test_the_game_is_drawn_as_the_program_published_it(self):
        self.open("#/arena")
        wait_until(lambda: self.painted(".arena-canvas") > 50, "the field is drawn")
        self.program.do("pause", True)
        frame = self.frame()
        counts = {group["kind"]: len(group["points"].rstrip("=")) * 6 // 8 // 4 for group in frame["groups"]}
        wait_until(lambda: int(self.one(".arena").get_attribute("data-drawn")) == sum(counts.values()), "every point is drawn")
        for kind, count in counts.items():
            self.assertEqual(self.value(f".legend [data-kind={kind}]"), str(count), kind)
        self.assertEqual(counts["rumour"], 3, "a kind that the page does not know is drawn too")
        self.assertEqual(self.text("#hash"), frame["hash"])
        self.assertEqual(self.tick(), frame["at"])
        for name, count in frame["counts"].items():
            self.assertEqual(self.value(f"[data-count={name}]"), str(count))

    def test_frames_come_many_times_a_second(self):
        self.open("#/arena")
        wait_until(lambda: self.text("#frames").isdigit() and int(self.text("#frames")) >= 5, "several frames a second, on any machine")

    def test_the_view_is_asked_for_only_while_it_is_open(self):
        self.open("#/arena")
        wait_until(lambda: self.painted(".arena-canvas") > 50, "the field is drawn")
        self.go("#/")
        entries = "return performance.getEntriesByType('resource').filter((e) => e.name.includes('views/arena')).length"
        wait_until(lambda: self.script(entries) >= 1, "the stream of the view has ended")

    def test_pause_step_and_space(self):
        self.open("#/arena")
        self.press("pause")
        wait_until(self.paused, "it is paused")
        self.assertTrue(self.frame()["paused"])
        before = self.frame()["tick"]
        self.press("step")
        wait_until(lambda: self.tick() == before + 1, "one tick on")
        self.one("#main").send_keys(" ")
        wait_until(lambda: not self.paused(), "space lets it go on")
        self.one("#main").send_keys(" ")
        wait_until(self.paused, "space pauses it")
        self.program.do("pause", False)
        wait_until(lambda: not self.paused(), "somebody else let it go on")
        self.one("#main").send_keys(" ")
        wait_until(lambda: self.frame()["paused"], "space does what the button says, not the opposite of the last time")

    def test_speed_seed_and_burst_reach_the_program(self):
        self.open("#/arena")
        wait_until(lambda: self.all("[data-speed='0.25']"), "the speeds are there")
        self.one("[data-speed='0.25']").click()
        wait_until(lambda: self.one("[data-speed='0.25']").get_attribute("aria-pressed") == "true", "a quarter of the speed")
        self.assertEqual(self.frame()["speed"], 0.25)
        seed = self.one("[data-input=seed]")
        seed.clear()
        seed.send_keys("99", Keys.ENTER)
        wait_until(lambda: self.frame()["seed"] == 99, "the seed is another")
        before = self.program.pools()["bullets"]["acquired"]
        self.press("burst")
        wait_until(lambda: self.program.pools()["bullets"]["acquired"] >= before + 300, "a burst was fired")

    def test_the_slider_goes_back_in_time_and_says_where_it_is(self):
        self.open("#/arena")
        wait_until(lambda: self.frame()["tick"] > 60, "there is some past")
        self.press("pause")
        wait_until(self.paused, "it is paused")
        newest = self.frame()["newest"]
        hash_now = self.text("#hash")
        self.one("#main").send_keys(Keys.ARROW_LEFT)
        wait_until(lambda: self.frame()["at"] == newest - 1 and self.text("#hash") == self.frame()["hash"], "an arrow goes one tick back")
        self.assertNotEqual(self.text("#hash"), hash_now)
        wait_until(lambda: self.tick() == newest - 1 and self.one("#time").get_attribute("value") == str(newest - 1), "the page says so")
        self.one("#main").send_keys(Keys.SHIFT + Keys.ARROW_LEFT)
        wait_until(lambda: self.frame()["at"] == newest - 11, "with Shift ten")
        self.one("#main").send_keys(Keys.HOME)
        oldest = self.frame()["oldest"]
        wait_until(lambda: self.frame()["at"] == oldest, "Home goes to the oldest")
        self.one("#main").send_keys(Keys.END)
        wait_until(lambda: self.frame()["at"] == newest and self.text("#hash") == hash_now, "End comes back to the same state")

    def test_dragging_sends_at_most_twenty_a_second_and_the_last_one_always(self):
        self.open("#/arena")
        wait_until(lambda: self.frame()["tick"] > 120, "there is some past")
        self.press("pause")
        wait_until(self.paused, "it is paused")
        newest = self.frame()["newest"]
        took = self.script("""
            const slider = document.getElementById('time');
            const newest = arguments[0];
            performance.clearResourceTimings();
            return new Promise((resolve) => {
                const start = performance.now();
                let n = 0;
                const timer = setInterval(() => {  // faster than any hand
                    slider.value = newest - ++n;
                    slider.dispatchEvent(new Event('input', {bubbles: true}));
                    if (n === 100) { clearInterval(timer); resolve(performance.now() - start); }
                }, 5);
            });""", newest)
        wait_until(lambda: self.frame()["at"] == newest - 100, "the last place was sent")
        sent = self.script("return performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/control')).length")
        self.assertLessEqual(sent, took / 50 + 3)

    def test_a_replay_that_was_not_exact_is_said(self):
        self.open("#/arena")
        wait_until(lambda: self.one("#replay").get_attribute("data-exact") == "true", "replays were exact")
        self.program.do("inexact", True)
        wait_until(lambda: "not exact" in self.text("#replay"), "one was not")

    def test_the_token_leaves_the_address_and_stays_in_the_tab(self):
        self.browser.get(f"{self.program.address}#token={self.program.token}")
        self.live()
        self.assertEqual(self.browser.current_url, f"{self.program.address}#/")
        self.assertEqual(self.script("return localStorage.length"), 0)
        self.browser.refresh()
        self.live()
        self.go("#/arena")
        self.press("pause")
        wait_until(self.paused, "the token is still known")

    def test_the_printed_link_opens_the_page_with_its_token(self):
        self.browser.get(self.program.link)
        self.live()
        self.assertNotIn(self.program.token, self.browser.current_url)
        self.one("#main").send_keys(" ")
        wait_until(lambda: self.program.get("hello") and self.frame()["paused"], "space pauses from the overview")


class WithoutToken(ArenaTest):
    expected_errors = ("401", "403")

    def test_a_wrong_token_is_said_plainly_and_asked_for_again(self):
        self.open("#/arena", token=False)
        self.press("pause")
        wait_until(lambda: self.all("dialog[open] input"), "the token is asked for")
        self.one("dialog input").send_keys("wrong", Keys.ENTER)
        wait_until(lambda: "Pause was refused" in self.text("#toasts"), "the refusal is said")
        self.assertFalse(self.frame()["paused"])
        self.press("pause")
        wait_until(lambda: self.all("dialog[open] input"), "it is asked for again")
        self.one("dialog input").send_keys(self.program.token, Keys.ENTER)
        wait_until(self.paused, "the right one works")

    def test_without_a_token_nothing_is_sent(self):
        self.open("#/arena", token=False)
        self.press("pause")
        wait_until(lambda: self.all("dialog[open] input"), "the token is asked for")
        self.keys(Keys.ESCAPE)
        wait_until(lambda: "Pause was not sent" in self.text("#toasts"), "that is said")
        self.assertFalse(self.frame()["paused"])


if __name__ == "__main__":
    main()
