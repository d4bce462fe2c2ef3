"""What the tests of pages share: which browser, and what a person sees and does in it. `conftest` starts it."""

import shutil
import time

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="no chromium or no chromedriver (Debian: apt-get install chromium chromium-driver)"
)
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def start_browser(folder):
    """A headless Chromium; it keeps its profile and what it downloads in this folder."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in [*FLAGS, f"--user-data-dir={folder}/profile"]:
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        patch.setenv("SE_AVOID_STATS", "true")
        return webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))


class Page:
    """What a person sees and does."""

    def __init__(self, driver):
        self.driver = driver

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def run(self, script):
        return self.driver.execute_script(script)

    def texts(self, selector):
        return self.run(f"return [...document.querySelectorAll({selector!r})].map((each) => each.textContent)")

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def click(self, selector):
        self.one(selector).click()

    def remembers(self, condition, open_again=None):
        """Whether this holds once the page was opened again.

        What one process of the browser stored reaches the process of the next page a moment later: several tries.
        """
        for _ in range(20):
            (open_again or self.driver.refresh)()
            if condition():
                return True
            time.sleep(0.1)
        return False


def set_window(browser, width, height=850, dark=False, mobile=False):
    """The size of the window, and what its owner prefers."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def luminance(colour):
    return sum(int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]) / 765
