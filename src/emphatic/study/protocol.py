"""Protocols: which rows train and which rows test, run by run. docs/studies.md says which paper uses which.

A protocol is any object with `splits(problem)`. It yields `Split`s, whose names (`id`, `seed`, `fold`) stay the same
from run to run, so that a record in a store always means the same experiment.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn.model_selection import StratifiedKFold

from emphatic import check
from emphatic.randomness import derive_seed


class ProblemLike(Protocol):
    """What a study needs of a problem; `OwnProblem` and `emphatic.datasets.Problem` offer it."""

    @property
    def name(self) -> str: ...

    @property
    def X(self) -> Any: ...

    @property
    def y(self) -> Any: ...

    @property
    def train(self) -> Any: ...

    @property
    def test(self) -> Any: ...

    def partition(self, random_state: Any) -> tuple[Any, Any]: ...


@dataclass(frozen=True)
class Split:
    """One division of a problem's rows.

    `id` names the outer division ("predefined", "partition-3"), `seed` numbers the runs on it, `fold` names an inner
    fold and is empty when `test` is the outer test part.
    """

    id: str
    seed: int
    train: np.ndarray
    test: np.ndarray
    fold: str = ""


class SplitProtocol(Protocol):
    """What a study needs of a protocol."""

    def splits(self, problem: ProblemLike) -> Iterator[Split]: ...


@dataclass(frozen=True)
class PredefinedOrPartitions:
    """Paper 000: the predefined test set with `n_runs` seeds, or `n_partitions` random partitions that share the runs.

    Run r uses partition r mod `n_partitions` and seed r div `n_partitions`. Fewer runs are therefore a subset of more
    runs, and a study stopped at 5 runs can go on to 50.
    """

    n_runs: int = 50
    n_partitions: int = 10

    def __post_init__(self) -> None:
        check.integer("n_runs", self.n_runs, 1)
        check.integer("n_partitions", self.n_partitions, 1)

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        if problem.train is not None:
            train, test = _rows(problem.train), _rows(problem.test)
            for seed in range(self.n_runs):
                yield Split("predefined", seed, train, test)
            return
        parts = {}
        for run in range(self.n_runs):
            seed, number = divmod(run, self.n_partitions)
            if number not in parts:
                train, test = problem.partition(derive_seed(problem.name, "partition", number))
                parts[number] = _rows(train), _rows(test)
            yield Split(f"partition-{number}", seed, *parts[number])


@dataclass(frozen=True)
class RepeatedKFold:
    """Stratified folds of all rows, new ones for every repeat: papers 002 (10 x 10 folds), 003 (10), 004 (3 x 10).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.study import OwnProblem
    >>> problem = OwnProblem("iris", *load_iris(return_X_y=True))
    >>> len(list(RepeatedKFold(n_folds=5, n_repeats=2).splits(problem)))
    10
    """

    n_folds: int = 10
    n_repeats: int = 10

    def __post_init__(self) -> None:
        check.integer("n_folds", self.n_folds, 2)
        check.integer("n_repeats", self.n_repeats, 1)

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        for repeat in range(self.n_repeats):
            seed = derive_seed(problem.name, "repeat", repeat)
            for number, (train, test) in enumerate(_folds(problem.y, self.n_folds, seed)):
                yield Split(f"repeat-{repeat}-fold-{number}", 0, train, test)


@dataclass(frozen=True)
class InnerFolds:
    """Stratified folds of every *training part* of `outer`: for choosing parameters without looking at a test part.

    The folds are the same for all candidates. More than one of `n_repeats` is worth it where there is only one training
    part (a predefined test set).
    """

    outer: SplitProtocol
    n_folds: int = 5
    n_repeats: int = 1

    def __post_init__(self) -> None:
        check.integer("n_folds", self.n_folds, 2)
        check.integer("n_repeats", self.n_repeats, 1)

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        y = np.asarray(problem.y)
        seen = set()
        for split in self.outer.splits(problem):
            if split.id in seen:  # another seed on the same training part
                continue
            seen.add(split.id)
            for repeat in range(self.n_repeats):
                seed = derive_seed(problem.name, split.id, "folds", repeat)
                for number, (train, test) in enumerate(_folds(y[split.train], self.n_folds, seed)):
                    fold = f"{number + 1}/{self.n_folds}"
                    yield Split(split.id, repeat, split.train[train], split.train[test], fold)


@dataclass(frozen=True)
class Only:
    """The splits of `outer` with these ids: for settings that were chosen split by split."""

    outer: SplitProtocol
    ids: frozenset[str]

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        return (split for split in self.outer.splits(problem) if split.id in self.ids)


def _folds(y: Any, n_folds: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    y = np.asarray(y)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        # A class with fewer rows than folds is missing from some test parts; two rows suffice for all training parts.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        yield from list(folds.split(np.zeros(len(y)), y))


def _rows(rows: Any) -> np.ndarray:
    """Row numbers, from row numbers or from a mask."""
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows
