"""Pages of audits in a browser."""

import pytest

from tests.audit.audit_page import AuditPage
from tests.browser import set_window


@pytest.fixture
def visit(browser, tmp_path):
    """Open the page of a result, in a window of this size; after the test nothing may have been logged or fetched."""

    def open_page(result, width=1300, height=850, dark=False, mobile=False, **options):
        set_window(browser, width, height, dark, mobile)
        result.to_html(tmp_path / "page.html", **options)
        browser.get((tmp_path / "page.html").as_uri())
        return AuditPage(browser)

    browser.get_log("browser")
    yield open_page
    browser.execute_script("localStorage.clear()")
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').map((each) => each.name)") == []
