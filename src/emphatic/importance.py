"""Which columns a model relies on: how much the loss grows when the cells of a column are exchanged between rows."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, ListOf, Text, Whole, saved

FEWEST_REPEATS = 2
"""Of a column: fewer would have no spread."""

SPLIT_AT_ONCE, SPLIT_FROM = 8, 0.3
"""In the search for the most important columns of a wide table, groups of columns are halved, at most so many at a time
and only those that matter at least this part as much as the most important group."""

Measure = Callable[[Sequence[Sequence[int]]], list[float]]
"""The increase of the loss when the columns of each group are shuffled together, once."""

Measured = dict[str, Any]
"""What `measure_columns` finds: those fields of `Importances` that depend on the columns."""


@saved(
    names=ListOf(Text(), "columns"),
    positions=Array(np.int64, "columns", low=0),
    values=Array(np.float64, "columns"),
    spreads=Array(np.float64, "columns", low=0.0),
    loss=Text("log loss", "error"),
    n_rows=Whole(1),
    n_repeats=Whole(1),
    n_left=Whole(),
)
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
        The rows were predicted by models that were not trained on them.
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
    n_left: int = 0

    @property
    def order(self) -> IntArray:
        """The most important first; of equal ones the first of the table."""
        return np.argsort(-self.values, kind="stable")


def measure_columns(
    measure: Measure, names: Sequence[str], positions: list[int], n_repeats: int, n_shuffles: int
) -> Measured:
    """Shuffle each of the columns at these positions `n_repeats` times, or less often: `n_shuffles` times in all.

    Where there are too many columns for that, the most important ones are searched for first, by groups of columns.
    """
    chosen = positions
    if FEWEST_REPEATS * len(positions) <= n_shuffles:
        n_repeats = min(n_repeats, n_shuffles // max(1, len(positions)))
    else:
        most = max(1, n_shuffles // (3 * n_repeats))
        chosen = _find_important(measure, positions, most, n_shuffles - most * n_repeats)
    increases = np.array(measure([[j] for j in chosen for _ in range(n_repeats)])).reshape(len(chosen), n_repeats)
    return {
        "names": [names[j] for j in chosen],
        "positions": np.array(chosen, dtype=np.intp),
        "values": increases.mean(axis=1),
        "spreads": increases.std(axis=1),
        "n_repeats": n_repeats,
        "n_left": len(positions) - len(chosen),
    }


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
