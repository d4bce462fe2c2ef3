"""Values that Dask computes later, beside values that are known.

A formula over rows is written once, in NumPy: Dask's arrays take part in NumPy's functions and stay on their workers.
These few functions are what such a formula cannot express. None of them imports Dask before it meets one of its values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from emphatic.cluster import find_client, gather


def is_deferred(value: Any) -> bool:
    """Whether `value` is a collection of Dask: an array, a data frame, a series, one delayed value.

    >>> is_deferred(np.ones(3))
    False
    """
    if type(value) is np.ndarray:  # by far the most: a failed `hasattr` takes longer
        return False
    return hasattr(value, "__dask_graph__") and not isinstance(value, type)


def evaluate(*values: Any) -> tuple[Any, ...]:
    """The values themselves; those that are deferred are computed, all in one go.

    >>> evaluate(1.5, np.ones(2).sum())
    (1.5, np.float64(2.0))
    """
    if not any(map(is_deferred, values)):
        return values
    client = find_client()
    if client is not None:
        return gather(client, values)
    import dask

    return tuple(dask.compute(*values))


def settle(values: Any) -> Any:
    """The array itself; a deferred one is computed and kept where its rows are, so that nothing is computed again."""
    return values.persist() if is_deferred(values) else values


def by_rows(function: Callable[..., np.ndarray], *arrays: Any, columns: int | None = None, dtype: Any = float) -> Any:
    """`function(*arrays)`, where row i of the result depends on row i of the arrays only.

    Deferred arrays are passed a partition at a time, and the result is deferred: (n,), or (n, columns). They must be
    partitioned alike, and not across their columns.

    >>> by_rows(lambda a, b: a[:, 0] + b, np.ones((2, 3)), np.arange(2.0))
    array([1., 2.])
    """
    if not any(map(is_deferred, arrays)):
        return function(*arrays)
    import dask.array
    from dask.utils import funcname

    paired = [part for array in arrays for part in (array, "ij"[: array.ndim])]
    return dask.array.blockwise(
        function,
        "i" if columns is None else "ik",
        *paired,
        new_axes={} if columns is None else {"k": columns},
        token=funcname(function),
        concatenate=True,
        align_arrays=False,
        dtype=dtype,
        meta=np.empty((0,) if columns is None else (0, 0), dtype=dtype),
    )
