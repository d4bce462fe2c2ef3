"""What a user says of the rows beside their features: groups, annotators, times, as arrays or as names of columns."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from emphatic.audit.troubles.evidence import Evidence
from emphatic.check import FloatArray, IntArray
from emphatic.groups import encode_groups
from emphatic.names import unknown
from emphatic.tables.columns import read_columns


def read_side(evidence: Evidence, values: ArrayLike | str) -> Any:
    """The values themselves, or those of the column that is named."""
    if not isinstance(values, str):
        return values
    column = _find_column(evidence, values)
    cells = evidence.values[column]
    return cells if isinstance(cells, np.ndarray) else np.array(cells, dtype=object)


def read_names(name: str, values: Any, n_rows: int) -> tuple[IntArray, np.ndarray]:
    """Codes 0 .. G-1 and what they stand for; an error names the parameter."""
    codes = encode_groups(values, n_rows, name)
    return codes, np.unique(np.asarray(values))


def read_times(evidence: Evidence, time: ArrayLike | str) -> FloatArray:
    """Times as numbers, none missing."""
    if isinstance(time, str):
        column = _find_column(evidence, time)
        decision = evidence.decisions[column]
        if decision.kind not in ("number", "date"):
            raise ValueError(
                f"time={time!r} is not allowed: the column is taken for {decision.describe()}, not a date."
            )
        times = np.asarray(evidence.values[column], dtype=np.float64)
    else:
        given = np.asarray(time)
        if given.shape != (evidence.n_rows,):
            raise ValueError(
                f"time has shape {given.shape}: it must be ({evidence.n_rows},), a time for each row of X."
            )
        read = read_columns(BaseEstimator(), given[:, None], reset=True)[0]
        if read.kind not in ("numeric", "date"):
            raise ValueError("time must hold numbers or dates: convert it, for example with pandas.to_datetime.")
        times = np.asarray(read.cells, dtype=np.float64)
    n_missing = int(np.isnan(times).sum())
    if n_missing:
        raise ValueError(f"time has no value in {n_missing} of {len(times)} rows: every row needs its time.")
    return times


def _find_column(evidence: Evidence, name: str) -> int:
    names = [one.name for one in evidence.decisions]
    if name not in names:
        raise unknown("column", name, names)
    return names.index(name)
