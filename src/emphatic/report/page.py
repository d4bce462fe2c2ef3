"""A page of texts, tables and charts: one HTML file that needs no network.

What is in `web/` is put together here with the sections and, where there is a plotly chart, plotly's own script. A
content security policy names the styles and the scripts by their hashes, so that a browser runs nothing else, whatever
the names in a table are, and fetches nothing.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emphatic.files import write_atomically
from emphatic.report.chooser import Chooser, render_chooser
from emphatic.report.colours import DARK, SERIES
from emphatic.report.drawing import Drawing, render_drawing, write_colour_rules
from emphatic.report.grid import Grid, render_grid, simplify, tabulate_figure, write_grid
from emphatic.report.html import dump_for_script, fill_template, hash_for_policy, make_policy, read_part

_UNSCRIPTED = "The charts need JavaScript; their data are in the tables below them. This page fetches nothing."
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
    """A part of the page with a place in its table of contents: paragraphs, then charts, then tables.

    Before the paragraphs come `facts`, names with values in large type; after them `warnings`, each in a box of its
    own, and a `chooser`.
    """

    id: str
    title: str
    text: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    charts: Sequence[Chart | Drawing] = ()
    facts: Sequence[tuple[str, str]] = ()
    warnings: Sequence[str] = ()
    chooser: Chooser | None = None


def write_section(section: Section) -> str:
    """Write the paragraphs and tables of a section in Markdown; charts are for the page.

    >>> print(write_section(Section("a", "Errors", ["All of them."], [Grid(["Rule"], [["Mixed"]])])))
    ### Errors
    <BLANKLINE>
    All of them.
    <BLANKLINE>
    | Rule |
    |---|
    | Mixed |
    <BLANKLINE>
    """
    return "\n\n".join([f"### {section.title}", *section.text, *map(write_grid, section.grids)]) + "\n"


def write_page(path: str | Path, title: str, lead: str, sections: Sequence[Section]) -> None:
    """Write the page; if it cannot be written, an OSError says why and no part of it is left behind."""
    write_atomically(path, render_page(title, lead, sections))


def render_page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """Render the page as text: some kB, or with plotly charts the 4.8 MB of plotly's script too."""
    _check_ids(sections)
    charts = [chart for section in sections for chart in section.charts if isinstance(chart, Chart)]
    template, style, script = (read_part("emphatic.report", f"page.{kind}") for kind in ("html", "css", "js"))
    style += write_colour_rules()
    library = _read_plotly() if charts else ""
    parts = {
        "policy": make_policy(_allow_styles(style, bool(charts)), script, library),
        "style": style,
        "library_styles": "".join(f'<style id="{each}"></style>' for each in _find_style_ids(library)),
        "unscripted": f'<noscript><p class="note">{_UNSCRIPTED}</p></noscript>' if charts else "",
        "title": html.escape(title),
        "lead": html.escape(lead),
        "contents": "\n".join(f'<li><a href="#{one.id}">{html.escape(one.title)}</a></li>' for one in sections),
        "sections": "\n".join(map(render_section, sections)),
        "data": dump_for_script(
            {"charts": {chart.id: _take_figure(chart) for chart in charts}, "series": SERIES, "dark": DARK}
        ),
        "library": library,
        "script": script,
    }
    return fill_template(template, parts)


def _allow_styles(style: str, with_plotly: bool) -> str:
    """The rules for styles: the page's own, and with plotly those that it sets."""
    if not with_plotly:
        return f"style-src {hash_for_policy(style)}"
    # The empty hash is that of the elements in which plotly keeps its rules. It also sets styles by attribute, which no
    # hash can name.
    return f"style-src-elem {hash_for_policy(style)} {hash_for_policy('')}; style-src-attr 'unsafe-inline'"


def _check_ids(sections: Sequence[Section]) -> None:
    ids = [section.id for section in sections]
    ids += [chart.id for section in sections for chart in section.charts]
    ids += [section.chooser.id for section in sections if section.chooser is not None]
    for each, count in Counter(ids).items():
        if not _ID.fullmatch(each):
            raise ValueError(f"the id {each!r} must be letters, digits, _ and - only: it is the target of a link")
        if count > 1:
            raise ValueError(f"the id {each!r} is used {count} times on one page")


def render_section(section: Section) -> str:
    """Render a section as HTML; the page needs the style of the report, or one of its own."""
    title = html.escape(section.title)
    return "\n".join(
        [
            f'<section id="{section.id}" aria-labelledby="{section.id}-title">',
            f'<h2 id="{section.id}-title">{title}</h2>',
            *_render_facts(section.facts),
            *(f"<p>{html.escape(text)}</p>" for text in section.text),
            *(f'<p class="warning">{html.escape(text)}</p>' for text in section.warnings),
            *([] if section.chooser is None else [render_chooser(section.chooser)]),
            *(['<div class="charts">', *map(_render_chart, section.charts), "</div>"] if section.charts else []),
            *(render_grid(grid, section.title) for grid in section.grids),
            "</section>",
        ]
    )


def _render_facts(facts: Sequence[tuple[str, str]]) -> list[str]:
    parts = [f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>" for name, value in facts]
    return ['<dl class="facts">', *parts, "</dl>"] if parts else []


def _render_chart(chart: Chart | Drawing) -> str:
    title, caption = html.escape(chart.title), html.escape(chart.caption)
    if isinstance(chart, Drawing):
        grids, picture = [chart.data], render_drawing(chart)
    else:
        grids = tabulate_figure(chart.figure) if chart.data is None else [chart.data]
        picture = f'<div class="plot" role="img" aria-label="{title}" aria-describedby="{chart.id}-caption"></div>'
    return (
        f'<figure class="chart{" small" if chart.small else ""}" id="{chart.id}">\n<h3>{title}</h3>\n{picture}\n'
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
        raise ImportError('a page with charts needs the package plotly: pip install "emphatic[plot]"') from error
    return str(get_plotlyjs())


def _find_style_ids(library: str) -> list[str]:
    """The style elements that plotly creates unless it finds them: its general one, and one for its maps.

    The policy lets no script create a style element, but rules may be added to an existing one.
    """
    return ["plotly.js-style-global", *re.findall(r'getElementById\("([0-9a-f]{64})"\)', library)] if library else []
