"""Kernels of networks with one hidden layer of tanh units: one network at a time, or many side by side.

Weights have one row per unit, its bias last: `hidden` is (units, inputs + 1) and `output` (outputs, units + 1). The
kernels transpose them so that the innermost loop runs over what is independent: over the hidden units of one network,
with w (inputs + 1, units) and v (outputs, units + 1); or over networks, each of them a lane, with w (units, inputs + 1,
lanes) and v (outputs, units + 1, lanes). h and o are the outputs of the two layers, d targets and then deltas.
"""

from math import factorial
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.copies import copy_cells
from emphatic.kernels.options import OPTIONS

LANES = 32
"""Networks that are trained side by side: enough to fill vectors, few enough for their weights to stay in the cache."""

Orders = NDArray[np.int32]
C2, C3, C4, C5, C6, C7, C8 = (1.0 / factorial(k) for k in range(2, 9))


class Network(NamedTuple):
    """Weights of one network, or of many along a first axis."""

    hidden: FloatArray
    output: FloatArray


class Part(NamedTuple):
    """Rows of the table, and what each of them weighs: a step for training, a share of the error for judging."""

    rows: NDArray[np.int32]
    weights: FloatArray


@njit(inline="always", **OPTIONS)
def tanh(x: float) -> float:
    """1 - 2 / (1 + e^2x), within 1e-14; unlike the one of the C library it vectorises.

    e^2x is the 64th power of e^r, r = x / 32. Eight terms of that series are enough: where r is not small, the result
    is so near to 1 that an error of e^2x no longer shows.
    """
    x = 20.0 if x > 20.0 else x
    x = -20.0 if x < -20.0 else x  # written so that NaN stays NaN
    r = x * (1.0 / 32.0)
    q = r * r
    cosh = 1.0 + q * (C2 + q * (C4 + q * (C6 + q * C8)))
    sinh = r * (1.0 + q * (C3 + q * (C5 + q * C7)))
    return 1.0 - 2.0 / (1.0 + (cosh + sinh) ** 64)


@njit(inline="always", **OPTIONS)
def activate(X: FloatArray, i: int, w: FloatArray, h: FloatArray) -> None:
    """h = tanh(w.x + bias) for row i."""
    for k in range(h.shape[0]):
        h[k] = w[X.shape[1], k]
    for j in range(X.shape[1]):
        for k in range(h.shape[0]):
            h[k] += X[i, j] * w[j, k]
    for k in range(h.shape[0]):
        h[k] = tanh(h[k])


@njit(inline="always", **OPTIONS)
def answer(v: FloatArray, c: int, h: FloatArray) -> float:
    """o = tanh(v.h + bias) of output c."""
    total = 0.0
    for k in range(h.shape[0]):
        total += v[c, k] * h[k]
    return tanh(total + v[c, h.shape[0]])


@njit(**OPTIONS)
def outputs(X: FloatArray, network: Network) -> FloatArray:
    """(n, outputs): the outputs of a network for every row."""
    w, v = np.ascontiguousarray(network.hidden.T), network.output
    h, result = np.empty(w.shape[1]), np.empty((X.shape[0], v.shape[0]))
    for i in range(X.shape[0]):
        activate(X, i, w, h)
        for c in range(v.shape[0]):
            result[i, c] = answer(v, c, h)
    return result


@njit(**OPTIONS)
def _epoch(X: FloatArray, targets: FloatArray, training: Part, order: Orders, w: FloatArray, v: FloatArray) -> None:
    """One visit to every row: delta = step_i (d - o)(1 - o^2) at the output, and the chain rule below."""
    width, units = X.shape[1], w.shape[1]
    h, back = np.empty(units), np.empty(units)
    for place in order:
        i, step = training.rows[place], training.weights[place]
        activate(X, i, w, h)
        back[:] = 0.0
        for c in range(v.shape[0]):
            o = answer(v, c, h)
            delta = step * (targets[i, c] - o) * (1.0 - o * o)
            for k in range(units):
                back[k] += delta * v[c, k]  # before v takes its own step
                v[c, k] += delta * h[k]
            v[c, units] += delta
        for k in range(units):
            back[k] *= 1.0 - h[k] * h[k]
            w[width, k] += back[k]
        for j in range(width):
            for k in range(units):
                w[j, k] += X[i, j] * back[k]


