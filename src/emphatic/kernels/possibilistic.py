"""Kernel of possibilistic c-means; costs and memberships have one row per cluster, (c, n)."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from emphatic.kernels.options import OPTIONS

Array = NDArray[Any]


@njit(**OPTIONS)
def typicality(costs: Array, widths: Array, m: float) -> tuple[Array, Array, Array]:
    r"""Possibilistic memberships :math:`u = 1 / (1 + (cost / width)^{1/(m-1)})`, their powers m, and what J gains.

    With :math:`cost = width \, (1/u - 1)^{m-1}`, a sample adds :math:`u^m cost + width (1-u)^m = width (1-u)^{m-1}`.
    """
    (c, n), dtype = costs.shape, costs.dtype
    membership, powers, losses = np.empty((c, n), dtype), np.empty((c, n), dtype), np.zeros(n, dtype)
    power = 1.0 / (m - 1.0)
    for j in range(c):
        cost, shares, heaviness, width = costs[j], membership[j], powers[j], widths[j]
        if m == 2.0:
            for i in range(n):
                shares[i] = 1.0 / (1.0 + cost[i] / width)  # not width / (width + cost): that sum can overflow
                heaviness[i] = shares[i] * shares[i]
                losses[i] += width * (1.0 - shares[i])
        else:
            for i in range(n):
                shares[i] = 1.0 / (1.0 + (cost[i] / width) ** power)
                heaviness[i] = shares[i] ** m
                losses[i] += width * (1.0 - shares[i]) ** (m - 1.0)
    return membership, powers, losses
