"""Which reading of paper 002 comes nearest to its figures: asked of training data only.

The first training part of the ten-fold cross-validation of each problem is itself divided into five folds, and every
reading is scored on these. What counts is the mean absolute difference to the published a, a+, a- and g of all four
variants, problem by problem: not how good a reading is, but how much it is like the paper's. Rows of the training part
are test rows in other folds of the tables; only the choice of one reading out of a score rests on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p002.setup import (
    POLICIES,
    PROBLEMS,
    SCALES,
    Measured,
    Reading,
    differences,
    load_problem,
    measured_policies,
    order_of_policies,
)
from emphatic.study.protocol import InnerFolds, Only, RepeatedKFold
from emphatic.study.runner import Study
from emphatic.study.store import Store

READINGS = (
    *(Reading(scale, gamma_step) for scale in SCALES for gamma_step in ("mean", "sum")),
    *(Reading(scale, gamma_step, resample=True) for scale in SCALES for gamma_step in ("mean", "sum")),
    *(Reading(scale, updates="online") for scale in SCALES),
    *(Reading(scale, keep="best") for scale in SCALES),
)
FIRST_PART = Only(RepeatedKFold(10, 1), frozenset({"repeat-0-fold-0"}))


@dataclass(frozen=True)
class ReadingsTable:
    """Every reading, and how far it is from the published figures on folds of training parts."""

    id: str = "002-readings"
    title: str = "002: readings of what the paper leaves open"

    def problems(self, quick: bool = False) -> Sequence[str]:
        return [] if quick else list(PROBLEMS)

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        yield [self.study(reading, problem) for reading in READINGS for problem in self._asked_for(options)]

    def study(self, reading: Reading, problem: str) -> Study:
        method = reading.method(problem, tuple(POLICIES))
        return Study(self.id, [method], [load_problem(problem)], InnerFolds(FIRST_PART, n_folds=5))

    def found(self, reading: Reading, options: Options, store: Store) -> dict[tuple[str, str], Measured]:
        """All figures of a reading, by problem and method."""
        return {
            (problem, method): figures
            for problem in self._asked_for(options)
            for method, figures in measured_policies(reading, self.study(reading, problem), store).items()
        }

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Nearest first."""
        lines = [self._line(reading, options, store) for reading in READINGS]
        return sorted(lines, key=lambda line: line.measured[0] if line.measured else np.inf)

    def _line(self, reading: Reading, options: Options, store: Store) -> Line:
        found = self.found(reading, options, store)
        far = differences(found)
        by_problem = {
            problem: float(np.mean([far[problem, method] for method in POLICIES.values()]))
            for problem in self._asked_for(options)
            if all((problem, method) in far for method in POLICIES.values())
        }
        held = (f"{claim}: {sum(by.values())} of {len(by)}" for claim, by in order_of_policies(found).items())
        return Line(
            problem=f"{len(by_problem)} problems",
            setting="a, a+, a-, g",
            method=str(reading),
            values=list(by_problem.values()),
            note="; ".join([", ".join(f"{problem} {value:.1f}" for problem, value in by_problem.items()), *held]),
        )

    def caption(self, options: Options) -> str:
        return (
            "Mean absolute difference, in points, to the published a, a+, a- and g of the four variants: mean (std) "
            "over the problems, by 5-fold cross-validation inside the first training part of each problem."
        )

    def _asked_for(self, options: Options) -> list[str]:
        return [one for one in PROBLEMS if not options.problems or one in options.problems]


READINGS_TABLE = ReadingsTable()
