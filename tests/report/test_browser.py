"""The page of a reproduction in a real browser, used as a person would use it. Skipped where there is none."""

from dataclasses import dataclass

import pytest

selenium = pytest.importorskip("selenium", reason="the package selenium is not installed")
pytest.importorskip("plotly", reason="plotly is not installed")
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from emphatic.papers.lines import Line  # noqa: E402
from emphatic.papers.options import Options  # noqa: E402
from emphatic.papers.page import overview, table_section, write_report  # noqa: E402
from emphatic.papers.table import Step  # noqa: E402
from emphatic.report import write_page  # noqa: E402
from emphatic.study.store import Store  # noqa: E402
from tests.browser import Page, luminance, needs_browser, set_window  # noqa: E402
from tests.papers.test_page import LINES, LambdaTable, fill, reproduced  # noqa: E402

pytestmark = needs_browser
NAMES = ["<b>bold</b>", "a method with a name so long that a phone has no room for it in one line", "RA"]


@dataclass(frozen=True)
class OneProblem(LambdaTable):
    """Records of one problem alone: surfaces take long without a graphics card."""

    known: tuple = ()

    def problems(self, quick=False):
        return self.known

    def steps(self, options):
        return [Step(lambda store: [self.study("one")])]


PLAIN = OneProblem("fake-lambda", known=("ripley", "kwok"))
SEPARATE = OneProblem("fake-separate", centres=True, known=("p0", "p1", "p2", "p3"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A small page, and one with every kind of chart and with names that are long and hostile."""
    folder = tmp_path_factory.mktemp("report")
    ranked = [Line(f"p{i}", "", method, [i * j + 1.0]) for i in range(4) for j, method in enumerate(NAMES)]
    done = [reproduced(LINES, PLAIN), reproduced(ranked, SEPARATE)]
    with Store(folder / "s.sqlite") as store:
        for table in (PLAIN, SEPARATE):
            fill(store, table, lambda setting, run: 0.1 + 0.1 * setting["lam"] + 0.01 * run)
        write_report(done, store, Options(), folder / "whole.html")
        write_page(folder / "small.html", "Small", "", [overview(done), table_section(done[0], store)])
    return folder


@pytest.fixture
def visit(browser, pages):
    """Open a page in a window of this size; after the test there may be no error, and nothing may have been fetched."""

    def open_page(name="small", width=1300, height=850, dark=False, mobile=False):
        set_window(browser, width, height, dark, mobile)
        browser.get((pages / f"{name}.html").as_uri())
        return Page(browser)

    browser.get_log("browser")
    yield open_page
    browser.execute_script("localStorage.clear()")
    # A browser without a graphics card warns about the surface; that is no error of the page.
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert browser.execute_script("return performance.getEntriesByType('resource').map((each) => each.name)") == []


def drawn(page):
    """Draw all charts, as for printing, and give for each what is in it: marks, or a picture of a surface."""
    page.run("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))")
    marks = ".point, .js-line, .hm image, .contourlevel path, .js-fill, canvas"
    return page.run(
        "return Object.fromEntries([...document.querySelectorAll('.chart')]"
        f".map((each) => [each.id, each.querySelectorAll({marks!r}).length]))"
    )


def ink_of_charts(page):
    return page.run("return getComputedStyle(document.querySelector('.plot .xtick text')).fill")


def test_every_chart_is_drawn(visit):
    page = visit("whole")
    counts = drawn(page)
    kinds = ("differences", "lambda-0", "surface-0", "rounds-0", "ranks-0", "weights-50", "boundary-20")
    for kind in kinds:
        assert any(name.endswith(kind) for name in counts), kind
    assert [name for name, count in counts.items() if count == 0] == []
    assert "could not be drawn" not in page.one("main").text
    assert counts["table-fake-lambda-0"] == 6  # ripley: three published, three measured
    assert any("<b>bold</b>" in text for text in page.texts("#table-fake-separate .ytick text"))  # names are text
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")


def test_labels_of_two_lines_are_visible(visit):
    page = visit("whole")
    drawn(page)
    fills = page.run("return [...document.querySelectorAll('.ytick tspan')].map((each) => getComputedStyle(each).fill)")
    assert len(fills) > 1 and "none" not in fills


def test_what_is_far_below_is_drawn_when_scrolled_to(visit):
    page = visit("whole")
    last = page.all(".chart")[-1]
    assert last.get_attribute("data-drawn") is None
    page.run("scrollTo(0, document.body.scrollHeight)")
    WebDriverWait(page.driver, 10).until(lambda _: last.get_attribute("data-drawn") is not None)


def test_every_link_of_the_page_leads_somewhere_on_it(visit):
    page = visit("whole")
    targets = page.run("return [...document.querySelectorAll('a[href]')].map((each) => each.getAttribute('href'))")
    assert len(targets) == 1 + 4  # skip link, overview, two tables, emphasis
    for target in targets:
        assert page.run(f"return document.getElementById({target[1:]!r}) !== null"), target
    page.all("nav a")[1].click()
    assert page.run("return location.hash") == "#table-fake-lambda"
    assert page.run("return document.getElementById('table-fake-lambda').getBoundingClientRect().top < innerHeight")


@pytest.mark.parametrize("dark", [False, True])
def test_theme_follows_the_system_then_the_button_and_charts_follow_both(visit, dark):
    page = visit(dark=dark)

    def is_dark():
        paper, ink = page.run("const one = getComputedStyle(document.body); return [one.backgroundColor, one.color]")
        assert abs(luminance(paper) - luminance(ink)) > 0.6
        assert (luminance(ink_of_charts(page)) > 0.5) == (luminance(paper) < 0.5)
        return luminance(paper) < luminance(ink)

    assert is_dark() == dark
    page.click("#theme")
    assert is_dark() != dark
    assert page.remembers(lambda: is_dark() != dark)
    page.click("#theme")
    assert is_dark() == dark


def test_paper_is_light_whatever_the_screen_is(visit):
    page = visit(dark=True)
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert luminance(ink_of_charts(page)) < 0.5
    page.run("dispatchEvent(new Event('afterprint'))")
    assert luminance(ink_of_charts(page)) > 0.5


def test_keys_go_from_the_skip_link_through_the_contents_to_data_and_tables(visit):
    page = visit()
    seen = []
    for _ in range(6):
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.append(
            page.run(
                "const one = document.activeElement, shown = getComputedStyle(one);"
                "return [one.tagName, one.className || one.id, shown.outlineStyle !== 'none']"
            )
        )
    names = [tag for tag, _, _ in seen]
    assert seen[0][:2] == ["A", "skip"]
    assert seen[1][1] == "theme"
    assert names[2:4] == ["A"] * 2
    assert names[4] == "SUMMARY"  # of the first chart
    assert seen[5][:2] == ["DIV", "scroll"]  # the table of the overview, which the keys scroll
    assert all(outlined for _, _, outlined in seen)


def test_data_of_a_chart_open_by_key(visit):
    page = visit()
    page.run("document.querySelector('.chart summary').focus()")
    page.press(Keys.ENTER)
    assert page.run("return document.querySelector('.chart details').open")
    assert page.texts("#differences td")[:2] == ["fake-lambda", "ripley, K 10%, RA"]


def test_skip_link_leads_past_the_contents(visit):
    page = visit()
    page.press(Keys.TAB)
    page.press(Keys.ENTER)
    assert page.run("return document.activeElement.id") == "main"


def test_a_phone_does_not_scroll_sideways_but_for_tables_in_their_boxes(visit):
    page = visit("whole", width=375, height=812, mobile=True)
    drawn(page)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert (
        page.run(
            "return [...document.querySelectorAll('.plot')].filter((each) => "
            "each.querySelector('.main-svg').getBoundingClientRect().right > each.getBoundingClientRect().right + 1"
            "|| each.getBoundingClientRect().right > innerWidth).map((each) => each.parentElement.id)"
        )
        == []
    )
    areas = "[...document.querySelectorAll('.plot .nsewdrag')].map((each) => each.getBoundingClientRect().width)"
    assert min(page.run(f"return {areas}")) > 100  # labels and legends leave room for the marks
    boxes = "[...document.querySelectorAll('section > .scroll')].map((one) => [one.scrollWidth, one.clientWidth])"
    widths = page.run(f"return {boxes}")
    assert any(inner > outer for inner, outer in widths)
    assert all(outer <= 375 for _, outer in widths)
