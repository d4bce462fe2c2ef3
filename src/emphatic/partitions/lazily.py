"""Predictions of a fitted estimator for Dask's collections: deferred, a partition at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
            yield from _map_answers(X, lambda rows: method(self, rows), len(self.estimators_), columns, dtype)

        return cast(Method, answer)

    return decorate


def lazily_of_members(kind: str, members: str) -> Callable[[Method], Method]:
    """`lazily` for a method that answers for each member of an ensemble, whose attribute `members` holds them."""

    def decorate(method: Method) -> Method:
        @wraps(method)
        def answer(self: Any, X: Any) -> Any:
            if not is_deferred(X):
                return method(self, X)
            import dask.array

            columns, dtype = _describe(self, kind, X)
            answers = _map_answers(X, lambda rows: method(self, rows), len(getattr(self, members)), columns, dtype)
            return dask.array.stack(list(answers), allow_unknown_chunksizes=True)

        return cast(Method, answer)

    return decorate


def _map_answers(
    X: Any, function: Callable[[Any], Iterable[np.ndarray]], n: int, columns: int | None, dtype: Any
) -> Iterator[Any]:
    """Several answers of a function, side by side in one Dask array and taken apart again."""
    joined = map_rows(X, lambda rows: np.column_stack(list(function(rows))), n * (columns or 1), dtype)
    for start in range(0, joined.shape[1], columns or 1):
        yield joined[:, start] if columns is None else joined[:, start : start + columns]


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
    whole = X.rechunk(dict.fromkeys(range(1, X.ndim), -1))
    chunks = (whole.chunks[0], *((size,) for size in shape))
    dropped = list(range(meta.ndim, X.ndim))
    return whole.map_blocks(answer, dtype=dtype, chunks=chunks, drop_axis=dropped, meta=meta)
