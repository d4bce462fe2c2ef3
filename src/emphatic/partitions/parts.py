"""The partitions of any Dask array or data frame as they are: cells of any type, not checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.check import IntArray
from emphatic.deferred import evaluate
from emphatic.inputs import take_rows
from emphatic.partitions.opening import as_array, check_cluster, check_dimensions
from emphatic.partitions.sampling import RowSample
from emphatic.partitions.sources import check_readable
from emphatic.partitions.table import FAN_IN, add_lists


@dataclass(frozen=True)
class Problem:
    """What a partition refuses, and which."""

    number: int
    error: ValueError


class Parts:
    """The partitions of a collection, each a data frame or an array with all columns."""

    def __init__(self, X: Any) -> None:
        check_cluster(X)
        check_dimensions("X", X, 2)
        self._X, self._parts = X, _list_parts(X)
        self._sizes: Any = None if hasattr(X, "columns") or np.isnan(sum(X.chunks[0])) else X.chunks[0]

    def __len__(self) -> int:
        return len(self._parts)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Rows of each partition, which are counted where they are not known."""
        if self._sizes is None:
            from dask import delayed

            # one column is enough to count rows, and may be all that is read of a file
            narrow = self._X.iloc[:, [0]] if hasattr(self._X, "columns") else self._X
            self._sizes = self._evaluate(*(delayed(len)(part) for part in _list_parts(narrow)))
        return tuple(self._sizes)

    def total(
        self, function: Callable[..., Any], merge: Callable[[Sequence[Any]], Any], each: Sequence[Any] | None = None
    ) -> Any:
        """What all partitions tell together: `function(part)` of each that has rows, merged in their order.

        With `each` the function is also given the entry of its partition. A ValueError of the first partition that
        raises one is raised with the number of the partition. None if there are no rows.
        """
        from dask import delayed

        ask, join = delayed(_ask), delayed(_join)
        given: list[tuple[Any, ...]] = [()] * len(self) if each is None else [(one,) for one in each]
        found = [ask(function, number, part, *given[number]) for number, part in enumerate(self._parts)]
        while len(found) > 1:
            found = [join(merge, found[start : start + FAN_IN]) for start in range(0, len(found), FAN_IN)]
        (result,) = self._evaluate(*found)
        if isinstance(result, Problem):
            raise ValueError(f"partition {result.number}: {result.error}") from result.error
        return result

    def _evaluate(self, *values: Any) -> tuple[Any, ...]:
        try:
            return evaluate(*values)
        except Exception:  # of whatever reads the rows; Dask does not say of which partition it is
            check_readable(as_array("X", self._X, 2))
            raise

    def gather(self, sample: RowSample) -> tuple[Any, IntArray]:
        """The rows of a sample as a data frame or an array in memory, and their numbers."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).tolist()
        found = self.total(_Picker(sample), add_lists, starts)
        tables, numbers = zip(*found, strict=True)
        return _stack(tables), np.concatenate(numbers)


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


class _Picker:
    """The sampled rows of a partition and their numbers; a class of its own so that the sample travels with it."""

    def __init__(self, sample: RowSample) -> None:
        self.sample = sample

    def __call__(self, part: Any, start: int) -> list[tuple[Any, IntArray]]:
        chosen = self.sample.choose(start, start + len(part))
        return [(take_rows(part, chosen), chosen + start)] if len(chosen) else []


def _stack(tables: Sequence[Any]) -> Any:
    """Rows of several tables in one."""
    if hasattr(tables[0], "iloc"):
        import pandas

        return pandas.concat(tables)
    if len({table.dtype.kind in "biuf" for table in tables}) > 1:
        return np.concatenate([table.astype(object) for table in tables])  # NumPy would turn numbers into text
    return np.concatenate(tables)
