"""A model asked about tables that differ from the given one in a column or a few: shuffled, or all cells the same."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from emphatic.card.out_of_fold import Predict
from emphatic.check import FloatArray, IntArray

MAX_CELLS = 2_000_000
"""Of a table that is predicted at a time."""

Change = Mapping[int, IntArray]
"""Column by column, for each row the row of the table whose cell it gets instead of its own."""


def predict_changed(predict: Predict, X: Any, rows: IntArray, changes: Sequence[Change]) -> list[FloatArray]:
    """Predict these rows of a pandas table after each of the changes, which are independent of each other.

    Cells are exchanged as they are written, so that the model reads them as it has learnt to. Several changed tables
    are stacked and predicted at once: reading a table costs more per column than per cell.
    """
    size = max(1, MAX_CELLS // max(1, len(rows) * X.shape[1]))
    answers: list[FloatArray] = []
    for start in range(0, len(changes), size):
        batch = changes[start : start + size]
        answers += np.split(predict(_stack(X, rows, batch), np.tile(rows, len(batch))), len(batch))
    return answers


def _stack(X: Any, rows: IntArray, changes: Sequence[Change]) -> Any:
    """The rows once per change, one below the other."""
    own = np.tile(rows, len(changes))
    sources: dict[int, IntArray] = {}
    for place, change in enumerate(changes):
        for j, others in change.items():
            source = sources.setdefault(j, own.copy())
            source[place * len(rows) : (place + 1) * len(rows)] = others
    table = X.iloc[own].reset_index(drop=True)
    for j, source in sources.items():
        # A series keeps its type; of an array of objects pandas would guess another.
        table.isetitem(j, X.iloc[:, j].iloc[source].set_axis(table.index))
    return table
