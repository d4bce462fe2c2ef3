"""Kernel of Dempster's rule: masses on sets of classes, a set being an integer with one bit per class."""

import numpy as np
from numba import njit

from emphatic.check import FloatArray

GOLDEN = 0x9E3779B97F4A7C15
"""2^64 over the golden ratio: its multiples spread sets that share their low or their high bits over a table."""


@njit(cache=True)
def intersect(
    first: np.ndarray, second: np.ndarray, found: np.ndarray, place: np.ndarray, table: np.ndarray, shift: int
) -> int:
    """The different intersections of two lists of sets, as they come, in `found`, and where each pair's is in `place`.

    Returns their number. `table` holds, at a slot that the set determines, its number in `found`, or -1.
    """
    table[:] = -1
    last, count = np.uint64(len(table) - 1), 0
    for a in range(len(first)):
        for b in range(len(second)):
            both = first[a] & second[b]
            slot = (np.uint64(both) * np.uint64(GOLDEN)) >> np.uint64(shift)
            while table[slot] >= 0 and found[table[slot]] != both:
                slot = (slot + np.uint64(1)) & last
            if table[slot] < 0:
                table[slot] = count
                found[count] = both
                count += 1
            place[a, b] = table[slot]
    return count


@njit(cache=True)
def add_products(
    first_sets: np.ndarray,
    first: FloatArray,
    second_sets: np.ndarray,
    second: FloatArray,
    found: np.ndarray,
    values: FloatArray,
) -> int:
    """Orthogonal sum of masses `first` (n, A) and `second` (n, B): sets in `found`, masses added to `values`.

    Sets have one row for all samples or one per sample; `found` has one row if both have, and as many columns as there
    can be sets. Returns how many columns of `found` and `values` are in use.
    """
    place = np.empty((first_sets.shape[1], second_sets.shape[1]), dtype=np.int32)
    bits = 2
    while 1 << bits < 2 * found.shape[1]:  # at most half full: sets that meet in the table find a free slot soon
        bits += 1
    table = np.empty(1 << bits, dtype=np.int32)
    width = 0
    for i in range(len(first)):
        if i < len(found):
            a_sets = first_sets[min(i, len(first_sets) - 1)]
            b_sets = second_sets[min(i, len(second_sets) - 1)]
            width = max(width, intersect(a_sets, b_sets, found[i], place, table, 64 - bits))
        for a in range(first.shape[1]):
            mass = first[i, a]
            if mass > 0:
                for b in range(second.shape[1]):
                    values[i, place[a, b]] += mass * second[i, b]
    return width


@njit(cache=True)
def take_all(table: FloatArray, sets: np.ndarray, values: FloatArray, start: int) -> int:
    """Move the masses in a table of all sets to a list, of those above 0, from `start` on; returns where it ends.

    What is written behind its end means nothing.
    """
    end = start
    for code in range(len(table)):
        sets[end], values[end] = code, table[code]
        end += table[code] > 0.0  # no branch: it could not be predicted
        table[code] = 0.0
    return end


@njit(cache=True)
def multiply_out(
    sets: np.ndarray,
    masses: FloatArray,
    starts: np.ndarray,
    table: FloatArray,
    found: np.ndarray,
    values: FloatArray,
    ends: np.ndarray,
) -> None:
    """Orthogonal sums of all sources, whose sets differ from sample to sample, by a table of the masses on all sets.

    `sets` and `masses` (n, S) hold the sources one after the other: source k from column `starts[k]` on. `table` has a
    0 for every set. The sets of sample i that have a mass are written to `found`, from ends[i] to ends[i + 1], and
    their masses to `values`: one sample after the other, as memory that is not written to costs nothing.
    """
    for i in range(len(sets)):
        codes, factors, start = sets[i], masses[i], ends[i]
        for a in range(starts[0], starts[1]):
            table[codes[a]] += factors[a]
        end = take_all(table, found, values, start)
        for k in range(1, len(starts) - 1):
            for a in range(start, end):
                code, share = found[a], values[a]
                for b in range(starts[k], starts[k + 1]):
                    table[code & codes[b]] += share * factors[b]
            end = take_all(table, found, values, start)
        ends[i + 1] = end
