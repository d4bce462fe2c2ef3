"""Which columns of the raw table the blend relies on: measured on rows by models that were not trained on them.

All inputs that one column of the table is encoded as are exchanged between the rows together.
"""

from collections.abc import Sequence

import numpy as np

from emphatic.auto.why.left_out import LeftOutBlend
from emphatic.blending.by_loss import SMALLEST
from emphatic.check import FloatArray, IntArray
from emphatic.importance import Importances, measure_columns

N_REPEATS, FEWEST_ROWS, FEWEST_SHUFFLES = 5, 100, 50
"""The least that a wide table gets."""

PREDICTIONS_PER_ROW, MOST_PREDICTIONS = 10, 100_000
"""Rows that are predicted, per row of the training: counts, which are the same on every machine. They take up to 30% of
the time of the fit (docs/why.md)."""

CHEAP_DISTANCES, CHEAP_INPUTS = 200_000, 500
"""Inputs times units of kernels with which distances take as long as the rest of a prediction, and inputs with which
a fit takes twice as long as with few."""

BATCH_CELLS = 2**18
"""Inputs, or distances to units, of a batch of changed rows: large enough for trees, small enough for the cache."""


def measure_importances(left_out: LeftOutBlend, starts: IntArray, names: Sequence[str]) -> Importances:
    """Shuffle the inputs of each column of the table, from `starts` on, and measure the increase of the log loss.

    Columns without inputs, which are ignored or constant, are not measured.
    """
    positions = np.flatnonzero(np.diff(starts)).tolist()
    cost = (1.0 + left_out.centres.size / CHEAP_DISTANCES) / (1.0 + left_out.inputs.shape[1] / CHEAP_INPUTS)
    affordable = int(min(MOST_PREDICTIONS, PREDICTIONS_PER_ROW * len(left_out.judged_codes)) / cost)
    n_rows = min(len(left_out.codes), max(FEWEST_ROWS, affordable // (N_REPEATS * max(1, len(positions)))))
    n_shuffles = max(FEWEST_SHUFFLES, affordable // n_rows)
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(len(left_out.codes))[:n_rows])
    before = _measure_losses(left_out, left_out.inputs[rows], rows)[0]

    def measure(groups: Sequence[Sequence[int]]) -> list[float]:
        size = max(1, BATCH_CELLS // (n_rows * max(left_out.inputs.shape[1], left_out.centres.shape[1])))
        losses: list[float] = []
        for first in range(0, len(groups), size):
            batch = groups[first : first + size]
            changed = np.tile(left_out.inputs[rows], (len(batch), 1))
            for number, group in enumerate(batch):
                others = rows[rng.permutation(n_rows)]
                for j in group:
                    block = slice(starts[j], starts[j + 1])
                    changed[number * n_rows : (number + 1) * n_rows, block] = left_out.inputs[others, block]
            losses += _measure_losses(left_out, changed, np.tile(rows, len(batch)), len(batch))
        return [loss - before for loss in losses]

    found = measure_columns(measure, names, positions, N_REPEATS, n_shuffles)
    return Importances(**found, loss="log loss", n_rows=n_rows)


def _measure_losses(left_out: LeftOutBlend, inputs: FloatArray, places: IntArray, n_tables: int = 1) -> list[float]:
    """The log loss of each of several tables of the same examples, one below the other."""
    probabilities = left_out.probabilities(inputs, places)
    given = probabilities[np.arange(len(places)), left_out.codes[places]]
    losses = -np.log(np.maximum(given, SMALLEST)).reshape(n_tables, -1)
    return np.average(losses, axis=1, weights=left_out.weights[places[: losses.shape[1]]]).tolist()
