"""A table of labels with one column per annotator, read into codes: names, classes, and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import IntArray
from emphatic.inputs import describe_measurement, is_lazy
from emphatic.missing import is_missing
from emphatic.names import find_near

MISSING = -1
"""The code of a label that was not given."""


@dataclass(frozen=True, eq=False)
class Annotations:
    """Codes (n, A) of the labels, -1 where there is none, the sorted classes (K,) and the names of the annotators."""

    codes: IntArray
    classes: np.ndarray
    annotators: tuple[str, ...]

    @property
    def given(self) -> np.ndarray:
        """(n, A): whether there is a label."""
        return np.asarray(self.codes != MISSING)


def read_annotations(labels: Any, classes: ArrayLike | None = None) -> Annotations:
    """Read a pandas or polars table, an array or a list of rows; None, NaN and NA are missing.

    Labels are text, numbers or booleans, the same for all annotators. With `classes`, no other label is allowed.

    >>> read = read_annotations([["yes", None], ["no", "no"], [None, "yes"]])
    >>> read.codes.tolist(), read.classes.tolist(), read.annotators
    ([[1, -1], [0, 0], [-1, 1]], ['no', 'yes'], ('annotator 0', 'annotator 1'))
    """
    names, columns = _take_columns(labels)
    given = np.array([[not is_missing(cell) for cell in column] for column in columns], dtype=bool).T
    if not given.any():
        raise ValueError("labels holds no label: every cell is missing.")
    _check_types(names, columns, given)
    known = _as_array([cell for column, there in zip(columns, given.T) for cell, ok in zip(column, there) if ok])
    allowed = _find_classes(known) if classes is None else _check_classes(classes)
    place = {label: code for code, label in enumerate(allowed.tolist())}
    codes = np.full(given.shape, MISSING, dtype=np.intp)
    for j, (name, column) in enumerate(zip(names, columns)):
        for i in np.flatnonzero(given[:, j]).tolist():
            codes[i, j] = _find_code(column[i], place, name, i)
    return Annotations(codes, allowed, tuple(names))


def _take_columns(labels: Any) -> tuple[list[str], list[list[Any]]]:
    """Names and cells of the columns."""
    if is_lazy(labels):
        raise TypeError("labels is a polars LazyFrame, but must be a table in memory: use labels.collect().")
    # As objects where it is a list: NumPy would turn the numbers of a mixed one into text.
    array: Any = labels if hasattr(labels, "shape") else np.array(labels, dtype=object)
    if len(array.shape) != 2 or min(array.shape) == 0:
        raise ValueError(
            f"labels has shape {tuple(array.shape)}: it must have one row per sample and one column per annotator. For "
            "one label per sample there is audit_labels(X, y)."
        )
    if hasattr(array, "iloc"):
        names, columns = [*map(str, array.columns)], [array.iloc[:, j].tolist() for j in range(array.shape[1])]
    elif hasattr(array, "get_columns"):
        names, columns = list(array.columns), [series.to_list() for series in array.get_columns()]
    else:
        names = [f"annotator {j}" for j in range(array.shape[1])]
        columns = [column.tolist() for column in np.asarray(array).T]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"labels has several columns named {twice[0]!r}: every annotator needs a name of its own.")
    return names, columns


def _name_type(cell: Any) -> str:
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bool | np.bool_):
        return "booleans"
    return "numbers" if isinstance(cell, int | float | np.number) else f"values of type {type(cell).__name__}"


def _check_types(names: Sequence[str], columns: Sequence[Sequence[Any]], given: np.ndarray) -> None:
    """Raise ValueError unless all labels are text, all are numbers or all are booleans."""
    found: dict[str, str] = {}
    for name, column, there in zip(names, columns, given.T):
        for cell, ok in zip(column, there):
            if ok:
                found.setdefault(_name_type(cell), f"annotator {name!r} has {cell!r}")
    kinds = ", ".join(f"{kind} ({example})" for kind, example in found.items())
    if len(found) > 1:
        raise ValueError(f"labels holds labels of different types, {kinds}: all must be of one type.")
    if next(iter(found)).startswith("values"):
        raise ValueError(f"labels holds {kinds}: a label must be text, a number or a boolean.")


def _as_array(known: list[Any]) -> np.ndarray:
    """Labels of one type; whole numbers as integers, as those of a column with missing values are read as floats."""
    if isinstance(known[0], str):
        return np.array(known, dtype=object)
    values = np.asarray(known)
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise ValueError("labels holds infinite numbers: a label must be finite.")
        if (values % 1 == 0).all() and np.abs(values).max() < 2**53:
            return values.astype(np.int64)
    return values


def _find_classes(known: np.ndarray) -> np.ndarray:
    problem = describe_measurement(known.astype(np.float64)) if known.dtype.kind in "iuf" else ""
    if problem:
        raise ValueError(f"labels {problem}: cut the numbers into classes first, for example with pandas.qcut.")
    classes = np.unique(known)
    if len(classes) < 2:
        raise ValueError(f"labels holds only one class ({classes.tolist()[0]!r}): at least 2 are needed.")
    return classes


def _check_classes(classes: ArrayLike) -> np.ndarray:
    values = np.asarray(classes)
    known = values.tolist() if values.ndim == 1 else []
    if len(set(known)) < 2 or len(set(known)) < len(known):
        raise ValueError(f"classes={classes!r} is not allowed: classes must be a list of at least 2 different labels.")
    return np.unique(_as_array(known))


def _find_code(label: Any, place: dict[Any, int], name: str, row: int) -> int:
    code = place.get(label)
    if code is None:
        near = find_near(str(label), map(str, place))
        hint = f"; did you mean {', '.join(near)}?" if near else "."
        raise ValueError(f"unknown label {label!r} of annotator {name!r} at position {row}, not one of classes{hint}")
    return code
