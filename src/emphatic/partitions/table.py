"""A table in partitions, and what can be asked of it: a sum, an answer per row, a few of its rows, what to hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property, partial
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import settle
from emphatic.partitions.sources import find_recipes, make_rows

FAN_IN = 16
"""How many partial results are merged at once: the tree of merges is as deep as the logarithm to this base."""


class Partitions:
    """A checked table of numbers in partitions.

    All that is asked returns at once, with a value that Dask has yet to compute. `dask.compute` of several of them goes
    over the table once.

    Parameters
    ----------
    X : dask.array.Array (n, features)
        Of float64, with known chunks along the rows and one along the columns.
    """

    def __init__(self, X: Any) -> None:
        self.X = X
        recipes = find_recipes(X)
        self._source = (X, "ij") if recipes is None else (recipes, "i")
        self.sizes: tuple[int, ...] = X.chunks[0]
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        """The number of the first row of each partition."""

    @cached_property
    def _numbers(self) -> Any:
        """`starts` beside the partitions, kept there."""
        import dask.array

        return dask.array.from_array(self.starts, chunks=1).persist()

    @property
    def shape(self) -> tuple[int, int]:
        return sum(self.sizes), self.X.shape[1]

    def __len__(self) -> int:
        return sum(self.sizes)

    def each(
        self,
        function: Callable[..., np.ndarray],
        *rows: Any,
        shared: Sequence[Any] = (),
        columns: int | None = None,
        dtype: Any = float,
    ) -> Any:
        """One answer per row, (n,) or (n, columns): `function(X, *rows, *shared)` of every partition.

        `rows` are arrays with one entry per row of the table; `shared` is what all partitions get.
        """
        import dask.array
        from dask.utils import funcname

        return dask.array.blockwise(
            partial(_call_with_rows, function),
            "i" if columns is None else "ik",
            *self._pair(rows),
            *_pair_shared(shared),
            new_axes={} if columns is None else {"k": columns},
            adjust_chunks={"i": self.sizes},
            token=funcname(function),
            concatenate=True,
            align_arrays=False,
            dtype=dtype,
            meta=np.empty((0,) if columns is None else (0, 0), dtype=dtype),
        )

    def total(
        self,
        function: Callable[..., Any],
        *rows: Any,
        shared: Sequence[Any] = (),
        merge: Callable[[Sequence[Any]], Any] | None = None,
        numbered: bool = False,
        reads: bool = True,
    ) -> Any:
        """What all partitions tell together: `function(X, *rows, *shared)` of each, merged in the order of the rows.

        By default results are tuples of arrays, which are added up; `merge` turns several results into one. With
        `numbered` the function is also told the number of the first row, after the `rows`. Without `reads` it is not
        given `X`, and the table, which may have to be read or made anew, is left alone.
        """
        import dask.array
        from dask import delayed

        parts = self._boxes(function, rows, shared, numbered, reads)
        join = partial(_merge_boxes, add_up if merge is None else merge)
        merged = dask.array.reduction(
            parts,
            chunk=_keep,
            combine=join,
            aggregate=join,
            dtype=object,
            split_every=FAN_IN,
            meta=np.empty((), object),
        )
        return delayed(_unbox)(merged)

    def hold(
        self,
        function: Callable[..., Any],
        *rows: Any,
        shared: Sequence[Any] = (),
        numbered: bool = False,
        reads: bool = True,
    ) -> Any:
        """`function(X, *rows, *shared)` of every partition, computed and kept where its rows are.

        The result goes among the `rows` of `total` or of another `hold`, whose function finds its own as the only entry
        of an array: `held[0]`. It is for learners that go over a table many times, and lasts as long as they hold it.
        It is kept where the `rows` are, so at least the labels should be among them.
        """
        return settle(self._boxes(function, rows, shared, numbered, reads))

    def take(self, numbers: IntArray) -> Any:
        """The rows of these numbers, in that order; only the partitions that hold some of them are read."""
        from dask import delayed

        places = np.unique(np.searchsorted(self.starts, numbers, side="right") - 1)
        found = self._choose(places).total(_take, shared=[numbers], merge=_join_rows, numbered=True)
        return delayed(_in_order)(found)

    def _choose(self, places: IntArray) -> Partitions:
        """Some of the partitions; their rows keep their numbers."""
        chosen = copy(self)
        array, letters = self._source
        chosen._source = array.blocks[places.tolist()], letters
        chosen.sizes = tuple(self.sizes[place] for place in places)
        chosen.starts, chosen._numbers = self.starts[places], self._numbers.blocks[places.tolist()]
        return chosen

    def _boxes(
        self, function: Callable[..., Any], rows: Sequence[Any], shared: Sequence[Any], numbered: bool, reads: bool
    ) -> Any:
        """What each partition tells: a Dask array with one entry per partition."""
        import dask.array
        from dask.utils import funcname

        if numbered:
            rows = *rows, self._numbers
        return dask.array.blockwise(
            partial(_box, partial(_call_with_rows, function) if reads else function),
            "i",
            *self._pair(rows)[0 if reads else 2 :],
            *_pair_shared(shared),
            adjust_chunks={"i": 1},
            token=funcname(function),
            concatenate=True,
            align_arrays=False,
            dtype=object,
            meta=np.empty(0, dtype=object),
        )

    def _pair(self, rows: Sequence[Any]) -> list[Any]:
        return [*self._source, *(part for array in rows for part in (array, "ij"[: array.ndim]))]


def send_once(value: Any) -> Any:
    """A large value for `shared`: it goes to every worker once, instead of along with every partition."""
    from dask import delayed

    return delayed(value, traverse=False)


def add_up(results: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Sums of what stands in the same place.

    >>> add_up([(1, np.ones(2)), (2, np.ones(2))])
    (3, array([2., 2.]))
    """
    return tuple(sum(alike[1:], start=alike[0]) for alike in zip(*results, strict=True))