@njit(**OPTIONS)
def weigh_error(X: FloatArray, targets: FloatArray, judged: Part, w: FloatArray, v: FloatArray) -> float:
    """sum_i share_i (d_i - o_i)^2, over all outputs."""
    h = np.empty(w.shape[1])
    total = 0.0
    for place in range(len(judged.rows)):
        i = judged.rows[place]
        activate(X, i, w, h)
        for c in range(v.shape[0]):
            gap = targets[i, c] - answer(v, c, h)
            total += judged.weights[place] * gap * gap
    return total


@njit(**OPTIONS)
def train(
    X: FloatArray,
    targets: FloatArray,
    training: Part,
    judged: Part,
    orders: Orders,
    stall: int,
    network: Network,
    best: Network,
    errors: FloatArray,
    done: int,
) -> int:
    """Train by back-propagation for as many epochs as there are `orders`, or until it stalls; return the epochs done.

    An order (one per row) lists the places of `training` as they are visited; `targets` are (n, outputs). After every
    epoch the error of the `judged` part is written to `errors`, behind those of the `done` epochs before this call,
    and weights whose error is the lowest so far are copied to `best`; `stall` epochs without such a gain are the end.
    """
    w, v = np.ascontiguousarray(network.hidden.T), network.output
    lowest, when = _lowest(errors, done)
    for order in orders:
        if done - when >= stall:
            break
        _epoch(X, targets, training, order, w, v)
        errors[done] = weigh_error(X, targets, judged, w, v)
        done += 1
        if errors[done - 1] < lowest:
            lowest, when = errors[done - 1], done
            copy_cells(w.T, best.hidden)
            copy_cells(v, best.output)
    copy_cells(w.T, network.hidden)
    return done


@njit(cache=True)
def _lowest(errors: FloatArray, done: int) -> tuple[float, int]:
    """The lowest error of the epochs done, and the number of its epoch."""
    lowest, when = np.inf, 0
    for epoch in range(done):
        if errors[epoch] < lowest:
            lowest, when = errors[epoch], epoch + 1
    return lowest, when


@njit(inline="always", **OPTIONS)
def _take(X: FloatArray, targets: FloatArray, i: int, m: int, x: FloatArray, d: FloatArray) -> None:
    for j in range(x.shape[0]):
        x[j, m] = X[i, j]
    for c in range(d.shape[0]):
        d[c, m] = targets[i, c]


@njit(inline="always", **OPTIONS)
def _activate_lanes(x: FloatArray, w: FloatArray, h: FloatArray) -> None:
    width, lanes = x.shape
    for k in range(h.shape[0]):
        for m in range(lanes):
            h[k, m] = w[k, width, m]
        for j in range(width):
            for m in range(lanes):
                h[k, m] += w[k, j, m] * x[j, m]
        for m in range(lanes):
            h[k, m] = tanh(h[k, m])


@njit(inline="always", **OPTIONS)
def _answer_lanes(v: FloatArray, c: int, h: FloatArray, o: FloatArray) -> None:
    units, lanes = h.shape
    for m in range(lanes):
        o[m] = v[c, units, m]
    for k in range(units):
        for m in range(lanes):
            o[m] += v[c, k, m] * h[k, m]
    for m in range(lanes):
        o[m] = tanh(o[m])


