"""Paper 002, "Balanced boosting with parallel perceptrons": Tables 2, 3 and 4, and how open questions were answered.

Every method is trained and tested by stratified 10-fold cross-validation, ten times; all tables share their fits. What
the paper leaves open is one `Reading` for all problems, the one that came nearest to the published figures on folds of
training parts (002-readings). The paper may have prepared each problem in its own way: a further table, 002-own, uses
for every problem the reading that came nearest there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p002.ensembles import N_HIDDEN, POLICIES, READINGS, Reading, network_method
from emphatic.papers.published import lookup
from emphatic.papers.table import PublishedTable, group_repetitions
from emphatic.study import InnerFolds, RepeatedKFold, Store, Study
from emphatic.study.protocol import Only
from emphatic.study.results import results_of
from emphatic.study.tasks import canonical

PAPER = "002"
PROBLEMS = {
    "ionosphere": "Ionosphere",
    "diabetes": "Diabetes",
    "breast": "Cancer",
    "vehicle": "Vehicle",
    "glass": "Glass",
    "vowel": "Vowel",
    "thyroid": "Thyroid",
}
"""Names here and in the paper, in its order."""

NETWORKS = "std. boostMLP"
FIGURES = {"a": "accuracy_%", "a+": "a+_%", "a-": "a-_%", "g": "g_%"}
"""Accuracy overall and on either class, and the geometric mean of the latter two: names here and in published.csv."""

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
OUTLIER = "vowel"
"""The problem on which no reading comes near the paper; summaries are also given without it."""

FIRST_PART = Only(RepeatedKFold(10, 1), frozenset({"repeat-0-fold-0"}))

Measured = Mapping[str, Sequence[float]]  # figure -> its value in every repetition, in %
ByMethod = dict[tuple[str, str], Measured]  # (problem, method) -> its figures


def find_published(problem: str, method: str, figure: str) -> tuple[float, float | None]:
    """Mean and standard deviation as printed.

    >>> find_published("breast", "bal. boostPP", "g")
    (96.3, 0.38)
    """
    table = "4" if figure == "g" else "3"
    return lookup(PAPER, "2" if method == NETWORKS else table, PROBLEMS[problem], method, FIGURES[figure])


def read_figures(study: Study, store: Store) -> dict[str, Measured]:
    """Every figure of the finished settings of a study with one method and one problem.

    The accuracies of a repetition are averages over its folds, and its g is that of these averages.
    """
    parts = {
        "a": results_of(study, store, lambda metrics: 1 - metrics["error"]).errors,
        "a+": results_of(study, store, lambda metrics: metrics["class_accuracies"]["1"]).errors,
        "a-": results_of(study, store, lambda metrics: metrics["class_accuracies"]["-1"]).errors,
    }
    found: dict[str, Measured] = {}
    for setting in parts["a"]:
        means = {
            figure: np.array([100 * np.mean(folds) for folds in group_repetitions(values[setting])])
            for figure, values in parts.items()
        }
        means["g"] = np.sqrt(means["a+"] * means["a-"])
        found[setting] = {figure: list(values) for figure, values in means.items()}
    return found


def read_policies(reading: Reading, study: Study, store: Store) -> ByMethod:
    """The figures of the policies that are finished, by problem and the paper's names."""
    found = read_figures(study, store)
    [problem] = study.problems
    settings = reading.method(problem.name, tuple(POLICIES)).settings
    by_policy = {POLICIES[setting["policy"]]: canonical(setting) for setting in settings}
    return {(problem.name, method): found[setting] for method, setting in by_policy.items() if setting in found}


def measure_differences(found: Mapping[tuple[str, str], Measured]) -> dict[tuple[str, str], list[float]]:
    """Absolute differences to the published a, a+, a- and g, by problem and method."""
    return {
        (problem, method): [
            abs(float(np.mean(figures[figure])) - find_published(problem, method, figure)[0]) for figure in FIGURES
        ]
        for (problem, method), figures in found.items()
    }


def check_claims(found: Mapping[tuple[str, str], Measured]) -> dict[str, dict[str, bool]]:
    """Whether the paper's claims about its variants hold, by claim and problem, where all variants are measured."""
    held: dict[str, dict[str, bool]] = {"a+: positive > balanced > standard": {}, "g: balanced > standard": {}}
    first, second = held.values()
    for problem in dict.fromkeys(name for name, _ in found):
        own = [found.get((problem, POLICIES[policy])) for policy in ("positive", "balanced", "standard")]
        figures = [one for one in own if one is not None]
        if len(figures) == len(own):
            a, g = ([float(np.mean(one[figure])) for one in figures] for figure in ("a+", "g"))
            first[problem] = a[0] > a[1] > a[2]
            second[problem] = g[1] > g[2]
    return held


