"""Values that are missing."""

from typing import Any


def is_missing(value: Any) -> bool:
    """Whether a label, a group or a cell of a table is None, NaN, NA or NaT.

    >>> [is_missing(value) for value in (None, float("nan"), "", 0)]
    [True, True, False, False]
    """
    try:
        return value is None or bool(value != value)  # NaN and NaT are the values that differ from themselves
    except TypeError:  # pandas' NA, which neither differs nor does not
        return True
