"""What the tests of the inspector's page share: a program, a browser, and waiting for what must become true."""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

PATIENCE = 120  # seconds until something that must become true is taken for broken; a loaded machine is slow
TOKEN = "a-token-for-tests"


def skip(reason):
    """ctest reads this line and counts the test as skipped."""
    print(f"page test skipped: {reason}")
    sys.exit(0)


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM:
    skip("chromium was not found (Debian: chromium)")
if not DRIVER:
    skip("chromedriver was not found (Debian: chromium-driver)")
try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    skip("selenium was not found (Debian: python3-selenium)")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """The program under test. Knows its own figures without the page."""

    path = None  # set from the command line

    def __init__(self, port=None, token=TOKEN):
        self.port = port or free_port()
        self.token = token
        self.process = subprocess.Popen([self.path, str(self.port), token], stdout=subprocess.PIPE, text=True)
        self.link = self.process.stdout.readline().strip()  # printed once it serves
        if not self.link.startswith("http://"):
            raise RuntimeError(f"the program did not start: {self.link!r}")
        self.address = f"http://127.0.0.1:{self.port}/"

    def get(self, path):
        with urllib.request.urlopen(f"{self.address}api/v1/{path}", timeout=PATIENCE) as answer:
            return json.load(answer)

    def pools(self):
        return {pool["name"]: pool for pool in self.get("pools")["pools"]}

    def do(self, command, value=None):
        """What the program said. Not through the page."""
        request = urllib.request.Request(
            f"{self.address}api/v1/control",
            data=json.dumps({"command": command, "value": value}).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["said"]

    def own_stats(self):
        """Straight from the pools: {name: {live, peak, …}}."""
        names = ["live", "peak", "capacity", "bytes", "refused", "replaced", "grown"]
        rows = [row.split() for row in self.do("stats").split(";") if row.strip()]
        return {name: dict(zip(names, map(int, values))) for name, *values in rows}

    def still(self):
        """Paused, and collected once more since, so that every reader sees the same."""
        self.do("pause", True)
        own = self.own_stats()
        return wait_until(lambda: own if all(
            self.pools()[name]["acquired"] >= 0 and self.pools()[name]["live"] == figures["live"]
            and self.pools()[name]["refused"] == figures["refused"] for name, figures in own.items()) else None,
            "the inspector has collected the last figures")

    def kill(self):
        """As a crash does: no goodbye."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def end(self):
        """As a program ends that means to."""
        self.do("end")
        self.process.wait(PATIENCE)
        self.process.stdout.close()


def wait_until(condition, what):
    """The first true answer of `condition`."""
    def once(_):
        try:
            return condition()
        except (StaleElementReferenceException, urllib.error.URLError):
            return False  # it was drawn again, or not yet there
    try:
        return WebDriverWait(None, PATIENCE, poll_frequency=0.05).until(once)
    except TimeoutException:
        raise AssertionError(f"did not happen within {PATIENCE} s: {what}") from None


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    # No sandbox, because tests run as root in containers; the only page that is opened is the one under test.
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(DRIVER))


class PageTest(unittest.TestCase):
    """One browser a script, one program a test. After every test: no error was logged, and nothing was asked of another host."""

    browser = None
    expected_errors = ()  # parts of messages that a test provokes

    @classmethod
    def setUpClass(cls):
        cls.browser = open_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        self.program = Program()
        self.addCleanup(lambda: self.program.kill())
        self.ports = {self.program.port}
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.size(1280, 900)
        self.media()

    def tearDown(self):
        self.assert_no_errors()
        self.assert_no_strangers()

    # --- the page ------------------------------------------------------------------------------------------------------

    def open(self, hash="#/", token=True):
        """A tab that has never been here, at that page."""
        self.browser.get(self.program.address)
        self.browser.execute_script("localStorage.clear(); sessionStorage.clear();")
        self.browser.get("about:blank")
        self.browser.get(self.program.address + (f"#token={self.program.token}" if token else ""))
        self.live()
        self.go(hash)

    def go(self, hash):
        self.browser.execute_script("location.hash = arguments[0]", hash)
        wait_until(lambda: self.script("return document.getElementById('main').dataset.page") == hash, f"the page {hash} is open")

    def live(self):
        wait_until(lambda: self.one("#status").get_attribute("data-state") == "live" and self.script(
            "return document.querySelector('#tabs a') !== null"), "the page is live")

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def value(self, selector):
        return self.script("return document.querySelector(arguments[0])?.dataset.value ?? null", selector)

    def keys(self, *keys):
        """To whatever has the focus, as a person types."""
        self.browser.switch_to.active_element.send_keys(*keys)

    def size(self, width, height, scale=1):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})

    def media(self, scheme="light", motion="no-preference"):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}]})

    def row(self, pool):
        """What the overview shows of a pool, as numbers."""
        return self.script("""
            const row = [...document.querySelectorAll('.pool-row')].find((r) => r.dataset.pool === String(arguments[0]));
            if (!row) return null;
            const cell = (name) => Number(row.querySelector(`[data-cell=${name}]`).dataset.value);
            return {live: Number(row.querySelector('.live-count').dataset.value),
                    capacity: Number(row.querySelector('.live-capacity').dataset.value),
                    peak: Number(row.querySelector('.bar').dataset.peak), bytes: cell('bytes'), refused: cell('refused'),
                    replaced: cell('replaced'), grown: cell('grown'), retired: cell('retired')};""", pool)

    def painted(self, selector):
        """How many different colours a canvas shows; 1: it is blank."""
        return self.script("""
            const canvas = document.querySelector(arguments[0]);
            if (!canvas || canvas.width < 2) return 0;
            // From a copy: reading back changes how a canvas is kept, and what the browser logs.
            const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
            copy.drawImage(canvas, 0, 0);
            return new Set(new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;""", selector)

    # --- what must hold after every test -----------------------------------------------------------------------------

    def assert_no_errors(self):
        for entry in self.browser.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING") and not any(part in entry["message"] for part in self.expected_errors):
                self.fail(f"the console says: {entry['message']}")

    def assert_no_strangers(self):
        asked = 0
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"]
            if url.startswith(("about:", "chrome:", "devtools:")):
                continue
            asked += 1
            self.assertTrue(any(url.startswith(f"http://127.0.0.1:{port}/") for port in self.ports), f"asked of a stranger: {url}")
        self.assertGreater(asked, 0, "the log of requests is empty, so it proves nothing")


def main():
    if len(sys.argv) < 2:
        print("usage: <test>_page.py <program> [unittest argument...]", file=sys.stderr)
        sys.exit(2)
    Program.path = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(module="__main__", verbosity=2)
