"""Supports of members for rows that they were not trained on."""

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.parallel import Parallel, delayed

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.fusion.members import MemberTraining
from emphatic.inputs import list_folds
from emphatic.workers import tie


def cross_validate_members(
    trainings: Sequence[MemberTraining], present: IntArray, cv: Any, n_jobs: int | None
) -> tuple[FloatArray, IntArray]:
    """(members, n, K) supports, and which rows these are; `present` are the rows of positive weight."""
    first = trainings[0]
    numbered = enumerate(list_present_folds(cv, first.y, present), start=1)
    folds = [(number, train, test) for number, (train, test) in numbered if len(train) and len(test)]
    if not folds:
        raise ValueError(f"cv={cv!r} is not allowed: no fold has both training and test samples.")
    predictions = Parallel(n_jobs=n_jobs)(delayed(tie(one.predict_fold))(*fold) for one in trainings for fold in folds)
    supports = np.concatenate(predictions).reshape(len(trainings), -1, len(first.classes))
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
