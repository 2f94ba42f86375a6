"""Every page from a telephone to a wall, light and dark, without a mouse, and by the rules of the server."""
from support import PageTest, main, wait_until

PAGES = ["#/", "#/pool/0", "#/pool/4", "#/world/0", "#/events", "#/arena", "#/stage/0", "#/stage/0/gate-1"]


class Layout(PageTest):
    def colour(self):
        """Brightness of the page's background, 0 to 255."""
        text = self.script("return getComputedStyle(document.body).backgroundColor")
        return sum(int(n) for n in text[4:-1].split(",")) / 3

    def test_nothing_is_wider_than_the_window(self):
        self.program.do("misuse")
        self.open()
        for width, height in [(390, 844), (768, 1024), (1280, 800), (1920, 1080), (2560, 1440)]:
            self.size(width, height)
            for page in PAGES:
                self.go(page)
                wait_until(lambda: self.script("return document.querySelector('#main h1')?.textContent"), f"{page} is drawn")
                wide = self.script("""
                    const limit = document.documentElement.clientWidth;
                    const beyond = [...document.querySelectorAll('body *')].filter((e) => !e.closest('.skip, .unseen, .scroll')
                        && e.getBoundingClientRect().right > limit + 1 && e.getBoundingClientRect().width > 0);
                    return [document.documentElement.scrollWidth, limit, beyond.slice(0, 3).map((e) => e.outerHTML.slice(0, 120))];""")
                self.assertLessEqual(wide[0], wide[1], f"{page} at {width}: {wide}")
                self.assertEqual(wide[2], [], f"{page} at {width}")

    def test_every_column_is_there_at_every_width(self):
        self.open()
        for width in [390, 768, 1280, 2560]:
            self.size(width, 900)
            for cell in ["churn", "refused", "replaced", "grown", "retired", "bytes"]:
                wait_until(lambda: self.one(f"[data-pool='0'] [data-cell={cell}]").is_displayed(), f"{cell} at {width}")

    def test_dark_and_light_follow_the_system_until_the_switch_says_otherwise(self):
        self.open()
        self.assertGreater(self.colour(), 200)
        self.media("dark")
        wait_until(lambda: self.colour() < 60, "dark as the system")
        self.one("#theme").click()
        wait_until(lambda: self.colour() > 200 and "light" in self.one("#theme").get_attribute("aria-label"), "light by the switch")
        self.browser.refresh()
        self.live()
        self.assertGreater(self.colour(), 200, "the switch is remembered")
        self.keys("t")
        self.media("light")
        wait_until(lambda: self.colour() < 60 and "dark" in self.one("#theme").get_attribute("aria-label"), "dark by the switch")

    def test_dark_is_the_same_by_the_system_and_by_the_switch(self):
        # The style sheet has to name its dark colours twice; they are one palette.
        palette = """
            const names = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
                .filter((rule) => rule.selectorText === ':root').flatMap((rule) => [...rule.style]).filter((n) => n.startsWith('--'));
            return names.map((n) => [n, getComputedStyle(document.documentElement).getPropertyValue(n).trim()]);"""
        self.open()
        light = self.script(palette)
        self.media("dark")
        wait_until(lambda: self.colour() < 60, "dark as the system")
        by_system = self.script(palette)
        self.media("light")
        self.script("document.documentElement.dataset.theme = 'dark'")
        self.assertEqual(self.script(palette), by_system)
        self.assertNotEqual(light, by_system)
        self.assertGreater(len(light), 20)

    def test_text_can_be_read_on_its_ground(self):
        self.program.do("burst", "orbs")
        self.open()
        contrast = """
            const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
            const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
            const parse = (text) => text.match(/[\\d.]+/g).map(Number);
            const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
                if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
            const bad = [];
            for (const e of document.querySelectorAll('main *, header *')) {
                if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
                if (e.closest('[data-zero], :disabled, option')) continue;  // a zero is meant to step back
                const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
                if ((a + 0.05) / (b + 0.05) < 4.5) bad.push([e.className, e.textContent.slice(0, 30), ((a + 0.05) / (b + 0.05)).toFixed(2)]);
            }
            return bad;"""
        for scheme in ["light", "dark"]:
            self.media(scheme)
            for page in PAGES:
                self.go(page)
                wait_until(lambda: self.script("return document.querySelector('#main h1')?.textContent"), f"{page} is drawn")
                self.assertEqual(self.script(contrast), [], f"{page}, {scheme}")

    def test_still_when_stillness_is_asked_for(self):
        self.media(motion="reduce")
        self.open()
        self.assertEqual(self.script("return getComputedStyle(document.querySelector('.status-dot')).animationName"), "none")

    def test_whatever_can_be_used_has_a_name_and_shows_its_focus(self):
        self.open()
        for page in PAGES:
            self.go(page)
            wait_until(lambda: self.script("return document.querySelector('#main h1')?.textContent"), f"{page} is drawn")
            nameless = self.script("""
                return [...document.querySelectorAll('a, button, input, select, canvas[tabindex], [role=img], [role=meter]')]
                    .filter((e) => e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
                    .map((e) => e.outerHTML.slice(0, 120));""")
            self.assertEqual(nameless, [], page)
        self.go("#/events")
        self.script("document.querySelector('.chip').focus({focusVisible: true})")
        self.assertNotEqual(self.script("return getComputedStyle(document.querySelector('.chip')).outlineStyle"), "none")

    def test_numbers_have_one_width(self):
        self.open()
        self.assertIn("tabular-nums", self.script("return getComputedStyle(document.querySelector('.live-count')).fontVariantNumeric"))

    def test_live_numbers_move_nothing_else(self):
        self.open()
        wait_until(lambda: self.painted("[data-pool='0'] .spark") > 2, "the first minute has begun")
        self.script("""
            window.shifted = [];
            new PerformanceObserver((list) => window.shifted.push(...list.getEntries().map((e) => e.value)))
                .observe({type: 'layout-shift'});""")
        before = self.program.get("pools")["tick"]
        wait_until(lambda: self.program.get("pools")["tick"] > before + 120, "two seconds of the game")
        self.assertLess(sum(self.script("return window.shifted")), 0.01)

    def test_names_of_the_program_are_text_and_never_markup(self):
        self.open()
        self.script("""
            return import('./app/toast.js').then((toast) => toast.say('<img src=x onerror=alert(1)>', 'bad'))""")
        self.assertEqual(self.all(".toast img"), [])
        self.assertIn("<img", self.text("#toasts"))


if __name__ == "__main__":
    main()
