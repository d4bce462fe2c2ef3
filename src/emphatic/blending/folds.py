"""Folds: shares of a table, each judged by models that are trained on the rest."""

import numpy as np

from emphatic.check import IntArray


def draw_folds(codes: IntArray, n_folds: int, rng: np.random.Generator) -> list[IntArray]:
    """Rows of each fold: every class is shuffled and dealt out like cards, the next class going on where one ended.

    A class may have fewer samples than there are folds: its samples lie in different folds, and are judged by models
    that saw the others. Folds differ by at most one sample, in size and in the number of each class.

    >>> import numpy as np
    >>> [len(rows) for rows in draw_folds(np.array([0, 0, 0, 1, 1]), 3, np.random.default_rng(0))]
    [2, 2, 1]
    """
    shuffled = rng.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    return [np.sort(by_class[fold::n_folds]) for fold in range(n_folds)]
