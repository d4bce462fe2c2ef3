"""Kernels that turn noise into draws: noise or seed come from the caller, so the draw is a plain function of them."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.check import FloatArray, IntArray
from emphatic.kernels.options import PLAIN

STEP = np.uint64(0x9E3779B97F4A7C15)
"""By which the counter of SplitMix64 grows."""


@njit(cache=True, inline="always")
def mix(counter: np.uint64) -> np.uint64:
    """64 bits of SplitMix64: a counter, which grows by `STEP` from draw to draw, mixed thoroughly."""
    mixed = (counter ^ (counter >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


BINS = 256
"""Of a histogram with eight bins per power of two: what is 2^32 times as large as the least shares the last one."""

LEADING = np.int64(49)
"""Bits below those that make up a bin: the exponent of a float64 and three bits more."""


@njit(**PLAIN)
def first_arrivals(times: FloatArray, weights: FloatArray, y: IntArray, counts: IntArray) -> IntArray:
    """Of each class c the counts[c] samples that arrive first, class by class, in the order of the table.

    Sample i arrives at times_i / weights_i: with exponential times that is drawing without replacement with chances in
    proportion to the weights. Where the weight is 0 it comes last; ties go to the lower index.
    """
    n, n_classes = y.shape[0], counts.shape[0]
    arrival, least = np.empty(n), np.inf
    for i in range(n):
        arrival[i] = times[i] / weights[i] if weights[i] > 0.0 else np.inf
        least = min(least, arrival[i])
    last_time, last_row = _find_last(arrival, least, y, counts)
    places, total = np.empty(n_classes, dtype=np.intp), 0  # where the next one of each class belongs
    for code in range(n_classes):
        places[code] = total
        total += counts[code]
    chosen = np.empty(total, dtype=np.intp)
    for i in range(n):
        code = y[i]
        if arrival[i] < last_time[code] or (arrival[i] == last_time[code] and i <= last_row[code]):
            chosen[places[code]] = i
            places[code] += 1
    return chosen


@njit(**PLAIN)
def _find_last(values: FloatArray, least: float, y: IntArray, counts: IntArray) -> tuple[FloatArray, IntArray]:
    """Of each class the value and the row of number counts[c] in rising order; of equal values the lower row is first.

    Values of at least `least` >= 0 rise with the integers that their bits represent. A histogram by the leading bits
    leaves few rows of each class that are looked at further.
    """
    n, n_classes = y.shape[0], counts.shape[0]
    first = np.float64(least).view(np.int64) >> LEADING
    bins = np.empty(n, dtype=np.uint8)
    histogram = np.zeros((n_classes, BINS), dtype=np.intp)
    for i in range(n):
        bins[i] = min((np.float64(values[i]).view(np.int64) >> LEADING) - first, np.int64(BINS - 1))
    for i in range(n):
        histogram[y[i], bins[i]] += 1
    number, rank = np.zeros(n_classes, dtype=np.intp), np.empty(n_classes, dtype=np.intp)
    starts, total = np.empty(n_classes + 1, dtype=np.intp), 0
    for code in range(n_classes):
        rank[code] = counts[code]  # among the rows of its bin
        while rank[code] > histogram[code, number[code]]:
            rank[code] -= histogram[code, number[code]]
            number[code] += 1
        starts[code] = total
        total += histogram[code, number[code]]
    starts[n_classes] = total
    rows, sizes = np.empty(total, dtype=np.intp), np.zeros(n_classes, dtype=np.intp)
    for i in range(n):
        code = y[i]
        if bins[i] == number[code]:
            rows[starts[code] + sizes[code]] = i
            sizes[code] += 1
    last_time, last_row = np.empty(n_classes), np.empty(n_classes, dtype=np.intp)
    for code in range(n_classes):
        if counts[code] == 0:
            last_time[code], last_row[code] = -np.inf, -1
        else:
            last_row[code] = _select(values, rows[starts[code] : starts[code + 1]], rank[code])
            last_time[code] = values[last_row[code]]
    return last_time, last_row


@njit(**PLAIN)
def _select(values: FloatArray, rows: IntArray, rank: int) -> int:
    """The row whose value is number `rank`, from 1, among `rows`, which it reorders: by eight bits after another."""
    size = rows.shape[0]
    for shift in range(56, -8, -8):
        histogram = np.zeros(256, dtype=np.intp)
        for place in range(size):
            histogram[(np.float64(values[rows[place]]).view(np.int64) >> np.int64(shift)) & np.int64(255)] += 1
        digit = 0
        while rank > histogram[digit]:
            rank -= histogram[digit]
            digit += 1
        kept = 0
        for place in range(size):
            if (np.float64(values[rows[place]]).view(np.int64) >> np.int64(shift)) & np.int64(255) == digit:
                rows[kept] = rows[place]
                kept += 1
        size = kept
        if size == 1:
            break
    return rows[rank - 1]  # those that are left are equal, in the order of the table


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
