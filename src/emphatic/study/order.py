"""The order of rows in time."""

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import FloatArray
from emphatic.missing import is_missing
from emphatic.wording import count


def as_order(values: ArrayLike, name: str = "order") -> FloatArray:
    """Numbers that rise with time, from numbers, dates, or text that holds either (dates as in ISO 8601).

    An error calls the values `name`, and says which of them cannot be ordered.

    >>> as_order(["2024-05-31", "2024-06-01 12:30"])
    array([1.717e+09, 1.717e+09])
    >>> as_order(["10", "9"])
    array([10., 9.])
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}: one value per row is needed.")
    n_missing = sum(map(_is_missing, array.tolist()))
    if n_missing:
        raise ValueError(f"{name} has no value in {count(n_missing, 'row')}: every row needs its place in time.")
    if any(isinstance(value, bool) for value in array.tolist()):
        raise ValueError(f"{name} holds truth values, which have no order in time.")
    if array.dtype.kind == "M":
        return array.astype("datetime64[us]").astype(np.int64) / 1e6
    try:
        numbers = np.array([float(value) for value in array.tolist()])
    except (TypeError, ValueError):
        return _order_dates(array.tolist(), name)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds NaN or infinity: every row needs its place in time.")
    return numbers


def _order_dates(values: list[Any], name: str) -> FloatArray:
    """Seconds since 1970; a time without a time zone is taken as UTC, as long as all are without one."""
    moments = [_read_moment(value, name) for value in values]
    n_zones = sum(moment.tzinfo is not None for moment in moments)
    if 0 < n_zones < len(moments):
        raise ValueError(f"{name} has {count(n_zones, 'time')} with a time zone and others without: give all the same.")
    return np.array([(moment if n_zones else moment.replace(tzinfo=UTC)).timestamp() for moment in moments])


def _read_moment(value: Any, name: str) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    try:
        return datetime.fromisoformat(str(value).strip())
    except ValueError:
        raise ValueError(
            f"{name} cannot be ordered in time: {value!r} is neither a number nor a date such as 2024-05-31."
        ) from None


def _is_missing(value: Any) -> bool:
    return is_missing(value) or (isinstance(value, str) and not value.strip())
