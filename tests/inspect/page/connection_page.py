"""What the page does when the program ends, crashes, stands still, and comes back."""
from support import PageTest, Program, main, wait_until


class Connection(PageTest):
    # What the browser itself logs for a host that does not answer; no page can keep it from that.
    expected_errors = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")

    def state(self):
        return self.one("#status").get_attribute("data-state")

    def gone(self):
        return self.text("#gone") if self.one("#gone").is_displayed() else ""

    def again(self):
        """Another run of the program at the same address."""
        self.program = Program(port=self.program.port)

    def test_a_program_that_ends_says_goodbye_and_the_last_picture_stays_grey(self):
        self.open()
        wait_until(lambda: len(self.all(".pool-row")) >= 7, "the pools are listed")
        self.program.end()
        wait_until(lambda: self.state() == "gone", "the page notices")
        self.assertIn("The program has gone: the program has ended", self.gone())
        self.assertRegex(self.gone(), r"Since \d\d:\d\d:\d\d, \d+ s ago")
        self.assertGreaterEqual(len(self.all(".pool-row")), 7, "the last picture stays")
        self.assertIn("grayscale", self.script("return getComputedStyle(document.getElementById('main')).filter"))

    def test_a_program_that_crashes_is_noticed_too(self):
        self.open()
        self.program.kill()
        wait_until(lambda: "The program has gone" in self.gone(), "the page notices")
        since = self.gone().split("Since ")[1][:8]
        wait_until(lambda: "Next attempt" in self.gone() and "0 s ago" not in self.gone(), "it tries again")
        self.assertEqual(self.gone().split("Since ")[1][:8], since, "since when it was lost, not since the last attempt")

    def test_it_connects_again_by_itself_and_shows_the_new_run(self):
        self.open("#/pool/0")
        wait_until(lambda: int(self.value("[data-counter=acquired]") or 0) > 300, "the first run is some seconds old")
        before = int(self.value("[data-counter=acquired]"))
        self.program.kill()
        wait_until(lambda: self.state() == "gone", "the page notices")
        self.again()
        wait_until(lambda: self.state() == "live" and self.gone() == "", "live again")
        wait_until(lambda: 0 < int(self.value("[data-counter=acquired]")) < before, "the counters are those of the new run")
        self.assertEqual(self.text("h1"), "bullets")
        self.assertEqual(self.script("return getComputedStyle(document.getElementById('main')).filter"), "none")

    def test_events_and_arena_begin_anew_with_a_new_run(self):
        self.program.do("misuse")
        self.open("#/events")
        wait_until(lambda: self.all(".event[data-kind=misuse]"), "the first run was misused")
        self.go("#/arena")
        wait_until(lambda: self.painted(".arena-canvas") > 50, "the field is drawn")
        self.program.kill()
        wait_until(lambda: self.state() == "gone", "the page notices")
        self.assertGreater(self.painted(".arena-canvas"), 50, "the last frame stays")
        self.again()
        self.live()
        wait_until(lambda: self.one(".arena").get_attribute("data-tick") is not None
                   and int(self.one(".arena").get_attribute("data-tick")) <= self.program.get("pools")["tick"] + 60, "the new run is drawn")
        self.go("#/events")
        self.assertEqual(self.all(".event[data-kind=misuse]"), [])

    def test_a_program_in_a_debugger_stands_still_and_is_not_gone(self):
        self.open()
        self.program.do("stand", 6000)
        wait_until(lambda: self.state() == "quiet", "no samples come")
        self.assertIn("stands still", self.gone())
        wait_until(lambda: self.state() == "live" and self.gone() == "", "it goes on")

    def test_a_control_of_a_program_that_has_gone_is_said_to_have_failed(self):
        self.open("#/arena")
        wait_until(lambda: self.all("button[data-command=pause]"), "the controls are there")
        self.program.kill()
        wait_until(lambda: self.state() == "gone", "the page notices")
        self.one("button[data-command=pause]").click()
        wait_until(lambda: "Pause was not done" in self.text("#toasts"), "the page says so")

    def test_the_button_tries_at_once(self):
        self.open()
        self.program.kill()
        wait_until(lambda: self.state() == "gone" and "in 4 s" in self.gone(), "it waits longer and longer")
        self.again()
        self.one("#gone button:not([hidden])").click()
        self.live()


if __name__ == "__main__":
    main()
