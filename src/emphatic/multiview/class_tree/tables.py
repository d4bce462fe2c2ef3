"""Views of the samples: groups of columns of one table, or several tables, which become one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from emphatic.check import IntArray
from emphatic.fusion.columns import column_positions
from emphatic.inputs import refuse_sparse


def tables_of(X: Any) -> dict[str, Any] | None:
    """The tables by name if `X` is a mapping or a list of tables, None if it is a table itself."""
    if isinstance(X, Mapping):
        return {str(name): one for name, one in X.items()}
    if isinstance(X, list | tuple) and X and all(len(getattr(one, "shape", ())) == 2 for one in X):
        return {f"view_{number}": one for number, one in enumerate(X)}
    return None


def side_by_side(
    estimator: Any, tables: dict[str, Any], names: list[str] | None
) -> tuple[np.ndarray, dict[str, IntArray]]:
    """One table of several, in the order of `names` (None: as they come), and the columns of each."""
    if names is not None and set(names) != set(tables):
        raise ValueError(f"X holds the views {', '.join(tables)}, but fit had {', '.join(names)}.")
    parts = {}
    for name in names or tables:
        refuse_sparse(estimator, tables[name])
        parts[name] = np.asarray(tables[name])
        if parts[name].ndim != 2 or 0 in parts[name].shape:
            raise ValueError(f"view {name!r} has shape {parts[name].shape}: it must be (samples, columns), none 0.")
    rows = {name: len(part) for name, part in parts.items()}
    if len(set(rows.values())) > 1:
        raise ValueError(f"The views have different numbers of rows: {rows}.")
    ends = np.cumsum([part.shape[1] for part in parts.values()])
    columns = {name: np.arange(end - part.shape[1], end) for (name, part), end in zip(parts.items(), ends, strict=True)}
    return np.hstack(list(parts.values())), columns


def positions(views: Any, X: Any) -> dict[str, IntArray]:
    """The columns of each view of one table; None is one view, "all", of all of them.

    >>> import numpy as np
    >>> positions({"a": [0, 1], "b": slice(1, 3)}, np.zeros((2, 3)))
    {'a': array([0, 1]), 'b': array([1, 2])}
    """
    if views is None:
        views = {"all": None}
    if not isinstance(views, Mapping) or not views or not all(isinstance(name, str) for name in views):
        raise ValueError(f"views={views!r} is not allowed: views must be a dictionary {{name: columns}}, or None.")
    table = X if hasattr(X, "shape") else np.asarray(X)
    return {name: column_positions(f"view {name!r}", columns, table) for name, columns in views.items()}


def as_slice(at: IntArray) -> IntArray | slice:
    """Positions that follow one another as a slice, by which columns are copied faster.

    >>> import numpy as np
    >>> as_slice(np.array([2, 3, 4])), as_slice(np.array([2, 4]))
    (slice(2, 5, None), array([2, 4]))
    """
    start, stop = int(at[0]), int(at[-1]) + 1
    return slice(start, stop) if np.array_equal(at, np.arange(start, stop)) else at


def not_finite(columns: Mapping[str, IntArray], X: Any) -> str:
    """Which views of a table hold NaN or infinity, as the beginning of an error.

    >>> import numpy as np
    >>> not_finite({"a": np.array([0]), "b": np.array([1])}, np.array([[1.0, np.nan]]))
    "view 'b': "
    """
    bad = np.flatnonzero(~np.isfinite(np.asarray(X, dtype=np.float64)).all(axis=0))
    names = [repr(name) for name, at in columns.items() if np.isin(at, bad).any()]
    return f"view {', '.join(names)}: " if names else ""
