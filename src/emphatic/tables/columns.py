"""Any table in memory read into columns of numbers or of text: data frames, arrays and lists of rows."""

import datetime
import decimal
import numbers
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from emphatic.inputs import refuse_lazy, refuse_no_columns
from emphatic.tables.repeated import Repeated

_ALLOWED = "numbers, strings, booleans, categories, dates and times"
_DATES = (datetime.date, np.datetime64)
_DURATIONS = (datetime.time, datetime.timedelta, np.timedelta64)

Category = str | None
"""The text of a category; None is the category of missing values."""


class Column(NamedTuple):
    """One column as it was read: floats (NaN is missing) of a number or date, else a sequence (None is missing).

    Its kind is that of its type: "numeric"; "date", in seconds since 1970; "nominal" for categories and booleans;
    "text" for strings; or "cells", where only the values themselves can tell.
    """

    name: str
    kind: str
    cells: Any


def read_columns(estimator: BaseEstimator, X: Any, reset: bool) -> list[Column]:
    """Read any table into columns; their names and number are kept in the estimator, or checked if not `reset`."""
    module = type(X).__module__.partition(".")[0]
    if sparse.issparse(X):
        raise ValueError("sparse matrices are not supported: pass a dense table, such as X.toarray()")
    if module == "polars" and not hasattr(X, "get_columns"):
        raise ValueError(f"polars {type(X).__name__} is not supported: pass a DataFrame, such as X.collect()")
    refuse_lazy(estimator, X)
    refuse_no_columns(X)
    if module in ("pandas", "polars") and len(getattr(X, "shape", ())) == 2 and min(X.shape) > 0:
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return read_checked(estimator, X)
    if not hasattr(X, "__array__"):
        # As objects: NumPy would turn the numbers of a mixed list into strings.
        X = np.array(X, dtype=object)
    return read_checked(estimator, validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=False))


def read_checked(estimator: BaseEstimator, X: Any) -> list[Column]:
    """Read the columns of a table that was checked, which may take longer than to read a row of it.

    Columns of a data frame are those that the estimator knows; any other table that is no array is checked here.
    """
    if hasattr(X, "get_columns"):  # polars
        return [_read_polars(series) for series in X.get_columns()]
    if hasattr(X, "iloc"):  # pandas
        return [_read_pandas(str(name), series) for name, series in X.items()]
    if not isinstance(X, np.ndarray):
        return read_columns(estimator, X, reset=False)
    names = getattr(estimator, "feature_names_in_", [f"x{j}" for j in range(X.shape[1])])
    if X.dtype.kind in "mM":
        kind = "date" if X.dtype.kind == "M" else "numeric"
        return [Column(name, kind, count_seconds(X[:, j])) for j, name in enumerate(names)]
    if X.dtype.kind in "iuf":
        with np.errstate(over="ignore"):  # a long double beyond float64 becomes infinite, and is refused as such
            X = np.asarray(X, dtype=np.float64, order="F")
        return [Column(name, "numeric", X[:, j]) for j, name in enumerate(names)]
    return [_read_cells(name, X[:, j].tolist()) for j, name in enumerate(names)]


def count_seconds(times: np.ndarray) -> np.ndarray:
    """Seconds since 1970, or of a duration, as floats; NaT becomes NaN.

    >>> count_seconds(np.array(["1970-01-02T00:00:00.5", "NaT"], dtype="datetime64[ms]"))
    array([86400.5,     nan])
    """
    unit = np.datetime_data(times.dtype)[0]
    if unit in ("generic", "Y", "M", "W", "D", "h", "m"):
        times, unit = times.astype(f"{times.dtype.kind}8[s]"), "s"
    ticks = times.astype(np.int64).astype(np.float64)
    steps = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9, "ps": 1e12, "fs": 1e15, "as": 1e18}
    return np.where(np.isnat(times), np.nan, ticks * np.datetime_data(times.dtype)[1] / steps[unit])


def _read_pandas(name: str, series: Any) -> Column:
    dtype = series.dtype
    kind = getattr(dtype, "kind", "O")
    if hasattr(dtype, "categories"):
        # By code: a list of the cells would turn integer categories into floats where one is missing.
        texts = [None if _is_missing(c) else str(c) for c in _check_cells(name, dtype.categories.tolist())]
        return Column(name, "nominal", Repeated([*texts, None], series.array.codes))  # the code -1 is the last
    if kind in "iuf":
        known = {} if isinstance(dtype, np.dtype) else {"na_value": np.nan}
        return Column(name, "numeric", series.to_numpy(dtype=np.float64, **known))
    if kind in "mM":
        zoned = kind == "M" and getattr(series.dt, "tz", None) is not None
        times = (series.dt.tz_convert("UTC").dt.tz_localize(None) if zoned else series).to_numpy()
        if times.dtype.kind != kind:  # of Arrow
            return _read_cells(name, series.tolist())
        return Column(name, "date" if kind == "M" else "numeric", count_seconds(times))
    column = _read_cells(name, series.tolist())
    return column._replace(kind="nominal") if column.kind == "cells" and series.dtype != object else column


