"""Growth as an exponent: time that is a * size^p has a logarithm that is a line over that of the size, of slope p."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Exponent:
    """The slope p by least squares, and its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {self.error:.2f}"


def fit_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> Exponent:
    """Fit log(time) on log(size).

    >>> str(fit_exponent([1, 2, 4, 8], [3, 12, 48, 192]))
    '2.00 ± 0.00'
    """
    if len(set(sizes)) < 3:
        raise ValueError(f"sizes={list(sizes)!r} is not allowed: an exponent and its error need three different sizes.")
    x, y = np.log(np.asarray(sizes, float)), np.log(np.asarray(seconds, float))
    centred = x - x.mean()
    spread = centred @ centred
    slope = centred @ y / spread
    residuals = y - y.mean() - slope * centred
    return Exponent(float(slope), float(np.sqrt(residuals @ residuals / (len(x) - 2) / spread)))
