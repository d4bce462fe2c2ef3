"""`python -m benchmarks.budgets`: what EmphaticClassifier makes of a time budget, beside LightGBM in the same minute.

For each table and size, LightGBM's own time t is taken; then ours gets 2, 5, 10 and 50 t, and 1, 5, 20 and 60 s. Kept
are error, log loss and the share of the budget that was used. `--busy` starts a process on every core that computes
without end, as other users would. A table at a size is a line of the results; what is there is not done again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.growth import verdict
from benchmarks.large_methods import Cell, hash_code
from benchmarks.large_tables import DRAWN, Absent, Parted, count_rows, load_table
from benchmarks.pages import write_figures
from benchmarks.peers_results import OURS
from emphatic.comparison.contenders import list_contenders
from emphatic.comparison.measures import measure

PEER = "LightGBM"
MULTIPLES = (2, 5, 10, 50)
SECONDS = (1, 5, 20, 60)
SIZES = (10_000, 50_000, 200_000)
TABLES = (*DRAWN, "flights", "diamonds")
NOT_WORSE, BETTER_AT, BETTER = 0.9, "10 t", 0.7
"""At every multiple not worse than LightGBM on 9 of 10; at ten times its time better on 7 of 10."""

SPILL = 1.1
"""A budget is met if at most 10% more was used."""


def plan(tables: Sequence[str], sizes: Sequence[int]) -> list[Cell]:
    """The tables that have so many rows, the small sizes first."""
    return [Cell(table, n) for n in sizes for table in tables if table in DRAWN or _count(table) >= n]


def _count(table: str) -> int:
    try:
        return count_rows(table)
    except Absent as reason:
        print(f"{table} is left out: {reason}", file=sys.stderr)
        return 0


def fit_and_measure(name: str, setting: dict[str, Any], table: Parted, seed: int) -> dict[str, float]:
    """Seconds of the clock and of the processor for the fit, and how good it is."""
    model = list_contenders()[name].build(setting, seed)
    started, worked = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a budget was too short for some candidates
        model.fit(table.X_train, table.y_train)
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - worked
    found = measure(model, table.X_test, table.y_test)
    return {"seconds": seconds, "cpu_seconds": cpu_seconds, "error": found["error"], "log_loss": found["log_loss"]}


def measure_cell(cell: Cell, seed: int, multiples: Sequence[float], seconds: Sequence[float]) -> dict[str, Any]:
    """LightGBM, and ours with every budget: by its name, such as "5 t" or "20 s"."""
    table = load_table(cell.table, cell.n_train, seed)
    peer = fit_and_measure(PEER, {}, table, seed)
    budgets = {f"{multiple:g} t": multiple * peer["seconds"] for multiple in multiples}
    budgets |= {f"{limit:g} s": float(limit) for limit in seconds}
    ours = {
        name: {"budget": budget, **fit_and_measure(OURS, {"time_budget": budget}, table, seed)}
        for name, budget in budgets.items()
    }
    return {"peer": peer, "ours": ours}


@contextmanager
def busy_machine(n_processes: int | None = None) -> Iterator[None]:
    """A process on every core that computes without end, until the block ends."""
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=compute_without_end, daemon=True) for _ in range(n_processes or _count_cores())]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()
            other.join()


def _count_cores() -> int:
    return os.cpu_count() or 1


def compute_without_end() -> None:
    """Until the process is ended."""
    while True:
        sum(range(10_000))


def report(lines: Sequence[dict[str, Any]]) -> list[str]:
    """A table per line, and how often each budget was used, met and good enough."""
    names = list(dict.fromkeys(name for line in lines for name in line["ours"]))
    said = []
    for line in lines:
        peer = line["peer"]
        what = f"{Cell(line['table'], line['n_train']).name}{', busy machine' if line['busy'] else ''}"
        said += [f"{what}: {PEER} {_quality(peer)} in {peer['seconds']:.2f} s"]
        for name, ours in line["ours"].items():
            share = ours["seconds"] / ours["budget"]
            said.append(f"{name:>8} = {ours['budget']:7.2f} s: {_quality(ours)}, {share:4.0%} of the budget")
        said.append("")
    for name in names:
        pairs = [(line["peer"], line["ours"][name]) for line in lines if name in line["ours"]]
        said.append(_judge(name, pairs))
    return said


def _quality(found: dict[str, float]) -> str:
    return f"error {100 * found['error']:5.2f}%, log loss {found['log_loss']:.4f}"


def _judge(name: str, pairs: Sequence[tuple[dict[str, float], dict[str, float]]]) -> str:
    """One budget over all lines."""
    shares = [ours["seconds"] / ours["budget"] for _, ours in pairs]
    said = [f"{name:>8}: {len(pairs)} fits, {np.median(shares):.0%} of the budget used (median)"]
    said.append(f"met on {np.sum(np.array(shares) <= SPILL)}, at most {max(shares):.0%}")
    for metric, words in (("error", "error"), ("log_loss", "log loss")):
        not_worse = np.mean([ours[metric] <= peer[metric] for peer, ours in pairs])
        better = np.mean([ours[metric] < peer[metric] for peer, ours in pairs])
        judged = f"{words} not worse on {not_worse:.0%}, better on {better:.0%}"
        if name.endswith(" t"):
            judged += f": {verdict(not_worse >= NOT_WORSE and (name != BETTER_AT or better >= BETTER))}"
        said.append(judged)
    return "; ".join(said)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The results; a last line that was cut off does not count."""
    if not path.exists():
        return []
    texts = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(text) for text in texts[:-1]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("budgets.jsonl"), help="a line per table and size")
    parser.add_argument("--tables", nargs="+", default=TABLES, choices=TABLES, metavar="NAME")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="ROWS")
    parser.add_argument("--multiples", nargs="*", type=float, default=MULTIPLES, help=f"of {PEER}'s time")
    parser.add_argument("--seconds", nargs="*", type=float, default=SECONDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--busy", action="store_true", help="with other processes on every core")
    parser.add_argument("--no-run", action="store_true", help="report what is there for this code, and fit nothing")
    parser.add_argument("--markdown", type=Path, help="fill in the figures of this page, such as docs/peers.md")
    options = parser.parse_args(arguments)
    key = {"seed": options.seed, "busy": options.busy, "code": hash_code()}
    done = [line for line in read_lines(options.results) if key.items() <= line.items()]
    cells = [] if options.no_run else plan(options.tables, options.sizes)
    if cells:
        warm_up()
    with busy_machine() if options.busy and cells else nullcontext():
        for cell in cells:
            if not any((line["table"], line["n_train"]) == cell for line in done):
                found = measure_cell(cell, options.seed, options.multiples, options.seconds)
                done.append({**cell._asdict(), **key, **found})
                with options.results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(done[-1]) + "\n")
                print(f"{cell.name} done", file=sys.stderr, flush=True)
    lines = report(done)
    print("\n".join(lines))
    if options.markdown:
        write_figures(options.markdown, ["```text", *lines, "```"], f"benchmarks.budgets{', busy' * options.busy}")


def warm_up() -> None:
    """Compile, or read what is compiled, before anything is timed."""
    table = load_table("drawn_sphere", 1_500, 0)
    for name in (PEER, OURS):
        fit_and_measure(name, {}, table, 0)


if __name__ == "__main__":
    main()
