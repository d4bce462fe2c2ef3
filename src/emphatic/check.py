"""Checks of parameters, one line each: the error names the parameter, its value and what is allowed."""

import math
from collections.abc import Collection
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def real(
    name: str,
    value: Any,
    low: float = -np.inf,
    high: float = np.inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> float:
    """Return `value` as a float inside [low, high]; `open_low` and `open_high` leave that end out."""
    left, right = "(" if open_low else "[", ")" if open_high else "]"
    allowed = f"a finite number in {left}{low:g}, {high:g}{right}"
    number = isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
    number = number and math.isfinite(value)  # and no fraction, say, with which arrays would be arrays of objects
    found = float(value) if number else math.nan  # as a double: a limit may be too large for single precision
    at_open_end = (open_low and found == low) or (open_high and found == high)
    if not low <= found <= high or at_open_end:
        raise ValueError(f"{name}={value!r} is not allowed: {name} must be {allowed}.")
    return found


def integer(name: str, value: Any, at_least: int) -> int:
    """Return `value` as an int not below `at_least`."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        raise ValueError(f"{name}={value!r} is not allowed: {name} must be an integer of at least {at_least}.")
    return int(value)


def jobs(n_jobs: Any) -> None:
    """Raise ValueError unless `n_jobs` is None or an integer other than 0, as joblib takes it."""
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise ValueError(f"n_jobs={n_jobs!r} is not allowed: n_jobs must be None or an integer other than 0.")


def one_of(name: str, value: Any, allowed: Collection[Any]) -> Any:
    """Return `value`, which must be among `allowed` (by type as well: 1 is not True)."""
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in allowed):
        listed = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name}={value!r} is not allowed: {name} must be one of {listed}.")
    return value


def instance(name: str, value: Any, allowed: type, example: str) -> Any:
    """Return `value`, which must be an object (not a class) of type `allowed`."""
    if not isinstance(value, allowed):
        kind = f"{'an' if allowed.__name__[0] in 'AEIOU' else 'a'} {allowed.__name__}"
        raise TypeError(f"{name}={value!r} is not allowed: {name} must be {kind}, such as {example}.")
    return value


def numbers(name: str, values: Any) -> FloatArray:
    """Return `values`, which must be real numbers, as an array of float64 of any shape.

    >>> numbers("errors", [[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"got {given.dtype}")
        if given.dtype == object and any(value is None for value in given.flat):  # NumPy would take it for NaN
            raise TypeError("got None")
        return given.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold real numbers: {error}") from error


def distribution(name: str, weight: ArrayLike | None, n: int) -> FloatArray:
    """Return non-negative weights of `n` samples that sum to 1; None is uniform.

    >>> distribution("sample_weight", [1, 1, 2], 3)
    array([0.25, 0.25, 0.5 ])
    """
    if weight is None:
        return np.full(n, 1.0 / n)
    try:
        given = np.asarray(weight)
        if given.dtype.kind == "c":  # NumPy would warn, and leave out the imaginary parts
            raise TypeError("got complex numbers")
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers, one per row of X: {error}") from error
    if values.ndim == 0:
        values = np.full(n, values)
    if values.shape != (n,):
        raise ValueError(f"{name} has shape {values.shape}, but X has {n} rows: {name} must have shape ({n},).")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} holds NaN or infinity: every weight must be finite.")
    if (values < 0).any():
        raise ValueError(f"{name} holds negative values (least {values.min():g}): every weight must be at least 0.")
    largest = values.max(initial=0.0)
    if largest == 0.0:
        raise ValueError(f"{name} is zero for every sample: at least one weight must be positive.")
    values = values / largest  # weights near the largest float must not overflow their sum
    return np.asarray(values / values.sum(), dtype=np.float64)
