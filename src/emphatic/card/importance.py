"""The importance of columns to any model: raw tables are predicted with the cells of a column shuffled."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from emphatic import check
from emphatic.blending.by_loss import error, log_loss
from emphatic.card.out_of_fold import Predict
from emphatic.card.shuffling import predict_changed
from emphatic.check import IntArray
from emphatic.importance import Importances, measure_columns
from emphatic.inputs import take_rows

MAX_PREDICTIONS, MAX_CELLS = 200_000, 8_000_000
"""Rows predicted at most, over all shuffles, and cells read: counts, since what a time limit allows varies."""

MAX_ROWS, FEWEST_ROWS, FEWEST_SHUFFLES = 2_000, 200, 50
"""The widest table gets so much, whatever it costs."""


def measure_importances(
    predict: Predict,
    X: Any,
    codes: IntArray,
    *,
    rng: np.random.Generator,
    has_probabilities: bool = True,
    n_repeats: int = 5,
    skip: Collection[int] = (),
) -> Importances:
    """Shuffle one column of a pandas table at a time and measure how much the loss grows.

    At most 2,000 rows are used, and fewer rows and repeats in a table of many columns. In one so wide that not every
    column can be measured, the most important ones are searched for first, by shuffling groups of columns. Columns at
    the positions `skip` are left out: shuffling what a model does not read changes nothing.

    Parameters
    ----------
    predict : function
        `predict(table, rows)` gives probabilities (n, K) for a table that holds these rows of `X`, some cells shuffled;
        by models that were not trained on them.
    X : pandas DataFrame
    codes : array (n,) of int
        The columns of the probabilities that are those of the labels.
    rng : generator
        Draws the rows and shuffles.
    has_probabilities : bool, default=True
        False measures the error instead of the log loss.
    n_repeats : int, default=5
    """
    check.integer("n_repeats", n_repeats, at_least=1)
    positions = [j for j in range(X.shape[1]) if j not in skip]
    wanted = n_repeats * max(1, len(positions))
    affordable = min(MAX_PREDICTIONS, MAX_CELLS // max(1, X.shape[1]))  # rows, over all shuffles
    n_rows = min(len(codes), MAX_ROWS, max(FEWEST_ROWS, affordable // wanted))
    n_shuffles = max(FEWEST_SHUFFLES, affordable // n_rows)
    rows = np.sort(rng.permutation(len(codes))[:n_rows])
    own, equal = codes[rows], np.ones(n_rows)
    measure_loss = log_loss if has_probabilities else error
    before = measure_loss(predict(take_rows(X, rows), rows), own, equal)

    def measure(groups: Sequence[Sequence[int]]) -> list[float]:
        changes = []
        for group in groups:
            shuffled = rows[rng.permutation(n_rows)]
            changes.append(dict.fromkeys(group, shuffled))
        return [measure_loss(answers, own, equal) - before for answers in predict_changed(predict, X, rows, changes)]

    return Importances(
        **measure_columns(measure, [str(name) for name in X.columns], positions, n_repeats, n_shuffles),
        loss="log loss" if has_probabilities else "error",
        n_rows=n_rows,
    )
