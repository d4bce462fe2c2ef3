"""What the tables of paper 004 share: ensembles of trees, cross-validated, and their errors by problem and repetition.

Every ensemble has one setting for all problems, and is tested on the same folds as all others. The published counts are
of 20 other problems, or of some of these: the slides do not name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.check import FloatArray
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.distances import PaperDistances
from emphatic.papers.p004.ensembles import build, measure
from emphatic.papers.p004.problems import PAPER, PROBLEMS
from emphatic.papers.p004.scores import DECIMALS, Score, find_published
from emphatic.papers.table import PublishedTable, group_repetitions
from emphatic.study import Method, RepeatedKFold, Store, Study
from emphatic.study.results import Errors
from emphatic.study.statistics import mean_ranks, signed_rank_p
from emphatic.study.tasks import Setting, canonical

FOLDS, REPEATS = 10, 3
DRAWS = f"errors equal when rounded to {10.0**-DECIMALS:g}% are a draw"
"""For captions with wins."""


@dataclass(frozen=True)
class MeanErrors:
    """Errors in % of several methods, (problems, repetitions), on the `problems` that all of them have finished."""

    problems: Sequence[str]
    of: Mapping[str, FloatArray]

    @property
    def n_repetitions(self) -> int:
        return next(iter(self.of.values())).shape[1]

    def over_repetitions(self, method: str) -> FloatArray:
        """One error per problem."""
        return self.of[method].mean(axis=1)

    def score(self, first: str, second: str) -> Score:
        """By the errors over all repetitions."""
        return Score.of(self.over_repetitions(first), self.over_repetitions(second))

    def scores(self, first: str, second: str) -> list[Score]:
        """Repetition by repetition."""
        return [Score.of(*pair) for pair in zip(self.of[first].T, self.of[second].T, strict=True)]

    def keep(self, problems: Sequence[str]) -> MeanErrors:
        """Of these problems only."""
        places = [self.problems.index(problem) for problem in problems]
        return MeanErrors(problems, {method: errors[places] for method, errors in self.of.items()})


class TreesTable(PublishedTable):
    """Ensembles of trees on the 20 problems.

    Records of all tables are kept under one name, so that an ensemble that several tables show is fitted once. The
    number of folds is part of the name of the method: folds of other numbers are other folds.
    """

    all_problems = PROBLEMS

    def study(self, problem: str, settings: Sequence[Setting], n_folds: int = FOLDS, n_repeats: int = 1) -> Study:
        different = list({canonical(setting): setting for setting in settings}.values())
        method = Method(f"trees, {n_folds} folds", build, different, PaperDistances, measure=measure)
        return Study(PAPER, [method], [self.load(problem)], RepeatedKFold(n_folds, n_repeats))

    def read_errors(self, methods: Mapping[str, Setting], options: Options, store: Store) -> MeanErrors:
        """The errors of these methods on the problems that all of them have finished."""
        found = {problem: self.problem_errors(problem, options, store) for problem in self.chosen_problems(options)}
        finished = {problem: errors for problem, errors in found.items() if is_finished(methods, errors)}
        means = {
            name: [repetition_means(errors, setting) for errors in finished.values()]
            for name, setting in methods.items()
        }
        return MeanErrors(list(finished), {name: np.array(rows, ndmin=2) for name, rows in means.items()})


def is_finished(methods: Mapping[str, Setting], errors: Errors) -> bool:
    """Whether every method has all its runs."""
    return all(canonical(setting) in errors for setting in methods.values())


def repetition_means(errors: Errors, setting: Setting) -> list[float]:
    """The mean error in % over the folds of each repetition."""
    return [100.0 * float(np.mean(folds)) for folds in group_repetitions(errors[canonical(setting)])]


def mean_lines(errors: MeanErrors) -> Iterator[Line]:
    """The mean over the problems of every method, with its mean rank."""
    if not errors.problems:
        return
    means = {method: errors.over_repetitions(method) for method in errors.of}
    ranks = mean_ranks(np.transpose(list(means.values())))
    for (method, values), rank in zip(means.items(), ranks, strict=True):
        yield Line(f"{len(values)} problems", "mean error", method, values.tolist(), note=f"mean rank {rank:.2f}")


def wins_line(errors: MeanErrors, first: str, second: str, setting: str = "wins", printed: str = "") -> Line:
    """The score of a pair, over all repetitions and in each, beside the published one.

    `printed` is what the slides call the second one, where that is not its name here.
    """
    score, theirs = errors.score(first, second), find_published(first, printed or second)
    notes = [f"win/lose/draw {score}, sign test p {score.sign_p:.3f}"]
    if errors.n_repetitions > 1:
        notes.append(f"by repetition {', '.join(map(str, errors.scores(first, second)))}")
    if theirs:
        notes.append(f"published {theirs}, sign test p {theirs.sign_p:.3f}")
    return Line(
        problem=f"{len(errors.problems)} problems",
        setting=setting,
        method=f"{first} against {second}",
        values=[float(score.wins)],
        published=(float(theirs.wins), None) if theirs and len(errors.problems) == len(PROBLEMS) else None,
        p=signed_rank_p(errors.over_repetitions(first), errors.over_repetitions(second)),
        note="; ".join(notes),
    )
