r"""Shapley values: how much each column of a row moves a prediction away from the mean prediction of other rows.

With v(S) the mean prediction of the background rows whose columns S are replaced by those of the row, the value of
column j is

.. math:: \phi_j = \sum_{S \not\ni j} \frac{|S|!\,(p - |S| - 1)!}{p!} \bigl(v(S \cup j) - v(S)\bigr),

the mean over all orders of the columns of what replacing column j changes. All values add up to the prediction minus
the mean prediction of the background rows.
"""

from collections.abc import Callable, Sequence
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray

Single = NDArray[np.float32]
Predict = Callable[[Any], FloatArray]
"""Inputs (n, inputs) to probabilities (n, K)."""

MOST_BACKGROUND, FEWEST_BACKGROUND, MOST_CELLS = 100, 10, 500_000
"""Rows that the model keeps to compare with; fewer of a wide table."""

MOST_EXACT = 8
"""Columns up to which all their subsets are predicted; of more, orders are sampled."""

MOST_PREDICTIONS = 20_000
"""About, of one explanation; at least every background row is met by one order and its reverse."""

MOST_PLAYERS, N_TRIALS = 50, 5
"""Of more columns that differ from the background, those that change the prediction of a few background rows least
count together as one."""

BATCH_CELLS = 2**20
"""Inputs that are predicted at a time."""


class Contributions(NamedTuple):
    """What each player, a column or several columns together, adds to the probability of each class."""

    players: list[list[int]]
    values: FloatArray
    """(players, K)"""
    errors: FloatArray
    """Standard errors of the values: 0 where they are exact."""
    base: FloatArray
    """(K,): the mean prediction of the background rows."""
    prediction: FloatArray
    """(K,): that of the row."""


def draw_background(inputs: FloatArray, starts: IntArray) -> Single:
    """Evenly spaced rows of a random sample of the training rows."""
    most = max(FEWEST_BACKGROUND, min(MOST_BACKGROUND, MOST_CELLS // max(1, int(starts[-1]))))
    rows = np.unique(np.linspace(0, len(inputs) - 1, min(most, len(inputs))).round().astype(np.intp))
    return inputs[rows].astype(np.float32)


def list_players(predict: Predict, row: Single, background: Single, starts: IntArray) -> list[list[int]]:
    """Columns, each alone, that differ from some background row: the others cannot change anything.

    Where these are too many, the last player is all those together that change the prediction least, each alone.
    """
    differ = (background != row).any(axis=0)
    columns = [j for j in range(len(starts) - 1) if differ[starts[j] : starts[j + 1]].any()]
    if len(columns) <= MOST_PLAYERS:
        return [[j] for j in columns]
    few = background[:N_TRIALS]
    plain = predict(few)
    changes = []
    for j in columns:
        block = slice(starts[j], starts[j + 1])
        changed = few.copy()
        changed[:, block] = row[block]
        changes.append(np.abs(predict(changed) - plain).sum())
    order = np.argsort(-np.array(changes), kind="stable")
    largest = sorted(columns[place] for place in order[: MOST_PLAYERS - 1])
    return [*([j] for j in largest), sorted(columns[place] for place in order[MOST_PLAYERS - 1 :])]


def explain_inputs(
    predict: Predict, row: Single, background: Single, players: list[list[int]], starts: IntArray
) -> Contributions:
    """The Shapley values of the players for a row of inputs: exact for few players, otherwise sampled."""
    owners = np.full(len(row), len(players))  # inputs of nobody are the same in all rows
    for number, columns in enumerate(players):
        for j in columns:
            owners[starts[j] : starts[j + 1]] = number

    def mix(masks: NDArray[np.bool_], rows: IntArray) -> FloatArray:
        """Predictions of these background rows, with the players of each mask replaced by those of the row."""
        whole = np.column_stack([masks, np.ones(len(masks), dtype=bool)])
        size = max(1, BATCH_CELLS // len(row))
        return np.concatenate(
            [
                predict(np.where(whole[k : k + size, owners], row, background[rows[k : k + size]]))
                for k in range(0, len(masks), size)
            ]
        )

    before, after = predict(background), predict(row[None])[0]
    n_players = len(players)
    if n_players <= MOST_EXACT:
        values = _enumerate(mix, n_players, len(background))
        errors = np.zeros_like(values)
    else:
        values, errors = _sample(mix, n_players, before, after)
    return Contributions(players, values, errors, before.mean(axis=0), after)


Mix = Callable[[NDArray[np.bool_], IntArray], FloatArray]


def _enumerate(mix: Mix, n_players: int, n_background: int) -> FloatArray:
    subsets = (np.arange(2**n_players)[:, None] >> np.arange(n_players)) & 1 == 1
    rows = np.tile(np.arange(n_background), len(subsets))
    worth = mix(np.repeat(subsets, n_background, axis=0), rows).reshape(len(subsets), n_background, -1).mean(axis=1)
    sizes = subsets.sum(axis=1)
    values = np.empty((n_players, worth.shape[1]))
    for j in range(n_players):
        without = np.flatnonzero(~subsets[:, j])
        shares = [factorial(k) * factorial(n_players - k - 1) / factorial(n_players) for k in sizes[without].tolist()]
        values[j] = np.array(shares) @ (worth[without + 2**j] - worth[without])
    return values


def _sample(mix: Mix, n_players: int, before: FloatArray, after: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each background row becomes the row column by column, in random orders and in the reverse of each."""
    n_background, n_classes = before.shape
    rng = np.random.default_rng(0)
    rows = np.tile(np.arange(n_background), 2)
    steps = np.arange(1, n_players)[:, None]
    pairs = []
    for _ in range(max(1, MOST_PREDICTIONS // (2 * n_background * n_players))):
        ranks = rng.permuted(np.tile(np.arange(n_players), (n_background, 1)), axis=1)
        ranks = np.vstack([ranks, n_players - 1 - ranks])
        masks = (ranks[:, None, :] < steps).reshape(-1, n_players)
        path = np.empty((len(rows), n_players + 1, n_classes))
        path[:, 0], path[:, -1] = before[rows], after
        path[:, 1:-1] = mix(masks, np.repeat(rows, n_players - 1)).reshape(len(rows), -1, n_classes)
        moves = np.take_along_axis(np.diff(path, axis=1), ranks[:, :, None], axis=1)
        pairs.append((moves[:n_background] + moves[n_background:]) / 2.0)
    found = np.concatenate(pairs)
    return found.mean(axis=0), found.std(axis=0, ddof=min(1, len(found) - 1)) / np.sqrt(len(found))


def name_players(players: Sequence[Sequence[int]], names: Sequence[str]) -> list[str]:
    """The name of the column, or how many other columns there are."""
    return [names[one[0]] if len(one) == 1 else f"{len(one):,} other columns" for one in players]
