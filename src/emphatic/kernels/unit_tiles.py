"""The units of an RBF network over its training samples, a tile of samples after another.

A *block* is (tiles, rows, TILE): one row per unit, so that what belongs to a unit is constant along the fast axis and
every loop over samples vectorises; then rows for the targets, up to a multiple of three (`kernels.gram`). A tile with
its distances, and then its activations, stays in a second-level cache while it is worked on. Per-sample arrays are
plain: the last tile may be filled in part.
"""

import numpy as np
from numba import njit

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.exponential import exponential
from emphatic.kernels.gram import add_gram
from emphatic.kernels.options import FUSED

TILE = 256
"""Samples in a tile: 0.1 MB for 50 units."""

SMALLEST_EXPONENT = float(np.log(1e-150))
"""Activations below 1e-150 are set to 0: neither they nor their products are subnormal, which would be slow."""


@njit(**FUSED)
def measure(
    columns: FloatArray,
    squares: FloatArray,
    centres: FloatArray,
    centre_squares: FloatArray,
    tolerance: float,
    block: FloatArray,
    found: FloatArray,
    index: IntArray,
) -> None:
    """Squared distances of samples and units into `block`, and the nearest unit of every sample: `found`, `index`.

    They are |x|^2 + |c|^2 - 2 c.x, clipped at 0. `columns` (tiles, features, TILE) holds the x, with zeros up to a
    multiple of four features, and `squares` their norms. See `nearest` for ties.
    """
    n_units, n_features = centres.shape
    factors = np.zeros((n_units + 1, columns.shape[1]))  # -2 c; the last one serves an only unit as its neighbour
    factors[:n_units, :n_features] = -2.0 * centres
    last = factors.shape[1] - 4
    for tile in range(block.shape[0]):
        best, cell = _open_tile(tile, found, index)
        norms = squares[tile * TILE : (tile + 1) * TILE]
        for pair in range(0, n_units, 2):  # two units at a time: half of what is read
            k = max(0, min(pair, n_units - 2))  # of an odd number, the last but one once more
            row, next_row = block[tile, k], block[tile, k + 1]
            norm, next_norm = centre_squares[k], centre_squares[k + 1] if n_units > 1 else np.inf
            if last == 0:
                for i in range(best.shape[0]):
                    row[i] = norms[i] + norm
                    next_row[i] = norms[i] + next_norm
            for j in range(0, last, 4):
                x0, x1, x2, x3 = columns[tile, j], columns[tile, j + 1], columns[tile, j + 2], columns[tile, j + 3]
                a0, a1, a2, a3 = factors[k, j], factors[k, j + 1], factors[k, j + 2], factors[k, j + 3]
                c0, c1 = factors[k + 1, j], factors[k + 1, j + 1]
                c2, c3 = factors[k + 1, j + 2], factors[k + 1, j + 3]
                if j == 0:
                    for i in range(best.shape[0]):
                        row[i] = ((((norms[i] + norm) + a0 * x0[i]) + a1 * x1[i]) + a2 * x2[i]) + a3 * x3[i]
                        next_row[i] = ((((norms[i] + next_norm) + c0 * x0[i]) + c1 * x1[i]) + c2 * x2[i]) + c3 * x3[i]
                else:
                    for i in range(best.shape[0]):
                        row[i] = (((row[i] + a0 * x0[i]) + a1 * x1[i]) + a2 * x2[i]) + a3 * x3[i]
                        next_row[i] = (((next_row[i] + c0 * x0[i]) + c1 * x1[i]) + c2 * x2[i]) + c3 * x3[i]
            x0, x1 = columns[tile, last], columns[tile, last + 1]
            x2, x3 = columns[tile, last + 2], columns[tile, last + 3]
            a0, a1, a2, a3 = factors[k, last], factors[k, last + 1], factors[k, last + 2], factors[k, last + 3]
            c0, c1 = factors[k + 1, last], factors[k + 1, last + 1]
            c2, c3 = factors[k + 1, last + 2], factors[k + 1, last + 3]
            for i in range(best.shape[0]):
                first = max(0.0, (((row[i] + a0 * x0[i]) + a1 * x1[i]) + a2 * x2[i]) + a3 * x3[i])
                second = max(0.0, (((next_row[i] + c0 * x0[i]) + c1 * x1[i]) + c2 * x2[i]) + c3 * x3[i])
                least, unit = best[i], cell[i]  # all is read before anything is written, or the loop does not vectorise
                closer = first + tolerance < least
                least, unit = first if closer else least, k if closer else unit
                closer = second + tolerance < least
                row[i], next_row[i] = first, second
                best[i], cell[i] = second if closer else least, k + 1 if closer else unit


