"""`python -m tools.write_papers STORE docs`: write what a store holds of the five papers into their pages.

A page of `docs/papers` holds marks that name a command, such as

    <!-- figures: written by emphatic reproduce 000-II --runs 10 -->
    <!-- end of figures of emphatic reproduce 000-II --runs 10 -->

Between them come the lines of these tables, their sections and their figures. With `--wide`, a line has one problem and
method, and its settings side by side; with `--lines`, there are no sections and no figures. Between marks of
`tools.write_papers claims 000` come the claims of a paper, judged by the records that these commands read; `claims.md`
holds the claims of all. Figures become files in `docs/images/papers`, drawn by plotly, which needs kaleido and
Chromium. Table 004-C45 is written where python-weka-wrapper3 is installed: elsewhere it has no problems.

A store that holds a part of the tables would empty the marks of all others: `--only COMMAND` fills the marks of one
command, and leaves the rest, the claims included, as it is.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.pages import fill_page
from emphatic.files import write_atomically
from emphatic.papers.claims import Claim, tabulate_claims
from emphatic.papers.lines import Line, method_text, to_markdown, value_text
from emphatic.papers.options import Options
from emphatic.papers.registry import TABLES, load_table
from emphatic.report.colours import SERIES
from emphatic.report.grid import Grid, write_grid
from emphatic.report.page import Chart, write_section
from emphatic.study import Store

COMMAND = "emphatic reproduce"
CLAIMS = "tools.write_papers claims"
WIDE, LINES = "--wide", "--lines"
IMAGES = "images/papers"
WIDTH = 640  # pixels
_MARK = re.compile(r"<!-- figures: written by (.+?) -->")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--only", metavar="COMMAND", help="fill in the marks of this command only")
    given = parser.parse_args(arguments)
    pages = {path: path.read_text(encoding="utf-8") for path in sorted((given.docs / "papers").glob("*.md"))}
    if given.only and not any(given.only in _MARK.findall(text) for text in pages.values()):
        parser.error(f"no page of {given.docs / 'papers'} has a mark of {given.only!r}")
    charts: list[Chart] = []
    with Store(given.store) as store:
        options = {} if given.only else find_options(pages.values())
        claims = {table: list(load_table(table).claims(own, store)) for table, own in options.items()}
        for path, text in pages.items():
            filled = text
            for mark in dict.fromkeys(_MARK.findall(text)):
                if given.only not in (None, mark):
                    continue
                if mark.startswith(COMMAND):
                    filled = fill_page(filled, write_tables(mark, store, charts), mark)
                elif mark.startswith(CLAIMS):
                    filled = fill_page(filled, write_claims(mark, claims), mark)
            write_atomically(path, filled)
    draw(charts, given.docs / IMAGES)


def read_command(command: str) -> tuple[list[str], Options]:
    """The tables and the options that a command names, `--wide` and `--lines` aside.

    >>> read_command("emphatic reproduce 000-II --runs 10 --problems ripley")[1].problems
    ('ripley',)
    """
    parser = argparse.ArgumentParser(prog=COMMAND)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--runs", type=int, default=Options.runs)
    parser.add_argument("--problems", type=lambda text: tuple(text.split(",")), default=())
    parser.add_argument("--solver", default=Options.solver)
    parser.add_argument("--no-cross-validate", dest="cross_validate", action="store_false")
    words = [word for word in command.removeprefix(COMMAND).split() if word not in (WIDE, LINES)]
    found = vars(parser.parse_args(words))
    return found.pop("tables"), Options(**found)


def find_options(pages: Iterable[str]) -> dict[str, Options]:
    """The options of each table, from the first mark that names it; in the order of the registry."""
    found: dict[str, Options] = {}
    for text in pages:
        for mark in _MARK.findall(text):
            if mark.startswith(COMMAND):
                tables, options = read_command(mark)
                for table in tables:
                    found.setdefault(table, options)
    return {table: found[table] for table in (*TABLES, *found) if table in found}


def write_tables(command: str, store: Store, charts: list[Chart]) -> Iterator[str]:
    """The tables of a command in Markdown; their charts are added to `charts`, to be drawn."""
    tables, options = read_command(command)
    for table in map(load_table, tables):
        lines, caption = table.lines(options, store), table.caption(options)
        if WIDE in command:
            yield f"### {table.title}\n\n{write_wide(lines)}\n\n{caption}\n"
        else:
            yield to_markdown(lines, table.title, caption)
        for section in [] if LINES in command else table.sections(options, store):
            yield write_section(section)
            for chart in section.charts:
                if isinstance(chart, Chart):
                    charts.append(chart)
                    yield f"![{chart.title}](../{IMAGES}/{chart.id}.svg)\n\n{chart.title}. {chart.caption}\n"


def write_wide(lines: Sequence[Line]) -> str:
    """Lines that share problem and method in one row; lines that have a setting of their own follow as they are."""
    by_row: dict[tuple[str, str], dict[str, Line]] = {}
    for line in lines:
        by_row.setdefault((line.problem, method_text(line)), {})[line.setting] = line
    shared = {row: own for row, own in by_row.items() if len(own) > 1}
    settings = list(dict.fromkeys(setting for own in shared.values() for setting in own))
    columns = [f"{setting} {which}" for setting in settings for which in ("published", "measured")]
    rows = [
        [
            *row,
            *(value_text(value) for setting in settings for value in (own[setting].published, own[setting].measured)),
        ]
        for row, own in shared.items()
    ]
    wide = write_grid(Grid(["Problem", "Method", *columns], rows, right=frozenset(columns)))
    rest = [line for line in lines if (line.problem, method_text(line)) not in shared]
    return wide + (f"\n\n{to_markdown(rest)}" if rest else "")


def write_claims(mark: str, claims: dict[str, list[Claim]]) -> list[str]:
    """The claims of one paper, or without a number those of all, by paper."""
    paper = mark.removeprefix(CLAIMS).strip()
    if paper:
        return [write_grid(tabulate_claims([(table, own) for table, own in claims.items() if table.startswith(paper)]))]
    papers = sorted({table[:3] for table in claims})
    return [
        f"## Paper {one}\n\n{count_verdicts(one, claims)}\n\n{write_claims(f'{CLAIMS} {one}', claims)[0]}\n"
        for one in papers
    ]


def count_verdicts(paper: str, claims: dict[str, list[Claim]]) -> str:
    """How many claims of a paper hold."""
    verdicts = [claim.verdict for table, own in claims.items() if table.startswith(paper) for claim in own]
    return ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys(verdicts)) + "."


def draw(charts: Iterable[Chart], folder: Path) -> None:
    """Draw every chart into a file of its own."""
    from plotly.graph_objects import Figure

    folder.mkdir(parents=True, exist_ok=True)
    for chart in charts:
        figure = Figure(chart.figure).update_layout(template="plotly_white", colorway=SERIES)
        figure.update_traces(cliponaxis=False, selector={"type": "scatter"})
        if figure.layout.margin.t is None:
            figure.update_layout(margin_t=20)
        # plotly names traces and definitions at random: with names of our own, an unchanged chart is an unchanged file
        for number, trace in enumerate(figure.data):
            trace.uid = str(number)
        picture = figure.to_image(format="svg", width=WIDTH).decode()
        drawn = re.search(r"defs-(\w+)", picture)
        write_atomically(folder / f"{chart.id}.svg", picture.replace(drawn[1], chart.id) if drawn else picture)


if __name__ == "__main__":
    main()
