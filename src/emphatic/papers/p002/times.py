"""Training times of boosted perceptrons and networks."""

from collections.abc import Mapping

import numpy as np

from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.problems import NETWORKS, POLICIES, PROBLEMS
from emphatic.report.grid import Grid
from emphatic.report.page import Section


def mean_times(found: Measured) -> dict[str, tuple[float, float]]:
    """Mean processor seconds of an ensemble of perceptrons and of one of networks, by problem, where both are known."""
    times = {}
    for problem in PROBLEMS:
        both = [found.seconds.get((problem, method), []) for method in (POLICIES["standard"], NETWORKS)]
        if all(both):
            perceptrons, networks = (float(np.mean(seconds)) for seconds in both)
            times[problem] = perceptrons, networks
    return times


def find_ratios(times: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """How many times as long the networks take."""
    return {problem: networks / perceptrons for problem, (perceptrons, networks) in times.items() if perceptrons > 0}


def tabulate_times(table_id: str, found: Measured) -> list[Section]:
    """A section with mean seconds per ensemble and their ratio; none while there are no times."""
    times = mean_times(found)
    ratios = find_ratios(times)
    if not ratios:
        return []
    heads = ("Problem", "Perceptrons, s", "Networks, s", "Networks / perceptrons")
    rows = [
        [problem, *(f"{seconds:.3f}" for seconds in times[problem]), f"{ratio:.1f}"]
        for problem, ratio in ratios.items()
    ]
    caption = (
        "Mean processor time of one fit: an ensemble of ten machines of three perceptrons, 250 epochs each, and one of "
        "ten networks, which stop early and are trained many at a time, as the library does."
    )
    return [Section(f"{table_id}-times", "002: training times", (), [Grid(heads, rows, caption, frozenset(heads[1:]))])]
