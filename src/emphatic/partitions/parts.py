"""The partitions of any Dask array or data frame as they are: cells of any type, not turned into numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from emphatic.check import IntArray
from emphatic.deferred import evaluate
from emphatic.inputs import take_rows
from emphatic.partitions.opening import as_array, check_cluster, check_dimensions
from emphatic.partitions.outlines import check_outlines, outline
from emphatic.partitions.sampling import RowSample
from emphatic.partitions.sources import check_readable
from emphatic.partitions.table import FAN_IN, add_lists


@dataclass(frozen=True)
class Problem:
    """What a partition refuses, and which."""

    number: int
    error: ValueError


class Parts:
    """The partitions of a collection, each a data frame or an array with all columns.

    Parameters
    ----------
    X : Dask array or data frame
        Sizes of partitions need not be known: they are counted when they are first asked for.

    Attributes
    ----------
    numbers : tuple of int
        Of the partitions, for users.
    """

    def __init__(self, X: Any) -> None:
        check_cluster(X)
        check_dimensions("X", X, 2)
        if issparse(getattr(X, "_meta", None)):
            raise TypeError(
                "X is a Dask array of sparse blocks, which cannot be fitted in partitions: make the blocks dense, or "
                "use X.compute() where the table fits in memory and the estimator takes sparse tables."
            )
        self._X, self._parts = X, _list_parts(X)
        self.numbers = tuple(range(len(self._parts)))
        known = not hasattr(X, "columns") and not np.isnan(sum(X.chunks[0]))
        self._sizes: Sequence[int] | None = X.chunks[0] if known else None

    def __len__(self) -> int:
        return sum(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Rows of each partition, which are counted where they are not known."""
        if self._sizes is None:
            from dask import delayed

            # one column is enough to count rows, and may be all that is read of a file
            narrow = _list_parts(self._X.iloc[:, [0]]) if hasattr(self._X, "columns") else self._parts
            self._sizes = self._evaluate(*map(delayed(len), narrow))
        return tuple(self._sizes)

    def check_columns(self) -> None:
        """Raise ValueError unless all data frames have the same columns, of the same kinds; also counts rows.

        Which categories a column has may differ.
        """
        if hasattr(self._X, "columns"):
            from dask import delayed

            outlines = self._evaluate(*map(delayed(outline), self._parts))
            check_outlines(outlines, [f"partition {number} of X" for number in self.numbers])
            self._sizes = [one.n_rows for one in outlines]

    def choose(self, places: Sequence[int]) -> Parts:
        """Some of the partitions; those have the numbers that they had."""
        chosen = copy(self)
        chosen._parts, chosen.numbers = [self._parts[k] for k in places], tuple(self.numbers[k] for k in places)
        chosen._sizes = [self.sizes[k] for k in places]
        return chosen

    def total(
        self, function: Callable[..., Any], merge: Callable[[Sequence[Any]], Any], each: Sequence[Any] | None = None
    ) -> Any:
        """What all partitions tell together: `function(part)` of each that has rows, merged in their order.

        With `each` the function is also given the entry of its partition. A ValueError of the first partition that
        raises one is raised with the number of the partition. None if there are no rows.
        """
        from dask import delayed

        ask, join = delayed(_ask), delayed(_join)
        given = [()] * len(self._parts) if each is None else [(one,) for one in each]
        asked = zip(self.numbers, self._parts, given, strict=True)
        found = [ask(function, number, part, *more) for number, part, more in asked]
        while len(found) > 1:
            found = [join(merge, found[start : start + FAN_IN]) for start in range(0, len(found), FAN_IN)]
        (result,) = self._evaluate(*found)
        if isinstance(result, Problem):
            raise ValueError(f"partition {result.number}: {result.error}") from result.error
        return result

    def take(self, numbers: IntArray | None = None) -> Any:
        """The rows of these ascending numbers, or all, as a data frame or an array in memory.

        Only the partitions that hold some of them are read.
        """
        from dask import delayed

        rows = np.arange(len(self)) if numbers is None else numbers
        ends = np.cumsum(self.sizes)
        where = np.searchsorted(ends, rows, side="right")
        wanted = []
        for place in np.unique(where).tolist():
            local = rows[where == place] - (ends[place] - self.sizes[place])
            wanted.append(delayed(take_rows)(self._parts[place], local))
        return _stack(self._evaluate(*wanted))

    def gather(self, sample: RowSample) -> tuple[Any, IntArray]:
        """The rows of a sample as a data frame or an array in memory, and their numbers."""
        starts = np.cumsum(self.sizes) - self.sizes
        found = self.total(_Picker(sample), add_lists, starts.tolist())
        tables, numbers = zip(*found, strict=True)
        return _stack(tables), np.concatenate(numbers)

    def keep_each(self, function: Callable[[Any], np.ndarray], n_columns: int, dtype: Any) -> Any:
        """A Dask array (n, columns) of `function(part)` of each, computed and kept where the partitions are."""
        import dask
        import dask.array

        shared = dask.delayed(function, pure=True)  # sent to a worker once
        kept = dask.persist(*(dask.delayed(_apply)(shared, part) for part in self._parts))
        shapes = [(size, n_columns) for size in self.sizes]
        return dask.array.concatenate(
            [dask.array.from_delayed(one, shape, dtype=dtype) for one, shape in zip(kept, shapes, strict=True)]
        )

    def _evaluate(self, *values: Any) -> tuple[Any, ...]:
        try:
            return evaluate(*values)
        except Exception:  # of whatever reads the rows; Dask does not say of which partition it is
            check_readable(as_array("X", self._X, 2))
            raise


