"""Paper 004, FuzzyBoost and DFA: which ensemble wins how often, over 20 problems of our own choice.

Every ensemble has 30 trees of one kind and one setting for all problems, and is tested by stratified 10-fold
cross-validation, three times, on the same folds as all others. The published counts are of 20 other problems, or of
some of these: the slides do not name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.setup import (
    N_TREES,
    PAPER,
    PROBLEMS,
    PaperDistances,
    asked_for,
    build,
    folds,
    load_problem,
    methods,
    repetitions,
)
from emphatic.papers.p004.trees import has_j48
from emphatic.papers.published import lookup
from emphatic.study.protocol import RepeatedKFold
from emphatic.study.results import Errors, results_of
from emphatic.study.runner import Study
from emphatic.study.statistics import mean_ranks, signed_rank_p, win_lose_draw
from emphatic.study.store import Store
from emphatic.study.tasks import Method

FOLDS, REPEATS = 10, 3
QUICK_FOLDS = 3
QUICK_PROBLEMS = ("labor", "zoo", "hepatitis")
REFERENCE = "FuzzyBoost"
DECIMALS = 1  # of an error in %: two methods whose errors are equal when printed so draw

PUBLISHED = {
    ("DFA", "FuzzyBoost"): "DFA vs FuzzyBoost",
    ("FuzzyBoost", "AdaBoost"): "FuzzyBoost vs AdaBoost",
    ("FuzzyBoost", "Bagging"): "FuzzyBoost vs Bagging",
    ("DFA", "AdaBoost"): "DFA vs AdaBoost",
    ("DFA", "Bagging"): "DFA vs Bagging",
    ("FuzzyBoost", "easy only"): "FuzzyBoost vs Alle",
    ("FuzzyBoost", "difficult only"): "FuzzyBoost vs Alld",
}
"""The pairs of the published table, here and there."""

MORE = (("FuzzyBoost", "Real AdaBoost"), ("FuzzyBoost", "Bagging by votes"), ("DFA", "Bagging by votes"))


@dataclass(frozen=True)
class Score:
    """On how many problems the first of two methods has the smaller error, the larger one, the same."""

    wins: int
    losses: int
    draws: int

    @classmethod
    def of(cls, first: Sequence[float], second: Sequence[float]) -> Score:
        """Of errors in %, problem by problem.

        >>> Score.of([10.0, 12.0, 8.01], [11.0, 11.0, 8.02])
        Score(wins=1, losses=1, draws=1)
        """
        return cls(*win_lose_draw(np.round(first, DECIMALS), np.round(second, DECIMALS)))

    @property
    def sign_p(self) -> float:
        """Two-sided p of the sign test, without the draws.

        >>> round(Score(15, 4, 1).sign_p, 3)
        0.019
        """
        decided = self.wins + self.losses
        return float(stats.binomtest(self.wins, decided).pvalue) if decided else 1.0

    def __str__(self) -> str:
        return f"{self.wins}/{self.losses}/{self.draws}"


def published(first: str, second: str) -> Score | None:
    """The counts that the slides print, if they have this pair.

    >>> str(published("FuzzyBoost", "Bagging"))
    '15/4/1'
    """
    if (first, second) not in PUBLISHED:
        return None
    place = ("results", "20 UCI (C4.5, 3x10-fold CV)", PUBLISHED[first, second])
    return Score(*(int(lookup(PAPER, *place, metric)[0]) for metric in ("n_wins", "n_losses", "n_draws")))


@dataclass(frozen=True)
class WinsTable:
    """Errors problem by problem, means over them, and who wins how often."""

    id: str
    title: str
    tree: str = "CART"

    def problems(self, quick: bool = False) -> Sequence[str]:
        if self.tree == "CART":
            return QUICK_PROBLEMS if quick else PROBLEMS
        return PROBLEMS if has_j48() and not quick else ()

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        yield [self.study(problem, options) for problem in self._asked_for(options)]

    def study(self, problem: str, options: Options) -> Study:
        ensembles = Method(f"{N_TREES} trees", build, list(methods(self.tree).values()), PaperDistances)
        protocol = RepeatedKFold(QUICK_FOLDS, 1) if options.quick else RepeatedKFold(FOLDS, min(options.runs, REPEATS))
        return Study(self.id, [ensembles], [load_problem(problem)], protocol)

    def found(self, options: Options, store: Store) -> dict[str, Errors]:
        """Errors of each problem that is finished, in the order of the problems."""
        every = {
            problem: results_of(self.study(problem, options), store).errors for problem in self._asked_for(options)
        }
        return {problem: errors for problem, errors in every.items() if len(errors) == len(methods(self.tree))}

    def lines(self, options: Options, store: Store) -> list[Line]:
        found = self.found(options, store)
        lines = [line for problem in found for line in self._problem_lines(problem, found[problem])]
        return [*lines, *summary_lines(self.means(found))]

    def means(self, found: Mapping[str, Errors]) -> dict[str, list[float]]:
        """Mean errors in %, by method and in the order of the problems."""
        return {
            name: [float(np.mean(folds(errors, setting))) for errors in found.values()]
            for name, setting in methods(self.tree).items()
        }

    def _problem_lines(self, problem: str, errors: Errors) -> Iterator[Line]:
        every = methods(self.tree)
        reference = folds(errors, every[REFERENCE])
        for name, setting in every.items():
            p = signed_rank_p(folds(errors, setting), reference) if name != REFERENCE else None
            yield Line(problem, f"{N_TREES} {self.tree} trees", name, repetitions(errors, setting), p_paired=p, p=p)

    def caption(self, options: Options) -> str:
        if not self.problems():
            return "Not available: J48 needs the package python-weka-wrapper3 and Java."
        return (
            f"Error in %, mean (std over repetitions of {QUICK_FOLDS if options.quick else FOLDS}-fold "
            f"cross-validation), {N_TREES} {self.tree} trees; p: "
            "Wilcoxon signed-rank test against FuzzyBoost over the folds (which share training samples: a ruler, not "
            "a proof). Wins of pairs: on how many problems the first has the smaller error; equal when rounded to "
            f"{10.0**-DECIMALS:g}% is a draw; p: the same test over the problems. Published: C4.5, 20 problems that "
            "the slides do not name. Parameters were chosen on other problems, see 004-parameters."
        )

    def _asked_for(self, options: Options) -> list[str]:
        return asked_for(self.problems(options.quick), options.problems)


def summary_lines(means: Mapping[str, Sequence[float]]) -> Iterator[Line]:
    """The mean over the problems of every method, and the score of every pair."""
    n_problems = len(next(iter(means.values())))
    if not n_problems:
        return
    ranks = mean_ranks(np.transpose(list(means.values())))
    for (name, values), rank in zip(means.items(), ranks, strict=True):
        yield Line(f"{n_problems} problems", "mean error", name, values, note=f"mean rank {rank:.2f}")
    for first, second in (*PUBLISHED, *MORE):
        if second not in means:
            continue
        score, theirs = Score.of(means[first], means[second]), published(first, second)
        notes = [f"win/lose/draw {score}, sign test p {score.sign_p:.3f}"]
        notes += [f"published {theirs}, sign test p {theirs.sign_p:.3f}"] if theirs else []
        yield Line(
            problem=f"{n_problems} problems",
            setting="wins",
            method=f"{first} against {second}",
            values=[float(score.wins)],
            published=(float(theirs.wins), None) if theirs and n_problems == len(PROBLEMS) else None,
            p=signed_rank_p(means[first], means[second]),
            note="; ".join(notes),
        )


WINS = WinsTable("004", "004: FuzzyBoost, DFA, their halves and their peers, 20 problems of our choice")
WINS_C45 = WinsTable("004-C45", "004: the same with C4.5 (Weka's J48)", tree="J48")