@njit(**FUSED)
def nearest(
    block: FloatArray,
    squares: FloatArray,
    centre_squares: FloatArray,
    tolerance: float,
    found: FloatArray,
    index: IntArray,
) -> None:
    """`measure` where `block` already holds the products c.x.

    Ties go to the lowest index. Distances that differ by less than `tolerance` are ties: which of them rounding makes
    the smaller one depends on the machine, and tables of round numbers are full of them.
    """
    for tile in range(block.shape[0]):
        best, cell = _open_tile(tile, found, index)
        norms = squares[tile * TILE : (tile + 1) * TILE]
        for k in range(centre_squares.shape[0]):
            row, norm = block[tile, k], centre_squares[k]
            for i in range(best.shape[0]):
                distance, least, unit = max(0.0, (norms[i] + norm) - 2.0 * row[i]), best[i], cell[i]
                closer = distance + tolerance < least
                row[i] = distance
                best[i], cell[i] = distance if closer else least, k if closer else unit


@njit(**FUSED)
def _open_tile(tile: int, found: FloatArray, index: IntArray) -> tuple[FloatArray, IntArray]:
    """The parts of `found` and `index` that belong to a tile, set as if no unit had been seen."""
    start, stop = tile * TILE, min((tile + 1) * TILE, found.shape[0])
    best, cell = found[start:stop], index[start:stop]
    best[:] = np.inf
    cell[:] = 0
    return best, cell


@njit(**FUSED)
def activate(tile: FloatArray, widths: FloatArray, root: FloatArray) -> None:
    """Turn the squared distances d of a tile (K, samples) into root_i exp(-d / (2 width_k^2)), in place."""
    for k in range(widths.shape[0]):
        row, scale = tile[k], -0.5 / widths[k] ** 2
        for i in range(root.shape[0]):
            exponent = scale * row[i]
            value = root[i] * exponential(exponent)
            row[i] = value if exponent > SMALLEST_EXPONENT else 0.0


@njit(**FUSED)
def activate_and_sum(
    block: FloatArray, widths: FloatArray, root: FloatArray, targets: FloatArray, gram: FloatArray
) -> None:
    """`activate`, then put root times targets (outputs, samples) into the rows after the units, and zeros into others;
    add the inner products of all rows to `gram`: those of the units, and those of units and targets.
    """
    n_units, n_outputs = widths.shape[0], targets.shape[0]
    for number in range(block.shape[0]):
        start, stop = number * TILE, min((number + 1) * TILE, root.shape[0])
        tile, factor = block[number], root[start:stop]
        activate(tile, widths, factor)
        for output in range(n_outputs):
            row, target = tile[n_units + output], targets[output, start:stop]
            for i in range(target.shape[0]):
                row[i] = factor[i] * target[i]
        tile[n_units + n_outputs :] = 0.0
        add_gram(tile, stop - start, gram)


@njit(**FUSED)
def combine(block: FloatArray, weights: FloatArray, root: FloatArray, linear: FloatArray) -> None:
    """The rows of a block times the weights (outputs, K), without the root in them: `linear` (outputs, samples)."""
    n_units = weights.shape[1]
    for tile in range(block.shape[0]):
        start, stop = tile * TILE, min((tile + 1) * TILE, root.shape[0])
        factor = root[start:stop]
        for output in range(weights.shape[0]):
            sums, w = linear[output, start:stop], weights[output]
            sums[:] = 0.0
            for k in range(0, n_units - 3, 4):  # four units at a time: less to read and write
                w0, w1, w2, w3 = w[k], w[k + 1], w[k + 2], w[k + 3]
                r0, r1, r2, r3 = block[tile, k], block[tile, k + 1], block[tile, k + 2], block[tile, k + 3]
                for i in range(sums.shape[0]):
                    sums[i] = (((sums[i] + w0 * r0[i]) + w1 * r1[i]) + w2 * r2[i]) + w3 * r3[i]
            for k in range(n_units - n_units % 4, n_units):
                w0, r0 = w[k], block[tile, k]
                for i in range(sums.shape[0]):
                    sums[i] += w0 * r0[i]
            for i in range(sums.shape[0]):
                sums[i] /= factor[i]
