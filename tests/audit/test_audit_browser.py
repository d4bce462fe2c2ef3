"""The page of an audit in a real browser, used as a person would use it. Skipped where there is none."""

import csv

import numpy as np
import pandas as pd
import pytest

from emphatic.audit import Finding, Troubles
from emphatic.audit.marks.digests import digest_rows
from emphatic.audit.page_data import collect_data
from emphatic.tables.writing import escape_cell, restore_cell
from tests.audit.audits import fruits, made_result

selenium = pytest.importorskip("selenium", reason="the package selenium is not installed")
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

from tests.browser import luminance, needs_browser  # noqa: E402

pytestmark = needs_browser


def test_most_suspicious_first_and_sorted_by_any_column(visit):
    page = visit(fruits())
    assert page.listed() == ["11", "13", "12", "10", "14", "15"]
    page.sort_by_head("weight")
    assert page.listed(8) == ["160", "150", "9", "8.25", "7", "missing"]
    page.sort_by_head("weight")  # the other way, what is missing still last
    assert page.listed(8) == ["7", "8.25", "9", "150", "160", "missing"]
    assert page.all("th[aria-sort]")[0].get_attribute("aria-sort") == "ascending"
    page.sort_by_head("colour")
    assert page.listed(7) == ["green", "green", "red", "red", "red", "missing"]
    assert page.listed() == ["11", "15", "13", "10", "14", "12"]  # equal ones by suspicion
    Select(page.one("#sort")).select_by_visible_text("suspicion")
    assert page.listed() == ["11", "13", "12", "10", "14", "15"]


def test_filters(visit):
    page = visit(fruits())
    page.one("#text").send_keys("GREEN apple")
    assert page.listed() == ["11"]
    page.one("#text").clear()
    page.one("#text").send_keys("missing")
    assert page.listed() == ["13", "12"]
    page.click("#clear")
    assert len(page.listed()) == 6
    Select(page.one("#label")).select_by_visible_text("grape")
    assert page.listed() == ["14", "15"]
    Select(page.one("#kind")).select_by_visible_text("noisy")
    assert page.listed() == []
    assert page.one("#nothing").is_displayed()
    assert page.title == "No sample"
    assert not page.one("#wrong").is_enabled()
    page.click("#clear")
    page.click(".histogram.borderline")  # the drawing is a filter too
    assert page.listed() == ["13"]
    page.click(".histogram.borderline")
    page.one("#least").send_keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 20)
    assert page.one("#least-value").text == "0.20"
    assert page.listed() == ["11", "13", "12"]


def test_sample_beside_its_neighbours(visit):
    page = visit(fruits())
    page.all("#rows tr[data-sample]")[3].click()
    assert page.title == "Sample 10"
    assert page.texts("#features thead th button") == ["11", "12"]
    assert page.texts("#features .labels td") == ["apple", "apple", "apple"]
    assert page.texts("#features tbody th") == ["colour", "weight"]
    assert page.texts("#features tbody tr:nth-child(1) td") == ["red", "green", "missing"]
    assert page.texts("#features tbody tr:nth-child(2) td") == ["150", "▼7", "160"]
    assert "2 of 2 have its label apple" in page.one("#agreement").text
    far = page.run(
        "return [...document.querySelectorAll('#features td')].map((each) => each.classList.contains('far'))"
    )
    assert far == [False, False, False, False, True, True, False, True, False]
    page.click("#features thead th button")  # on to the neighbour
    assert page.title == "Sample 11"
    assert page.texts("#features .labels td") == ["apple", "apple", "apple"]
    assert "suggested grape" in page.one("#facts").text
    page.click("#by-difference")
    assert page.texts("#features tbody th") == ["weight", "colour"]


