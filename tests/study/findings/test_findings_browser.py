"""The page of findings in a real browser. Skipped where there is none."""

import numpy as np
import pytest

pytest.importorskip("selenium", reason="the package selenium is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")

from emphatic.report import write_page
from emphatic.study.findings.outcome import Finished, Outcome
from emphatic.study.findings.page import make_chart_section, make_table_section
from tests.browser import Page, needs_browser

pytestmark = needs_browser
NAMES = ["RealAdaBoost of RBF networks", "<b>forest</b>", "SVC", "LightGBM"]


def make_outcome(n_folds):
    rng = np.random.default_rng(0)
    finished = [
        Finished(
            name,
            "peer" if place else "ours",
            "",
            {"error": 0.1 * place + 0.05 * rng.random(n_folds), "fit_seconds": np.full(n_folds, 0.01 + place**2)},
            {"no": rng.random(n_folds), "yes": rng.random(n_folds)},
        )
        for place, name in enumerate(NAMES)
    ]
    return Outcome(finished, {}, 0.25)


@pytest.mark.parametrize(("width", "n_folds"), [(1300, 10), (480, 3)])
def test_tables_come_first_and_every_mark_has_its_name(browser, tmp_path, width, n_folds):
    outcome = make_outcome(n_folds)
    path = tmp_path / "page.html"
    write_page(path, "Findings", "", [make_table_section(outcome), make_chart_section(outcome)])
    size = {"width": width, "height": 850, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(path.as_uri())
    page = Page(browser)
    page.run("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))")
    assert sorted(page.texts("#seconds .textpoint text")) == sorted(NAMES)
    table, chart = (
        page.run(f"return document.querySelector({name!r}).getBoundingClientRect().top") for name in ("table", ".chart")
    )
    assert table < chart
    shown = {"errors", "differences", "seconds"} | ({"ranks"} if n_folds >= 6 else set())
    assert {each.get_attribute("id") for each in page.all(".chart")} == shown
    assert ("too few folds" in page.one("#table").text) == (n_folds < 6)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
