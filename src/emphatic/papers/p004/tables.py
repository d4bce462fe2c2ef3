"""Paper 004, FuzzyBoost and DFA: which ensemble wins how often, how parameters were chosen, and what two of them do.

Every ensemble has 30 trees of one kind and one setting for all problems, and is tested by stratified 10-fold
cross-validation, three times, on the same folds as all others. The published counts are of 20 other problems, or of
some of these: the slides do not name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from scipy import stats

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.ensembles import (
    DEFLECTED,
    N_TREES,
    OTHERS,
    PAPER,
    PROBLEMS,
    PaperDistances,
    build,
    fuzzy_boost_setting,
    has_j48,
    list_methods,
    load_sample,
)
from emphatic.papers.published import lookup
from emphatic.papers.table import OVERLAP, PublishedTable, Step, group_repetitions, paired_p, setting_percent
from emphatic.study import Method, RepeatedKFold, Store, Study
from emphatic.study.results import Errors, results_of
from emphatic.study.statistics import mean_ranks, signed_rank_p, win_lose_draw
from emphatic.study.tasks import Setting, canonical

FOLDS, REPEATS = 10, 3
QUICK_FOLDS = 3
CHOICE_FOLDS = 5
REFERENCE = "FuzzyBoost"
DECIMALS = 1  # of an error in %: methods whose errors are equal when rounded to these draw

PUBLISHED = (
    *(("DFA", "FuzzyBoost"), ("FuzzyBoost", "AdaBoost"), ("FuzzyBoost", "Bagging"), ("DFA", "AdaBoost")),
    *(("DFA", "Bagging"), ("FuzzyBoost", "easy only"), ("FuzzyBoost", "difficult only")),
)
"""The pairs of the published table, in its order."""
PRINTED_NAMES = {"easy only": "Alle", "difficult only": "Alld"}

MORE = (("FuzzyBoost", "Real AdaBoost"), ("FuzzyBoost", "Bagging by votes"), ("DFA", "Bagging by votes"))

REWARDS = (0.1, 0.3, 0.5, 0.7)
PRINTED: Setting = {"chains": "both", "samme": False}
"""Where the choice of parameters begins: independent chains, and the vote as the slides print it."""

CANDIDATES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "FuzzyBoost": [
        {"reward": reward, "fuzziness": fuzziness, "init": init}
        for reward, fuzziness, init in product(REWARDS, (1.25, 2.0, 3.0), ("classes", "supervised"))
    ],
    "chains and votes": [
        {"chains": chains, "samme": samme} for chains, samme in product(("both", "shared"), (False, True))
    ],
    "DFA": [
        *({"n_deflections": n, "relaxation": value, "aligned": True} for n, value in product((1, 2, 4), (2.0, 10.0))),
        *({"n_deflections": n, "relaxation": 10.0, "aligned": False} for n in (1, 2, 4)),
    ],
}
"""What each step of the choice tries, together with the best of the steps before."""


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


def find_published(first: str, second: str) -> Score | None:
    """The counts that the slides print for this pair, if they do.

    >>> str(find_published("FuzzyBoost", "Bagging"))
    '15/4/1'
    """
    if (first, second) not in PUBLISHED:
        return None
    pair = f"{first} vs {PRINTED_NAMES.get(second, second)}"
    place = ("results", "20 UCI (C4.5, 3x10-fold CV)", pair)
    return Score(*(int(lookup(PAPER, *place, metric)[0]) for metric in ("n_wins", "n_losses", "n_draws")))


class TreesTable(PublishedTable):
    """What the tables of paper 004 share: ensembles of trees, cross-validated."""

    all_problems = PROBLEMS

    def study(self, problem: str, settings: Sequence[Setting], n_folds: int, n_repeats: int = 1) -> Study:
        method = Method(f"{N_TREES} trees", build, settings, PaperDistances)
        return self.make_study(problem, method, RepeatedKFold(n_folds, n_repeats))


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
        lines: list[Line] = []
        means: dict[str, list[float]] = {name: [] for name in methods}
        for problem in self.chosen_problems(options):
            errors = self.problem_errors(problem, options, store)
            if len(errors) == len(methods):  # finished
                lines += self._error_lines(problem, errors)
                for name, setting in methods.items():
                    means[name].append(float(np.mean(setting_percent(errors, setting))))
        return [*lines, *summary_lines(means)]

    def _error_lines(self, problem: str, errors: Errors) -> Iterator[Line]:
        methods = list_methods(self.tree)
        reference = setting_percent(errors, methods[REFERENCE])
        for name, setting in methods.items():
            repetitions = group_repetitions(errors[canonical(setting)])
            values = [float(np.mean([100.0 * error for error in folds])) for folds in repetitions]
            p = paired_p(setting_percent(errors, setting), reference) if name != REFERENCE else None
            yield Line(problem, f"{N_TREES} {self.tree} trees", name, values, p_paired=p, p=p)

    def caption(self, options: Options) -> str:
        if not self.problems():
            return "Not available: J48 needs the package python-weka-wrapper3 and Java."
        return (
            f"Error in %, mean (std over repetitions of {QUICK_FOLDS if options.quick else FOLDS}-fold "
            f"cross-validation), {N_TREES} {self.tree} trees; p: Wilcoxon signed-rank test against FuzzyBoost over the "
            f"folds ({OVERLAP}). Wins of a pair: the number of problems on which the first has the smaller error; "
            f"errors equal when rounded to {10.0**-DECIMALS:g}% are a draw; p: the same test over the problems. "
            "Published: C4.5, 20 problems that the slides do not name. Parameters were chosen on other problems, see "
            "004-parameters."
        )


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
        score, theirs = Score.of(means[first], means[second]), find_published(first, second)
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


class ChoiceTable(TreesTable):
    """How parameters were chosen: each candidate by its error relative to all candidates of its step.

    The slides give no value for the reward, the fuzziness, the deflections and their relaxation. They are chosen on
    problems that are not among the 20: first those of FuzzyBoost, then, with these, readings of its chains and votes,
    then the parameters of DFA.
    """

    all_problems = OTHERS

    def load(self, problem: str) -> Any:
        return load_sample(problem)

    def steps(self, options: Options) -> list[Step]:
        return [Step(partial(self._step_studies, name, options)) for name in CANDIDATES]

    def _step_studies(self, step: str, options: Options, store: Store) -> list[Study]:
        return self._studies(self.candidates(step, options, store), options)

    def _studies(self, candidates: Sequence[Setting], options: Options) -> list[Study]:
        settings = [fuzzy_boost_setting(**candidate) for candidate in candidates]
        return [self.study(problem, settings, CHOICE_FOLDS) for problem in self.chosen_problems(options)]

    def candidates(self, step: str, options: Options, store: Store) -> list[Setting]:
        """What a step compares; nothing while an earlier step is unfinished."""
        best = PRINTED
        for name, changes in CANDIDATES.items():
            candidates: list[Setting] = [{**best, **change} for change in changes]
            if name == step:
                return candidates
            ranked = self._rank(candidates, options, store)
            if not ranked:
                return []
            best = ranked[0][0]
        raise KeyError(step)

    def _rank(self, candidates: Sequence[Setting], options: Options, store: Store) -> list[tuple[Setting, list[float]]]:
        """The candidates, best first, with their relative errors on each problem; none while a fit is missing."""
        table = []
        for study in self._studies(candidates, options):
            errors = results_of(study, store).errors
            runs = [setting_percent(errors, fuzzy_boost_setting(**candidate)) for candidate in candidates]
            if not runs or not all(runs):
                return []
            table.append([float(np.mean(values)) for values in runs])
        if not table:
            return []
        means = np.array(table)
        average = means.mean(axis=1, keepdims=True)
        relative = np.divide(means, average, out=np.ones_like(means), where=average > 0)  # all 1 where none errs
        order = np.argsort(relative.mean(axis=0).round(12), kind="stable")
        return [(candidates[c], relative[:, c].tolist()) for c in order]

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Best first in each step."""
        return [
            Line(f"{len(values)} other problems", step, describe(candidate), [100.0 * value for value in values])
            for step in CANDIDATES
            for candidate, values in self._rank(self.candidates(step, options, store), options, store)
        ]

    def caption(self, options: Options) -> str:
        return (
            "Error in % of the mean error of all lines of the same step on the same problem: mean (std) over problems "
            f"that are not among the 20, by {CHOICE_FOLDS}-fold cross-validation. Each step continues with the first "
            "line of the step before."
        )


