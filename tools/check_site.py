"""Check the pages that `make docs` made: `python -m tools.check_site site --axe axe.min.js`.

Links and anchors lead somewhere, and nothing is fetched from the network. Then, in a headless browser: no page is wider
than the screen, and axe-core finds no fault with contrast, headings, names and labels, in light and in dark.
`--screenshots FOLDER` keeps pictures.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.browser import BROWSER, DRIVER, set_window, start_browser

WIDTHS = (480, 1400)
PICTURED = (
    "index.html",
    "gallery/index.html",
    "papers/000.html",
    "api.html",
    "api/emphatic.RealAdaBoostClassifier.html",
)
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
LEFT_OUT = {"empty-table-header": "the first cell of a table may be empty: what its rows are is plain from them"}
AXE = """
const still = '<style>* {transition: none !important; animation: none !important}</style>';
document.head.insertAdjacentHTML('beforeend', still);
const done = arguments[arguments.length - 1];
const tell = ({id, nodes}) => [id, nodes.length, nodes[0].target.join(' '), nodes[0].failureSummary];
axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice'], resultTypes: ['violations'], rules: RULES})
    .then((found) => done(found.violations.map(tell)));
""".replace("RULES", json.dumps({rule: {"enabled": False} for rule in LEFT_OUT}))


class Page(HTMLParser):
    """What a page links to, what it loads, and the names that others may link to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value}
        self.anchors.update(found[name] for name in ("id", "name") if name in found)
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if (
            tag in LOADED
            and LOADED[tag] in found
            and found.get("rel") not in ("canonical", "search", "index", "next", "prev")
        ):
            self.loaded.append(found[LOADED[tag]])


def check_links(site: Path) -> list[str]:
    """Faults of links and of what pages load."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}
    faults = []
    for path, page in pages.items():
        name = path.relative_to(site)
        faults += [f"{name} loads {one} from the network" for one in page.loaded if urlsplit(one).netloc]
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                faults.append(f"{name} links to {link}, which does not exist")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                faults.append(f"{name} links to {link}: the page has no such place")
    return faults


def check_in_browser(site: Path, axe: Path | None, pages: Sequence[str], screenshots: Path | None) -> Iterator[str]:
    """Faults that a browser sees."""
    script = axe.read_text(encoding="utf-8") if axe else ""
    with open_browser() as browser:
        for name in pages:
            for width in WIDTHS:
                set_window(browser, width)
                browser.get((site / name).as_uri())
                wide = browser.execute_script("return document.documentElement.scrollWidth")
                if wide > width:
                    yield f"{name} is {wide} pixels wide on a screen of {width}"
            for dark in (False, True):
                set_window(browser, WIDTHS[-1], dark=dark)
                browser.get((site / name).as_uri())
                if script:
                    browser.execute_script(script)
                    for rule, count, place, why in browser.execute_async_script(AXE):
                        yield f"{name}, {'dark' if dark else 'light'}: {rule}, {count} times, first {place}: {why}"
        for name in PICTURED if screenshots else ():
            for width in WIDTHS:
                for dark in (False, True):
                    set_window(browser, width, 1000, dark=dark)
                    browser.get((site / name).as_uri())
                    shade = "dark" if dark else "light"
                    browser.save_screenshot(str(screenshots / f"{name.replace('/', '-')[:-5]}-{width}-{shade}.png"))


@contextmanager
def open_browser() -> Iterator[Any]:
    """A browser that is closed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        browser = start_browser(folder)
        browser.set_script_timeout(120)
        try:
            yield browser
        finally:
            browser.quit()


def choose_pages(site: Path, every: bool) -> list[str]:
    """All pages; of those of single names of the API, which are alike, only every tenth unless `every`."""
    names = [str(path.relative_to(site)) for path in sorted(site.rglob("*.html"))]
    own = [name for name in names if not name.startswith(("_", "papers/reproduce-all"))]
    single = [name for name in own if name.startswith("api/")]
    return own if every else [name for name in own if name not in single] + single[::10]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("--axe", type=Path, help="axe.min.js; without it contrast and headings are not checked")
    parser.add_argument("--every", action="store_true", help="also open every page of the API")
    parser.add_argument("--screenshots", type=Path, help="a folder for pictures of some pages")
    parser.add_argument("--pages", nargs="*", help="only these pages in the browser")
    asked = parser.parse_args(arguments)
    site = asked.site.resolve()
    faults = check_links(site)
    print(*faults, sep="\n")
    pages = choose_pages(site, asked.every) if asked.pages is None else asked.pages
    if BROWSER and DRIVER:
        for fault in check_in_browser(site, asked.axe, pages, asked.screenshots):
            faults.append(fault)
            print(fault, flush=True)
    else:
        print("No chromium and chromedriver here: only links were checked.", file=sys.stderr)
    print(f"{len(pages)} pages opened, {len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
