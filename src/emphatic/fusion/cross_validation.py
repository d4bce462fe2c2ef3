"""Supports of members for rows that they were not trained on."""

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.engines import Item, Shared, run_tasks
from emphatic.fusion.members import MemberTraining
from emphatic.inputs import list_folds


def cross_validate_members(
    shared: Sequence[Shared], present: IntArray, cv: Any, n_jobs: int | None = None, engine: Any = None
) -> tuple[FloatArray, IntArray]:
    """(members, n, K) supports, and which rows these are; `present` are the rows of positive weight.

    The members are `MemberTraining`s, which their final training shares.
    """
    first: MemberTraining = shared[0].value
    numbered = enumerate(list_present_folds(cv, first.y, present), start=1)
    folds = [(number, train, test) for number, (train, test) in numbered if len(train) and len(test)]
    if not folds:
        raise ValueError(f"cv={cv!r} is not allowed: no fold has both training and test samples.")
    items = (Item(fold, shared=(one,)) for one in shared for fold in folds)
    predictions = run_tasks(MemberTraining.predict_fold, items, n_jobs=n_jobs, engine=engine)
    supports = np.concatenate(predictions).reshape(len(shared), -1, len(first.classes))
    return supports, np.concatenate([test for _, _, test in folds])


def list_present_folds(cv: Any, y: IntArray, present: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Training and test rows of each fold, without those that are not `present`; `cv` as scikit-learn takes it."""
    if not isinstance(cv, Integral):
        for train, test in list_folds(cv, np.zeros(len(y)), y):
            yield np.intersect1d(train, present), np.intersect1d(test, present)
        return
    sizes = np.bincount(y[present])
    fewest = int(sizes[sizes > 0].min())
    if fewest < 2:
        raise ValueError(
            "cross-validation needs at least 2 samples per class, but a class has only 1: give the reliability as a "
            "number, such as reliability=0.9."
        )
    splitter = StratifiedKFold(min(check.integer("cv", cv, at_least=2), fewest))
    for train, test in splitter.split(present, y[present]):
        yield present[train], present[test]
