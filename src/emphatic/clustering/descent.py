"""The alternation of fuzzy c-means, from starts to the lowest minimum: what all of this package shares.

Tables are (n, d), centres (c, d), memberships (n, c), all of one type, float32 or float64.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic import check
from emphatic.base import LARGEST_INPUT
from emphatic.check import FloatArray
from emphatic.kernels import fuzzy_c_means as kernel

Array = NDArray[Any]
"""float32 or float64."""

TOL, MAX_ITER = 1e-6, 300
"""The alternation ends when J falls by less than this part of itself, or after so many iterations."""

LARGEST_FUZZINESS = 10.0
"""All memberships are nearly equal there, and the tenth power of a small one is still a number in float32."""

SMALLEST_MASS = {np.dtype(np.float32): 1e-30, np.dtype(np.float64): 1e-290}
"""A sum of weighted powers of memberships below this has lost digits to underflow."""


class Minimum(NamedTuple):
    """Where the alternation ended."""

    centres: Array
    objectives: FloatArray
    """J after every iteration."""
    converged: bool
    membership: Array


def fuzziness(m: Any) -> float:
    """Return the exponent of the memberships, which must be above 1."""
    return check.real("m", m, 1, LARGEST_FUZZINESS, open_low=True)


def squarable(name: str, table: Array) -> Array:
    """Return a table whose squares are finite."""
    if _largest(table) > LARGEST_INPUT:
        raise ValueError(
            f"{name} holds values beyond +-{LARGEST_INPUT:g}, whose squares can overflow: scale the columns first."
        )
    return table


def _largest(table: Array) -> float:
    return max(float(table.max()), -float(table.min()))


def unit_of(*tables: Array) -> float:
    """The power of two next below the largest magnitude in `tables`, 1 if all is 0.

    Divided by it, which is exact, they lie within +-2: squares neither overflow nor vanish, whatever the users' units.
    """
    largest = max(_largest(table) for table in tables)
    return float(np.ldexp(1.0, np.frexp(largest)[1] - 1)) if largest > 0 else 1.0


def minimise(
    X: Array, weights: FloatArray, starts: Iterable[Array], m: float, tol: float = TOL, max_iter: int = MAX_ITER
) -> Minimum:
    """The lowest of the minima that the `starts` (c, d) lead to."""
    starts = list(starts)
    unit = unit_of(X, *starts)
    features, shares = np.divide(X.T, unit, order="C"), weights.astype(X.dtype)
    found = [_descend(features, shares, start / unit, m, tol, max_iter) for start in starts]
    centres, objectives, converged = min(found, key=lambda one: one[1][-1])
    membership = np.ascontiguousarray(kernel.memberships(features, centres, m).T)
    return Minimum(centres * unit, np.array(objectives) * unit**2, converged, membership)


def _descend(
    features: Array, weights: Array, centres: Array, m: float, tol: float, max_iter: int
) -> tuple[Array, list[float], bool]:
    """Alternate between memberships and centres until J falls by less than `tol` of itself.

    In exact arithmetic J never rises. An iteration that would raise it does so by rounding, at the minimum: the centres
    stay, and it is the last.
    """
    smallest = SMALLEST_MASS[features.dtype]
    objective, following = kernel.step(features, weights, centres, m, smallest)
    objectives: list[float] = []
    while len(objectives) < max_iter:
        before = objective
        objective, after = kernel.step(features, weights, following, m, smallest)
        if objective <= before:
            centres, following = following, after
        else:
            objective = before
        objectives.append(objective)
        if before - objective <= tol * before:
            return centres, objectives, True
    return centres, objectives, False


def memberships(X: Array, centres: Array, m: float) -> Array:
    """(n, c): memberships of the rows of `X` in the clusters at `centres`."""
    unit, dtype = unit_of(X, centres), np.result_type(X, centres)
    features = np.divide(X.T, unit, order="C", dtype=dtype)
    return np.ascontiguousarray(kernel.memberships(features, centres.astype(dtype) / unit, m).T)
