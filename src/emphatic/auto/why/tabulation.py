"""Columns as the table that users get."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from emphatic.importance import Importances


def as_table(columns: Mapping[str, list[Any]]) -> Any:
    """A DataFrame, or the columns as a dict where pandas is not installed."""
    try:
        from pandas import DataFrame
    except ImportError:
        return dict(columns)
    return DataFrame(dict(columns))


def tabulate_importances(found: Importances, names: list[str], starts: np.ndarray) -> dict[str, list[Any]]:
    """One row per column of the table, the most important first; 0 without inputs, NaN where it was not measured."""
    values = np.where(np.diff(starts) == 0, 0.0, np.nan)
    spreads = values.copy()
    values[found.positions], spreads[found.positions] = found.values, found.spreads
    order = np.argsort(-values, kind="stable")  # NaN last
    return {
        "column": [names[j] for j in order],
        "importance": values[order].tolist(),
        "spread": spreads[order].tolist(),
    }
