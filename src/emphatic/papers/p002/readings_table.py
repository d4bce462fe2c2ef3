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
from emphatic.papers.table import PublishedTable, Step
from emphatic.study import InnerFolds, RepeatedKFold, Store, Study
from emphatic.study.protocol import Only
from emphatic.wording import count

N_AGAIN, REPEATS = 5, 5
FIRST_PART = Only(RepeatedKFold(10, 1), frozenset({"repeat-0-fold-0"}))


@dataclass(frozen=True)
class ReadingsTable(PublishedTable):
    """Which reading comes nearest to the published figures, judged on training data only.

    The first training part of the ten-fold cross-validation of each problem is divided into five folds, and every
    reading is scored on these; five folds are few, so the nearest readings are scored again, on folds drawn five times,
    and the nearest of these is chosen. What counts is the mean absolute difference to the published a, a+, a- and g of
    all four variants, problem by problem: not how good a reading is, but how close it is to the paper. Rows of the
    training part are test rows in other folds of the tables; only the choice of one reading out of some depends on
    them.
    """

    paper = PAPER
    all_problems = tuple(PROBLEMS)

    def steps(self, options: Options) -> list[Step]:
        def list_studies(readings: Sequence[Reading], repeats: int) -> list[Study]:
            problems = self.chosen_problems(options)
            return [self.study(reading, problem, repeats) for reading in readings for problem in problems]

        return [
            Step(lambda _: list_studies(READINGS, 1)),
            Step(lambda store: list_studies(self.find_nearest(options, store), REPEATS)),
        ]

    def study(self, reading: Reading, problem: str, repeats: int) -> Study:
        folds = InnerFolds(FIRST_PART, n_folds=5, n_repeats=repeats)
        return self.make_study(problem, reading.method(problem, tuple(POLICIES)), folds)

    def find_nearest(self, options: Options, store: Store) -> list[Reading]:
        """The readings to be scored again."""
        by_name = {str(reading): reading for reading in READINGS}
        return [by_name[line.method] for line in self._sort_lines(READINGS, 1, options, store)[:N_AGAIN]]

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Those that were scored again, then all; nearest first."""
        again = self._sort_lines(self.find_nearest(options, store), REPEATS, options, store)
        return [*again, *self._sort_lines(READINGS, 1, options, store)]

    def _sort_lines(self, readings: Sequence[Reading], repeats: int, options: Options, store: Store) -> list[Line]:
        lines = [self.reading_line(reading, repeats, options, store) for reading in readings]
        return sorted(lines, key=lambda line: line.measured[0] if line.measured else np.inf)

    def reading_line(self, reading: Reading, repeats: int, options: Options, store: Store) -> Line:
        """How near one reading comes, problem by problem."""
        problems = self.chosen_problems(options)
        found = join([read_study(self.study(reading, problem, repeats), store, name_ensemble) for problem in problems])
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
            setting=f"a, a+, a-, g; 5 folds, drawn {count(repeats, 'time')}",
            method=str(reading),
            values=list(by_problem.values()),
            note="; ".join([", ".join(f"{problem} {value:.1f}" for problem, value in by_problem.items()), *held]),
        )

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return judge_reading(self.lines(options, store), len(self.chosen_problems(options)))

    def caption(self, options: Options) -> str:
        return (
            "Mean absolute difference, in points, to the published a, a+, a- and g of the four variants: mean (std) "
            "over the problems, by 5-fold cross-validation inside the first training part of each problem; the "
            f"{N_AGAIN} nearest again, with folds drawn {REPEATS} times."
        )


READINGS_TABLE = ReadingsTable("002-readings", "002: readings of what the paper leaves open")
