"""Kernels of stochastic gradient descent for one layer of output weights."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray
from emphatic.kernels.memory import scratch
from emphatic.kernels.options import OPTIONS

LANES = 16
"""Rows are padded to a multiple of it: as many float32 numbers as the widest vectors hold, 64 bytes or a cache line."""

SMALLEST = 1e-18
"""Smaller activations become 0: products of two would be subnormal in float32, which is slow, and change nothing."""

SHORTEST = 1e-12
"""Smaller |g|^2 count as this much: no step is larger than 1e12, and all that follows from it is finite in float32."""

KEPT_APART = 256
"""Samples, a multiple of 4, after which the change of the weights, in float32, is added to their sum in float64."""


def make_rows(blocks: Iterable[tuple[slice, FloatArray]], n_samples: int, n_units: int) -> NDArray[np.float32]:
    """Activations (K, samples) that come in blocks, as rows for `sgd`: one per sample, in float32, ended by zeros.

    Every row starts at a cache line. The next call uses their memory again.
    """
    rows = scratch("rows", (n_samples, _padded(n_units)), np.float32)
    for span, block in blocks:
        _transpose(np.ascontiguousarray(block), rows[span])  # strided ones would be compiled for anew
    return rows


def _padded(n_units: int) -> int:
    return -(-n_units // LANES) * LANES


@njit(cache=True)
def _transpose(block: Any, rows: Any) -> None:
    n_units = len(block)
    for i in range(len(rows)):
        for k in range(n_units):
            rows[i, k] = block[k, i] if block[k, i] >= SMALLEST else 0.0
        for k in range(n_units, rows.shape[1]):
            rows[i, k] = 0.0


def sgd(
    activation: NDArray[np.floating],
    targets: FloatArray,
    scale: FloatArray,
    orders: NDArray[np.int32],
    first_step: float,
    implicit: bool,
    squash: bool,
) -> FloatArray:
    """Output weights (outputs, K) by stochastic gradient descent on the squared error, from 0.

    `activation` is (n, K), one row per sample, and `targets` (outputs, n). The step falls linearly from `first_step` to
    0; sample i takes it times scale_i, at most 1 / |g_i|^2 (its exact fit), or, `implicit`, s / (1 + s |g_i|^2). With
    `squash` the output is tanh(w.g), and the gradient has the factor 1 - o^2.

    Products are rounded to the precision of `activation`, weights are sums in float64.
    """
    lengths = np.maximum(_squared_lengths(activation), SHORTEST)
    caps = 1.0 / lengths
    arguments = (scale, orders.ravel(), first_step, implicit, squash)
    return np.array(
        [_one_output(activation, lengths, caps, row, *arguments) for row in targets.astype(activation.dtype)]
    )


@njit(**OPTIONS)
def _one_output(
    activation: Any,
    lengths: FloatArray,
    caps: FloatArray,
    targets: Any,
    scale: FloatArray,
    order: NDArray[np.int32],
    first_step: float,
    implicit: bool,
    squash: bool,
) -> FloatArray:
    """Samples g are taken four at a time, so that the processor need not wait for one output before it begins the next.

    An update changes the outputs of the samples after it by (its change c) g.g', which is all that they need to know of
    it: of the four, ten sums are taken in one loop, the outputs a_i and the products b_ij of two samples. The same loop
    moves the weights by the four samples before, which are h by then.

    In float32 a sum of many small changes would stand still. Hence `weights` are float64; the loop sees them as `base`,
    rounded, and as the `change` since they were rounded.
    """
    width = activation.shape[1]
    real = activation.dtype.type
    zero = real(0.0)
    weights = np.zeros(width)
    base, change = np.zeros(width, activation.dtype), np.zeros(width, activation.dtype)
    total = len(order)
    fall = first_step / total  # of the step, from sample to sample
    c0 = c1 = c2 = c3 = zero
    h0 = h1 = h2 = h3 = activation[0]
    for place in range(0, total - 3, 4):
        # unsigned: a negative index would have to be looked for
        i0, i1 = np.uint64(order[place]), np.uint64(order[place + 1])
        i2, i3 = np.uint64(order[place + 2]), np.uint64(order[place + 3])
        g0, g1, g2, g3 = activation[i0], activation[i1], activation[i2], activation[i3]
        a0 = a1 = a2 = a3 = b01 = b02 = b03 = b12 = b13 = b23 = zero
        for k in range(width):
            change[k] = change[k] + c0 * h0[k] + c1 * h1[k] + c2 * h2[k] + c3 * h3[k]
            w = base[k] + change[k]
            a0 += w * g0[k]
            a1 += w * g1[k]
            a2 += w * g2[k]
            a3 += w * g3[k]
            b01 += g0[k] * g1[k]
            b02 += g0[k] * g2[k]
            b03 += g0[k] * g3[k]
            b12 += g1[k] * g2[k]
            b13 += g1[k] * g3[k]
            b23 += g2[k] * g3[k]
        step = first_step - fall * place
        s0 = real(_step(step * scale[i0], lengths[i0], caps[i0], implicit))
        s1 = real(_step((step - fall) * scale[i1], lengths[i1], caps[i1], implicit))
        s2 = real(_step((step - 2.0 * fall) * scale[i2], lengths[i2], caps[i2], implicit))
        s3 = real(_step((step - 3.0 * fall) * scale[i3], lengths[i3], caps[i3], implicit))
        t0, t1, t2, t3 = targets[i0], targets[i1], targets[i2], targets[i3]
        if squash:
            c0 = real(_squashed_change(s0, t0, a0))
            c1 = real(_squashed_change(s1, t1, a1 + c0 * b01))
            c2 = real(_squashed_change(s2, t2, a2 + c0 * b02 + c1 * b12))
            c3 = real(_squashed_change(s3, t3, a3 + c0 * b03 + c1 * b13 + c2 * b23))
        else:  # s (t - output), with little left to do once the change before is known
            c0 = s0 * (t0 - a0)
            c1 = s1 * (t1 - a1) - c0 * (s1 * b01)
            c2 = s2 * (t2 - a2) - c0 * (s2 * b02) - c1 * (s2 * b12)
            c3 = s3 * (t3 - a3) - c0 * (s3 * b03) - c1 * (s3 * b13) - c2 * (s3 * b23)
        h0, h1, h2, h3 = g0, g1, g2, g3
        if place % KEPT_APART == 0:
            for k in range(width):
                weights[k] += change[k]
                base[k] = weights[k]
                change[k] = zero
    for k in range(width):
        weights[k] += change[k] + (c0 * h0[k] + c1 * h1[k] + c2 * h2[k] + c3 * h3[k])
    for place in range(total - total % 4, total):
        i = np.uint64(order[place])
        g = activation[i]
        output = 0.0
        for k in range(width):
            output += weights[k] * g[k]
        step = _step((first_step - fall * place) * scale[i], lengths[i], caps[i], implicit)
        last = _squashed_change(step, targets[i], output) if squash else step * (targets[i] - output)
        for k in range(width):
            weights[k] += last * g[k]
    return weights


@njit(**OPTIONS)
def _squared_lengths(activation: Any) -> FloatArray:
    """|g_i|^2, in float64."""
    lengths = np.zeros(len(activation))
    for i in range(len(activation)):
        for k in range(activation.shape[1]):
            g = np.float64(activation[i, k])
            lengths[i] += g * g
    return lengths


@njit(**OPTIONS, inline="always")
def _step(step: float, length: float, cap: float, implicit: bool) -> float:
    return step / (1.0 + step * length) if implicit else min(step, cap)


@njit(**OPTIONS)
def _squashed_change(step: float, target: float, output: float) -> float:
    squashed = 1.0 - 2.0 / (np.exp(2.0 * np.float64(output)) + 1.0)  # tanh, in half the time
    return step * (target - squashed) * (1.0 - squashed * squashed)
