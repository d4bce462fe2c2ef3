"""The labels of a table after a review, and a log of what was changed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from emphatic.audit.marks.record import Marks
from emphatic.check import IntArray


class Correction(NamedTuple):
    """Corrected labels.

    Attributes
    ----------
    labels : array (n_kept,)
        Of the rows that were kept.
    rows : array (n_kept,) of int
        Positions of the rows that were kept, all of them unless unknown ones were dropped.
    log : DataFrame
        A line for each label that was marked wrong: index, before, after (None if it is not known), why.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from emphatic.audit import audit_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y[3] = 2
    >>> labels, rows, log = audit_labels(X, y, estimator=LogisticRegression(max_iter=500)).correct({3: ("wrong", 0)})
    >>> int(labels[3]), len(rows), len(log)
    (0, 150, 1)
    """

    labels: np.ndarray
    rows: IntArray
    log: Any


def correct_labels(
    y: np.ndarray, index: np.ndarray, classes: np.ndarray, marks: Marks, drop_unknown: bool = False
) -> Correction:
    """Replace labels that are marked wrong by the right ones.

    Where the right one is not known, the row is dropped, or else keeps its label.

    >>> import numpy as np
    >>> y, classes = np.array(["a", "b", "b"]), np.array(["a", "b"])
    >>> marks = Marks.of({0: (True, 1), 1: (True, -1), 2: (False, 1)})
    >>> labels, rows, log = correct_labels(y, np.arange(3), classes, marks, drop_unknown=True)
    >>> labels.tolist(), rows.tolist()
    (['b', 'b'], [0, 2])
    >>> print(log.to_string(index=False))
     index before after                                    why
         0      a     b                           marked wrong
         1      b  None marked wrong, right one unknown: dropped
    """
    import pandas as pd

    change, unclear = marks.wrong & ~marks.unknown, marks.wrong & marks.unknown
    labels = y.copy()
    labels[marks.rows[change]] = classes[marks.correct[change]]
    kept = np.setdiff1d(np.arange(len(y)), marks.rows[unclear]) if drop_unknown else np.arange(len(y))
    listed = marks.rows[marks.wrong]
    open_ones = marks.unknown[marks.wrong]
    why = f"marked wrong, right one unknown: {'dropped' if drop_unknown else 'kept'}"
    after = labels[listed].astype(object)
    after[open_ones] = None
    log = {
        "index": index[listed],
        "before": y[listed],
        "after": pd.Series(after, dtype=object),
        "why": np.where(open_ones, why, "marked wrong").astype(object),
    }
    return Correction(labels[kept], kept, pd.DataFrame(log))
