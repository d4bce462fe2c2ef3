"""Predictions of a fitted estimator for Dask's collections: deferred, a partition at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from emphatic.deferred import is_deferred
from emphatic.partitions.opening import align

Method = TypeVar("Method", bound=Callable[..., Any])

_COLUMNS: dict[str, Callable[[Any], int | None]] = {
    "labels": lambda classes: None,
    "scores": lambda classes: None if len(classes) == 2 else len(classes),
    "probabilities": len,
}
"""How many columns an answer of each kind has; None for one value per row."""


def lazily(kind: str) -> Callable[[Method], Method]:
    """Make a method that answers for the rows of a table answer for those of a Dask collection, as a Dask array.

    `kind` says what the answer is: "labels", "scores" (n,) or (n, K), or "probabilities" (n, K).
    """

    def decorate(method: Method) -> Method:
        @wraps(method)
        def answer(self: Any, X: Any) -> Any:
            if not is_deferred(X):
                return method(self, X)
            return _map(X, lambda rows: method(self, rows), *_describe(self, kind))

        return cast(Method, answer)

    return decorate


def lazily_staged(kind: str) -> Callable[[Method], Method]:
    """`lazily` for a method that yields an answer after every round: `dask.compute` of all goes over the rows once."""

    def decorate(method: Method) -> Method:
        @wraps(method)
        def answer(self: Any, X: Any) -> Iterator[Any]:
            if not is_deferred(X):
                yield from method(self, X)
                return
            columns, dtype = _describe(self, kind)
            n_rounds = len(self.estimators_)
            stages = _map(X, lambda rows: _join_stages(method(self, rows)), n_rounds * (columns or 1), dtype)
            for number in range(n_rounds):
                start = number * (columns or 1)
                yield stages[:, start] if columns is None else stages[:, start : start + columns]

        return cast(Method, answer)

    return decorate


def score_lazily(predicted: Any, y: Any, sample_weight: Any = None) -> float:
    """The share of labels that are predicted: of a Dask array of predictions, only this number is gathered."""
    import dask.array

    if np.isnan(predicted.shape[0]):  # labels are kept on their workers, so that rows are predicted once
        predicted = predicted.persist().compute_chunk_sizes()
    sizes = predicted.chunks[0]
    right = predicted == align("y", y, sizes)
    if sample_weight is None:
        weights = dask.array.ones_like(right, dtype=np.float64)
    else:
        weights = align("sample_weight", sample_weight, sizes)
    hits, total = dask.compute((right * weights).sum(), weights.sum())
    return float(hits / total)


def _join_stages(stages: Iterator[np.ndarray]) -> np.ndarray:
    return np.column_stack(list(stages))


def _describe(estimator: Any, kind: str) -> tuple[int | None, Any]:
    """Columns and type of an answer."""
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    classes = estimator.classes_
    return _COLUMNS[kind](classes), classes.dtype if kind == "labels" else np.dtype(np.float64)


def _map(X: Any, function: Callable[[Any], np.ndarray], columns: int | None, dtype: Any) -> Any:
    """A Dask array of `function` of every partition; the names of a data frame's columns go with its rows."""
    import dask.array
    from dask import delayed

    shape = () if columns is None else (columns,)

    def answer(rows: Any) -> np.ndarray:
        if not len(rows):
            return np.empty((0, *shape), dtype=dtype)
        return function(rows)

    if hasattr(X, "to_dask_array"):
        parts = [delayed(answer)(part) for part in X.to_delayed()]
        arrays = [dask.array.from_delayed(part, (np.nan, *shape), dtype=dtype) for part in parts]
        return dask.array.concatenate(arrays, allow_unknown_chunksizes=True)
    whole = X.rechunk({1: -1})
    meta = np.empty((0,) * (1 + len(shape)), dtype=dtype)
    if columns is None:
        return whole.map_blocks(answer, dtype=dtype, drop_axis=1, meta=meta)
    return whole.map_blocks(answer, dtype=dtype, chunks=(whole.chunks[0], (columns,)), meta=meta)
