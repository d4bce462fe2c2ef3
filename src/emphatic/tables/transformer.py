"""Mixed-type tables (numbers, categories, missing values) as float64 arrays, by one transformer for all learners."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from emphatic import check
from emphatic.deferred import is_deferred
from emphatic.fields import Array, IfSet, ListOf, Maybe, Names, Part, Size, Text, saved
from emphatic.fitting import all_or_nothing
from emphatic.partitions import Parts, keep_features, lazily
from emphatic.tables.columns import Category, Column, holds_text, read_columns
from emphatic.tables.decision import KINDS, Decision, read_cells, sort_categories
from emphatic.tables.encodings.choice import learn_encoding, name_encoding
from emphatic.tables.leakage import find_copies
from emphatic.tables.numbers import Numbers
from emphatic.tables.partitions import Summary, learn_by_sample, learn_by_types, list_names
from emphatic.tables.policy import check_max_categories, decide
from emphatic.tables.repeated import Repeated
from emphatic.tables.scale import SCALES, Scale

_LARGEST = np.finfo(np.float64).max


@saved(
    n_features_in_=Size(low=1, name="columns"),
    feature_names_in_=IfSet(Names("columns")),
    categories_=ListOf(Maybe(ListOf(Maybe(Text()))), "columns"),
    remarks_=ListOf(Text()),
    means_=Array(np.float64, None, low=-_LARGEST, high=_LARGEST),
    _scales=Part("Scale"),
    # None in files of version 0.2.0, which had numbers and categories only
    _decisions=IfSet(Maybe(ListOf(Part("Decision"), "columns")), None),
    _encodings=IfSet(Maybe(ListOf(Maybe(Part("DateEncoding", "TextEncoding", "ManyCategories")), "columns")), None),
)
class TableTransformer(TransformerMixin, BaseEstimator):
    """Turn a table of any columns into a float64 array, using what was learnt from the training rows only.

    1. A column is *numeric* if it holds numbers, *nominal* if it holds strings, booleans or categories. In an object
       column the values decide: numbers only is numeric, anything with a string or a boolean in it is nominal.
    2. A missing number (NaN, None, NA) becomes the mean of the training rows. A missing category is a category of its
       own.
    3. A nominal column becomes indicator columns, or one column of codes.
    4. Numeric columns, and codes, are scaled.

    Parameters
    ----------
    nominal : {"one_hot", "ordinal"}, default="one_hot"
        "one_hot": one column per category, 0 or 1/sqrt(2), never scaled further, so that two different categories are
        at squared distance 1. "ordinal": one column of codes 0, 1, ... in the sorted order of the categories, missing
        values last, scaled like any number; it keeps the number of inputs.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        Zero mean and unit deviation, or the range [0, 1], on the training rows; or, which a few extreme values do not
        change, zero median and the quartiles of a normal distribution of unit deviation (unit deviation itself, if the
        quartiles are equal). A constant column is only shifted.
    columns : {"all", "useful"} or dict, default="all"
        "all": every category of every column counts, and dates are refused. "useful": as
        `emphatic.tables.decide_columns` decides, text is read as numbers or dates if it can be, free text and dates are
        encoded, and what says nothing about its row is left out. A dict does the same, but for the columns that it
        names: ``{"zip": "category", "comment": "ignore"}``.
    max_categories : int or None, default=None
        Unless `columns` is "all": how many categories of a column may have an indicator each. None: as many as suit the
        number of rows, 50 to 254 (see `emphatic.tables.decide_columns`).

    Attributes
    ----------
    columns_ : list of Decision
        What became of each column and why; as text, each is a line for people.
    categories_ : list
        For each column, None if it is numeric, else its categories as strings in sorted order, with None (missing) at
        the end if the training rows have missing values. A column that is left out, or encoded otherwise, has none.
    remarks_ : list of str
        One for each column of which a user should know what became of it.
    means_ : ndarray
        Mean of each numeric column or code over its known training values: what missing values are replaced by.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn; the names only if the table has them.

    Notes
    -----
    Tables are NumPy arrays, lists of rows, pandas or polars data frames; neither library is needed. Equal tables give
    equal arrays. Categories are compared, and sorted, as text: ``True`` and ``"True"`` are the same. Only NaN, None, NA
    and NaT are missing; the empty string is a category. With "useful", text such as "NA" and "?" in a column of numbers
    is missing too.

    A category that was not seen in `fit` (or a missing value, if `fit` saw none) gives zeros in all indicators of its
    column, or the mean code. A numeric column without a single number in `fit` is always 0. The result is clipped to
    +-1e100, the largest numbers that learners accept: their squares are finite. If nothing of a table is useful, the
    result is one column of zeros.

    The following are refused, with the name of the column: infinite numbers, nested or other objects, and a column
    whose kind changed since `fit`. Sparse matrices are refused too: the result is dense, 8 bytes per row and category
    (80 MB for 1,000 rows of 10,000 categories); "ordinal" needs 8 bytes per cell.

    A Dask array or data frame is learnt from partition by partition, and `transform` of one is lazy. Categories, means,
    deviations and ranges are those of all rows; quartiles are exact for up to 4,096 numbers and otherwise those of
    `emphatic.partitions.QuantileSketch`. With "useful", what a column is, how it is written, and how dates, text and
    many categories are encoded is learnt from a sample of about 20,000 rows, which is the table if it has no more.

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

    def __init__(
        self,
        nominal: str = "one_hot",
        scale: str = "standard",
        columns: str | Mapping[str, Any] = "all",
        max_categories: int | None = None,
    ) -> None:
        self.nominal = nominal
        self.scale = scale
        self.columns = columns
        self.max_categories = max_categories

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        check.one_of("nominal", self.nominal, ("one_hot", "ordinal"))
        check.one_of("scale", self.scale, SCALES)
        if isinstance(self.columns, str):
            check.one_of("columns", self.columns, ("all", "useful"))
        else:
            check_wishes(self.columns)
        check_max_categories(self.max_categories)

    @all_or_nothing
    def fit(self, X: Any, y: Any = None) -> TableTransformer:
        """Learn kinds, categories, means and scales from the rows of X; y is ignored."""
        self.check_parameters()
        if is_deferred(X):
            return self._fit_partitions(X)
        columns = read_columns(self, X, reset=True)
        if self.columns == "all":
            decisions = [_use_all(column) for column in columns]
        else:
            named = hasattr(self, "feature_names_in_")
            decisions = decide(columns, None, self._wishes, self.max_categories, named)
        values = [None if one.left_out else one.read(column) for one, column in zip(decisions, columns, strict=True)]
        self._set_columns(decisions, values)
        self._set_scales([Scale.learn(numbers, self.scale) for numbers in self._numbers(values)])
        return self

    def _fit_partitions(self, X: Any) -> TableTransformer:
        """`fit` to a table in partitions: kinds and encodings from a sample of rows, all else from sums over all."""
        keep_features(self, X)
        parts, sketched = Parts(X), self.scale == "robust"
        if self.columns == "all":
            learnt = learn_by_types(parts, list_names(X), sketched)
        else:
            named = hasattr(self, "feature_names_in_")
            learnt = learn_by_sample(parts, self._wishes, self.max_categories, sketched, named)
        self._set_columns(learnt.decisions, learnt.cells)
        scaled = [j for j in range(self.n_features_in_) if self._is_scaled(j)]
        self._set_scales([Scale.of(self._describe_numbers(j, learnt.summaries[j]), self.scale) for j in scaled])
        return self

    @property
    def _wishes(self) -> Mapping[str, Any]:
        return {} if isinstance(self.columns, str) else self.columns

    def _set_columns(self, decisions: list[Decision], values: list[Any]) -> None:
        """Set what becomes of each column; `values` are the cells that encodings are learnt from."""
        self._decisions = decisions
        self._encodings = [learn_encoding(one, cells) for one, cells in zip(decisions, values, strict=True)]
        self.categories_: list[list[Category] | None] = [None if one.kind == "number" else [] for one in decisions]
        for j, (decision, encoding) in enumerate(zip(decisions, self._encodings, strict=True)):
            if encoding is None and decision.categories is not None:
                self.categories_[j] = decision.categories
        self.remarks_ = [decision.remark for decision in decisions if decision.remark]

    def _set_scales(self, scales: list[Scale]) -> None:
        self._scales = Scale(*np.array(scales, dtype=np.float64).reshape(-1, len(Scale._fields)).T)
        self.means_ = self._scales.mean * self._scales.unit

    def _describe_numbers(self, j: int, summary: Summary) -> Numbers | None:
        """The numbers of a column in partitions, or the codes of its categories."""
        if self.categories_[j] is None:
            return summary.numbers
        found = summary.counts or Counter()
        counts = np.array([found[category] for category in self.categories_[j] or ()])
        codes = np.flatnonzero(counts)
        return Numbers.describe_counts(codes.astype(np.float64), counts[codes])

    def find_copies(self, X: Any, y: Any) -> None:
        """Add a warning to `columns_` about each column of the training rows that alone tells nearly all labels."""
        found = find_copies(read_columns(self, X, reset=False), self.columns_, column_or_1d(y))
        self._decisions = [replace(one, warning=found.get(one.name, "")) for one in self.columns_]
        self.remarks_ = [decision.remark for decision in self._decisions if decision.remark]

    @lazily("outputs")
    def transform(self, X: Any) -> np.ndarray:
        """Return the float64 array of the rows of X; of a Dask collection, a Dask array."""
        check_is_fitted(self)
        return self.transform_columns(read_columns(self, X, reset=False))

    def transform_columns(self, columns: Sequence[Column]) -> np.ndarray:
        """`transform` for columns that were read."""
        values = [None if one.left_out else one.read(cells) for one, cells in zip(self.columns_, columns, strict=True)]
        n_rows = len(columns[0].cells)
        scaled = [self._is_scaled(j) for j in range(len(columns))]
        starts = self.starts
        result = np.zeros((n_rows, max(1, int(starts[-1]))))
        if any(scaled):
            block = self._scales.apply(np.column_stack(self._numbers(values)))
            if block.shape == result.shape:
                return block
            result[:, starts[:-1][scaled]] = block
        for j, cells in enumerate(values):
            encoding = self._encoding(j)
            if encoding is not None:
                result[:, starts[j] : starts[j + 1]] = encoding.encode(cells)
            elif not scaled[j] and cells is not None:
                codes = self._code(j, cells)
                known = np.flatnonzero(codes >= 0)
                result[known, starts[j] + codes[known]] = math.sqrt(0.5)
        return result

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> np.ndarray:
        """Return the names of the columns of the result: ``name``, or ``name_category`` for an indicator."""
        # Borrowed, not inherited: it checks the given names against those of fit, but our columns are not one to one.
        names = OneToOneFeatureMixin.get_feature_names_out(self, input_features)  # type: ignore[arg-type]
        result: list[str] = []
        for j, name in enumerate(names):
            encoding = self._encoding(j)
            if encoding is not None:
                result += encoding.names(name)
            elif self._is_scaled(j):
                result.append(name)
            else:
                result += [f"{name}_{'missing' if text is None else text}" for text in self.categories_[j] or ()]
        return np.asarray(result or ["zero"], dtype=object)

    @property
    def columns_(self) -> list[Decision]:
        """What became of each column."""
        check_is_fitted(self)
        if self._decisions is not None:
            return self._decisions
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        return [_restore(name, categories) for name, categories in zip(names, self.categories_, strict=True)]

    @property
    def n_outputs(self) -> int:
        """Columns of the result."""
        return max(1, int(self.starts[-1]))

    def check_saved(self) -> None:
        """Raise ValueError unless there is a scale for every column that is scaled, and encodings fit decisions."""
        n_scaled = sum(self._is_scaled(j) for j in range(len(self.categories_)))
        if len(self._scales.unit) != n_scaled:
            raise ValueError(f"there are {len(self._scales.unit)} scales for {n_scaled} columns")
        self._scales.check_finite()
        for j, decision in enumerate(self.columns_):
            encoding, categories = self._encoding(j), self.categories_[j]
            if name_encoding(decision) != (None if encoding is None else type(encoding).__name__):
                raise ValueError(f"the encoding of column {decision.name!r} does not fit its kind, {decision.kind}")
            if (categories is None) != (decision.kind == "number") or (encoding is not None and categories):
                raise ValueError(f"the categories of column {decision.name!r} do not fit its kind, {decision.kind}")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def _encoding(self, j: int) -> Any:
        return None if self._encodings is None else self._encodings[j]

    def _is_scaled(self, j: int) -> bool:
        names = self.categories_[j]
        return names is None or (self.nominal == "ordinal" and self._encoding(j) is None and self._is_nominal(j))

    def _is_nominal(self, j: int) -> bool:
        """Whether it is a column of categories; with "ordinal" one that is left out had a code in version 0.2.0."""
        return self._decisions is None or not self._decisions[j].left_out

    @property
    def starts(self) -> np.ndarray:
        """Where each column of the table begins in the result, and where the last one ends."""
        return np.cumsum([0, *map(self._size, range(len(self.categories_)))])

    def _size(self, j: int) -> int:
        if self._is_scaled(j):
            return 1
        encoding = self._encoding(j)
        return len(self.categories_[j] or ()) if encoding is None else int(encoding.n_outputs)

    def _code(self, j: int, cells: Sequence[Category]) -> np.ndarray:
        """Place of each cell among the categories, -1 if it is none of them."""
        lookup = {category: code for code, category in enumerate(self.categories_[j] or ())}
        if isinstance(cells, Repeated):
            return cells.look_up(lookup, -1)
        return np.array([lookup.get(text, -1) for text in cells], dtype=np.intp)

    def _numbers(self, values: list[Any]) -> list[np.ndarray]:
        """Columns to be scaled, as floats with NaN for missing values and for unknown categories."""
        result = []
        for j, cells in enumerate(values):
            if self.categories_[j] is None:
                result.append(cells)
            elif self._is_scaled(j):
                codes = self._code(j, cells)
                result.append(np.where(codes < 0, np.nan, codes))
        return result


def _use_all(column: Column) -> Decision:
    """A column as its type has it: numbers, or categories, all of them."""
    return _restore(column.name, sort_categories(read_cells(column)) if holds_text(column) else None)


def _restore(name: str, categories: list[Category] | None) -> Decision:
    if categories is None:
        return Decision(name, "number")
    return Decision(name, "category", categories=categories)


def check_wishes(columns: Any) -> None:
    """Raise an error unless `columns` is a dict of kinds, or decisions, by column."""
    check.instance("columns", columns, Mapping, '{"zip": "category"}')
    for name, wish in columns.items():
        if not isinstance(wish, Decision):
            check.one_of(f"columns[{name!r}]", wish, KINDS)
