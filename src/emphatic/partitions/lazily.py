"""Predictions of a fitted estimator for Dask's collections: deferred, a partition at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from emphatic.deferred import evaluate, is_deferred, settle
from emphatic.partitions.opening import align, with_sizes

Method = TypeVar("Method", bound=Callable[..., Any])

_ANSWERS: dict[str, Callable[[Any, Any], tuple[int | None, Any]]] = {
    "labels": lambda fitted, X: (None, fitted.classes_.dtype),
    "scores": lambda fitted, X: (None if len(fitted.classes_) == 2 else len(fitted.classes_), np.float64),
    "probabilities": lambda fitted, X: (len(fitted.classes_), np.float64),
    "numbers": lambda fitted, X: (None, np.float64),
    "flags": lambda fitted, X: (None, np.bool_),
    "outputs": lambda fitted, X: (fitted.n_outputs, np.float64),
    "clusters": lambda fitted, X: (None, np.int64),
    "memberships": lambda fitted, X: fitted.describe_memberships(X),
    "masses": lambda fitted, X: (len(fitted.sets_), np.float64),
}
"""How many columns an answer of each kind has, None for one value per row, and of which type it is."""


def lazily(kind: str) -> Callable[[Method], Method]:
    """Make a method that answers for the rows of a table answer for those of a Dask collection, as a Dask array.

    `kind` says what the answer is: "labels", "scores" (n,) or (n, K), "probabilities" (n, K), "numbers" or "flags"
    (n,), "outputs" of a transformer; "clusters" (n,), "memberships" or "masses" of a clusterer.
    """

    def decorate(method: Method) -> Method:
        @wraps(method)
        def answer(self: Any, X: Any, *options: Any, **named: Any) -> Any:
            if not is_deferred(X):
                return method(self, X, *options, **named)
            return map_rows(X, lambda rows: method(self, rows, *options, **named), *_describe(self, kind, X))

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
            columns, dtype = _describe(self, kind, X)
            n_rounds = len(self.estimators_)
            stages = map_rows(X, lambda rows: _join_stages(method(self, rows)), n_rounds * (columns or 1), dtype)
            for number in range(n_rounds):
                start = number * (columns or 1)
                yield stages[:, start] if columns is None else stages[:, start : start + columns]

        return cast(Method, answer)

    return decorate


def score_lazily(predicted: Any, y: Any, sample_weight: Any = None) -> float:
    """The share of labels that are predicted: of a Dask array of predictions, only this number is gathered."""
    predicted = with_sizes(settle(predicted))
    sizes = predicted.chunks[0]
    right = predicted == align("y", y, sizes)
    weights = (
        np.ones_like(right, dtype=np.float64) if sample_weight is None else align("sample_weight", sample_weight, sizes)
    )
    hits, total = evaluate((right * weights).sum(), weights.sum())
    return float(hits / total)


def _join_stages(stages: Iterator[np.ndarray]) -> np.ndarray:
    return np.column_stack(list(stages))


def _describe(estimator: Any, kind: str, X: Any) -> tuple[int | None, Any]:
    """Columns and type of an answer."""
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    return _ANSWERS[kind](estimator, X)


def map_rows(X: Any, function: Callable[[Any], np.ndarray], columns: int | None, dtype: Any) -> Any:
    """A Dask array of `function` of every partition; the names of a data frame's columns go with its rows.

    It has one value per row, (n,), if `columns` is None, else (n, columns).
    """
    shape = () if columns is None else (columns,)
    meta = np.empty((0, *shape), dtype=dtype)

    def answer(rows: Any) -> np.ndarray:
        if not len(rows):
            return meta
        return function(rows)

    if hasattr(X, "to_dask_array"):
        return X.map_partitions(answer, meta=meta, enforce_metadata=False)
    whole = X.rechunk({1: -1})
    if columns is None:
        return whole.map_blocks(answer, dtype=dtype, drop_axis=1, meta=meta)
    return whole.map_blocks(answer, dtype=dtype, chunks=(whole.chunks[0], (columns,)), meta=meta)