@njit(**OPTIONS)
def _epoch_of_lanes(
    X: FloatArray, targets: FloatArray, training: Part, orders: Orders, w: FloatArray, v: FloatArray
) -> None:
    """`_epoch` for every lane at once: rows and weights of the training are (lanes, rows), as are the orders."""
    width, (units, _, lanes) = X.shape[1], w.shape
    x, h, d = np.empty((width, lanes)), np.empty((units, lanes)), np.empty((v.shape[0], lanes))
    o, step, back = np.empty(lanes), np.empty(lanes), np.empty(lanes)
    for place in range(orders.shape[1]):
        for m in range(lanes):
            _take(X, targets, training.rows[m, orders[m, place]], m, x, d)
            step[m] = training.weights[m, orders[m, place]]
        _activate_lanes(x, w, h)
        for c in range(v.shape[0]):
            _answer_lanes(v, c, h, o)
            for m in range(lanes):
                d[c, m] = step[m] * (d[c, m] - o[m]) * (1.0 - o[m] * o[m])  # from the target to the delta
        for k in range(units):
            back[:] = 0.0
            for c in range(v.shape[0]):
                for m in range(lanes):
                    back[m] += d[c, m] * v[c, k, m]
                    v[c, k, m] += d[c, m] * h[k, m]
            for m in range(lanes):
                back[m] *= 1.0 - h[k, m] * h[k, m]
                w[k, width, m] += back[m]
            for j in range(width):
                for m in range(lanes):
                    w[k, j, m] += back[m] * x[j, m]
        for c in range(v.shape[0]):
            for m in range(lanes):
                v[c, units, m] += d[c, m]


@njit(**OPTIONS)
def _errors_of_lanes(X: FloatArray, targets: FloatArray, judged: Part, w: FloatArray, v: FloatArray) -> FloatArray:
    width, (units, _, lanes) = X.shape[1], w.shape
    x, h, d = np.empty((width, lanes)), np.empty((units, lanes)), np.empty((v.shape[0], lanes))
    o, total = np.empty(lanes), np.zeros(lanes)
    for place in range(judged.rows.shape[1]):
        for m in range(lanes):
            _take(X, targets, judged.rows[m, place], m, x, d)
        _activate_lanes(x, w, h)
        for c in range(v.shape[0]):
            _answer_lanes(v, c, h, o)
            for m in range(lanes):
                total[m] += judged.weights[m, place] * (d[c, m] - o[m]) ** 2
    return total


@njit(**OPTIONS)
def train_many(
    X: FloatArray,
    targets: FloatArray,
    training: Part,
    judged: Part,
    orders: Orders,
    stall: int,
    networks: Network,
    best: Network,
    errors: FloatArray,
    done: IntArray,
) -> None:
    """`train` for many independent networks of one shape on one table, each with its own rows, steps and orders.

    All arrays but `X` and `targets` have a first axis for the networks, and `done` is brought up to date in place.
    Where a network has fewer rows than others, places of weight 0 fill up its own: a visit to them changes nothing.
    """
    for start in range(0, len(done), LANES):
        group = slice(start, min(start + LANES, len(done)))
        mine = Part(training.rows[group], training.weights[group])
        judges = Part(judged.rows[group], judged.weights[group])
        w = np.ascontiguousarray(networks.hidden[group].transpose(1, 2, 0))
        v = np.ascontiguousarray(networks.output[group].transpose(1, 2, 0))
        lowest = [_lowest(errors[m], done[m]) for m in range(start, group.stop)]
        for epoch in range(orders.shape[1]):
            running = [lane for lane in range(len(lowest)) if done[start + lane] - lowest[lane][1] < stall]
            if len(running) == 0:
                break
            _epoch_of_lanes(X, targets, mine, orders[group, epoch], w, v)
            found = _errors_of_lanes(X, targets, judges, w, v)
            for lane in running:
                m = start + lane
                errors[m, done[m]] = found[lane]
                done[m] += 1
                if found[lane] < lowest[lane][0]:
                    lowest[lane] = (found[lane], done[m])
                    best.hidden[m] = w[:, :, lane]
                    best.output[m] = v[:, :, lane]
        networks.hidden[group] = w.transpose(2, 0, 1)
        networks.output[group] = v.transpose(2, 0, 1)
