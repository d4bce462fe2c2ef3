"""The target of a table: labels as they are written, what is wrong with them, and measurements cut into classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from emphatic import check
from emphatic.check import FloatArray
from emphatic.inputs import describe_measurement
from emphatic.names import unknown
from emphatic.tables.spelling import NumberSpelling
from emphatic.tables.spelling.missing import is_missing_mark

if TYPE_CHECKING:
    import pandas as pd

MISSING_LABELS = ("refuse", "drop", "class")
"""What to do with rows without a label: refuse the table, leave them out, or take the mark (NA, ...) for a class."""

UNIQUE_SHARE = 0.9
FEW_ROWS, RARE_SHARE = 5, 0.02
"""A class of fewer rows, or with less than this share of them, is hard to learn: the user is told."""

MOST_NAMED = 5
"""Classes that a remark names."""


class Target(NamedTuple):
    """The rows of a table that have a label, their labels, and what a user should know about them."""

    X: pd.DataFrame
    y: np.ndarray
    remarks: list[str]


def take_target(table: pd.DataFrame, name: str, *, bins: int | None = None, missing: str = "refuse") -> Target:
    """Split a table into its features and its labels, which stay as they are written: "01" and "1" are two classes.

    Parameters
    ----------
    table : DataFrame
        As `emphatic.tables.files.read_table` reads it, or any other.
    name : str
        The column of the labels.
    bins : int, default=None
        Cut a column of numbers into so many classes of equal size.
    missing : {"refuse", "drop", "class"}, default="refuse"
        What to do with rows whose label is missing, or written NA, nan, None and the like. "class" takes such words
        for a class; an empty cell is never one.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [20, 30, 40, 50], "income": ["1,5", "2", "3,5", "9"]})
    >>> take_target(table, "income", bins=2).y.tolist()
    ['1: up to 2.75', '1: up to 2.75', '2: above 2.75', '2: above 2.75']
    """
    check.one_of("missing", missing, MISSING_LABELS)
    names = list(map(str, table.columns))
    if name not in names:
        raise unknown("column", name, names)
    X, column = table.drop(columns=table.columns[names.index(name)]), table.iloc[:, names.index(name)]
    if X.shape[1] == 0 or X.isna().all(axis=None):
        raise ValueError(f"the table has no features: all columns except {name} are empty or missing")
    X, column, remarks = drop_missing(X, column, name, missing)
    if bins is not None:
        return Target(X, _cut(column.tolist(), name, bins), remarks)
    labels = as_labels(column)
    _check_classes(labels, name)
    return Target(X, labels, remarks + describe_classes(labels, name))


def drop_missing(
    X: pd.DataFrame, column: pd.Series, name: str, missing: str
) -> tuple[pd.DataFrame, pd.Series, list[str]]:
    """The rows that have a label, their labels, and what is to be said about the others."""
    empty = column.isna().to_numpy()
    cells = column.tolist()
    marked = np.array([isinstance(cell, str) and is_missing_mark(cell) for cell in cells], dtype=bool)
    absent = empty | marked if missing != "class" else empty
    if not absent.any():
        return X, column, []
    first = int(absent.argmax())
    shown = "an empty cell" if empty[first] else repr(cells[first])
    found = (
        f"column {name} has no label in {absent.sum():,} of {len(column):,} rows, the first at index {first} ({shown})"
    )
    if missing == "refuse" or (missing == "class" and empty.any()):
        keep = "" if (empty & absent).any() else "; --missing-labels class takes them for a class"
        raise ValueError(f"{found}: fill them in, or --missing-labels drop leaves these rows out{keep}")
    if absent.all():
        raise ValueError(f"column {name} has no label in any row")
    kept = np.flatnonzero(~absent)
    remark = f"{found}: these rows are left out"
    return X.iloc[kept].reset_index(drop=True), column.iloc[kept].reset_index(drop=True), [remark]


def as_labels(column: pd.Series) -> np.ndarray:
    """Text as objects of one type, numbers and truth values as they are."""
    if column.dtype.kind in "biuf":
        return column.to_numpy()
    cells = column.tolist()
    if {type(cell) for cell in cells} <= {int, float, bool}:
        return np.asarray(cells)
    return np.array([str(cell) for cell in cells], dtype=object)


def read_measurement(cells: Sequence[Any]) -> FloatArray | None:
    """The cells as numbers, however they are written; None if they are none."""
    if all(isinstance(cell, int | float | np.number) and not isinstance(cell, bool) for cell in cells):
        return np.asarray(cells, dtype=np.float64)
    spelling = NumberSpelling.learn([str(cell) for cell in cells])
    return None if spelling is None or spelling.marks else spelling.read([str(cell) for cell in cells])


def _check_classes(labels: np.ndarray, name: str) -> None:
    """Raise ValueError unless the labels can be those of classes."""
    distinct = Counter(labels.tolist())
    if len(distinct) == 1:
        raise ValueError(f"column {name} holds only one class ({next(iter(distinct))}): at least 2 are needed")
    numbers = read_measurement(list(distinct))
    if numbers is not None:
        values = np.repeat(numbers, list(distinct.values()))
        problem = describe_measurement(values)
        if problem:
            raise ValueError(
                f"column {name} {problem}: --bins 4 cuts it into four classes of equal size, or name another --target"
            )
    if max(distinct.values()) == 1 or len(distinct) > max(20, UNIQUE_SHARE * len(labels)):
        raise ValueError(
            f"column {name} holds {len(distinct):,} different labels in {len(labels):,} rows: it names rows rather "
            "than classes; name another --target"
        )


def _cut(cells: Sequence[Any], name: str, bins: int) -> np.ndarray:
    """Classes of equal size, each named by its number and range."""
    check.integer("--bins", bins, at_least=2)
    numbers = read_measurement(cells)
    if numbers is None:
        raise ValueError(f"column {name} cannot be cut into {bins} classes: not all of its cells are numbers")
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, bins + 1)[1:-1]))
    codes = np.searchsorted(edges, numbers, side="left")
    if len(np.unique(codes)) < 2:
        raise ValueError(f"column {name} cannot be cut into {bins} classes: too many of its numbers are equal")
    width = len(str(len(edges) + 1))  # leading zeros: the classes are sorted as text
    names = [f"{k + 1:0{width}}: {_describe_range(edges, k)}" for k in range(len(edges) + 1)]
    return np.array([names[code] for code in codes], dtype=object)


def _describe_range(edges: FloatArray, place: int) -> str:
    if place == 0:
        return f"up to {edges[0]:.6g}"
    low = f"above {edges[place - 1]:.6g}"
    return low if place == len(edges) else f"{low} up to {edges[place]:.6g}"


def describe_classes(labels: np.ndarray, name: str) -> list[str]:
    """What a user should know about the classes: those that are rare, and labels that differ only in case or spaces."""
    counts = Counter(map(str, labels.tolist()))
    remarks = []
    few = [f"{label} ({count})" for label, count in counts.items() if count < FEW_ROWS]
    if few:
        remarks.append(f"classes of {name} with fewer than {FEW_ROWS} rows, hard to learn: {_list(few)}")
    rare = [
        f"{label} ({100 * count / len(labels):.1f}%)"
        for label, count in counts.items()
        if count >= FEW_ROWS and count < RARE_SHARE * len(labels)
    ]
    if rare and len(counts) <= 1 / RARE_SHARE / 2:
        remarks.append(f"classes of {name} that are rare, and may never be predicted: {_list(rare)}")
    alike: dict[str, list[str]] = {}
    for label in counts:
        alike.setdefault(_simplify(label), []).append(label)
    pairs = [" and ".join(map(repr, group)) for group in alike.values() if len(group) > 1]
    if pairs:
        remarks.append(f"labels of {name} that look alike are different classes: {_list(pairs)}")
    return remarks


def _simplify(label: str) -> str:
    """Without case, spaces and leading zeros."""
    text = " ".join(label.lower().split())
    return text.lstrip("0") or text


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
