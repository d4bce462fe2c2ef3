"""Columns that give the target away: one of them alone tells nearly every label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from emphatic.check import FloatArray, IntArray
from emphatic.tables.columns import Column
from emphatic.tables.decision import Decision
from emphatic.tables.repeated import Repeated

NEARLY_ALL = 0.99
"""Share of labels that a column must tell to be suspected."""

LEAST_ROWS, MOST_ROWS, MOST_CLASSES = 50, 10_000, 50
"""In fewer rows a good column may be right by luck; of more rows, so many are looked at."""


def find_copies(columns: Sequence[Column], decisions: Sequence[Decision], y: np.ndarray) -> dict[str, str]:
    """A warning for each column from which a small tree, of as many leaves as there are classes, tells the labels.

    >>> import numpy as np
    >>> y = np.array(["no", "yes"] * 50)
    >>> copy = Column("paid", "numeric", (y == "yes") * 3.0)
    >>> find_copies([copy], [Decision("paid", "number")], y)
    {'paid': 'alone tells 100.0% of the labels: is it known before the target is?'}
    """
    rows = np.linspace(0, len(y) - 1, min(len(y), MOST_ROWS)).astype(int)
    classes, codes = np.unique(y[rows].astype(str), return_inverse=True)
    most = np.bincount(codes).max() / len(codes)
    if len(rows) < LEAST_ROWS or not 2 <= len(classes) <= MOST_CLASSES or most > 1 - 2 * (1 - NEARLY_ALL):
        return {}
    result = {}
    for column, decision in zip(columns, decisions, strict=True):
        if decision.kind in ("number", "date", "category", "boolean"):
            share = _share_told(_order_values(decision.read(column), codes, rows), codes, len(classes))
            if share >= NEARLY_ALL:
                result[column.name] = f"alone tells {100 * share:.1f}% of the labels: is it known before the target is?"
    return result


def _order_values(values: Any, codes: IntArray, rows: IntArray) -> FloatArray:
    """Numbers as they are; categories by the class that most of their rows have, rare ones together."""
    if isinstance(values, np.ndarray):
        return np.asarray(values[rows])
    texts = values.take(rows) if isinstance(values, Repeated) else [values[row] for row in rows]
    pairs = Counter(zip(texts, codes.tolist(), strict=True))
    frequent = {text for text, count in Counter(texts).items() if count >= 5}
    best: dict[Any, int] = {}
    for (text, code), _ in sorted(pairs.items(), key=lambda item: item[1]):
        best[text] = code  # that of the largest count, which comes last
    return np.array([best[text] if text in frequent else -1 for text in texts], dtype=np.float64)


def _share_told(values: FloatArray, codes: IntArray, n_classes: int) -> float:
    """The share of labels that a tree of `n_classes` leaves tells; 0 where it is plain that they are too few."""
    filled = np.where(np.isnan(values), np.nanmin(values, initial=0.0) - 1.0, values)
    # In the order of the values, labels change once between two leaves, and twice at a label that is not told.
    n_changes = np.count_nonzero(np.diff(codes[np.lexsort((codes, filled))]))
    if n_changes > n_classes + 2 * (1 - NEARLY_ALL) * len(codes):
        return 0.0
    # Ranks keep apart what is different; in single precision, as the tree has it.
    ranks = np.unique(filled, return_inverse=True)[1]
    # However many leaves there are, no more is told than the most frequent label of each value.
    counts = np.bincount(ranks * n_classes + codes, minlength=(ranks.max() + 1) * n_classes).reshape(-1, n_classes)
    if counts.max(axis=1).sum() < NEARLY_ALL * len(codes):
        return 0.0
    tree = DecisionTreeClassifier(max_leaf_nodes=n_classes, min_samples_leaf=5, random_state=0)
    inputs = ranks.reshape(-1, 1).astype(np.float32)
    return float(tree.fit(inputs, codes).score(inputs, codes))