def test_marks_by_mouse_and_key_and_undo(visit):
    page = visit(fruits())
    page.click("#wrong")
    assert page.status == "Sample 11 marked wrong."
    assert page.title == "Sample 13"  # leads on
    page.run("document.getElementById('grid').focus()")
    page.press("r")
    page.press("w")
    assert "2 marked wrong, 1 right · 3 to do" in page.progress
    assert page.run("return [...document.querySelectorAll('#rows tr')].map((each) => each.className)")[1:4] == [
        "wrong",
        "right",
        "wrong",
    ]
    page.press("u")
    assert page.title == "Sample 12"
    assert "1 marked wrong, 1 right · 4 to do" in page.progress
    page.press(Keys.ARROW_UP)
    assert page.one("#right").get_attribute("aria-pressed") == "true"
    page.press("r")  # the same again removes it, and stays
    assert page.title == "Sample 13"
    assert "1 marked wrong, 0 right" in page.progress
    page.one("#text").send_keys("w")  # a letter of a search is no mark
    assert "1 marked wrong, 0 right" in page.progress
    page.click("#clear")
    page.click("#unmarked")
    assert page.listed() == ["13", "12", "10", "14", "15"]
    page.press("w")
    assert page.listed() == ["12", "10", "14", "15"]
    assert page.title == "Sample 12"


def test_keys_move_between_rows(visit):
    page = visit(fruits())
    page.run("document.getElementById('grid').focus()")
    page.press(Keys.ARROW_DOWN)
    page.press(Keys.ARROW_DOWN)
    assert page.title == "Sample 12"
    active = page.one("#grid").get_attribute("aria-activedescendant")
    assert page.one(f"#{active}").get_attribute("aria-selected") == "true"
    page.press(Keys.END)
    assert page.title == "Sample 15"
    page.press(Keys.ARROW_DOWN)
    assert page.title == "Sample 15"
    page.press("w")
    page.press("n")  # the next unmarked one is back at the top
    assert page.title == "Sample 11"
    page.press("/")
    assert page.driver.switch_to.active_element.get_attribute("id") == "text"


def test_download_and_reload(visit, browser):
    labels = ['say "no", twice', "yes"]
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    result = made_result(table, [labels[0], "yes", "yes"], [0.9, 0.4, 0.125], ["yes"] * 3, index=["a,b", "c", "ü"])
    rows, digest = digest_rows(["[1]", "[2]", "[3]"]), f"table-{collect_data(result)['digest']}"
    page = visit(result)
    assert not page.one("#download").is_enabled()
    page.click("#wrong")
    page.click("#right")
    assert page.remembers(lambda: "1 marked wrong, 1 right · 1 to do" in page.progress)
    assert page.one("#download").text == "Download 2 marks"
    page.click("#download")
    file = browser.downloads / "label-marks.csv"
    WebDriverWait(browser, 10).until(lambda _: file.exists())
    with open(file, encoding="utf-8", newline="") as lines:
        assert list(csv.reader(lines)) == [
            ["index", "label", "suggested", "suspicion", "mark", "correct", "row", "table"],
            ["a,b", labels[0], "yes", "0.9", "wrong", "yes", f"row-{rows[0]}", digest],
            ["c", "yes", "yes", "0.4", "right", "yes", f"row-{rows[1]}", digest],
        ]


FORMULAS = [
    "=1+1",
    "'=1+1",
    "-1.5",
    "-1,5",
    "+3e-2",
    "-1-1",
    "@x",
    "\t=x",
    "\r=x",
    "\n=x",
    "'",
    "it's",
    "''",
    "＝x",
    "x=1",
    "",
]


def test_marks_hold_nothing_that_a_spreadsheet_would_run(visit, browser):
    """The same rule as in `emphatic.tables.writing`, cell by cell."""
    table = pd.DataFrame({"x": range(len(FORMULAS))})
    page = visit(made_result(table, FORMULAS, [0.9] * len(FORMULAS), FORMULAS, index=FORMULAS))
    for _ in FORMULAS:
        page.press("w")
    file = browser.downloads / "label-marks.csv"
    file.unlink(missing_ok=True)
    page.click("#download")
    WebDriverWait(browser, 10).until(lambda _: file.exists())
    with open(file, encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    assert [row[:3] for row in rows] == [[escape_cell(text)] * 3 for text in FORMULAS]
    assert [restore_cell(row[0]) for row in rows] == FORMULAS


def test_marks_belong_to_their_table(visit):
    page = visit(fruits())
    page.click("#wrong")
    assert "1 marked wrong" in page.progress
    other = made_result(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), [0, 1, 1], [0.9, 0.2, 0.1], [1, 1, 1])
    assert "0 marked wrong" in visit(other).progress
    assert page.remembers(lambda: "1 marked wrong" in page.progress, lambda: visit(fruits()))


