"""Supports of a classifier as masses on single classes, discounted by how reliable it is."""

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import FloatArray

ROUNDING = 1e-6
"""Masses may miss the sum 1 by this much (as probabilities in float32 do): it is rounding, not ignorance."""


def simple_masses(supports: FloatArray, reliability: ArrayLike = 1.0) -> tuple[FloatArray, FloatArray]:
    """Masses on single classes, (..., K), and ignorance, (...), from supports and a reliability in [0, 1].

    Supports that sum to more than 1 are divided by their sum; what they lack to 1 is ignorance. Then they are
    discounted: they are multiplied by the reliability, and the rest goes to ignorance.

    >>> import numpy as np
    >>> simple_masses(np.array([[0.75, 0.25], [0.5, 0.0]]), reliability=0.8)
    (array([[0.6, 0.2], [0.4, 0. ]]), array([0.2, 0.6]))
    """
    trust = broadcast_reliability(reliability, supports.shape[:-1])
    total = supports.sum(axis=-1)
    complete = total >= 1.0 - ROUNDING
    single = supports * (trust / np.where(complete, total, 1.0))[..., None]
    return single, 1.0 - trust * np.where(complete, 1.0, total)


def broadcast_reliability(value: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """`value`, with all numbers in [0, 1], broadcast to `shape`; missing axes are added at its end."""
    trust = np.asarray(value, dtype=np.float64)
    if trust.shape != shape[: trust.ndim]:
        raise ValueError(
            f"reliability has shape {trust.shape}: it must be a number or have shape {shape[:1]} or {shape}."
        )
    if not ((trust >= 0) & (trust <= 1)).all():  # NaN is caught as well
        raise ValueError(f"reliability={value!r} is not allowed: reliability must lie in [0, 1].")
    return np.broadcast_to(trust.reshape(trust.shape + (1,) * (len(shape) - trust.ndim)), shape)