def describe(candidate: Setting) -> str:
    """A candidate in words.

    >>> describe({"reward": 0.3, "n_deflections": 2, "aligned": True, "samme": False})
    'reward 0.3, 2 deflections, aligned'
    """
    words = []
    for name, value in candidate.items():
        if isinstance(value, bool):
            words += [name] if value else []
        elif name == "n_deflections":
            words.append(f"{value} deflection{'s' if value != 1 else ''}")
        else:
            words.append(f"{name} {value}")
    return ", ".join(words)


@dataclass(frozen=True)
class SweepTable(TreesTable):
    """The mean error over the 20 problems, while one parameter is varied; nothing is chosen."""

    variants: Sequence[Mapping[str, Any]]

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        return [self.study(problem, [fuzzy_boost_setting(**variant) for variant in self.variants], FOLDS)]

    def lines(self, options: Options, store: Store) -> list[Line]:
        found = [self.problem_errors(problem, options, store) for problem in self.chosen_problems(options)]
        lines = []
        for variant in self.variants:
            runs = [setting_percent(errors, fuzzy_boost_setting(**variant)) for errors in found]
            values = [float(np.mean(run)) for run in runs if run]
            name = "DFA" if variant.get("n_deflections") else "FuzzyBoost"
            lines.append(Line(f"{len(values)} problems", name, describe(variant), values))
        return lines

    def caption(self, options: Options) -> str:
        return (
            "Error in %, mean (std) over the problems, by one 10-fold cross-validation each; the std is between "
            "problems, not between runs. Nothing was chosen from these lines."
        )


WINS = WinsTable("004", "004: FuzzyBoost, DFA, their halves and their peers, 20 problems of our choice")
WINS_C45 = WinsTable("004-C45", "004: the same with C4.5 (Weka's J48)", tree="J48")
PARAMETER_CHOICE = ChoiceTable("004-parameters", "004: parameters of FuzzyBoost and DFA, chosen on other problems")
REWARD = SweepTable(
    "004-reward",
    "004: the influence of the reward",
    [{"reward": reward, **deflected} for deflected in ({}, DEFLECTED) for reward in (*REWARDS, 0.9)],
)
DEFLECTION = SweepTable(
    "004-deflections",
    "004: the influence of the number of deflections",
    [
        {**DEFLECTED, "n_deflections": number, "aligned": aligned}
        for aligned, number in product((False, True), (0, 1, 2, 4))
    ],
)
