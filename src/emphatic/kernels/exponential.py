"""An exponential that vectorises in numba's loops on every CPU, where that of NumPy does with AVX-512 only."""

import numpy as np
from numba import njit

from emphatic.kernels.options import FUSED

PER_LOG = 1.4426950408889634074
"""1 / log 2."""

LOG_HIGH, LOG_LOW = float.fromhex("0x1.62e42fefa0000p-1"), 1.6465949582897081281e-12
"""log 2 in two parts: the first has so few bits that an exponent times it is exact."""

ROUND = 1.5 * 2.0**52
"""A number of this size has no digits after the point: adding it rounds, and leaves the integer in the lowest bits."""

# The polynomial of degree 10 through e^x at the Chebyshev nodes of +-log(2) / 2; its relative error is 3e-16.
A0, A1, A2, A3 = 1.0, 1.0000000000000067491, 0.50000000000000056225, 0.16666666666554314583
A4, A5, A6 = 0.041666666666573067732, 0.0083333333856992117269, 0.0013888888932514779355
A7, A8, A9 = 0.00019841170230570286664, 0.000024801504313785540166, 2.7640197391694840467e-6
A10 = 2.7626371065696356076e-7


@njit(**FUSED)
def exponential(x: float) -> float:
    """e^x for -700 < x < 700, to three units in the last place; for other x any number.

    With k the integer nearest to x / log 2, e^x = 2^k e^r for an r of at most log(2) / 2: a polynomial, to whose
    exponent k is added as an integer.
    """
    shifted = x * PER_LOG + ROUND
    k = shifted - ROUND
    r = (x - k * LOG_HIGH) - k * LOG_LOW
    high = (((A10 * r + A9) * r + A8) * r + A7) * r + A6
    power = (((((high * r + A5) * r + A4) * r + A3) * r + A2) * r + A1) * r + A0
    bits = np.float64(power).view(np.int64) + (np.float64(shifted).view(np.int64) << np.int64(52))
    return np.int64(bits).view(np.float64)
