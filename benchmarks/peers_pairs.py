"""Ours beside each peer alone, over all partitions that both have finished: some peers take too long for as many.

A table of all methods counts only the partitions that all of them have finished (`benchmarks.peers_results`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.peers_report import span, table
from benchmarks.peers_results import OURS, Results, arrange, collect_runs
from emphatic.study.statistics import holm, signed_rank_p, win_lose_draw
from emphatic.study.tasks import Record

TITLES = {"error": "error", "log_loss": "log loss"}


def pair_up(records: Sequence[Record], problems: Sequence[str], flipped: float, max_train: int) -> dict[str, Results]:
    """Ours and one peer each, by the name of the peer; only peers that have a partition of every problem of ours."""
    runs = collect_runs(records, problems, flipped, max_train)
    ours = runs.get((OURS, False), {})
    pairs = {
        method: arrange({OURS: ours, method: of}, problems)
        for (method, is_tuned), of in runs.items()
        if not is_tuned and method != OURS
    }
    return {method: found for method, found in pairs.items() if len(found.methods) == 2 and len(found.problems) > 1}


def pair_lines(records: Sequence[Record], problems: Sequence[str], flipped: float, max_train: int) -> list[str]:
    """A line per peer: partitions, means of both, problems won, lost and drawn, and p with Holm's correction."""
    pairs = pair_up(records, problems, flipped, max_train)
    if not pairs:
        return []
    ps = {metric: holm([signed_rank_p(*found.means[metric].T) for found in pairs.values()]) for metric in TITLES}
    rows = []
    for place, (method, found) in enumerate(pairs.items()):
        cells = [method, span(found.n_partitions), f"{np.mean(found.means['fit_cpu_seconds'][:, 1]):.1f}"]
        for metric in TITLES:
            means = found.means[metric]
            ours, other = (100 if metric == "error" else 1) * means.mean(axis=0)
            digits = 1 if metric == "error" else 3
            wins = " / ".join(map(str, win_lose_draw(*means.T)))
            cells += [f"{ours:.{digits}f}, {other:.{digits}f}", wins, f"{ps[metric][place]:.2g}"]
        rows.append(cells)
    rows.sort(key=lambda row: row[0].lower())
    header = [f"{OURS} and", "partitions", "its fit, s"]
    for title in TITLES.values():
        header += [f"{title}: ours, its", "won / lost / drawn", "p"]
    return table(header, rows)


def pair_page(records: Sequence[Record], problems: Sequence[str], noise: Sequence[float], max_train: int) -> list[str]:
    """A table for every share of flipped labels."""
    lines = []
    for flipped in noise:
        labels = f"{flipped:.0%} of the training labels flipped" if flipped else "Clean labels"
        found = pair_lines(records, problems, flipped, max_train)
        lines += [f"{labels}:", "", *found] if found else []
    return lines
