"""Mixed-type tables (numbers, names, holes) turned into float64 arrays, by one transformer for all learners."""

from __future__ import annotations

import datetime
import decimal
import math
import numbers
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check

__all__ = ["TableTransformer"]

_ALLOWED = "numbers, strings, booleans and categories"
_DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
_LARGEST = np.finfo(np.float64).max


class TableTransformer(TransformerMixin, BaseEstimator):
    """Turn a table of numbers and categories into a float64 array, with what was learnt from the training rows only.

    1. A column is *numeric* if it holds numbers, *nominal* if it holds strings, booleans or categories. In an object
       column the cells decide: numbers only is numeric, anything with a string or a boolean in it is nominal.
    2. A missing number (NaN, None, NA) becomes the mean of the training rows. A missing name is a category of its own.
    3. A nominal column becomes indicator columns, or one column of codes.
    4. Numeric columns, and codes, are scaled.

    Parameters
    ----------
    nominal : {"one_hot", "ordinal"}, default="one_hot"
        "one_hot": a column for each category, 0 or 1/sqrt(2), never scaled further, so that two different categories
        are at squared distance 1. "ordinal": one column of codes 0, 1, ... in the sorted order of the categories, a
        missing cell last, scaled as any number; it keeps the number of inputs.
    scale : {"standard", "minmax", "none"}, default="standard"
        Zero mean and unit deviation, or the range [0, 1], on the training rows. A constant column is only shifted.

    Attributes
    ----------
    categories_ : list
        For each column, None if it is numeric, else its categories as strings in sorted order, and None (the missing
        cell) at the end if the training rows have one.
    means_ : ndarray
        Mean of each numeric column or code over its known training cells: what a hole is filled with.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn; the names only if the table has them.

    Notes
    -----
    Tables are NumPy arrays, lists of rows, pandas or polars data frames; neither library is needed. Equal tables give
    equal arrays. Categories are compared, and sorted, as text: ``True`` and ``"True"`` are the same. Only NaN, None, NA
    and NaT are missing; the empty string is a category.

    A category that was not seen in `fit` (or a hole, if `fit` saw none) gives zeros in all its indicators, or the mean
    code. A numeric column without a single number in `fit` is 0 ever after. The result is always finite: what would
    exceed float64 is cut at its largest value.

    Refused, with the name of the column: infinite numbers, dates, nested or other objects, and a column that changed
    its kind since `fit`. Sparse matrices are refused too: the result is dense, 8 bytes for each row and category (80 MB
    for 1,000 rows of 10,000 categories); "ordinal" needs 8 bytes a cell.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.tables import TableTransformer
    >>> table = np.array([["red", 1.0], ["blue", 3.0], ["red", None]], dtype=object)
    >>> TableTransformer(scale="minmax").fit_transform(table).round(3)
    array([[0.   , 0.707, 0.   ],
           [0.707, 0.   , 1.   ],
           [0.   , 0.707, 0.5  ]])
    >>> TableTransformer(nominal="ordinal", scale="none").fit(table).transform([["green", 5.0]]).round(3)
    array([[0.667, 5.   ]])
    """

    def __init__(self, nominal: str = "one_hot", scale: str = "standard") -> None:
        self.nominal = nominal
        self.scale = scale

    def fit(self, X: Any, y: Any = None) -> TableTransformer:
        """Learn kinds, categories, means and scales from the rows of X; y is ignored."""
        check.one_of("nominal", self.nominal, ("one_hot", "ordinal"))
        check.one_of("scale", self.scale, ("standard", "minmax", "none"))
        columns = _columns(self, X, reset=True)
        self.categories_: list[Any] = [_categories(column) for column in columns]
        scales = [_Scale.of(numbers, self.scale) for numbers in self._numbers(columns)]
        self._scales = _Scale(*np.array(scales, dtype=np.float64).reshape(-1, len(_Scale._fields)).T)
        self.means_ = self._scales.mean * self._scales.unit
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Give the float64 array of the rows of X."""
        check_is_fitted(self)
        columns = _columns(self, X, reset=False)
        n_rows = len(columns[0].cells)
        scaled = [self._is_scaled(j) for j in range(len(columns))]
        widths = [1 if scaled[j] else len(self.categories_[j]) for j in range(len(columns))]
        starts = np.cumsum([0, *widths])
        result = np.zeros((n_rows, starts[-1]))
        if any(scaled):
            result[:, starts[:-1][scaled]] = self._scales.apply(np.column_stack(self._numbers(columns)))
        for j, column in enumerate(columns):
            if not scaled[j]:
                codes = self._code(j, column)
                known = np.flatnonzero(codes >= 0)
                result[known, starts[j] + codes[known]] = math.sqrt(0.5)
        return result

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> np.ndarray:
        """Names of the columns of the result: ``name``, or ``name_category`` for an indicator."""
        # Borrowed, not inherited: it checks the given names against those of fit, but our columns are not one to one.
        names = OneToOneFeatureMixin.get_feature_names_out(self, input_features)  # type: ignore[arg-type]
        result: list[str] = []
        for j, name in enumerate(names):
            suffixes = [] if self._is_scaled(j) else self.categories_[j]
            result += [f"{name}_{'missing' if text is None else text}" for text in suffixes] or [name]
        return np.asarray(result, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def _is_scaled(self, j: int) -> bool:
        return self.categories_[j] is None or self.nominal == "ordinal"

    def _code(self, j: int, column: _Column) -> np.ndarray:
        """Place of each cell among the categories, -1 if `fit` did not see it."""
        lookup = {category: code for code, category in enumerate(self.categories_[j])}
        return np.array([lookup.get(text, -1) for text in _texts(column)], dtype=np.intp)

    def _numbers(self, columns: list[_Column]) -> list[np.ndarray]:
        """Columns to be scaled, as floats with NaN for holes and for unknown categories."""
        result = []
        for j, column in enumerate(columns):
            if self.categories_[j] is None:
                result.append(_floats(column))
            elif self.nominal == "ordinal":
                codes = self._code(j, column)
                result.append(np.where(codes < 0, np.nan, codes))
        return result


class _Scale(NamedTuple):
    """How numbers are scaled: (number / unit - offset) / spread. Floats for a column, or arrays for a block of them."""

    unit: Any
    mean: Any
    offset: Any
    spread: Any

    @classmethod
    def of(cls, numbers: np.ndarray, scale: str) -> _Scale:
        known = numbers[~np.isnan(numbers)]
        if not known.size:
            return cls(1.0, 0.0, 0.0, np.inf)
        low, high = known.min(), known.max()
        if low == high:
            # Not the computed mean: n equal numbers can have a mean that differs from them in the last digit.
            return cls(1.0, low, 0.0 if scale == "none" else low, 1.0)
        # A power of two as unit changes no digit, and sums and squares of 1e300 no longer overflow.
        unit = math.ldexp(1.0, math.frexp(max(-low, high))[1] - 1)
        small = known / unit
        mean = small.mean()
        if scale == "none":
            return cls(1.0, mean * unit, 0.0, 1.0)
        if scale == "minmax":
            return cls(unit, mean, low / unit, high / unit - low / unit)
        return cls(unit, mean, mean, small.std())

    def apply(self, block: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            small = block / self.unit
            small = np.where(np.isnan(small), self.mean, small)
            return np.clip((small - self.offset) / self.spread, -_LARGEST, _LARGEST)


class _Column(NamedTuple):
    """One column as it was read: floats (NaN is missing) if `kind` is numeric, else a list (None is missing)."""

    name: str
    kind: str  # "numeric", "nominal", or "cells": the type of the column does not tell, its cells do
    cells: Any


def _columns(estimator: TableTransformer, X: Any, reset: bool) -> list[_Column]:
    """Read any table into columns, and check them against those of `fit` unless reset."""
    module = type(X).__module__.partition(".")[0]
    if sparse.issparse(X):
        raise ValueError("sparse matrices are not supported: pass a dense table, such as X.toarray()")
    if module == "polars" and not hasattr(X, "get_columns"):
        raise ValueError(f"polars {type(X).__name__} is not supported: pass a DataFrame, such as X.collect()")
    if module in ("pandas", "polars") and len(getattr(X, "shape", ())) == 2 and min(X.shape) > 0:
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if module == "polars":
            return [_polars_column(series) for series in X.get_columns()]
        return [_pandas_column(str(X.columns[j]), X.iloc[:, j]) for j in range(X.shape[1])]
    if not hasattr(X, "__array__"):
        # As objects: NumPy would turn the numbers of a mixed list into strings.
        X = np.array(X, dtype=object)
    X = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=False)
    names = getattr(estimator, "feature_names_in_", [f"x{j}" for j in range(X.shape[1])])
    if X.dtype.kind in "mM":
        raise _dates(names[0])
    if X.dtype.kind in "iuf":
        with np.errstate(over="ignore"):  # a long double beyond float64 becomes infinite, and is refused as such
            X = np.asarray(X, dtype=np.float64, order="F")
        return [_Column(name, "numeric", X[:, j]) for j, name in enumerate(names)]
    return [_Column(name, "cells", _checked(name, X[:, j].tolist())) for j, name in enumerate(names)]


def _pandas_column(name: str, series: Any) -> _Column:
    kind = getattr(series.dtype, "kind", "O")
    if hasattr(series, "cat"):
        # By code: a list of the cells would turn integer categories into floats where one is missing.
        texts = [None if _is_missing(c) else str(c) for c in _checked(name, series.cat.categories.tolist())]
        return _Column(name, "nominal", [texts[code] if code >= 0 else None for code in series.cat.codes.tolist()])
    if kind in "iuf":
        return _Column(name, "numeric", series.to_numpy(dtype=np.float64, na_value=np.nan))
    if kind in "mM":
        raise _dates(name)
    cells = _checked(name, series.tolist())
    return _Column(name, "cells" if series.dtype == object else "nominal", cells)


def _polars_column(series: Any) -> _Column:
    if series.dtype.is_numeric():
        return _Column(series.name, "numeric", series.cast(float).to_numpy())
    if series.dtype.is_temporal():
        raise _dates(series.name)
    cells = _checked(series.name, series.to_list())
    return _Column(series.name, "cells" if str(series.dtype) in ("Null", "Object") else "nominal", cells)


def _dates(name: str) -> ValueError:
    return ValueError(f"column {name!r} holds dates or times: convert it to numbers (such as days since a date)")


def _is_missing(cell: Any) -> bool:
    if isinstance(cell, (float, np.floating)):
        return bool(np.isnan(cell))
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")  # of pandas, without importing it


def _checked(name: str, cells: list[Any]) -> list[Any]:
    """The cells with None for every missing one; an error if there is one we have no meaning for."""
    cells = [None if _is_missing(cell) else cell for cell in cells]
    for cell_type in set(map(type, cells)) - {type(None), str, bool, int, float}:
        if issubclass(cell_type, _DATES) or cell_type.__name__ == "Period":
            raise _dates(name)
        known = issubclass(cell_type, (str, np.bool_, numbers.Real, decimal.Decimal))
        if not known:
            raise ValueError(f"column {name!r} holds cells of type {cell_type.__name__}; allowed are {_ALLOWED}")
    return cells


def _holds_text(column: _Column) -> bool:
    if column.kind == "cells":
        return any(issubclass(cell_type, (str, bool, np.bool_)) for cell_type in set(map(type, column.cells)))
    return column.kind == "nominal"


def _categories(column: _Column) -> list[str | None] | None:
    if not _holds_text(column):
        return None
    texts = set(_texts(column))
    return sorted(text for text in texts if text is not None) + ([None] if None in texts else [])


def _texts(column: _Column) -> list[str | None]:
    """Cells of a column that is nominal since `fit`."""
    if column.kind == "numeric":
        # Not by str(): whether 1 reads "1" or "1.0" would depend on the holes of the column.
        if not np.isnan(column.cells).all():
            raise ValueError(f"column {column.name!r} was nominal in fit and is numeric now: convert it to strings")
        return [None] * len(column.cells)
    return [None if cell is None else str(cell) for cell in column.cells]


def _floats(column: _Column) -> np.ndarray:
    """Cells of a column that is numeric since `fit`."""
    if column.kind == "numeric":
        result = column.cells
    elif _holds_text(column) and any(cell is not None for cell in column.cells):
        raise ValueError(f"column {column.name!r} was numeric in fit and is nominal now: allowed are numbers")
    else:
        try:
            result = np.array([np.nan if cell is None else float(cell) for cell in column.cells])
        except OverflowError:
            raise ValueError(f"column {column.name!r} holds numbers beyond float64") from None
    if np.isinf(result).any():
        raise ValueError(f"column {column.name!r} holds infinite values; allowed are finite numbers and missing cells")
    return result
