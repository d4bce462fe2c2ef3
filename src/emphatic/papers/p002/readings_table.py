"""The choice of a reading: which one comes nearest to the published figures on folds of training parts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p002.claims.wording import judge_reading
from emphatic.papers.p002.measured import join, measure_differences, name_ensemble, read_study
from emphatic.papers.p002.orders import ORDERS, check_order
from emphatic.papers.p002.problems import PAPER, POLICIES, PROBLEMS
from emphatic.papers.p002.readings import READINGS, Reading
from emphatic.papers.table import PublishedTable
from emphatic.study import InnerFolds, RepeatedKFold, Store, Study
from emphatic.study.protocol import Only

FIRST_PART = Only(RepeatedKFold(10, 1), frozenset({"repeat-0-fold-0"}))


@dataclass(frozen=True)
class ReadingsTable(PublishedTable):
    """Which reading comes nearest to the published figures, judged on training data only.

    The first training part of the ten-fold cross-validation of each problem is divided into five folds, and every
    reading is scored on these. What counts is the mean absolute difference to the published a, a+, a- and g of all four
    variants, problem by problem: not how good a reading is, but how close it is to the paper. Rows of the training part
    are test rows in other folds of the tables; only the choice of one reading out of some depends on them.
    """

    paper = PAPER
    all_problems = tuple(PROBLEMS)

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        return [self.study(reading, problem) for reading in READINGS]

    def study(self, reading: Reading, problem: str) -> Study:
        return self.make_study(problem, reading.method(problem, tuple(POLICIES)), InnerFolds(FIRST_PART, n_folds=5))

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Nearest first."""
        lines = [self.reading_line(reading, options, store) for reading in READINGS]
        return sorted(lines, key=lambda line: line.measured[0] if line.measured else np.inf)

    def reading_line(self, reading: Reading, options: Options, store: Store) -> Line:
        """How near one reading comes, problem by problem."""
        problems = self.chosen_problems(options)
        found = join([read_study(self.study(reading, problem), store, name_ensemble) for problem in problems])
        far = measure_differences(found.figures)
        by_problem = {
            problem: float(np.mean([far[problem, method] for method in POLICIES.values()]))
            for problem in problems
            if all((problem, method) in far for method in POLICIES.values())
        }
        checked = {str(order): check_order(order, found) for order in ORDERS}
        held = (f"{order}: {sum(by.values())} of {len(by)}" for order, by in checked.items())
        return Line(
            problem=f"{len(by_problem)} problems",
            setting="a, a+, a-, g",
            method=str(reading),
            values=list(by_problem.values()),
            note="; ".join([", ".join(f"{problem} {value:.1f}" for problem, value in by_problem.items()), *held]),
        )

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return judge_reading(self.lines(options, store), len(self.chosen_problems(options)))

    def caption(self, options: Options) -> str:
        return (
            "Mean absolute difference, in points, to the published a, a+, a- and g of the four variants: mean (std) "
            "over the problems, by 5-fold cross-validation inside the first training part of each problem."
        )


READINGS_TABLE = ReadingsTable("002-readings", "002: readings of what the paper leaves open")
