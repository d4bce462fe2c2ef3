"""Kernel of proportional conflict redistribution for masses on single classes and on Theta.

It does not go through all choices of one set per source, of which there are exponentially many in the sources. Only the
sum r of the masses that a product is divided by ties the sources together. As a sum of exponentials,

    1/r = integral of exp(u - r exp(u)) du = h * sum_k exp(u_k - r exp(u_k)),    u_k = k h,

it becomes a product of terms of one source each, and sums over all choices become products of sums. With h = 1/4 the
trapezoidal rule errs by 2e-16 of 1/r. So do the ends: the first node for r up to 100, the last for r down to 1e-8;
below that the products are as small as the square of r.
"""

import numpy as np
from numba import njit

from emphatic.check import FloatArray

STEP = 0.25
"""The h of the sum."""

NODES = np.exp(np.arange(-43.0, 22.0 + STEP, STEP))
"""exp(u_k)."""


@njit(cache=True)
def redistribute_classes(values: FloatArray, nodes: FloatArray, step: float, shares: FloatArray) -> None:
    """Add to `shares` (n, sources, K + 1) what each set gets back; `values` are the masses, that of Theta last.

    At every node, source j has g_j(A) = m_j(A) exp(-t m_j(A)). A choice contradicts itself unless it is Theta but for
    one class c. So the sum over those in which source i has chosen c and that contradict themselves is g_i(c) times

        prod_{j != i} sum_A g_j(A)  -  prod_{j != i} (g_j(c) + g_j(Theta)),

    and for Theta the second product is summed over the classes, with Theta everywhere counted once.
    """
    n, n_sources, n_sets = values.shape
    g = np.empty((n_sets, n_sources))
    total, factor, all_others, in_agreement, ignorant, in_conflict = np.empty((6, n_sources))
    for i in range(n):
        for t in nodes:
            total[:] = 0.0
            for j in range(n_sources):
                for a in range(n_sets):
                    mass = values[i, j, a]
                    g[a, j] = mass * np.exp(-t * mass)
                    total[j] += g[a, j]
            theta = g[n_sets - 1]
            multiply_others(total, all_others)
            multiply_others(theta, ignorant)
            for j in range(n_sources):
                in_conflict[j] = all_others[j] - ignorant[j]
            for c in range(n_sets - 1):
                for j in range(n_sources):
                    factor[j] = g[c, j] + theta[j]
                multiply_others(factor, in_agreement)
                for j in range(n_sources):
                    shares[i, j, c] += step * t * values[i, j, c] * g[c, j] * (all_others[j] - in_agreement[j])
                    in_conflict[j] -= in_agreement[j] - ignorant[j]
            for j in range(n_sources):
                shares[i, j, n_sets - 1] += step * t * values[i, j, n_sets - 1] * theta[j] * in_conflict[j]


@njit(cache=True)
def multiply_others(factors: FloatArray, products: FloatArray) -> None:
    """The product of all factors but one, for each, in `products`."""
    before = 1.0
    for j in range(len(factors)):
        products[j] = before
        before *= factors[j]
    after = 1.0
    for j in range(len(factors) - 1, -1, -1):
        products[j] *= after
        after *= factors[j]