def _list_parts(X: Any) -> list[Any]:
    """The partitions as values that are yet to be computed."""
    return list(X.to_delayed()) if hasattr(X, "columns") else X.rechunk({1: -1}).to_delayed().ravel().tolist()


def _ask(function: Callable[..., Any], number: int, part: Any, *given: Any) -> Any:
    if not len(part):
        return None
    try:
        return function(part, *given)
    except ValueError as error:
        return Problem(number, error)


def _join(merge: Callable[[Sequence[Any]], Any], results: Sequence[Any]) -> Any:
    known = [one for one in results if one is not None]
    for one in known:
        if isinstance(one, Problem):
            return one
    return merge(known) if len(known) > 1 else known[0] if known else None


def _apply(function: Callable[[Any], np.ndarray], part: Any) -> np.ndarray:
    return function(part)


class _Picker:
    """The sampled rows of a partition and their numbers; a class of its own so that the sample travels with it."""

    def __init__(self, sample: RowSample) -> None:
        self.sample = sample

    def __call__(self, part: Any, start: int) -> list[tuple[Any, IntArray]]:
        chosen = self.sample.choose(start, start + len(part))
        return [(take_rows(part, chosen), chosen + start)] if len(chosen) else []


def _stack(tables: Sequence[Any]) -> Any:
    """Tables, one below the other: data frames, whose categories are united, or arrays."""
    if hasattr(tables[0], "iloc"):
        return _stack_frames(tables)
    if len({table.dtype.kind in "biuf" for table in tables}) > 1:
        return np.concatenate([table.astype(object) for table in tables])  # NumPy would turn numbers into text
    return np.concatenate(tables)


def _stack_frames(frames: Sequence[Any]) -> Any:
    import pandas as pd
    from pandas.api.types import union_categoricals

    with warnings.catch_warnings():  # of pandas 2: a column without values has no type here
        warnings.filterwarnings("ignore", ".*concatenation with empty or all-NA entries", FutureWarning)
        stacked = pd.concat(frames, ignore_index=True)
    for place in range(stacked.shape[1]):
        columns = [one.iloc[:, place] for one in frames]
        if all(isinstance(column.dtype, pd.CategoricalDtype) for column in columns):
            alike = len({column.cat.categories.dtype for column in columns}) == 1  # pandas unites no others
            united = union_categoricals(columns, ignore_order=True) if alike else pd.Categorical(stacked.iloc[:, place])
            stacked.isetitem(place, united)
    return stacked
