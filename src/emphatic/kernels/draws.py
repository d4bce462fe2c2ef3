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


@njit(cache=True)
def first_arrivals(times: FloatArray, weights: FloatArray, y: IntArray, counts: IntArray) -> IntArray:
    """Of each class c the counts[c] samples that arrive first, class by class, in the order of the table.

    Sample i arrives at times_i / weights_i: with exponential times that is drawing without replacement with chances in
    proportion to the weights. Where the weight is 0 it comes last; ties go to the lower index.
    """
    ends = np.cumsum(counts)
    chosen = np.empty(ends[-1], dtype=np.intp)  # for every class a heap with the latest of the chosen at its root
    arrival = np.empty(ends[-1])
    sizes = np.zeros(counts.shape[0], dtype=np.intp)
    for i in range(y.shape[0]):
        code = y[i]
        time = times[i] / weights[i] if weights[i] > 0.0 else np.inf
        base, size, limit = ends[code] - counts[code], sizes[code], counts[code]
        if size < limit:
            place = size  # let it rise from the end
            while place > 0 and arrival[base + (place - 1) // 2] <= time:
                parent = (place - 1) // 2
                arrival[base + place], chosen[base + place] = arrival[base + parent], chosen[base + parent]
                place = parent
            arrival[base + place], chosen[base + place] = time, i
            sizes[code] = size + 1
        elif limit > 0 and time < arrival[base]:
            place = 0  # replace the latest, and let it sink
            while True:
                child = 2 * place + 1
                if child >= limit:
                    break
                if child + 1 < limit and _later(arrival, chosen, base + child + 1, base + child):
                    child += 1
                if arrival[base + child] <= time:
                    break
                arrival[base + place], chosen[base + place] = arrival[base + child], chosen[base + child]
                place = child
            arrival[base + place], chosen[base + place] = time, i
    for code in range(counts.shape[0]):
        chosen[ends[code] - counts[code] : ends[code]].sort()
    return chosen


@njit(cache=True, inline="always")
def _later(arrival: FloatArray, chosen: IntArray, a: int, b: int) -> bool:
    return arrival[a] > arrival[b] or (arrival[a] == arrival[b] and chosen[a] > chosen[b])


@njit(cache=True)
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
