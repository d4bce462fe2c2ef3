"""Training times of boosted perceptrons and networks, each fitted alone.

The fits of the tables cannot show them: there, networks are trained many at a time. So one repetition of the
cross-validation is timed with networks one by one, with perceptrons as the paper words it (in batches), and with those
of the tables.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from emphatic.papers.p002.ensembles import network_method
from emphatic.papers.p002.measured import name_ensemble, read_study
from emphatic.papers.p002.problems import PROBLEMS
from emphatic.papers.p002.readings import AS_PRINTED, READING
from emphatic.report.grid import Grid
from emphatic.report.page import Section
from emphatic.study import RepeatedKFold, Store, Study

BATCH, ONLINE, NETWORKS = KINDS = ("perceptrons in batches", "perceptrons as in the tables", "networks")

Times = Mapping[str, Mapping[str, float]]
"""Mean processor seconds of a fit, by problem and kind."""


def time_studies(table_id: str, name: str, problem: Any) -> dict[str, Study]:
    """What is fitted for its time, by kind."""
    methods = {
        BATCH: AS_PRINTED.method(name, ("standard",)),
        ONLINE: READING.method(name, ("standard",)),
        NETWORKS: replace(network_method(), together=1),
    }
    return {
        kind: Study(f"{table_id}-times", [method], [problem], RepeatedKFold(10, 1)) for kind, method in methods.items()
    }


def read_times(studies: Mapping[str, Mapping[str, Study]], store: Store) -> Times:
    """Of the problems that are finished; `studies` are by problem and kind."""
    times = {}
    for problem, by_kind in studies.items():
        seconds = {
            kind: [value for values in read_study(study, store, name_ensemble).seconds.values() for value in values]
            for kind, study in by_kind.items()
        }
        if all(seconds.values()):
            times[problem] = {kind: float(np.mean(values)) for kind, values in seconds.items()}
    return times


def find_ratios(times: Times, kind: str) -> dict[str, float]:
    """How many times as long as this kind the networks take."""
    return {problem: own[NETWORKS] / own[kind] for problem, own in times.items() if own[kind] > 0}


def tabulate_times(table_id: str, times: Times) -> list[Section]:
    """A section with mean seconds per ensemble and ratios; none while there are no times."""
    if not times:
        return []
    ratios = [find_ratios(times, kind) for kind in (BATCH, ONLINE)]
    heads = ("Problem", *(f"{kind}, s" for kind in KINDS), *(f"networks / {kind}" for kind in (BATCH, ONLINE)))
    rows = [
        [
            PROBLEMS[problem],
            *(f"{own[kind]:.3f}" for kind in KINDS),
            *(f"{ratio[problem]:.1f}" if problem in ratio else "" for ratio in ratios),
        ]
        for problem, own in times.items()
    ]
    caption = (
        "Mean processor time of one fit on one thread: an ensemble of ten machines of three perceptrons, 250 epochs "
        "each, or of ten networks, which stop early."
    )
    return [Section(f"{table_id}-times", "002: training times", (), [Grid(heads, rows, caption, frozenset(heads[1:]))])]
