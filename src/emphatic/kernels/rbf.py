"""Kernels of RBF networks. Arrays over units and samples have one row per unit, (K, n): what belongs to a unit (its
width, its squared norm) is then constant along the fast axis, and every loop over samples vectorises."""

from collections.abc import Iterator

import numpy as np
from numba import njit

from emphatic.check import FloatArray, IntArray
from emphatic.kernels import rows
from emphatic.kernels.memory import scratch
from emphatic.kernels.unit_tiles import activate

BLOCK = 2**17
"""Largest number of entries of a (units, samples) block: 1 MB, so that two of them fit in a second-level cache."""


def blocks(n_samples: int, n_units: int, multiple: int = 1) -> Iterator[slice]:
    """Ranges of samples whose activations fit in one block, a multiple of some number of them but for the last."""
    step = max(64, BLOCK // max(1, n_units)) // multiple * multiple
    for start in range(0, n_samples, step):
        yield slice(start, min(start + step, n_samples))


def squared_norms(X: FloatArray) -> FloatArray:
    """|row|^2 of every row."""
    return np.asarray(np.einsum("ij,ij->i", X, X))


def squared_distances(centres: FloatArray, X: FloatArray) -> FloatArray:
    """(K, n) squared Euclidean distances, by |c|^2 + |x|^2 - 2 c.x, clipped at 0."""
    products = np.dot(centres, X.T)
    complete_squares(products, squared_norms(centres), squared_norms(X))
    return products


def activation_blocks(centres: FloatArray, widths: FloatArray, X: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """(K, samples) Gaussian activations exp(-|x - c|^2 / (2 width^2)) of units at `centres` (equation 15).

    They come a block of samples at a time; the next block overwrites the one before. Those of a sample do not depend
    on the others.
    """
    units = np.require(centres, requirements=["C", "W"])
    for span in blocks(len(X), len(units), multiple=64):  # whole vectors: what is left over is slow
        columns = X[span].T.copy()
        block = scratch("units", (len(units), columns.shape[1]))
        rows.squared_distances(units, columns, block)
        activate(block, widths, np.ones(columns.shape[1]))
        yield span, block


@njit(cache=True, nogil=True)
def complete_squares(products: FloatArray, centre_squares: FloatArray, sample_squares: FloatArray) -> None:
    """Turn scalar products c.x (K, n) into squared distances, in place."""
    for k in range(products.shape[0]):
        for i in range(products.shape[1]):
            products[k, i] = max(0.0, centre_squares[k] + sample_squares[i] - 2.0 * products[k, i])


@njit(cache=True, nogil=True)
def paired_distances(X: FloatArray, centres: FloatArray, cell: IntArray) -> FloatArray:
    """Distance of every sample to the centre of its cell, without the rounding of `squared_distances`."""
    result = np.empty(X.shape[0])
    for i in range(X.shape[0]):
        total = 0.0
        for j in range(X.shape[1]):
            gap = X[i, j] - centres[cell[i], j]
            total += gap * gap
        result[i] = np.sqrt(total)
    return result


@njit(cache=True, nogil=True)
def box(X: FloatArray) -> tuple[float, float]:
    """Spread of a table (root mean square of its columns' standard deviations) and the diameter of its box."""
    n, width = X.shape
    spread, diameter = 0.0, 0.0
    for j in range(width):
        low, high, total, squares = X[0, j], X[0, j], 0.0, 0.0
        for i in range(n):
            value = X[i, j]
            low, high = min(low, value), max(high, value)
            shifted = value - X[0, j]
            total += shifted
            squares += shifted * shifted
        spread += max(0.0, squares / n - (total / n) ** 2) / width
        diameter += (high - low) ** 2
    return np.sqrt(spread), np.sqrt(diameter)


@njit(cache=True, nogil=True)
def repair_widths(widths: FloatArray, fallback: float, lowest: float, highest: float) -> FloatArray:
    """Widths between `lowest` and `highest`; for those that are 0 the median of the others, or `fallback`."""
    valid = widths[widths > 0.0]
    if len(valid):
        fallback = np.median(valid)
    result = np.empty_like(widths)
    for k in range(len(widths)):
        result[k] = min(max(widths[k] if widths[k] > 0.0 else fallback, lowest), highest)
    return result


@njit(cache=True, nogil=True)
def cell_widths(cell: IntArray, distance: FloatArray, weights: FloatArray, n_cells: int, least: float) -> FloatArray:
    """Widths beta_k = mu_k^2 / sd_k of equations 16 to 20; 0 marks a degenerate cell.

    With N_k members and D_k their weights over the weight of the cell, dist_i = N_k D_k(i) |c_k - x_i|; mu_k is its
    mean, which is the weighted mean distance because N_k cancels, and sd_k its population standard deviation.
    """
    members, mass, mean = np.zeros(n_cells), np.zeros(n_cells), np.zeros(n_cells)
    for i in range(cell.shape[0]):
        k = cell[i]
        members[k] += 1.0
        mass[k] += weights[i]
        mean[k] += weights[i] * distance[i]
    scale = np.zeros(n_cells)
    for k in range(n_cells):
        if mass[k] > 0.0:
            mean[k] /= mass[k]
            scale[k] = members[k] / mass[k]
    variance = np.zeros(n_cells)
    for i in range(cell.shape[0]):
        k = cell[i]
        deviation = scale[k] * weights[i] * distance[i] - mean[k]
        variance[k] += deviation * deviation
    widths = np.zeros(n_cells)
    for k in range(n_cells):
        spread = np.sqrt(variance[k] / max(members[k], 1.0))
        if members[k] >= 2.0 and mean[k] >= least and spread >= least and spread > 0.0:
            widths[k] = mean[k] * mean[k] / spread
    return widths
