"""Shares of a table that are judged by models trained on the rest."""

from __future__ import annotations

import numpy as np

from emphatic.check import IntArray


def deal(codes: IntArray, n_folds: int, rng: np.random.Generator) -> list[IntArray]:
    """Rows of each fold: every class is shuffled and dealt out like cards, the next class going on where one ended.

    So a class of fewer samples than folds is no trouble: its samples lie in different folds, and are judged by models
    that saw the others. Folds differ by one sample at most, in size and in the number of each class.

    >>> import numpy as np
    >>> [len(rows) for rows in deal(np.array([0, 0, 0, 1, 1]), 3, np.random.default_rng(0))]
    [2, 2, 1]
    """
    shuffled = rng.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    return [np.sort(by_class[fold::n_folds]) for fold in range(n_folds)]
