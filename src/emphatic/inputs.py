"""What users hand in, checked or cut: labels, tables, classifiers."""

import numbers
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import is_regressor
from sklearn.model_selection import check_cv
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, column_or_1d, validate_data

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import is_deferred

MANY_WHOLE, ROWS_PER_CLASS = 50, 3
"""More different whole numbers than this, with fewer rows each than that on average, are a measurement."""

LARGEST_INPUT = 1e100
"""Squared distances of larger values, and their products with weights, could overflow."""

MANY_PARTS = 20
"""More different numbers than this, some with a fraction, are one too."""


def check_classifier(name: str, value: Any) -> Any:
    """Return `value`, which must be an unfitted or fitted classifier (an object, not a class)."""
    usable = not isinstance(value, type) and all(hasattr(value, method) for method in ("fit", "predict", "get_params"))
    if not usable or (hasattr(value, "__sklearn_tags__") and is_regressor(value)):
        raise TypeError(
            f"{name}={value!r} is not allowed: {name} must be a classifier, such as RBFNetworkClassifier()."
        )
    return value


def encode_labels(y: ArrayLike) -> tuple[np.ndarray, IntArray]:
    """Sorted classes and the codes 0 .. K-1 of `y`; at least two classes, one type of label, none missing."""
    values = column_or_1d(y, warn=True)
    if len(values) == 0:
        raise ValueError("y is empty: a classifier needs samples of at least 2 classes.")
    if values.dtype == object:
        kinds = sorted({type(value).__name__ for value in values})
        if len(kinds) > 1:
            raise ValueError(f"y holds labels of mixed type ({', '.join(kinds)}): all labels must be of one type.")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("y contains NaN or infinity: every label must be given.")
    if values.dtype.kind not in "iuf":
        check_classification_targets(values)
    classes, codes = np.unique(values, return_inverse=True)
    check_classes(classes, len(values))
    return classes, codes.astype(np.intp)


def check_classes(distinct: np.ndarray, n_rows: int) -> None:
    """Raise ValueError unless the different labels of so many rows are those of at least two classes."""
    if distinct.dtype.kind in "iuf":
        problem = _describe_measurement(distinct.astype(np.float64), n_rows)
        if problem:
            remedy = "cut it into classes first, for example with pandas.qcut"
            raise ValueError(f"Unknown label type: continuous. y {problem}: {remedy}.")
    if len(distinct) < 2:
        raise ValueError(
            f"y holds only one class ({distinct.tolist()[0]!r}): a classifier needs samples of at least 2 classes."
        )


def find_rarer(counts: Sequence[float]) -> int:
    """Which of two classes has fewer rows, and so is the positive one; if none does, the second, as in scikit-learn.

    >>> find_rarer([3, 9]), find_rarer([9, 3]), find_rarer([5, 5])
    (0, 1, 1)
    """
    return 0 if counts[0] < counts[1] else 1


def describe_measurement(values: FloatArray) -> str:
    """Why these numbers cannot be the labels of classes; nothing if they can.

    Numbers with a fraction may be classes if there are few of them, whole numbers unless nearly each is different.

    >>> describe_measurement(np.array([0.5, 1.5, 2.5] * 10)), describe_measurement(np.arange(26.0).repeat(3))
    ('', '')
    >>> describe_measurement(np.arange(214.0).repeat(2))
    'holds 214 different numbers in 428 rows, which looks like a measurement rather than classes'
    """
    return _describe_measurement(np.unique(values), len(values))


def _describe_measurement(distinct: FloatArray, n_rows: int) -> str:
    n_distinct = len(distinct)
    whole = bool((distinct % 1 == 0).all())
    if whole:
        measured = n_distinct > MANY_WHOLE and n_distinct * ROWS_PER_CLASS > n_rows
    else:
        measured = n_distinct > MANY_PARTS or (n_distinct > 2 and 2 * n_distinct > n_rows)
    found = f"holds {n_distinct:,} different numbers in {n_rows:,} rows"
    return f"{found}, which looks like a measurement rather than classes" if measured else ""


def refuse_unusable_tables(estimator: Any, X: Any) -> None:
    """Dense tables only: an RBF network has no use for sparsity, and a silent copy could exhaust the memory.

    Nor lazy frames, nor frames without columns.
    """
    if issparse(X):
        name = type(estimator).__name__
        raise TypeError(f"Sparse data was passed, but {name} takes dense tables only: use X.toarray().")
    refuse_lazy(estimator, X)
    refuse_no_columns(X)


