"""Paper 002, "Balanced boosting with parallel perceptrons": what its tables share, and Tables 3 and 4.

Every method is trained and tested by stratified 10-fold cross-validation, ten times; all tables share their fits. What
the paper leaves open is one `Reading` for all problems, the one that came nearest to the published figures on folds of
training parts (002-readings).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p002.charts import chart_published
from emphatic.papers.p002.claims.accuracies import judge_accuracies
from emphatic.papers.p002.claims.balance import judge_balance
from emphatic.papers.p002.ensembles import N_HIDDEN, network_method
from emphatic.papers.p002.measured import Measured, join, measure_differences, name_ensemble, read_study
from emphatic.papers.p002.orders import ORDERS, check_order
from emphatic.papers.p002.problems import FIGURES, NETWORKS, PAPER, POLICIES, PROBLEMS, find_published
from emphatic.papers.p002.readings import READING
from emphatic.papers.table import PublishedTable
from emphatic.report.page import Section
from emphatic.study import RepeatedKFold, Store, Study

REPEATS = 10


@dataclass(frozen=True)
class AccuracyTable(PublishedTable):
    """A table of paper 002: which methods it compares, by which figures, and what the paper claims about it."""

    policies: tuple[str, ...]
    figures: tuple[str, ...]
    with_networks: bool
    judge: Callable[[Measured], Sequence[Claim]]

    paper = PAPER
    all_problems = tuple(PROBLEMS)
    quick_problems = ("diabetes", "glass")
    larger_is_better = True

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        """Of perceptrons, then of networks; all under the id of the paper, so that its tables share them."""
        methods = [READING.method(problem, self.policies)]
        methods += [network_method()] if self.with_networks else []
        protocol = RepeatedKFold(10, min(options.runs, REPEATS))
        return [Study(PAPER, [method], [self.load(problem)], protocol) for method in methods]

    def measure(self, options: Options, store: Store) -> Measured:
        """What is finished of all problems."""
        return join([read_study(study, store, name_ensemble) for study in self.list_studies(options)])

    def lines(self, options: Options, store: Store) -> list[Line]:
        found = self.measure(options, store)
        methods = [*([NETWORKS] if self.with_networks else []), *(POLICIES[policy] for policy in self.policies)]
        lines = [
            Line(
                problem=problem,
                setting=figure,
                method=method,
                values=found.figures[problem, method][figure] if (problem, method) in found.figures else [],
                published=find_published(problem, method, figure),
            )
            for problem in self.chosen_problems(options)
            for method in methods
            for figure in self.figures
        ]
        return [*lines, *summary_lines(found)]

    def sections(self, options: Options, store: Store) -> list[Section]:
        return chart_published(self.id, self.measure(options, store))

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return self.judge(self.measure(options, store))

    def caption(self, options: Options) -> str:
        return (
            "In %, mean (std over repetitions of 10-fold cross-validation). a: accuracy, a+ and a-: on the smaller and "
            "the larger class, g: √(a+ a-). The accuracies of a repetition are averages over its folds, its g is that "
            f"of these averages. Perceptrons: {READING}; chosen on folds of training parts, see 002-readings. "
            f"Networks: {N_HIDDEN} hidden units, standardised inputs."
        )


def summary_lines(found: Measured) -> Iterator[Line]:
    """Distances to the published figures, and on how many problems the paper's orders hold."""
    far = measure_differences(found.figures)
    problems = f"{len({problem for problem, _ in far})} problems"
    for name, methods in (("perceptrons", tuple(POLICIES.values())), ("networks", (NETWORKS,))):
        values = [value for (_, method), four in far.items() if method in methods for value in four]
        if values:
            yield Line(problems, ", ".join(FIGURES), f"|difference| to published, {name}", values)
    for order in ORDERS:
        held = check_order(order, found)
        if held:
            missed = [problem for problem, holds in held.items() if not holds]
            note = f"not on {', '.join(missed)}" if missed else ""
            shares = [100.0 * holds for holds in held.values()]
            yield Line(f"{len(held)} problems", "% of them", str(order), shares, note=note)


ALL = tuple(POLICIES)
TABLE_3 = AccuracyTable(
    "002-3",
    "002, Table 3: accuracies of four ways to boost",
    ALL,
    ("a", "a+", "a-"),
    False,
    judge_accuracies,
)
TABLE_4 = AccuracyTable(
    "002-4",
    "002, Table 4: balance of the two classes",
    ALL,
    ("g",),
    True,
    judge_balance,
)
