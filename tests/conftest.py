"""Settings of all tests."""

import os

import pytest
from hypothesis import settings

from tests.browser import start_browser

# The first example of a kernel includes its compilation: a deadline would fail by luck. CI tries the same examples
# every time, so that a red run is about the change; on a developer's machine new ones are tried.
settings.register_profile("emphatic", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("emphatic")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A headless Chromium; it keeps what it downloads in `downloads`."""
    folder = tmp_path_factory.mktemp("browser")
    driver = start_browser(folder)
    driver.downloads = folder
    yield driver
    driver.quit()
