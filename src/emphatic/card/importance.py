"""Which columns a model relies on: how much worse it predicts when the cells of a column are shuffled."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic import check
from emphatic.blending.by_loss import error, log_loss
from emphatic.card.out_of_fold import Predict
from emphatic.card.shuffling import predict_changed
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows

MAX_PREDICTIONS, MAX_CELLS = 200_000, 8_000_000
"""Rows predicted at most, over all shuffles, and cells read: counts, since what a time limit allows varies."""

MAX_ROWS, FEWEST_ROWS, FEWEST_REPEATS, FEWEST_SHUFFLES = 2_000, 200, 2, 50
"""The widest table gets so much, whatever it costs."""

SPLIT_AT_ONCE, SPLIT_FROM = 8, 0.3
"""In the search for the most important columns of a wide table, groups of columns are halved, at most so many at a time
and only those that matter at least this part as much as the most important group."""

Measure = Callable[[Sequence[Sequence[int]]], list[float]]
"""The increase of the loss when the columns of each group are shuffled together, once."""


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
        Columns of a wide table that were not measured one by one: they looked less important in groups.
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

    At most 2,000 rows are used, and fewer rows and repeats in a table of many columns. In one so wide that not every
    column can be measured, the most important ones are searched for first, by shuffling groups of columns. Columns at
    the positions `skip` are left out: shuffling what a model does not read changes nothing.

    Parameters
    ----------
    predict : function
        `predict(table, rows)` gives probabilities (n, K) for a table that holds these rows of `X`, some cells shuffled.
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

    chosen = positions
    if FEWEST_REPEATS * len(positions) <= n_shuffles:
        n_repeats = min(n_repeats, n_shuffles // max(1, len(positions)))
    else:
        most = max(1, n_shuffles // (3 * n_repeats))
        chosen = _find_important(measure, positions, most, n_shuffles - most * n_repeats)
    repeated = [[j] for j in chosen for _ in range(n_repeats)]
    increases = np.array(measure(repeated)).reshape(len(chosen), n_repeats)
    return Importances(
        [str(X.columns[j]) for j in chosen],
        np.array(chosen, dtype=np.intp),
        increases.mean(axis=1),
        increases.std(axis=1),
        "log loss" if has_probabilities else "error",
        n_rows,
        n_repeats,
        held_out,
        len(positions) - len(chosen),
    )


def _find_important(measure: Measure, positions: list[int], most: int, n_shuffles: int) -> list[int]:
    """Find up to `most` important columns: halve the groups that matter most until they are single columns."""
    n_shuffles = max(n_shuffles, 2 * math.ceil(math.log2(len(positions))))  # enough for a first one
    groups: list[tuple[float, list[int]]] = [(math.inf, positions)]
    single: list[tuple[float, list[int]]] = []
    while groups and n_shuffles >= 2:
        if single:
            groups.sort(key=lambda one: -one[0])
            n_alike = sum(value >= SPLIT_FROM * groups[0][0] for value, _ in groups[:SPLIT_AT_ONCE])
            n_split = max(1, min(n_alike, n_shuffles // 2))
        else:  # straight to a first one
            groups.sort(key=lambda one: (len(one[1]), -one[0]))
            n_split = 1
        parents, groups = groups[:n_split], groups[n_split:]
        halves = [half for _, group in parents for half in (group[: len(group) // 2], group[len(group) // 2 :])]
        n_shuffles -= len(halves)
        for value, half in zip(measure(halves), halves):
            (single if len(half) == 1 else groups).append((value, half))
    single.sort(key=lambda one: -one[0])
    return sorted(group[0] for _, group in single[:most])