def add_lists(results: Sequence[list[Any]]) -> list[Any]:
    """All entries of several lists, in their order."""
    return [entry for one in results for entry in one]


def _pair_shared(shared: Sequence[Any]) -> list[Any]:
    return [part for value in shared for part in (value, None)]


def _call_with_rows(function: Callable[..., Any], X: np.ndarray, *arguments: Any) -> Any:
    return function(make_rows(X), *arguments)


class Box(np.ndarray[Any, Any]):
    """An array whose only entry is what a partition tells: of arrays, Dask knows how to make a tree of merges."""


def _box(function: Callable[..., Any], *arguments: Any) -> Box:
    from dask.sizeof import sizeof

    sizeof.register(Box, _measure_box)  # here, as this runs on the workers, and they are those who measure
    box = np.empty(1, dtype=object).view(Box)
    box[0] = function(*arguments)
    return box


def _measure_box(box: Box) -> int:
    """Bytes of what is in the box. To Dask an array of objects has 8 per entry, and would be moved and kept as that."""
    from dask.sizeof import sizeof

    return sum(int(sizeof(entry)) for entry in box.ravel())


def _keep(boxes: np.ndarray, axis: Any = None, keepdims: bool = True) -> np.ndarray:
    return boxes


def _merge_boxes(merge: Callable[..., Any], boxes: np.ndarray, axis: Any = None, keepdims: bool = True) -> np.ndarray:
    box = np.empty(1 if keepdims else (), dtype=object)
    box[... if not keepdims else 0] = merge(list(boxes.ravel()))
    return box


def _unbox(box: Any) -> Any:
    return box.item() if isinstance(box, np.ndarray) else box


def _take(X: FloatArray, start: IntArray, numbers: IntArray) -> tuple[IntArray, FloatArray]:
    """The places, among the numbers, of those in this partition, and their rows."""
    here = np.flatnonzero((numbers >= start[0]) & (numbers < start[0] + len(X)))
    return here, X[numbers[here] - start[0]]


def _join_rows(results: Sequence[tuple[IntArray, FloatArray]]) -> tuple[IntArray, FloatArray]:
    places, rows = zip(*results, strict=True)
    return np.concatenate(places), np.concatenate(rows)


def _in_order(found: tuple[IntArray, FloatArray]) -> FloatArray:
    places, rows = found
    return np.ascontiguousarray(rows[np.argsort(places)])
