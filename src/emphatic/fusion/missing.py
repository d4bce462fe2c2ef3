"""Views that are missing: in some rows, all values of them; or in a data frame, all their columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emphatic.check import IntArray
from emphatic.missing import is_missing


def find_missing(view: Any) -> NDArray[np.bool_]:
    """(n,): whether all values of a row of the view, an array or a data frame, are missing.

    >>> find_missing(np.array([[np.nan, np.nan], [np.nan, 1.0], [2.0, 3.0]]))
    array([ True, False, False])
    """
    missing = np.ones(view.shape[0], dtype=bool)
    names = getattr(view, "columns", range(view.shape[1]))
    for number in range(len(names)):
        column = np.asarray(view.iloc[:, number] if hasattr(view, "iloc") else view[:, number])
        if column.ndim > 1:  # cells that hold several values: whoever reads the view says what is wrong with it
            return np.zeros(view.shape[0], dtype=bool)
        missing &= [is_missing(cell) for cell in column] if column.dtype == object else column != column
        if not missing.any():
            break
    return missing


def refuse_empty_view(owner: str, view: Any) -> None:
    """At training time a view needs a value; the error begins with `owner`."""
    if find_missing(view).all():
        raise ValueError(
            f"{owner}: all values of its columns are missing. A view may be missing in some of the training rows, but "
            "not in all of them: leave the member out."
        )


def refuse_absent_classes(owner: str, labels: NDArray[Any], kept: NDArray[Any]) -> None:
    """Every class of the training rows, `labels`, needs a row in which the view is not missing, in `kept`."""
    absent = np.setdiff1d(labels, kept)
    if len(absent):
        raise ValueError(
            f"{owner}: all values of its columns are missing in every training row of class {absent[0]}, which it "
            "cannot learn then: leave the member out, or this class."
        )


def add_absent_views(X: Any, names: Sequence[str], views: Sequence[IntArray]) -> Any:
    """A data frame that lacks all columns of some views, with these columns, full of NaN.

    `names` are those of all columns, `views` the positions of the columns of each view. A table that lacks anything
    else is returned as it is: the check of its columns names them.
    """
    given = list(getattr(X, "columns", names))
    absent = {number for number, name in enumerate(names) if name not in set(given)}
    whole = [set(view.tolist()) for view in views if absent.issuperset(view.tolist())]
    partly = any(absent & set(view.tolist()) for view in views if not absent.issuperset(view.tolist()))
    if not absent or partly or set().union(*whole) != absent or not set(given) <= set(names):
        return X
    if hasattr(X, "iloc"):
        return X.reindex(columns=list(names))
    return X.with_columns(**{names[number]: float("nan") for number in sorted(absent)}).select(list(names))  # polars