def refuse_no_columns(X: Any) -> None:
    """A frame needs a column: scikit-learn's own check would fail in NumPy."""
    if hasattr(X, "columns") and len(X.columns) == 0:
        raise ValueError(f"Found a table with 0 feature(s) (shape={X.shape}): at least 1 column is needed.")


def refuse_lazy(estimator: Any, X: Any) -> None:
    """Tables in memory only: whether and when to run a query is for the user to decide."""
    name = type(estimator).__name__
    if is_lazy(X):
        raise TypeError(f"A polars LazyFrame was passed, but {name} takes tables in memory only: use X.collect().")
    refuse_deferred(name, X)


def refuse_deferred(name: str, X: Any) -> None:
    """The same for a Dask collection; `name` is that of the estimator or function that was given it."""
    if is_deferred(X):
        raise TypeError(
            f"A Dask collection was passed, but {name} takes tables in memory only here, as it needs all rows at once: "
            "use X.compute() where the table fits in memory, or a sample of its rows."
        )


def is_lazy(X: Any) -> bool:
    """Whether `X` is a query of polars instead of a table."""
    return type(X).__name__ == "LazyFrame"


def rows_as_objects(X: Any) -> Any:
    """A list of rows as an array of objects: NumPy would turn the numbers of a mixed list into strings."""
    return X if hasattr(X, "shape") or is_lazy(X) else np.array(X, dtype=object)


@contextmanager
def name_odd_column(X: Any) -> Iterator[None]:
    """An error about a data frame with a column that holds neither numbers nor text begins with its name."""
    try:
        yield
    except (TypeError, ValueError) as error:
        odd = _describe_odd_column(X)
        if not odd:
            raise
        reason = (str(error).splitlines() or [""])[0]
        raise ValueError(f"{odd}, and numbers are needed: convert it, or leave it out. ({reason})") from error


def _describe_odd_column(X: Any) -> str:
    for name in getattr(X, "columns", ()):
        values = np.asarray(X[name])
        if values.dtype.kind in "cmM":
            return f"column {name!r} holds {'complex numbers' if values.dtype.kind == 'c' else 'dates or times'}"
        known = [value for value in values.ravel().tolist() if not isinstance(value, numbers.Real | str | None)]
        if known and values.dtype == object:
            return f"column {name!r} holds values of type {type(known[0]).__name__}"
    return ""


def any_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """A table as it is, with its feature names, for an estimator that passes it on to others."""
    refuse_unusable_tables(estimator, X)
    if not hasattr(X, "columns"):
        X = check_array(X, dtype=None, ensure_all_finite=False, estimator=estimator, input_name="X")
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if X.shape[0] == 0:
        raise ValueError(f"X has 0 rows: {type(estimator).__name__} needs at least 1.")
    return X


def finite_table(X: Any, why: str, largest: float = np.inf) -> FloatArray:
    """The table as an array; ValueError, which begins with `why`, unless it holds finite numbers up to +-largest."""
    try:
        table = np.asarray(check_array(X, dtype=np.float64, input_name="X"))
    except ValueError as error:
        raise ValueError(f"{why}, so X must hold finite numbers only: {error}") from error
    if np.abs(table).max() > largest:
        raise ValueError(f"{why}, so X must hold no values beyond +-{largest:g}: scale the columns first.")
    return table


def list_folds(cv: Any, X: Any, y: np.ndarray) -> list[tuple[IntArray, IntArray]]:
    """Training and test rows of each fold, for all that scikit-learn takes as `cv`; an error names `cv`."""
    try:
        return [(train, test) for train, test in check_cv(cv, y, classifier=True).split(X, y)]
    except (TypeError, ValueError) as error:
        raise ValueError(f"cv={cv!r} gives no folds: {error}") from error


def table_like(X: Any, values: FloatArray) -> Any:
    """An array as a table of the kind of `X`, with its names of columns: array, or pandas or polars table.

    >>> import pandas as pd
    >>> table_like(pd.DataFrame({"a": [1]}), np.array([[0.5], [1.5]]))["a"].tolist()
    [0.5, 1.5]
    """
    if not hasattr(X, "columns"):
        return values
    names = {"columns" if hasattr(X, "iloc") else "schema": X.columns}  # pandas; polars
    return type(X)(values, **names)


def take_rows(X: Any, rows: IntArray) -> Any:
    """Rows of an array or of a pandas or polars table."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]