def _read_polars(series: Any) -> Column:
    if series.dtype.is_numeric():
        return Column(series.name, "numeric", series.cast(float).to_numpy())
    kind = str(series.dtype).partition("(")[0]
    if series.dtype.is_temporal():
        return _read_cells(series.name, series.to_list())
    if kind in ("Null", "Object"):
        return _read_cells(series.name, series.to_list())
    cells = _check_cells(series.name, series.to_list())
    return Column(series.name, "text" if kind in ("String", "Utf8") else "nominal", cells)


def _read_cells(name: str, cells: list[Any]) -> Column:
    """A column of objects; if all of them are dates, or durations, they become seconds."""
    types = set(map(type, cells)) - {type(None)}
    if types != {str}:
        cells = _check_cells(name, cells)
        types = set(map(type, cells)) - {type(None)}
    if types == {str}:
        return Column(name, "text", Repeated.of(cells))
    if types and all(issubclass(one, _DATES) or one.__name__ == "Period" for one in types):
        return Column(name, "date", np.array([np.nan if one is None else _date_seconds(one) for one in cells]))
    if types and all(issubclass(one, _DURATIONS) for one in types):
        return Column(name, "numeric", np.array([np.nan if one is None else _duration_seconds(one) for one in cells]))
    if any(issubclass(one, (*_DATES, *_DURATIONS)) or one.__name__ == "Period" for one in types):
        raise ValueError(f"column {name!r} holds dates or times beside other values: convert them all to one kind")
    return Column(name, "cells", cells)


def _date_seconds(date: Any) -> float:
    if hasattr(date, "to_timestamp"):  # a Period of pandas
        date = date.to_timestamp()
    if isinstance(date, np.datetime64):
        return float(count_seconds(np.array([date]))[0])
    if not isinstance(date, datetime.datetime):
        date = datetime.datetime(date.year, date.month, date.day)
    return (date if date.tzinfo else date.replace(tzinfo=datetime.UTC)).timestamp()


def _duration_seconds(duration: Any) -> float:
    if isinstance(duration, np.timedelta64):
        return float(count_seconds(np.array([duration]))[0])
    if isinstance(duration, datetime.time):
        return duration.hour * 3600 + duration.minute * 60 + duration.second + duration.microsecond / 1e6
    return float(duration.total_seconds())


def refuse_dates(column: Column) -> Column:
    """Return the column unless it holds dates: an error for whoever cannot use them."""
    if column.kind == "date":
        raise ValueError(
            f"column {column.name!r} holds dates: convert it to numbers, such as days since a date, "
            'or use TableTransformer(columns="useful")'
        )
    return column


def _is_missing(cell: Any) -> bool:
    if isinstance(cell, (float, np.floating)):
        return bool(np.isnan(cell))
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")  # of pandas, without importing it


def _check_cells(name: str, cells: list[Any]) -> list[Any]:
    """Return the cells with None for missing values; cells of a type that has no meaning here are an error."""
    cells = [None if _is_missing(cell) else cell for cell in cells]
    for cell_type in set(map(type, cells)) - {type(None), str, bool, int, float}:
        if cell_type.__name__ == "Period":
            continue
        if not issubclass(cell_type, (str, np.bool_, numbers.Real, decimal.Decimal, *_DATES, *_DURATIONS)):
            raise ValueError(f"column {name!r} holds values of type {cell_type.__name__}; allowed are {_ALLOWED}")
    return cells


def holds_text(column: Column) -> bool:
    """Whether the column is nominal: of strings, booleans or categories."""
    refuse_dates(column)
    if column.kind == "cells":
        return any(issubclass(cell_type, (str, bool, np.bool_)) for cell_type in set(map(type, column.cells)))
    return column.kind in ("nominal", "text")


def read_numbers(column: Column) -> np.ndarray:
    """Return the cells of a column that was numeric in `fit`; NaN is missing."""
    if column.kind == "numeric":
        result = column.cells
    elif holds_text(column) and any(cell is not None for cell in column.cells):
        raise ValueError(f"column {column.name!r} was numeric in fit and is nominal now: allowed are numbers")
    else:
        try:
            result = np.array([np.nan if cell is None else float(cell) for cell in column.cells])
        except OverflowError:
            raise ValueError(f"column {column.name!r} holds numbers too large for float64") from None
    if np.isinf(result).any():
        raise ValueError(f"column {column.name!r} holds infinite values; allowed are finite numbers and missing values")
    return result
