"""Protocols for rows that depend on each other: of one person or place, or of one course of time.

Drawn at random, such rows would be in training and test parts at once, and errors would look better than those on rows
of new persons, or of tomorrow.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold

from emphatic import check
from emphatic.randomness import derive_seed
from emphatic.study.order import as_order
from emphatic.study.protocol import ProblemLike, Split
from emphatic.wording import count


@dataclass(frozen=True)
class GroupFolds:
    """Folds that keep the rows of a group together (`OwnProblem(groups=...)`), with classes as even as they can be.

    >>> from emphatic.study import OwnProblem
    >>> problem = OwnProblem("visits", [[0]] * 6, [0, 1, 0, 1, 0, 1], groups=["ann", "ann", "bob", "bob", "cy", "cy"])
    >>> [split.test.tolist() for split in GroupFolds(n_folds=3, n_repeats=1).splits(problem)]
    [[2, 3], [4, 5], [0, 1]]
    """

    n_folds: int = 10
    n_repeats: int = 1

    def __post_init__(self) -> None:
        check.integer("n_folds", self.n_folds, 2)
        check.integer("n_repeats", self.n_repeats, 1)

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        y, groups = np.asarray(problem.y), _take_rows_of(problem, "groups")
        n_groups = len(set(groups.tolist()))
        if n_groups < self.n_folds:
            raise ValueError(
                f"{problem.name} has {count(n_groups, 'group')}, fewer than the {self.n_folds} folds: each fold needs "
                "a group of its own."
            )
        for repeat in range(self.n_repeats):
            seed = derive_seed(problem.name, "repeat", repeat)
            folds = StratifiedGroupKFold(self.n_folds, shuffle=True, random_state=seed)
            with warnings.catch_warnings():
                # A class with fewer rows than folds is missing from some test parts.
                warnings.filterwarnings("ignore", "The least populated class", UserWarning)
                parts = list(folds.split(np.zeros(len(y)), y, groups))
            for number, (train, test) in enumerate(parts):
                yield Split(f"groups-{repeat}-fold-{number}", 0, train, test)


@dataclass(frozen=True)
class TimeFolds:
    """Train on the past, test on what comes next (`OwnProblem(order=...)`), `n_folds` times.

    The rows are cut into `n_folds` + 1 parts that follow each other in time, about equally large; each part but the
    first is a test part, and all rows before it are its training part. Rows of one time stay together.

    >>> from emphatic.study import OwnProblem
    >>> problem = OwnProblem("sales", [[0]] * 6, [0, 1, 0, 1, 0, 1], order=[3, 1, 2, 6, 5, 4])
    >>> [(split.train.tolist(), split.test.tolist()) for split in TimeFolds(n_folds=2).splits(problem)]
    [([1, 2], [0, 5]), ([0, 1, 2, 5], [3, 4])]
    """

    n_folds: int = 5

    def __post_init__(self) -> None:
        check.integer("n_folds", self.n_folds, 1)

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        order = as_order(_take_rows_of(problem, "order"), f"the order of {problem.name}")
        times = np.sort(order)
        starts = times[[len(times) * part // (self.n_folds + 1) for part in range(1, self.n_folds + 1)]]
        ends = [*starts[1:], np.inf]
        if len(np.unique([times[0], *starts])) <= self.n_folds:
            n_times = len(np.unique(times))
            raise ValueError(
                f"{problem.name} has {count(n_times, 'distinct time')}, too few or too unevenly filled for "
                f"{count(self.n_folds, 'fold')}: use fewer folds."
            )
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            train, test = np.flatnonzero(order < start), np.flatnonzero((order >= start) & (order < end))
            yield Split(f"later-{number}-of-{self.n_folds}", 0, train, test)


def _take_rows_of(problem: ProblemLike, name: str) -> np.ndarray:
    values: Any = getattr(problem, name, None)
    if values is None:
        raise ValueError(f"{problem.name} has no {name}: give it with OwnProblem({name}=...).")
    return np.asarray(values)
