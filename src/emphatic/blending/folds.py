"""Folds: shares of a table, each judged by models that are trained on the rest."""

import numpy as np

from emphatic.check import IntArray


def draw_folds(
    codes: IntArray, n_folds: int, rng: np.random.Generator, groups: IntArray | None = None
) -> list[IntArray]:
    """Rows of each fold: every class is shuffled and dealt out like cards, the next class going on where one ended.

    A class may have fewer samples than there are folds: its samples lie in different folds, and are judged by models
    that saw the others. Folds differ by at most one sample, in size and in the number of each class.

    With `groups` (codes 0 .. G-1) all rows of a group lie in one fold, and folds are as even as that allows. There are
    at most as many folds as groups.

    >>> import numpy as np
    >>> [len(rows) for rows in draw_folds(np.array([0, 0, 0, 1, 1]), 3, np.random.default_rng(0))]
    [2, 2, 1]
    >>> pairs = np.array([0, 0, 1, 1, 2, 2])
    >>> [rows.tolist() for rows in draw_folds(np.array([0, 1] * 3), 3, np.random.default_rng(0), pairs)]
    [[4, 5], [0, 1], [2, 3]]
    """
    if groups is not None:
        fold = _deal_groups(codes, n_folds, rng, groups)
        return [np.flatnonzero(fold == number) for number in range(min(n_folds, int(groups.max()) + 1))]
    shuffled = rng.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    return [np.sort(by_class[fold::n_folds]) for fold in range(n_folds)]


def _deal_groups(codes: IntArray, n_folds: int, rng: np.random.Generator, groups: IntArray) -> IntArray:
    """Fold of each row: groups go, one after another, where they leave folds most even, in size and in classes.

    That is the fold in which a group adds least to the sum of the squared shares that folds have of each class and of
    all rows. Groups for which this sum is large go first, as small ones can fill the gaps that these leave.
    """
    n_groups, n_classes = int(groups.max()) + 1, int(codes.max()) + 1
    counts = np.zeros((n_groups, n_classes + 1))  # a last column for all classes together
    np.add.at(counts, (groups, codes), 1.0)
    counts[:, -1] = counts.sum(axis=1)
    scales = (len(codes) / np.maximum(counts.sum(axis=0), 1.0)) ** 2
    held = np.zeros((min(n_folds, n_groups), n_classes + 1))
    fold = np.empty(n_groups, dtype=np.intp)
    shuffled = rng.permutation(n_groups)
    weights = (counts**2 @ scales).round(3)[shuffled]  # rounded, so that no tie hangs on the last digit
    for place, group in enumerate(shuffled[np.argsort(-weights, kind="stable")]):
        # the first groups get a fold each, so that none is empty
        fold[group] = place if place < len(held) else (held @ (scales * counts[group])).round(3).argmin()
        held[fold[group]] += counts[group]
    return fold[groups]
