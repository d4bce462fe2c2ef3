"""Table 004: which ensemble wins how often, with CART and with C4.5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.claims import judge_curves, judge_wins
from emphatic.papers.p004.ensembles import N_TREES, list_methods
from emphatic.papers.p004.figures import draw_rounds, read_curves
from emphatic.papers.p004.problems import PROBLEMS
from emphatic.papers.p004.scores import PUBLISHED
from emphatic.papers.p004.trees import has_j48
from emphatic.papers.p004.trees_table import (
    DRAWS,
    FOLDS,
    REPEATS,
    TreesTable,
    is_finished,
    mean_lines,
    repetition_means,
    wins_line,
)
from emphatic.papers.table import OVERLAP, paired_p, setting_percent
from emphatic.report.page import Section
from emphatic.study import Store, Study
from emphatic.study.results import Errors

QUICK_FOLDS = 3
REFERENCE = "FuzzyBoost"
MORE = (("FuzzyBoost", "Real AdaBoost"), ("FuzzyBoost", "Bagging by votes"), ("DFA", "Bagging by votes"))
"""Pairs that the slides do not have."""


@dataclass(frozen=True)
class WinsTable(TreesTable):
    """Errors on each problem, their means over all problems, and who wins how often."""

    tree: str = "CART"

    quick_problems = ("labor", "zoo", "hepatitis")

    def problems(self, quick: bool = False) -> Sequence[str]:
        if self.tree == "CART":
            return super().problems(quick)
        return PROBLEMS if has_j48() and not quick else ()

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        folds = (QUICK_FOLDS, 1) if options.quick else (FOLDS, min(options.runs, REPEATS))
        return [self.study(problem, list(list_methods(self.tree).values()), *folds)]

    def lines(self, options: Options, store: Store) -> list[Line]:
        methods = list_methods(self.tree)
        lines = [line for name in self.chosen_problems(options) for line in self.problem_lines(name, options, store)]
        errors = self.read_errors(methods, options, store)
        pairs = [pair for pair in (*PUBLISHED, *MORE) if pair[1] in methods] if errors.problems else []
        return [*lines, *mean_lines(errors), *(wins_line(errors, *pair) for pair in pairs)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        methods, errors = list_methods(self.tree), self.problem_errors(problem, options, store)
        if not is_finished(methods, errors):
            return
        for name, setting in methods.items():
            p = None if name == REFERENCE else self._p_against_reference(errors, name)
            values = repetition_means(errors, setting)
            yield Line(problem, f"{N_TREES} {self.tree} trees", name, values, p_paired=p, p=p)

    def _p_against_reference(self, errors: Errors, name: str) -> float | None:
        methods = list_methods(self.tree)
        return paired_p(*(setting_percent(errors, methods[one]) for one in (name, REFERENCE)))

    def sections(self, options: Options, store: Store) -> list[Section]:
        curves = read_curves(self, list_methods(self.tree), options, store)
        return draw_rounds(self.id, curves) if curves else []

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        methods = list_methods(self.tree)
        return [
            *judge_wins(self.read_errors(methods, options, store)),
            judge_curves(read_curves(self, methods, options, store)),
        ]

    def caption(self, options: Options) -> str:
        if not self.problems():
            return "Not available: J48 needs the package python-weka-wrapper3 and Java."
        return (
            f"Error in %, mean (std over repetitions of {QUICK_FOLDS if options.quick else FOLDS}-fold "
            f"cross-validation), {N_TREES} {self.tree} trees; p: Wilcoxon signed-rank test against FuzzyBoost over the "
            f"folds ({OVERLAP}). Wins of a pair: the number of problems on which the first has the smaller error; "
            f"{DRAWS}; p: the same test over the problems. Published: C4.5, 20 problems that the slides do not name. "
            "Parameters were chosen on other problems, see 004-parameters."
        )
