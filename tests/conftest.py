"""Settings of all tests."""

import os

import pytest
from hypothesis import settings

from tests.browser import BROWSER, DRIVER, FLAGS

# The first example of a kernel includes its compilation: a deadline would fail by luck. CI tries the same examples
# every time, so that a red run is about the change; on a developer's machine new ones are tried.
settings.register_profile("emphatic", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("emphatic")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A headless Chromium; it keeps what it downloads in `downloads`."""
    from selenium import webdriver

    folder = tmp_path_factory.mktemp("browser")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in [*FLAGS, f"--user-data-dir={folder}/profile"]:
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        patch.setenv("SE_AVOID_STATS", "true")
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.downloads = folder
    yield driver
    driver.quit()
