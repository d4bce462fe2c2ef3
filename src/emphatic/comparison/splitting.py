"""Which rows of the user's table train and which test: folds at random, by groups, or in the order of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator

from emphatic.check import FloatArray
from emphatic.names import unknown
from emphatic.study.dependent import GroupFolds, TimeFolds
from emphatic.study.order import as_order
from emphatic.study.protocol import ProblemLike, RepeatedKFold, Split, SplitProtocol
from emphatic.tables.columns import read_columns
from emphatic.wording import count

if TYPE_CHECKING:
    import pandas as pd

    from emphatic.tables.decision import Decision


@dataclass(frozen=True)
class OfFolds:
    """The splits of `outer`, named after the number of folds too: a fold of three is no fold of five."""

    outer: SplitProtocol
    n_folds: int

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        for split in self.outer.splits(problem):
            yield Split(f"{split.id}, {self.n_folds} folds", split.seed, split.train, split.test, split.fold)


@dataclass(frozen=True, eq=False)
class Splitting:
    """The splits, in words too, and what they need to know of each row."""

    protocol: SplitProtocol
    words: str
    groups: Any = None
    order: Any = None


def choose_splitting(
    X: pd.DataFrame,
    y: Any,
    decisions: Sequence[Decision],
    n_folds: int,
    n_repeats: int,
    group: str = "",
    time: str = "",
) -> Splitting:
    """Choose random folds, or those of the column `group`, or of the column `time`, which is read as was decided."""
    if group:
        groups = read_groups(X, group)
        n_groups = len(set(groups))
        if n_groups < n_folds:
            few = f"column {group} has {n_groups} groups, fewer than the {n_folds} folds"
            raise ValueError(f"{few}: use --folds {n_groups}")
        protocol = OfFolds(GroupFolds(n_folds, n_repeats), n_folds)
        return Splitting(protocol, f"{n_repeats} x {n_folds} folds of {group}", groups)
    if time:
        if time not in X.columns:
            raise unknown("column", time, map(str, X.columns))
        [decision] = [one for one in decisions if one.name == time]
        order = _read_order(X[[time]], decision)
        words = f"{count(n_folds, 'test part')}, each later in {time} than its training rows"
        return Splitting(OfFolds(TimeFolds(n_folds), n_folds), words, order=order)
    check_folds(y, n_folds)
    return Splitting(OfFolds(RepeatedKFold(n_folds, n_repeats), n_folds), f"{n_repeats} x {n_folds} folds")


def check_parts(problem: ProblemLike, protocol: SplitProtocol) -> None:
    """Every part needs two classes: no method learns from one, and no ranking can be measured on one."""
    y = np.asarray(problem.y)
    for number, split in enumerate(protocol.splits(problem), start=1):
        for part, rows in (("training", split.train), ("test", split.test)):
            classes = np.unique(y[rows])
            if len(classes) < 2:
                raise ValueError(f"{part} part {number} holds only class {classes[0]}: use fewer --folds")


def check_folds(y: Any, n_folds: int) -> None:
    """Every class needs a row in every fold, or some folds could not be measured."""
    classes, counts = np.unique(y, return_counts=True)
    smallest, fewest = classes[counts.argmin()], int(counts.min())
    if fewest < 2:
        raise ValueError(
            f"class {smallest} has a single row, which cannot be used for both training and testing: leave it out or "
            "merge it with another class"
        )
    if fewest < n_folds:
        raise ValueError(f"class {smallest} has {fewest} rows, fewer than the {n_folds} folds: use --folds {fewest}")


def _read_order(table: pd.DataFrame, decision: Decision) -> FloatArray:
    """The order of a column of dates or numbers however they are written; row numbers, too, which are no feature."""
    [column] = read_columns(BaseEstimator(), table, reset=True)
    values = decision.read(column) if decision.kind in {"date", "number"} else table.iloc[:, 0]
    return as_order(values, f"column {decision.name}")


def read_groups(X: pd.DataFrame, name: str) -> np.ndarray:
    """The groups of a column, as text: at least two, and none missing."""
    if name not in X.columns:
        raise unknown("column", name, map(str, X.columns))
    column = X[name]
    n_missing = int(column.isna().sum())
    if n_missing:
        raise ValueError(f"column {name} has no value in {count(n_missing, 'row')}: every row needs its group")
    groups = column.astype(str).to_numpy()
    if len(set(groups)) == 1:
        raise ValueError(f"column {name} holds one group only: at least 2 are needed to test on rows of another")
    return np.asarray(groups)