@dataclass(frozen=True)
class AccuracyTable(PublishedTable):
    """A table of paper 002: which methods it compares, by which figures."""

    policies: tuple[str, ...]
    figures: tuple[str, ...]
    with_networks: bool = False
    own_readings: bool = False

    paper = PAPER
    all_problems = tuple(PROBLEMS)
    quick_problems = ("diabetes", "glass")
    larger_is_better = True

    def reading(self, problem: str) -> Reading:
        return OWN_READINGS[problem] if self.own_readings else READING

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        """Of perceptrons, then of networks; all under the id of the paper, so that its tables share them."""
        methods = [self.reading(problem).method(problem, self.policies)]
        methods += [network_method()] if self.with_networks else []
        protocol = RepeatedKFold(10, min(options.runs, REPEATS))
        return [Study(PAPER, [method], [self.load(problem)], protocol) for method in methods]

    def lines(self, options: Options, store: Store) -> list[Line]:
        found: ByMethod = {}
        for problem in self.chosen_problems(options):
            perceptrons, *networks = self.problem_studies(problem, options)
            for study in networks:
                for figures in read_figures(study, store).values():  # of the only setting, if finished
                    found[problem, NETWORKS] = figures
            found |= read_policies(self.reading(problem), perceptrons, store)
        methods = [*([NETWORKS] if self.with_networks else []), *(POLICIES[policy] for policy in self.policies)]
        lines = [
            Line(
                problem=problem,
                setting=figure,
                method=method,
                values=found[problem, method][figure] if (problem, method) in found else [],
                published=find_published(problem, method, figure),
                note=str(self.reading(problem)) if self.own_readings else "",
            )
            for problem in self.chosen_problems(options)
            for method in methods
            for figure in self.figures
        ]
        return [*lines, *summary_lines(found)]

    def caption(self, options: Options) -> str:
        reading = "one reading per problem, see the notes" if self.own_readings else str(READING)
        return (
            "In %, mean (std over repetitions of 10-fold cross-validation). a: accuracy, a+ and a-: on the smaller and "
            "the larger class, g: √(a+ a-). The accuracies of a repetition are averages over its folds, its g is that "
            f"of these averages. Perceptrons: {reading}; chosen on folds of training parts, see 002-readings. "
            f"Networks: {N_HIDDEN} hidden units, standardised inputs."
        )


def summary_lines(found: Mapping[tuple[str, str], Measured]) -> Iterator[Line]:
    """Distances to the published figures, with and without the outlier; and whether the paper's claims hold."""
    for left_out in ("", OUTLIER) if any(problem == OUTLIER for problem, _ in found) else ("",):
        far = measure_differences({key: figures for key, figures in found.items() if key[0] != left_out})
        problems = f"{len({problem for problem, _ in far})} problems{f', without {left_out}' if left_out else ''}"
        for name, methods in (("perceptrons", tuple(POLICIES.values())), ("networks", (NETWORKS,))):
            values = [value for (_, method), four in far.items() if method in methods for value in four]
            if values:
                yield Line(problems, ", ".join(FIGURES), f"|difference| to published, {name}", values)
    for claim, held in check_claims(found).items():
        if held:
            missed = [problem for problem, holds in held.items() if not holds]
            note = f"not on {', '.join(missed)}" if missed else ""
            shares = [100.0 * holds for holds in held.values()]
            yield Line(f"{len(held)} problems", "% of them", claim, shares, note=note)


@dataclass(frozen=True)
class ReadingsTable(PublishedTable):
    """Which reading comes nearest to the published figures, judged on training data only.

    The first training part of the ten-fold cross-validation of each problem is divided into five folds, and every
    reading is scored on these. What counts is the mean absolute difference to the published a, a+, a- and g of all four
    variants, problem by problem: not how good a reading is, but how close it is to the paper. Rows of the training part
    are test rows in other folds of the tables; only the choice of one reading out of two dozen depends on them.
    """

    paper = PAPER
    all_problems = tuple(PROBLEMS)

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        return [self.study(reading, problem) for reading in READINGS]

    def study(self, reading: Reading, problem: str) -> Study:
        return self.make_study(problem, reading.method(problem, tuple(POLICIES)), InnerFolds(FIRST_PART, n_folds=5))

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Nearest first."""
        lines = [self._reading_line(reading, options, store) for reading in READINGS]
        return sorted(lines, key=lambda line: line.measured[0] if line.measured else np.inf)

    def _reading_line(self, reading: Reading, options: Options, store: Store) -> Line:
        found: ByMethod = {}
        for problem in self.chosen_problems(options):
            found |= read_policies(reading, self.study(reading, problem), store)
        far = measure_differences(found)
        by_problem = {
            problem: float(np.mean([far[problem, method] for method in POLICIES.values()]))
            for problem in self.chosen_problems(options)
            if all((problem, method) in far for method in POLICIES.values())
        }
        held = (f"{claim}: {sum(by.values())} of {len(by)}" for claim, by in check_claims(found).items())
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


ALL = tuple(POLICIES)
EVERY_FIGURE = tuple(FIGURES)
TABLE_2 = AccuracyTable("002-2", "002, Table 2: boosted networks and perceptrons", ("standard",), EVERY_FIGURE, True)
TABLE_3 = AccuracyTable("002-3", "002, Table 3: accuracies of four ways to boost", ALL, ("a", "a+", "a-"))
TABLE_4 = AccuracyTable("002-4", "002, Table 4: balance of the two classes", ALL, ("g",), True)
OWN = AccuracyTable(
    "002-own", "002, Tables 3 and 4, each problem in its own reading", ALL, EVERY_FIGURE, own_readings=True
)
READINGS_TABLE = ReadingsTable("002-readings", "002: readings of what the paper leaves open")
