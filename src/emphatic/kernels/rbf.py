"""Kernels of RBF networks. Arrays over units and samples have one row a unit, (K, n): what belongs to a unit (its
width, its squared norm) is then constant along the fast axis, and every loop over samples vectorises."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray

BLOCK = 2**17
"""Largest number of entries of a (units, samples) block: 1 MB, so that two of them fit in a second-level cache."""

KEPT = 2**22
"""Largest number of entries, 32 MB, that is kept in memory for a network rather than computed again when needed."""

SMALLEST_EXPONENT = np.log(1e-150)
"""Activations below 1e-150 are set to 0: neither they nor their products are subnormal, which would be slow."""


_buffers = threading.local()


def scratch(slot: str, size: int) -> FloatArray:
    """`size` numbers that belong to this thread and that the next call for the same slot overwrites.

    Memory that the operating system hands out anew for every network costs several times what the arithmetic does.
    """
    buffer: FloatArray | None = getattr(_buffers, slot, None)
    if buffer is None or len(buffer) < size:
        buffer = np.empty(max(size, BLOCK))
        setattr(_buffers, slot, buffer)
    return buffer[:size]


def blocks(n_samples: int, n_units: int) -> Iterator[slice]:
    """Ranges of samples whose activations fit in one block."""
    step = max(64, BLOCK // max(1, n_units))
    for start in range(0, n_samples, step):
        yield slice(start, min(start + step, n_samples))


def squared_distances(centres: FloatArray, X: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """(K, n) squared Euclidean distances, by |c|^2 + |x|^2 - 2 c.x, clipped at 0."""
    products = np.dot(centres, X.T, out=out)
    _complete_squares(products, squared_norms(centres), squared_norms(X))
    return products


def squared_norms(rows: FloatArray) -> FloatArray:
    """|row|^2 of every row."""
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def gaussians(distances: FloatArray, widths: FloatArray) -> FloatArray:
    """Turn squared distances (K, n) into exp(-d / (2 width^2)), in place."""
    _exponents(distances, 0.5 / widths**2, SMALLEST_EXPONENT)
    return np.exp(distances, out=distances)


def activations(centres: FloatArray, widths: FloatArray, X: FloatArray) -> FloatArray:
    """(K, n) Gaussian activations of units at `centres` (equation 15)."""
    result = np.dot(centres, X.T)
    centre_squares, sample_squares = squared_norms(centres), squared_norms(X)
    step = max(1, BLOCK // max(1, len(X)))
    for start in range(0, len(centres), step):  # a few units at a time: they stay in the cache for all three passes
        rows = slice(start, start + step)
        _complete_squares(result[rows], centre_squares[rows], sample_squares)
        gaussians(result[rows], widths[rows])
    return result


def activation_blocks(centres: FloatArray, widths: FloatArray, X: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """The same, a block of samples at a time; the next block overwrites the one before."""
    for span in blocks(len(X), len(centres)):
        rows = X[span]
        block = scratch("units", len(centres) * len(rows)).reshape(len(centres), len(rows))
        yield span, gaussians(squared_distances(centres, rows, block), widths)


@njit(cache=True)
def _complete_squares(products: FloatArray, centre_squares: FloatArray, sample_squares: FloatArray) -> None:
    for k in range(products.shape[0]):
        for i in range(products.shape[1]):
            products[k, i] = max(0.0, centre_squares[k] + sample_squares[i] - 2.0 * products[k, i])


@njit(cache=True)
def _exponents(distances: FloatArray, scales: FloatArray, smallest: float) -> None:
    for k in range(distances.shape[0]):
        for i in range(distances.shape[1]):
            exponent = -scales[k] * distances[k, i]
            distances[k, i] = exponent if exponent > smallest else -np.inf


@njit(cache=True)
def emphasised(activation: FloatArray, root: FloatArray, out: FloatArray) -> None:
    """Activations (K, n) times the square roots of the weights of the samples: half the time of np.multiply."""
    for k in range(activation.shape[0]):
        for i in range(activation.shape[1]):
            out[k, i] = activation[k, i] * root[i]


@njit(cache=True)
def nearest(distances: FloatArray, found: FloatArray, index: IntArray) -> None:
    """For every sample the nearest unit and its squared distance; ties to the lowest index."""
    found[:] = np.inf
    for k in range(distances.shape[0]):
        for i in range(distances.shape[1]):
            closer = distances[k, i] < found[i]
            found[i] = distances[k, i] if closer else found[i]
            index[i] = k if closer else index[i]


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def cell_widths(cell: IntArray, distance: FloatArray, weights: FloatArray, n_cells: int, least: float) -> FloatArray:
    """Widths beta_k = mu_k^2 / sd_k of equations 16 to 20; 0 marks a degenerate cell.

    With N_k members and D_k their weights over the weight of the cell, dist_i = N_k D_k(i) |c_k - x_i|; mu_k is its
    mean, which is the weighted mean distance because N_k cancels, and sd_k its population standard deviation.
    """
    members = np.zeros(n_cells)
    mass = np.zeros(n_cells)
    for i in range(cell.shape[0]):
        members[cell[i]] += 1.0
        mass[cell[i]] += weights[i]
    mean = np.zeros(n_cells)
    for i in range(cell.shape[0]):
        if mass[cell[i]] > 0.0:
            mean[cell[i]] += weights[i] / mass[cell[i]] * distance[i]
    variance = np.zeros(n_cells)
    for i in range(cell.shape[0]):
        k = cell[i]
        if mass[k] > 0.0:
            deviation = members[k] * weights[i] / mass[k] * distance[i] - mean[k]
            variance[k] += deviation * deviation / members[k]
    widths = np.zeros(n_cells)
    for k in range(n_cells):
        spread = np.sqrt(variance[k])
        if members[k] >= 2.0 and mean[k] >= least and spread >= least and spread > 0.0:
            widths[k] = mean[k] * mean[k] / spread
    return widths


@njit(cache=True)
def shuffled_orders(uniforms: FloatArray) -> NDArray[np.int32]:
    """(epochs, n) permutations by Fisher and Yates from uniforms in [0, 1) of the same shape."""
    epochs, n = uniforms.shape
    orders = np.empty((epochs, n), dtype=np.int32)
    for epoch in range(epochs):
        order = orders[epoch]
        for i in range(n):
            order[i] = i
        for i in range(n - 1, 0, -1):
            j = min(i, int(uniforms[epoch, i] * (i + 1)))
            order[i], order[j] = order[j], order[i]
    return orders


@njit(cache=True, inline="always")  # halves the time of `sgd`
def _dot(a: FloatArray, b: FloatArray, sums: FloatArray) -> float:
    """a.b with `sums` as memory for a quarter of it.

    A compiler may not reorder a sum of floating-point numbers, so a plain loop adds one product after the other. Here
    the four quarters are added to each other element by element, which vectorises, and then four running sums.
    """
    quarter = a.shape[0] // 4
    for k in range(quarter):
        first = a[k] * b[k] + a[k + quarter] * b[k + quarter]
        sums[k] = first + (a[k + 2 * quarter] * b[k + 2 * quarter] + a[k + 3 * quarter] * b[k + 3 * quarter])
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for k in range(0, quarter - 3, 4):
        one += sums[k]
        two += sums[k + 1]
        three += sums[k + 2]
        four += sums[k + 3]
    for k in range(quarter - quarter % 4, quarter):
        one += sums[k]
    for k in range(4 * quarter, a.shape[0]):
        two += a[k] * b[k]
    return (one + two) + (three + four)


@njit(cache=True)
def sgd(
    activation: FloatArray,
    targets: FloatArray,
    scale: FloatArray,
    orders: IntArray,
    first_step: float,
    implicit: bool,
    squash: bool,
) -> FloatArray:
    """Output weights (outputs, K) by stochastic gradient descent on the squared error, from 0.

    `activation` is (n, K) here, one row a sample, and `targets` (n, outputs). The step falls linearly from `first_step`
    to 0; sample i takes it times scale_i, at most 1 / |g_i|^2 (its exact fit), or, `implicit`, s / (1 + s |g_i|^2).
    With `squash` the output is tanh(w.g), and the gradient has the factor 1 - o^2.
    """
    epochs, per_epoch = orders.shape
    n, n_units = activation.shape
    n_outputs = targets.shape[1]
    weights = np.zeros((n_outputs, n_units))
    sums = np.empty(n_units // 4)
    exact = np.empty(n)  # |g_i|^2
    for i in range(n):
        exact[i] = _dot(activation[i], activation[i], sums)
    total = epochs * per_epoch
    for epoch in range(epochs):
        for place in range(per_epoch):
            i = orders[epoch, place]
            step = first_step * (1.0 - (epoch * per_epoch + place) / total) * scale[i]
            if implicit:
                step = step / (1.0 + step * exact[i])
            elif step * exact[i] > 1.0:
                step = 1.0 / exact[i]
            row = activation[i]
            for c in range(n_outputs):
                weight = weights[c]
                output = _dot(weight, row, sums)
                if squash:
                    output = np.tanh(output)
                    change = step * (targets[i, c] - output) * (1.0 - output * output)
                else:
                    change = step * (targets[i, c] - output)
                for k in range(n_units):
                    weight[k] += change * row[k]
    return weights
