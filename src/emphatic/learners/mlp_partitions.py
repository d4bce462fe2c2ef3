"""Networks on a table in partitions: an epoch of batch training is one sum over them.

Every partition holds its rows and targets. Per epoch it is told the weights of the network, and what leaves it is two
errors and a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.kernels import mlp
from emphatic.learners.mlp_batch import Judges, Parts, Sums, sum_up, weigh_judges
from emphatic.learners.mlp_training import Table
from emphatic.partitions import Partitions, send_once


class PartitionedTable:
    """A training table in partitions, with what every network on it needs."""

    def __init__(self, rows: Partitions, y: Any, lay_out: Callable[[FloatArray, IntArray], Table]) -> None:
        self.rows, self.y = rows, y
        self.tables = rows.hold(lay_out, y)

    def divide(self, weights: Any, judges: Judges, largest_weight: float) -> Any:
        """Which rows of each partition train and judge; held where the rows are."""
        sent = send_once(judges)
        counted = self.rows.total(count_judges, self.y, weights, shared=[sent], numbered=True, reads=False)
        ((members, judging, weight),) = evaluate(counted)
        shared = [sent, largest_weight / members.sum(), weigh_judges(members, judging, weight)]
        return self.rows.hold(divide_rows, weights, shared=shared, numbered=True, reads=False)

    def sum_up(self, parts: Any, network: mlp.Network) -> Sums:
        """What all rows tell about a network."""
        found = self.rows.total(sum_up_rows, self.tables, parts, shared=[list(network)], reads=False)
        return Sums(*evaluate(found)[0])


def count_judges(y: IntArray, weights: FloatArray, start: IntArray, judges: Judges) -> tuple[IntArray, IntArray, float]:
    """Rows of one partition that count and that judge."""
    return judges.count(y, weights, int(start[0]))


def divide_rows(weights: FloatArray, start: IntArray, judges: Judges, share: float, judged: float) -> Parts:
    """The rows of one partition that train and that judge."""
    return judges.divide(weights, share, judged, int(start[0]))


def sum_up_rows(tables: Sequence[Table], parts: Sequence[Parts], network: list[np.ndarray]) -> Sums:
    """What the rows of one partition tell about a network."""
    # copies, as what has come from elsewhere is read-only, for which numba would compile the kernels anew
    return sum_up(tables[0], parts[0], mlp.Network(*map(np.array, network)))
