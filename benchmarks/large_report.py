"""What the store holds of `benchmarks.large`, as Markdown: ranks, tests, times, every table, and what must hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.growth import verdict
from benchmarks.large_tables import HALVES
from benchmarks.peers_report import YARDSTICK, comparison_lines, problem_lines, rank_lines, time_lines
from benchmarks.peers_results import OURS, Results, Runs, arrange, values_of
from emphatic.study.tasks import Record

SLOWEST_PEER = "CatBoost"
TOLERATED = 1.02
"""Ours may be worse than LightGBM by this factor."""

MOST = 0.75
"""Methods that have finished a smaller share of the tables are not ranked."""

_SAID = {"error": "error", "log_loss": "log loss"}


def collect_runs(records: Iterable[Record], cells: Sequence[str], code: str | None = None) -> dict[str, Runs]:
    """By method; ours with this code, or by default with the code of the last record."""
    kept = [record for record in records if record.key.problem in cells]
    codes = [_code(record) for record in kept if record.key.method == OURS]
    code = codes[-1] if code is None and codes else code
    runs: dict[str, Runs] = {}
    for record in kept:
        work = record.key
        if work.method != OURS or _code(record) == code:
            runs.setdefault(work.method, {}).setdefault(work.problem, {})[work.split] = values_of(record)
    return runs


def _code(record: Record) -> str | None:
    return json.loads(record.key.setting).get("code")


def arrange_shared(runs: Mapping[str, Runs], cells: Sequence[str]) -> Results:
    """Methods that have finished most cells, on the cells that all of them have finished."""
    at_hand = [cell for cell in cells if any(cell in of for of in runs.values())]
    most = [method for method, of in runs.items() if len(of) >= MOST * len(at_hand)]
    shared = [cell for cell in at_hand if all(cell in runs[method] for method in most)]
    found = arrange({method: {cell: runs[method][cell] for cell in shared} for method in most}, shared)
    lacking = {method: len(at_hand) - len(of) for method, of in runs.items() if method not in most}
    return replace(found, unfinished=lacking)


def check_lines(runs: Mapping[str, Runs], cells: Sequence[str]) -> list[str]:
    """Ours against LightGBM's results and CatBoost's time wherever both have finished, and its ranks."""
    if OURS not in runs:
        return []
    lines = []
    for metric, said in _SAID.items():
        worse = _find_above(runs, cells, YARDSTICK, metric, TOLERATED)
        limit = f"at most {TOLERATED} times {YARDSTICK}'s everywhere"
        lines.append(f"- {said} {limit}: {verdict(not worse)}{_list(worse)}")
    longer = _find_above(runs, cells, SLOWEST_PEER, "fit_cpu_seconds", 1.0)
    lines.append(f"- time of a fit at most {SLOWEST_PEER}'s everywhere: {verdict(not longer)}{_list(longer)}")
    found = arrange_shared(runs, cells)
    if OURS in found.methods:
        for metric, said in _SAID.items():
            ranks = found.ranks(metric)
            ours = ranks[found.methods.index(OURS)]
            lines.append(f"- first by mean rank on {said} ({ours:.2f}): {verdict(ours == ranks.min())}")
    return [*lines, ""]


def _find_above(
    runs: Mapping[str, Runs], cells: Sequence[str], peer: str, value: str, limit: float
) -> Mapping[str, float]:
    """Cells where ours has more than `limit` times the peer's value; two zeros are alike."""
    both = [cell for cell in cells if cell in runs[OURS] and cell in runs.get(peer, {})]
    if not both:
        return {}
    ours, theirs = (
        arrange({name: {cell: runs[name][cell] for cell in both} for name in (OURS, peer)}, both).means[value].T
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where((ours == 0) & (theirs == 0), 1.0, ours / theirs)
    return {cell: float(ratio) for cell, ratio in zip(both, ratios, strict=True) if ratio > limit}


def _list(found: Mapping[str, float]) -> str:
    return " (" + "; ".join(f"{name}: {ratio:.2f}" for name, ratio in found.items()) + ")" if found else ""


def page(runs: Mapping[str, Runs], cells: Sequence[str], title: str) -> list[str]:
    """All lines."""
    lines: list[str] = []
    for half, tables in HALVES.items():
        of_half = [cell for cell in cells if cell.rsplit(", ", 1)[0] in tables]
        part = arrange_shared(runs, of_half)
        if len(part.problems) > 1 and len(part.methods) > 1:
            lines += [f"## {title}: {half} tables", "", *rank_lines(part), *comparison_lines(part)]
            lines += check_lines(runs, of_half)
    found = arrange_shared(runs, cells)
    if lines:
        lines += [f"## {title}: times", "", *time_lines(found)]
        lines += [f"## {title}: error in percent", "", *problem_lines(found, "error")]
        lines += [f"## {title}: log loss", "", *problem_lines(found, "log_loss")]
    return lines
