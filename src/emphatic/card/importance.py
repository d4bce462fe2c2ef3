"""Which columns a model relies on: how much worse it predicts when the cells of a column are shuffled."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic import check
from emphatic.card.out_of_fold import Predict
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows

MAX_PREDICTIONS = 200_000
"""Rows predicted at most, over all columns and repeats: a count, since what a time limit allows varies."""

MAX_ROWS, FEWEST_ROWS = 2_000, 100
SMALLEST = float(np.finfo(np.float64).eps)
"""Probabilities are clipped here before their logarithm is taken, as in scikit-learn's `log_loss`."""


@dataclass(frozen=True, eq=False)
class Importances:
    """The increase of the loss when a column is shuffled, on average over the repeats.

    Attributes
    ----------
    names : list of str
        The columns that were measured, in the order of the table.
    positions : array of int
        Their positions in the table.
    values, spreads : arrays
        Mean and standard deviation over the repeats.
    loss : "log loss", or "error" for a model without probabilities
    n_rows, n_repeats : int
    held_out : bool
        Whether the rows were predicted by models that were not trained on them. If not, the values are too large rather
        than too small: a model remembers training rows by all of their cells.
    n_left : int
        Columns that were not measured, because the table has too many.
    """

    names: list[str]
    positions: IntArray
    values: FloatArray
    spreads: FloatArray
    loss: str
    n_rows: int
    n_repeats: int
    held_out: bool
    n_left: int = 0

    @property
    def order(self) -> IntArray:
        """The most important first; of equal ones the first of the table."""
        return np.argsort(-self.values, kind="stable")


def measure_importances(
    predict: Predict,
    X: Any,
    codes: IntArray,
    *,
    rng: np.random.Generator,
    held_out: bool,
    has_probabilities: bool = True,
    n_repeats: int = 5,
    skip: Collection[int] = (),
) -> Importances:
    """Shuffle one column of a pandas table at a time and measure how much the loss grows.

    At most 2,000 rows are used, and fewer in a table of many columns. Columns at the positions `skip` are left out:
    shuffling what a model does not read changes nothing.

    Parameters
    ----------
    predict : function
        `predict(table, rows)` gives probabilities (n, K) for a table that holds these rows of `X`, one column shuffled.
    X : pandas DataFrame
    codes : array (n,) of int
        The columns of the probabilities that are those of the labels.
    rng : generator
        Draws the rows and shuffles.
    held_out : bool
        Whether `predict` was trained without the row that it predicts; only recorded.
    has_probabilities : bool, default=True
        False measures the error instead of the log loss.
    n_repeats : int, default=5
    """
    check.integer("n_repeats", n_repeats, at_least=1)
    positions = [j for j in range(X.shape[1]) if j not in skip]
    n_wanted = len(positions)
    n_repeats = min(n_repeats, max(1, MAX_PREDICTIONS // (FEWEST_ROWS * max(1, n_wanted))))
    positions = positions[: MAX_PREDICTIONS // (FEWEST_ROWS * n_repeats)]
    affordable = MAX_PREDICTIONS // (n_repeats * max(1, len(positions)))
    n_rows = min(len(codes), MAX_ROWS, affordable)
    rows = np.sort(rng.permutation(len(codes))[:n_rows])
    table, own = take_rows(X, rows), codes[rows]
    measure = _log_loss if has_probabilities else _error
    before = measure(predict(table, rows), own)
    increases = np.zeros((len(positions), n_repeats))
    for place, j in enumerate(positions):
        column, changed = table.iloc[:, j], table.copy(deep=False)
        for repeat in range(n_repeats):
            changed.isetitem(j, column.iloc[rng.permutation(n_rows)].array)
            increases[place, repeat] = measure(predict(changed, rows), own) - before
    return Importances(
        [str(X.columns[j]) for j in positions],
        np.array(positions, dtype=np.intp),
        increases.mean(axis=1),
        increases.std(axis=1),
        "log loss" if has_probabilities else "error",
        n_rows,
        n_repeats,
        held_out,
        n_wanted - len(positions),
    )


def _log_loss(probabilities: FloatArray, codes: IntArray) -> float:
    return float(-np.log(np.clip(probabilities[np.arange(len(codes)), codes], SMALLEST, 1.0)).mean())


def _error(probabilities: FloatArray, codes: IntArray) -> float:
    return float(np.mean(probabilities.argmax(axis=1) != codes))
