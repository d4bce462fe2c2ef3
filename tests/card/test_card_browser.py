"""The page of a model card in a real browser, used as a person would use it. Skipped where there is none."""

import pytest

selenium = pytest.importorskip("selenium", reason="the package selenium is not installed")
from selenium.webdriver.common.keys import Keys  # noqa: E402

from emphatic.card import write_card  # noqa: E402
from tests.browser import Page, luminance, needs_browser, set_window  # noqa: E402
from tests.card.cards import NASTY, make_card, make_nasty_card  # noqa: E402

pytestmark = needs_browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cards")
    for name, card in {"two": make_card(), "three": make_card(3), "nasty": make_nasty_card()}.items():
        write_card(card, folder / f"{name}.html")
    return folder


@pytest.fixture
def visit(browser, pages):
    """Open a page in a window of this size; after the test there may be no error, and nothing may have been fetched."""

    def open_page(name="two", width=1200, dark=False):
        set_window(browser, width, dark=dark, mobile=width < 600)
        browser.get((pages / f"{name}.html").as_uri())
        return Page(browser)

    browser.get_log("browser")
    yield open_page
    browser.execute_script("localStorage.clear()")
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').map((each) => each.name)") == []


@pytest.mark.parametrize("dark", [False, True])
def test_theme_follows_the_system_then_the_button_and_pictures_follow_both(visit, dark):
    page = visit("three", dark=dark)

    def is_dark():
        colours = (
            "const style = (selector) => getComputedStyle(document.querySelector(selector));"
            "return [style('body').backgroundColor, style('body').color, style('.drawing text').fill,"
            " style('.line.c0').stroke]"
        )
        paper, ink, text, line = map(luminance, page.run(colours))
        assert abs(paper - ink) > 0.6
        assert text == ink
        assert abs(line - paper) > 0.3
        return paper < ink

    assert is_dark() == dark
    page.click("#theme")
    assert is_dark() != dark
    assert page.remembers(lambda: is_dark() != dark)


@pytest.mark.parametrize("name", ["two", "three", "nasty"])
@pytest.mark.parametrize("width", [480, 1200])
def test_nothing_scrolls_sideways_but_tables_in_their_boxes(visit, name, width):
    page = visit(name, width)
    page.run("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    wide = (
        "return [...document.querySelectorAll('section > *, .chart > *')].filter((each) => "
        "each.getBoundingClientRect().right > each.closest('section').getBoundingClientRect().right + 1)"
        ".map((each) => each.outerHTML.slice(0, 80))"
    )
    assert page.run(wide) == []
    sizes = "return [...document.querySelectorAll('.drawing')].map((each) => each.getBoundingClientRect().width / 360)"
    assert min(page.run(sizes)) > 0.85  # the letters of a picture stay readable


def test_the_slider_shows_what_each_threshold_gives(visit):
    page = visit()
    rows = page.run(
        "return [...document.querySelectorAll('#threshold tbody tr')].map((row) => "
        "[...row.cells].map((cell) => cell.textContent))"
    )

    def shown():
        return [page.one("#threshold output").text, *page.texts("#threshold dd")]

    assert shown() == rows[49]
    page.run("document.getElementById('threshold-input').focus()")
    page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert shown() == rows[47]
    assert page.one("#threshold-input").get_attribute("aria-valuetext") == "0.48"
    page.press(Keys.HOME)
    assert shown() == rows[0]
    page.press(Keys.END)
    assert shown() == rows[98]


def test_keys_reach_everything_and_show_where_they_are(visit):
    page = visit()
    seen = []
    for _ in range(80):
        page.press(Keys.TAB)
        seen.append(
            page.run(
                "const one = document.activeElement, outline = getComputedStyle(one).outlineStyle;"
                "return [one.className || one.id || one.hash || one.tagName, outline !== 'none']"
            )
        )
        if seen[-1][0] == "BODY":
            break
    names = [name for name, _ in seen]
    assert names[0] == "skip" and names[1] == "theme"
    assert names[2:4] == ["#summary", "#classes"]
    assert "threshold-input" in names
    assert names.count("SUMMARY") == len(page.all("summary"))
    assert names.count("scroll") == len(page.all("section > .scroll"))
    assert all(outlined for name, outlined in seen if name != "BODY")


def test_every_link_leads_somewhere(visit):
    page = visit("three")
    for target in page.run("return [...document.querySelectorAll('a[href]')].map((each) => each.hash.slice(1))"):
        assert page.run(f"return document.getElementById({target!r}) !== null"), target


def test_hostile_names_are_text(visit):
    page = visit("nasty")
    assert page.run("return document.querySelectorAll('main script, main img').length") == 0
    assert page.one("h1").text == f"Model card: {NASTY[1]}"
    heads = page.texts("#unsure th")
    assert NASTY[0] in heads
    assert page.driver.title == f"Model card: {NASTY[1]}"


def test_figures_are_there_without_a_script(visit, browser):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page = visit()
        assert len(page.all(".drawing")) == 5  # four of the probabilities, one of a column
        assert page.one("#threshold dd").text.endswith("%")
        assert not page.one("#threshold .slider").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
