"""The plane of two inputs: the points that a table is, the places between them, and their names."""

from typing import Any

import numpy as np

from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.check import FloatArray
from emphatic.inputs import LARGEST_INPUT
from emphatic.report.figures import escape_label
from emphatic.wording import as_one_line


def check_points(X: Any) -> FloatArray:
    """A table of two columns, which the model has taken, as an array of finite numbers."""
    try:
        points = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X must hold two columns of numbers, to be drawn as points: {error}") from error
    if not np.isfinite(points).all() or np.abs(points).max() > LARGEST_INPUT:
        raise ValueError(
            f"X holds missing values, or values beyond +-{LARGEST_INPUT:g}: they cannot be drawn as points."
        )
    return points


def spread(values: FloatArray, steps: int) -> FloatArray:
    """Evenly spaced places from somewhat below the smallest value to somewhat above the largest.

    >>> spread(np.array([0.0, 10.0]), 3), spread(np.array([2.0, 2.0]), 3)
    (array([-0.5,  5. , 10.5]), array([1.9, 2. , 2.1]))
    """
    low, high = values.min(), values.max()
    margin = 0.05 * (high - low) or 0.05 * abs(low) or 0.5
    return np.linspace(low - margin, high + margin, steps)


def like(X: Any, points: FloatArray) -> Any:
    """Points as a table of the kind of `X`: a model that knows names of columns asks for them."""
    return type(X)(dict(zip(X.columns, points.T, strict=True))) if hasattr(X, "columns") else points


def name_inputs(model: AdditiveEnsemble, X: Any) -> list[str]:
    """Names for the axes."""
    names = getattr(X, "columns", getattr(model, "feature_names_in_", ("first input", "second input")))
    return [escape_label(as_one_line(str(name))) for name in names]
