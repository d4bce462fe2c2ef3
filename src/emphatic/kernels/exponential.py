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

# The polynomial of degree 11 through e^x at the Chebyshev nodes of +-log(2) / 2; its relative error is 4e-18.
A0, A1, A2, A3 = 0.99999999999999999693, 0.99999999999999999976, 0.50000000000000184039, 0.1666666666666668082
A4, A5, A6 = 0.04166666666648795252, 0.0083333333333195896163, 0.0013888888952352862866
A7, A8, A9 = 0.00019841269890076402829, 0.000024801485441561312966, 2.7557240887229868596e-6
A10, A11 = 2.763265472252779189e-7, 2.5110049204818659793e-8


@njit(**FUSED)
def exponential(x: float) -> float:
    """e^x for -700 < x < 700, to a unit in the last place; for other x any number.

    With k the integer nearest to x / log 2, e^x = 2^k e^r for an r of at most log(2) / 2: a polynomial, to whose
    exponent k is added as an integer.
    """
    shifted = x * PER_LOG + ROUND
    k = shifted - ROUND
    r = (x - k * LOG_HIGH) - k * LOG_LOW
    high = ((((A11 * r + A10) * r + A9) * r + A8) * r + A7) * r + A6
    power = (((((high * r + A5) * r + A4) * r + A3) * r + A2) * r + A1) * r + A0
    bits = np.float64(power).view(np.int64) + (np.float64(shifted).view(np.int64) << np.int64(52))
    return np.int64(bits).view(np.float64)
