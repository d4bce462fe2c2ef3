"""Slow twin of `emphatic.kernels.draws.uniform`, in Python's own whole numbers, cut to 64 bits."""

import numpy as np

BITS = 2**64 - 1


def uniform(seed, count):
    """The first `count` numbers of the sequence of `seed`, in single precision."""
    return np.array([_mix(int(seed) + 0x9E3779B97F4A7C15 * (place + 1)) for place in range(count)], np.float32)


def _mix(value):
    value &= BITS
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & BITS
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & BITS
    return ((value ^ (value >> 31)) >> 40) / 2**24
