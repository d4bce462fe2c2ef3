"""Kernel of proportional conflict redistribution: every choice of one focal set per source."""

import numpy as np
from numba import njit

from emphatic.check import FloatArray


@njit(cache=True, error_model="numpy")
def redistribute(sets: np.ndarray, values: FloatArray, starts: np.ndarray, shares: FloatArray) -> None:
    """Add to `shares` what each focal set gets back of the products in which it contradicts those of other sources.

    The columns `starts[j]` to `starts[j + 1]` of `sets` (one row for all samples, or one per sample) and of `values`
    are the focal sets of source j, each listed once; the last column is Theta, which gets the products of empty sets.

    `shared[j]` gathers product / sum of masses over all choices of later sources; it is the same factor for the set
    that source j - 1 has chosen, and is handed to it when source j is through.
    """
    last, theta = len(starts) - 2, values.shape[1] - 1
    at = np.empty(last + 1, dtype=np.int64)
    common = np.empty(last + 1, dtype=np.int64)
    product, total, shared = np.empty(last + 1), np.empty(last + 1), np.zeros(last + 1)
    for i in range(len(values)):
        row, mass, share = sets[min(i, len(sets) - 1)], values[i], shares[i]
        j = 0
        at[0], common[0], product[0], total[0], shared[0] = starts[0], -1, 1.0, 0.0, 0.0
        while j >= 0:
            if j == last:
                for b in range(starts[j], starts[j + 1]):
                    if common[j] & row[b] == 0 and mass[b] > 0:
                        whole = total[j] + (mass[b] if row[b] != 0 else 0.0)
                        if whole > 0:
                            part = product[j] * mass[b] / whole
                            shared[j] += part
                            if row[b] != 0:
                                share[b] += part * mass[b]
                        else:
                            share[theta] += product[j] * mass[b]
                at[j] = starts[j + 1]
            if at[j] == starts[j + 1]:
                j -= 1
                if j >= 0:
                    a = at[j]
                    if row[a] != 0:
                        share[a] += shared[j + 1] * mass[a]
                    shared[j] += shared[j + 1]
                    at[j] += 1
                continue
            a = at[j]
            if mass[a] > 0:
                common[j + 1] = common[j] & row[a]
                product[j + 1] = product[j] * mass[a]
                total[j + 1] = total[j] + (mass[a] if row[a] != 0 else 0.0)
                at[j + 1], shared[j + 1] = starts[j + 1], 0.0
                j += 1
            else:
                at[j] += 1
