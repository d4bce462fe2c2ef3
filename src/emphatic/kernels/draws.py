"""Kernels that turn noise into draws: noise or seed come from the caller, so the draw is a plain function of them."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray

STEP = np.uint64(0x9E3779B97F4A7C15)
"""By which the counter of SplitMix64 grows."""


@njit(cache=True, inline="always")
def mix(counter: np.uint64) -> np.uint64:
    """64 bits of SplitMix64: a counter, which grows by `STEP` from draw to draw, mixed thoroughly."""
    mixed = (counter ^ (counter >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@njit(cache=True, error_model="numpy", nogil=True)
def first_arrivals(times: FloatArray, weights: FloatArray, y: IntArray, counts: IntArray) -> IntArray:
    """Of each class c the counts[c] samples that arrive first, class by class, in the order of the table.

    Sample i arrives at times_i / weights_i: with exponential times that is drawing without replacement with chances in
    proportion to the weights. Where the weight is 0 it comes last; ties go to the lower index.
    """
    n, n_classes = y.shape[0], counts.shape[0]
    arrival = np.empty(n)
    for i in range(n):
        arrival[i] = times[i] / weights[i] if weights[i] > 0.0 else np.inf
    bins, histogram = _count_by_size(arrival, y, n_classes)
    last_time, last_row = np.empty(n_classes), np.empty(n_classes, dtype=np.intp)
    for code in range(n_classes):
        last_time[code], last_row[code] = _find_last(arrival, bins, histogram[code], y, code, counts[code])
    places = np.cumsum(counts) - counts  # where the next one of each class belongs
    chosen = np.empty(counts.sum(), dtype=np.intp)
    for i in range(n):
        code = y[i]
        if arrival[i] < last_time[code] or (arrival[i] == last_time[code] and i <= last_row[code]):
            chosen[places[code]] = i
            places[code] += 1
    return chosen


BINS = 256
"""Of a histogram with eight bins per power of two: what is 2^32 times as large as the least shares the last one."""


@njit(cache=True, error_model="numpy", nogil=True)
def _count_by_size(values: FloatArray, y: IntArray, n_classes: int) -> tuple[NDArray[np.uint8], IntArray]:
    """The bin of every value, by the leading bits of its representation, and the histogram of each class."""
    least = np.inf
    for i in range(values.shape[0]):
        least = min(least, values[i])
    first = np.float64(least).view(np.int64) >> np.int64(49)
    bins = np.empty(values.shape[0], dtype=np.uint8)
    for i in range(values.shape[0]):
        bins[i] = min((np.float64(values[i]).view(np.int64) >> np.int64(49)) - first, np.int64(BINS - 1))
    histogram = np.zeros((n_classes, BINS), dtype=np.intp)
    for i in range(values.shape[0]):
        histogram[y[i], bins[i]] += 1
    return bins, histogram


@njit(cache=True, error_model="numpy", nogil=True)
def _find_last(
    values: FloatArray, bins: NDArray[np.uint8], histogram: IntArray, y: IntArray, code: int, count: int
) -> tuple[float, int]:
    """The value and the row of number `count` of a class in rising order; of equal values the lower row is first."""
    if count == 0:
        return -np.inf, -1
    number, before = 0, 0
    while before + histogram[number] < count:
        before += histogram[number]
        number += 1
    rows = np.empty(histogram[number], dtype=np.intp)
    size = 0
    for i in range(values.shape[0]):
        if bins[i] == number and y[i] == code:
            rows[size] = i
            size += 1
    order = np.argsort(values[rows], kind="mergesort")
    last = rows[order[count - before - 1]]
    return values[last], last


@njit(cache=True, nogil=True)
def shuffle(noise: NDArray[np.uint32], orders: NDArray[np.int32]) -> None:
    """Fill `orders` (epochs, n) with permutations, by Fisher and Yates from uniform 32-bit integers of that shape."""
    epochs, n = noise.shape
    for epoch in range(epochs):
        order, chances = orders[epoch], noise[epoch]
        for place in range(n):
            order[place] = place
        for place in range(n - 1, 0, -1):
            i = np.uint64(place)  # unsigned: a negative index would have to be looked for
            j = (np.uint64(chances[i]) * (i + np.uint64(1))) >> np.uint64(32)  # uniform in 0 .. i
            order[i], order[j] = order[j], order[i]


@njit(cache=True, inline="always")
def uniform(seed: np.uint64, place: int) -> np.float32:
    """Number `place` of the sequence of uniform numbers below 1 that belongs to `seed`; no earlier one is needed.

    Of the 64 bits the first 24 are kept.
    """
    return np.float32(mix(seed + STEP * np.uint64(place + 1)) >> np.uint64(40)) * np.float32(2.0**-24)
