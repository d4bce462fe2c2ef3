"""What the store holds of `benchmarks.large`, as Markdown: ranks, tests, times, every table, and what must hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from benchmarks.growth import verdict
from benchmarks.large_tables import HALVES
from benchmarks.peers_report import YARDSTICK, comparison_lines, problem_lines, rank_lines, time_lines
from benchmarks.peers_results import OURS, Results, Runs, arrange, values_of
from emphatic.study.tasks import Record

SLOWEST_PEER = "CatBoost"
TOLERATED = 1.02
"""Ours may be worse than LightGBM by this factor."""


def arrange_records(records: Iterable[Record], cells: Sequence[str], code: str | None) -> Results:
    """Cells by methods; ours with this code, or by default with the code of the last record."""
    kept = [record for record in records if record.key.problem in cells]
    codes = [_code(record) for record in kept if record.key.method == OURS]
    code = codes[-1] if code is None and codes else code
    runs: dict[str, Runs] = {}
    for record in kept:
        if record.key.method != OURS or _code(record) == code:
            runs.setdefault(record.key.method, {}).setdefault(record.key.problem, {})[record.key.split] = values_of(
                record
            )
    return arrange(runs, cells)


def _code(record: Record) -> str | None:
    return json.loads(record.key.setting).get("code")


def check_lines(found: Results) -> list[str]:
    """Ours against LightGBM's results and CatBoost's time, a line each."""
    if OURS not in found.methods:
        return []
    lines, ours = [], found.methods.index(OURS)
    if YARDSTICK in found.methods:
        peer = found.methods.index(YARDSTICK)
        for metric, said in (("error", "error"), ("log_loss", "log loss")):
            ratios = _ratios(found.means[metric], ours, peer)
            worse = _above(found.problems, ratios, TOLERATED)
            lines.append(
                f"- {said} at most {TOLERATED} times {YARDSTICK}'s everywhere: {verdict(not worse)}{_list(worse)}"
            )
    if SLOWEST_PEER in found.methods:
        ratios = _ratios(found.means["fit_cpu_seconds"], ours, found.methods.index(SLOWEST_PEER))
        longer = _above(found.problems, ratios, 1.0)
        said = f"median {np.median(ratios):.2f} times {SLOWEST_PEER}'s, at most 1 everywhere"
        lines.append(f"- time of a fit {said}: {verdict(not longer)}{_list(longer)}")
    for metric, said in (("error", "error"), ("log_loss", "log loss")):
        ranks = found.ranks(metric)
        lines.append(f"- first by mean rank on {said} ({ranks[ours]:.2f}): {verdict(ranks[ours] == ranks.min())}")
    return [*lines, ""]


def _ratios(values: np.ndarray, ours: int, peer: int) -> np.ndarray:
    """Two zeros are alike."""
    both_zero = (values[:, ours] == 0) & (values[:, peer] == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(both_zero, 1.0, values[:, ours] / values[:, peer])


def _above(names: Sequence[str], ratios: np.ndarray, limit: float) -> Mapping[str, float]:
    return {name: float(ratio) for name, ratio in zip(names, ratios, strict=True) if ratio > limit}


def _list(found: Mapping[str, float]) -> str:
    return " (" + "; ".join(f"{name}: {ratio:.2f}" for name, ratio in found.items()) + ")" if found else ""


def page(found: Results, title: str) -> list[str]:
    """All lines."""
    lines: list[str] = []
    for half, tables in HALVES.items():
        part = found.part([name for name in found.problems if name.rsplit(", ", 1)[0] in tables])
        if len(part.problems) > 1 and len(part.methods) > 1:
            lines += [f"## {title}: {half} tables", "", *rank_lines(part), *comparison_lines(part), *check_lines(part)]
    if lines:
        lines += [f"## {title}: times", "", *time_lines(found)]
        lines += [f"## {title}: error in percent", "", *problem_lines(found, "error")]
        lines += [f"## {title}: log loss", "", *problem_lines(found, "log_loss")]
    return lines
