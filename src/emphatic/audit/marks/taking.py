"""Marks in any form that users have: a file, a DataFrame, or a dict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from emphatic.audit.cells import name_label
from emphatic.audit.marks.entries import read_entries
from emphatic.audit.marks.matching import Rows, find_marked
from emphatic.audit.marks.record import RIGHT, UNKNOWN, WRONG, Marks
from emphatic.names import unknown


def take_marks(
    marks: Any,
    X: Any,
    y: np.ndarray,
    index: np.ndarray,
    classes: np.ndarray,
    suggested: np.ndarray | None = None,
    force: bool = False,
) -> Marks:
    """Marks of the rows of a table.

    Parameters
    ----------
    marks : path, DataFrame, dict or Marks
        The file that the page downloads, or its table; or ``{index: mark}``, where the mark is "right", "wrong" (the
        right label is then the suggested one, `guess_correct`), ``("wrong", label)``, or ``("wrong", None)`` if the
        right label is not known.
    X, y, index, classes
        The table, its labels, the names of its rows, and the classes.
    suggested : array (n,), default=None
        Labels that an audit suggests.
    force : bool, default=False
        See `find_marked`.
    """
    if isinstance(marks, Marks):
        return marks
    if isinstance(marks, Mapping):
        return _take_dict(marks, y, index, classes, suggested)
    if isinstance(marks, str | Path) or hasattr(marks, "iloc"):
        return find_marked(read_entries(marks, force), Rows.of(X, y, index, classes), force)
    raise TypeError(f"marks={marks!r} is not allowed: marks must be the path of a file, a DataFrame or a dict.")


def guess_correct(label: Any, suggested: Any, classes: np.ndarray) -> Any:
    """The right label of a sample that was marked wrong and no more: the suggested one, or the other one of two.

    None if the given label itself is suggested, of three classes or more.

    >>> import numpy as np
    >>> guess_correct("a", "a", np.array(["a", "b"])), guess_correct("a", "a", np.array(["a", "b", "c"]))
    ('b', None)
    """
    if suggested is not None and suggested != label:
        return suggested
    return classes[classes != label].item() if len(classes) == 2 else None


def _take_dict(
    marks: Mapping[Any, Any], y: np.ndarray, index: np.ndarray, classes: np.ndarray, suggested: np.ndarray | None
) -> Marks:
    names = index.tolist()
    repeated = [name for name, times in Counter(names).items() if times > 1 and name in marks]
    if repeated:
        raise ValueError(f"marks names row {repeated[0]!r}, which is several rows of the table: use unique row labels.")
    place = {name: position for position, name in enumerate(names)}
    codes = {label: code for code, label in enumerate(classes.tolist())}
    found = {}
    for name, mark in marks.items():
        if name not in place:
            raise ValueError(f"marks has a row {name!r} that is not in the table.")
        row = place[name]
        word, *chosen = mark if isinstance(mark, tuple) else (mark,)
        if word not in (WRONG, RIGHT) or len(chosen) > (word == WRONG):
            raise ValueError(f'The mark of row {name!r} must be "right", "wrong" or ("wrong", label), not {mark!r}.')
        if word == RIGHT:
            found[row] = (False, codes[y[row]])
            continue
        label = chosen[0] if chosen else guess_correct(y[row], None if suggested is None else suggested[row], classes)
        if label is not None and label not in codes:
            raise unknown("label", name_label(label), [name_label(one) for one in codes])
        if label is not None and label == y[row]:
            raise ValueError(f"Row {name!r} is marked wrong, but the right label is said to be the given one, {label}.")
        found[row] = (True, UNKNOWN if label is None else codes[label])
    return Marks.of(found)
