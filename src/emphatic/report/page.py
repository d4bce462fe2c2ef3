"""A page of texts, tables and charts: one HTML file that needs no network.

What is in `web/` is put together here with the sections and, where there is a chart, plotly's own script. A content
security policy names the styles and the scripts by their hashes, so that a browser runs nothing else, whatever the
names in a table are, and fetches nothing.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emphatic.files import write_atomically
from emphatic.report.colours import DARK, SERIES
from emphatic.report.grid import Grid, render_grid, simplify, tabulate_figure
from emphatic.report.html import dump_for_script, fill_template, hash_for_policy, make_policy, read_part

_ID = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Chart:
    """A plotly figure, or the dictionary of one, with its title above it and its caption below.

    The numbers of the figure are also given as a table, for those who cannot see it: `data`, or if that is None, what
    the traces hold. Names from outside must pass through `escape_label` on their way into a figure. Charts that are
    `small` stand side by side where there is room. A figure without a height is 26rem high.
    """

    id: str
    title: str
    caption: str
    figure: Any
    data: Grid | None = None
    small: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the page with a place in its table of contents: paragraphs, then charts, then tables."""

    id: str
    title: str
    text: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    charts: Sequence[Chart] = ()


def write_page(path: str | Path, title: str, lead: str, sections: Sequence[Section]) -> None:
    """Write the page; if it cannot be written, an OSError says why and no part of it is left behind."""
    write_atomically(path, render_page(title, lead, sections))


def render_page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """Render the page as text: a few kB, or with charts the 4.8 MB of plotly's script too."""
    _check_ids(sections)
    charts = [chart for section in sections for chart in section.charts]
    template, style, script = (read_part("emphatic.report", f"page.{kind}") for kind in ("html", "css", "js"))
    library = _read_plotly() if charts else ""
    parts = {
        # The empty hash is that of the elements in which plotly keeps its rules. It also sets styles by attribute,
        # which no hash can name.
        "policy": make_policy(
            f"style-src-elem {hash_for_policy(style)} {hash_for_policy('')}; style-src-attr 'unsafe-inline'",
            script,
            library,
        ),
        "style": style,
        "library_styles": "".join(f'<style id="{each}"></style>' for each in _find_style_ids(library)),
        "title": html.escape(title),
        "lead": html.escape(lead),
        "contents": "\n".join(f'<li><a href="#{one.id}">{html.escape(one.title)}</a></li>' for one in sections),
        "sections": "\n".join(map(_render_section, sections)),
        "data": dump_for_script(
            {"charts": {chart.id: _take_figure(chart) for chart in charts}, "series": SERIES, "dark": DARK}
        ),
        "library": library,
        "script": script,
    }
    return fill_template(template, parts)


def _check_ids(sections: Sequence[Section]) -> None:
    ids = [each for section in sections for each in (section.id, *(chart.id for chart in section.charts))]
    for each, count in Counter(ids).items():
        if not _ID.fullmatch(each):
            raise ValueError(f"the id {each!r} must be letters, digits, _ and - only: it is the target of a link")
        if count > 1:
            raise ValueError(f"the id {each!r} is used {count} times on one page")


def _render_section(section: Section) -> str:
    title = html.escape(section.title)
    return "\n".join(
        [
            f'<section id="{section.id}" aria-labelledby="{section.id}-title">',
            f'<h2 id="{section.id}-title">{title}</h2>',
            *(f"<p>{html.escape(text)}</p>" for text in section.text),
            *(['<div class="charts">', *map(_render_chart, section.charts), "</div>"] if section.charts else []),
            *(render_grid(grid, section.title) for grid in section.grids),
            "</section>",
        ]
    )


def _render_chart(chart: Chart) -> str:
    title, caption = html.escape(chart.title), html.escape(chart.caption)
    grids = tabulate_figure(chart.figure) if chart.data is None else [chart.data]
    return (
        f'<figure class="chart{" small" if chart.small else ""}" id="{chart.id}">\n<h3>{title}</h3>\n'
        f'<div class="plot" role="img" aria-label="{title}" aria-describedby="{chart.id}-caption"></div>\n'
        f'<figcaption id="{chart.id}-caption">{caption}</figcaption>\n'
        f"<details><summary>Data<span class='unseen'> of {title}</span></summary>\n"
        + "\n".join(render_grid(grid, chart.title) for grid in grids)
        + "\n</details>\n</figure>"
    )


def _take_figure(chart: Chart) -> dict[str, Any]:
    """What the script draws: without the template, in which plotly repeats the same defaults for every figure."""
    figure = simplify(chart.figure)
    layout = {name: value for name, value in figure.get("layout", {}).items() if name != "template"}
    return {"data": figure.get("data", []), "layout": layout}


def _read_plotly() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise ImportError('a page with charts needs the package plotly: pip install "emphatic[study]"') from error
    return str(get_plotlyjs())


def _find_style_ids(library: str) -> list[str]:
    """The style elements that plotly creates unless it finds them: its general one, and one for its maps.

    The policy lets no script create a style element, but rules may be added to an existing one.
    """
    return ["plotly.js-style-global", *re.findall(r'getElementById\("([0-9a-f]{64})"\)', library)] if library else []
