"""`python -m benchmarks.large`: ours against the peers on tables of 3,000 to 50,000 training rows, at defaults.

Error, log loss and CPU time on one thread of every contender and table of `benchmarks.large_tables`; mean ranks on both
halves; and whether ours is never more than 2% worse than LightGBM and takes at most CatBoost's time. With `--sizes`,
the tables that are large enough are measured at 500, 2,000, 10,000 and 50,000 rows instead. What the store holds is not
done again: stop and go on at will, with several processes at once if there are cores. Results of ours count only for
the code that made them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.large_methods import Cell, TablePartition, at_defaults, read_problem
from benchmarks.large_report import collect_runs, page
from benchmarks.large_tables import DRAWN, HALVES, Absent, count_rows
from benchmarks.pages import write_figures
from benchmarks.peers_results import OURS
from emphatic.comparison.contenders import list_installed
from emphatic.names import unknown
from emphatic.study.limits import Limits
from emphatic.study.runner import Study
from emphatic.study.store import Store

TABLE = "large"
METHODS = (
    *("LightGBM", "HistGradientBoosting", "XGBoost", "LogisticRegression", "ExtraTrees", "RandomForest"),
    *("CatBoost", OURS, "MLP", "SVC"),
)
"""In the order in which they run."""

FEW_ROWS = {"SVC": 10_000}
"""Contenders whose time grows too fast for more rows."""

USUAL_ROWS, LARGEST_ROWS, DRAWN_ROWS = 20_000, 50_000, 10_000
AT_THE_LARGEST = ("diamonds", "flights", "drawn_clusters", "drawn_shops", "drawn_many_clusters", "drawn_forests")
"""Measured with 50,000 rows, or all they have; the others with 20,000 at most, and drawn ones with 10,000."""

SIZES = (500, 2_000, 10_000, 50_000)


def plan(tables: Sequence[str]) -> Iterator[Cell]:
    """Each table at one size."""
    for table in tables:
        most = LARGEST_ROWS if table in AT_THE_LARGEST else DRAWN_ROWS if table in DRAWN else USUAL_ROWS
        yield Cell(table, most if table in DRAWN else min(most, count_rows(table)))


def plan_sizes(tables: Sequence[str]) -> Iterator[Cell]:
    """Each table that has 50,000 rows, at four sizes, the small ones first."""
    large = [table for table in tables if table in DRAWN or count_rows(table) >= max(SIZES)]
    for n_train in SIZES:
        for table in large:
            yield Cell(table, n_train)


def list_at_hand(tables: Sequence[str]) -> list[str]:
    """Tables that can be read here; the others are named on the error stream."""
    found = []
    for table in tables:
        try:
            if table not in DRAWN:
                count_rows(table)
            found.append(table)
        except Absent as reason:
            print(f"{table} is left out: {reason}", file=sys.stderr)
    return found


def choose(names: Sequence[str]) -> list[str]:
    """The contenders that are installed, in their order."""
    installed = [name for name in METHODS if name in list_installed()]
    for name in names:
        if name not in installed:
            raise unknown("method", name, installed)
    return [name for name in installed if not names or name in names]


def run(cells: Sequence[Cell], names: Sequence[str], seed: int, limits: Limits, store: Store) -> None:
    """A contender after another; what was done is said on the error stream."""
    for name in names:
        for cell in cells:
            if cell.n_train > FEW_ROWS.get(name, cell.n_train):
                continue
            study = Study(TABLE, [at_defaults(name)], [read_problem(cell, seed)], TablePartition(seed))
            done = study.run(store, progress=False, limits=limits)
            if done.n_done or done.n_failed or done.n_over_limits:
                what = f"{name}, {cell.name}: {done.n_done} done, {done.n_over_limits} over the limits"
                print(f"{what} {done.first_failure}".rstrip(), file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every = HALVES["all"]
    parser.add_argument("--store", type=Path, default=Path("large.sqlite"), help="file of finished fits")
    parser.add_argument("--partitions", type=int, default=2, metavar="N")
    parser.add_argument("--methods", nargs="+", default=[], metavar="NAME", help="run these only")
    parser.add_argument("--tables", nargs="+", default=every, choices=every, metavar="NAME")
    parser.add_argument("--sizes", action="store_true", help="the largest tables at four sizes")
    parser.add_argument("--seconds", type=float, default=900.0, help="a fit that takes longer is ended")
    parser.add_argument("--megabytes", type=float, default=8000.0, help="so is one that needs more memory")
    parser.add_argument("--code", help="report ours of this code (eight digits); by default, the last one")
    parser.add_argument("--markdown", type=Path, help="fill in the figures of this page, such as docs/peers.md")
    parser.add_argument("--no-run", action="store_true", help="report what the store holds, and fit nothing")
    options = parser.parse_args(arguments)
    cells = list((plan_sizes if options.sizes else plan)(list_at_hand(options.tables)))
    names = choose(options.methods)
    with Store(options.store) as store:
        for seed in range(0 if options.no_run else options.partitions):
            run(cells, names, seed, Limits(options.seconds, options.megabytes), store)
        shown = [cell.name for cell in cells]
        runs = collect_runs(store.records(TABLE), shown, options.code)
    lines = page(runs, shown, "sizes" if options.sizes else "large tables")
    print("\n".join(lines))
    if options.markdown:
        write_figures(options.markdown, lines, "benchmarks.large, sizes" if options.sizes else "benchmarks.large")


if __name__ == "__main__":
    main()
