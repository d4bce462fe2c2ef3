"""Paper 002, "Balanced boosting with parallel perceptrons": Tables 2, 3 and 4, from one set of fits.

Every method is trained and tested by stratified 10-fold cross-validation, ten times. What the paper leaves open is one
`Reading` for all problems, the one that `paper_002_readings` found nearest to the published figures on folds of
training parts. The paper may have prepared each problem in its own way: a further table takes for every problem the
reading that was nearest there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p002.setup import (
    FIGURES,
    N_HIDDEN,
    NETWORKS,
    PAPER,
    POLICIES,
    PROBLEMS,
    Measured,
    Reading,
    differences,
    load_problem,
    measured,
    measured_policies,
    networks,
    order_of_policies,
    published,
)
from emphatic.study.protocol import RepeatedKFold
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.tasks import Method

READING = Reading("length 1", "sum", resample=True)
OWN_READINGS = {
    "ionosphere": Reading("[0, 1]", "sum", resample=True),
    "diabetes": Reading("[0, 1]"),
    "breast": Reading("[0, 1]", resample=True),
    "vehicle": Reading("length 1", resample=True),
    "glass": Reading("[0, 1]", "sum"),
    "vowel": Reading("[-1, 1]", updates="online"),
    "thyroid": Reading("length 1", "sum", resample=True),
}
REPEATS = 10
QUICK_PROBLEMS = ("diabetes", "glass")
RESISTS = "vowel"
"""The problem that no reading comes near to; summaries are also given without it."""


@dataclass(frozen=True)
class AccuracyTable:
    """A table of paper 002: which methods it compares, by which figures."""

    id: str
    title: str
    policies: tuple[str, ...]
    figures: tuple[str, ...]
    with_networks: bool = False
    own_readings: bool = False

    def problems(self, quick: bool = False) -> Sequence[str]:
        return QUICK_PROBLEMS if quick else tuple(PROBLEMS)

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        problems = self._asked_for(options)
        studies = [self.perceptrons(problem, options) for problem in problems]
        yield studies + [self.networks(problem, options) for problem in problems if self.with_networks]

    def reading(self, problem: str) -> Reading:
        return OWN_READINGS[problem] if self.own_readings else READING

    def perceptrons(self, problem: str, options: Options) -> Study:
        return self._study(problem, self.reading(problem).method(problem, self.policies), options)

    def networks(self, problem: str, options: Options) -> Study:
        return self._study(problem, networks(), options)

    def found(self, options: Options, store: Store) -> dict[tuple[str, str], Measured]:
        """All figures, by problem and method, of what is finished."""
        found: dict[tuple[str, str], Measured] = {}
        for problem in self._asked_for(options):
            if self.with_networks:
                for figures in measured(self.networks(problem, options), store).values():
                    found[problem, NETWORKS] = figures
            by_method = measured_policies(self.reading(problem), self.perceptrons(problem, options), store)
            found.update({(problem, method): figures for method, figures in by_method.items()})
        return found

    def lines(self, options: Options, store: Store) -> list[Line]:
        found = self.found(options, store)
        methods = [*([NETWORKS] if self.with_networks else []), *(POLICIES[policy] for policy in self.policies)]
        lines = [
            Line(
                problem=problem,
                setting=figure,
                method=method,
                values=found[problem, method][figure] if (problem, method) in found else [],
                published=published(problem, method, figure),
                note=str(self.reading(problem)) if self.own_readings else "",
            )
            for problem in self._asked_for(options)
            for method in methods
            for figure in self.figures
        ]
        return [*lines, *summary_lines(found)]

    def caption(self, options: Options) -> str:
        reading = "a reading for each problem, see the notes" if self.own_readings else str(READING)
        return (
            "In %, mean (std over repetitions of 10-fold cross-validation). a: accuracy, a+ and a-: of the smaller and "
            "the larger class, g: √(a+ a-). A repetition's accuracies are averages over its folds, its g that of these "
            f"averages. Perceptrons: {reading}; chosen on folds of training parts, see 002-readings. "
            f"Networks: {N_HIDDEN} hidden units, standardised inputs."
        )

    def _asked_for(self, options: Options) -> list[str]:
        return [one for one in self.problems(options.quick) if not options.problems or one in options.problems]

    def _study(self, problem: str, method: Method, options: Options) -> Study:
        return Study(PAPER, [method], [load_problem(problem)], RepeatedKFold(10, min(options.runs, REPEATS)))


def summary_lines(found: Mapping[tuple[str, str], Measured]) -> Iterator[Line]:
    """How far from the published figures, with and without the problem that resists; and whether the orders hold."""
    for left_out in ("", RESISTS) if any(problem == RESISTS for problem, _ in found) else ("",):
        far = differences({key: figures for key, figures in found.items() if key[0] != left_out})
        n_problems = len({problem for problem, _ in far})
        for name, methods in (("perceptrons", tuple(POLICIES.values())), ("networks", (NETWORKS,))):
            values = [value for (_, method), four in far.items() if method in methods for value in four]
            if values:
                without = f", without {left_out}" if left_out else ""
                yield Line(
                    f"{n_problems} problems{without}", ", ".join(FIGURES), f"|difference| to published, {name}", values
                )
    for claim, held in order_of_policies(found).items():
        if held:
            missed = [problem for problem, holds in held.items() if not holds]
            yield Line(
                f"{len(held)} problems",
                "% of them",
                claim,
                [100.0 * holds for holds in held.values()],
                note=f"not on {', '.join(missed)}" if missed else "",
            )


ALL = tuple(POLICIES)
TABLE_2 = AccuracyTable("002-2", "002, Table 2: boosted networks and perceptrons", ("standard",), tuple(FIGURES), True)
TABLE_3 = AccuracyTable("002-3", "002, Table 3: accuracies of four ways to boost", ALL, ("a", "a+", "a-"))
TABLE_4 = AccuracyTable("002-4", "002, Table 4: balance of the two classes", ALL, ("g",), True)
OWN = AccuracyTable(
    "002-own", "002, Tables 3 and 4, each problem in its own reading", ALL, tuple(FIGURES), own_readings=True
)