def test_without_storage_marks_work_and_the_page_warns(visit, browser):
    refusal = "Object.defineProperty(window, 'localStorage', {get() {throw new DOMException('refused')}})"
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": refusal})
    try:
        page = visit(fruits())
        assert page.one("#storage").is_displayed()
        page.click("#wrong")
        assert "1 marked wrong" in page.progress
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        browser.refresh()
    assert not page.one("#storage").is_displayed()


def test_nothing_in_the_data_runs(visit):
    nasty = ["<script>window.ran = 1</script>", "</script><img src=x onerror='window.ran = 2'>", "a\u2028b"]
    table = pd.DataFrame({nasty[0]: nasty, nasty[1]: [1.0, np.nan, 2.0]})
    page = visit(made_result(table, nasty, [0.9, 0.5, 0.1], nasty[1:] + nasty[:1], index=nasty))
    for _ in range(3):
        page.click("#wrong")
    assert page.run("return window.ran") is None
    assert page.listed() == nasty
    assert page.texts("#heads button")[-2:] == nasty[:2]
    assert nasty[0] in page.texts("#features tbody th")
    assert not page.all("img")


def test_five_thousand_rows_of_twenty_columns(visit):
    rng = np.random.default_rng(0)
    n = 5000
    suspicion, y = np.round(rng.random(n), 6), rng.integers(3, size=n)
    page = visit(made_result(rng.normal(size=(n, 20)), y, suspicion, (y + 1) % 3, n_neighbours=10))
    assert len(page.listed()) < 100  # only those in sight are elements
    page.click("#clear")
    page.sort_by_head("suspicion")
    assert page.listed()[0] == str(suspicion.argmin())
    page.run("document.getElementById('grid').focus()")
    page.press(Keys.END)
    assert page.title == f"Sample {suspicion.argmax()}"
    assert page.listed()[-1] == str(suspicion.argmax())
    shown = page.run(
        "const grid = document.getElementById('grid').getBoundingClientRect();"
        "const row = document.querySelector('tr[aria-selected=true]').getBoundingClientRect();"
        "return row.top >= grid.top && row.bottom <= grid.bottom"
    )
    assert shown
    page.one("#text").send_keys(f"{suspicion.max()}")
    assert page.listed() == [str(suspicion.argmax())]


def test_dark_and_light(visit):
    for dark in (False, True):
        page = visit(fruits(), dark=dark)
        paper, ink = page.run(
            "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]"
        )
        assert (luminance(paper) < luminance(ink)) == dark
        assert abs(luminance(paper) - luminance(ink)) > 0.6


def test_phone(visit):
    page = visit(fruits(), width=390, height=844, mobile=True)
    assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")
    assert not page.one("#sample").is_displayed()
    page.all("#rows tr[data-sample]")[0].click()
    assert page.one("#sample").is_displayed()
    assert page.run("return document.getElementById('sample').scrollWidth <= window.innerWidth")
    assert page.run("return document.activeElement.id") == "sample-title"
    page.click("#wrong")
    assert page.title == "Sample 13"
    page.press(Keys.ESCAPE)
    assert not page.one("#sample").is_displayed()
    assert page.listed(1)[0] == "✗"


@pytest.mark.parametrize("width", [1300, 500])
def test_other_troubles_are_below_the_review_and_linked(visit, width):
    findings = [
        Finding("outliers", 0.93, "Row 11 is unlike any other.", (1,)),
        Finding("missing values", 0.2, "weight has no value in 1 of 6 rows.", (3,), ("weight",)),
    ]
    page = visit(fruits(), width, troubles=Troubles(findings, np.arange(10, 16), {}))
    assert page.texts("#troubles h2") == ["Outliers (1)", "Missing values (1)"]
    assert page.texts("#trouble-outliers td") == ["0.93", "11", "Row 11 is unlike any other."]
    page.click('#troubles-link a[href="#trouble-missing-values"]')
    place = page.run("return document.getElementById('trouble-missing-values').getBoundingClientRect().top")
    assert 0 <= place < 850
    assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")
