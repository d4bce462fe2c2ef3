"""A table with columns of any kind in partitions, as users hand it in: its pieces stay what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import by_rows, evaluate
from emphatic.inputs import check_classes, take_rows
from emphatic.partitions.opening import (
    LabelEncoder,
    align,
    as_array,
    check_cluster,
    choose_partitions,
    survey_labels,
    with_sizes,
)
from emphatic.partitions.outlines import check_outlines, outline
from emphatic.partitions.sources import check_readable


class Pieces:
    """The pieces of a table, data frames or arrays, that are yet to be computed; none is empty.

    Parameters
    ----------
    pieces : list of Delayed
    sizes : rows of each
    numbers : of the partitions, for users: empty ones are left out
    """

    def __init__(self, pieces: Sequence[Any], sizes: Sequence[int], numbers: Sequence[int]) -> None:
        self.pieces, self.sizes, self.numbers = list(pieces), tuple(sizes), tuple(numbers)
        self.ends = np.cumsum(self.sizes)

    def __len__(self) -> int:
        return sum(self.sizes)

    def take(self, numbers: IntArray) -> Any:
        """The rows of these ascending numbers as one table in memory, of the kind of the pieces."""
        from dask import delayed

        where = np.searchsorted(self.ends, numbers, side="right")
        wanted = []
        for place in np.unique(where).tolist():
            local = numbers[where == place] - (self.ends[place] - self.sizes[place])
            wanted.append(delayed(take_rows)(self.pieces[place], local))
        return join_pieces(evaluate(*wanted))

    def keep_each(self, function: Callable[[Any], np.ndarray], n_columns: int, dtype: Any) -> Any:
        """A Dask array (n, columns) of what `function` makes of each piece, computed and kept where the pieces are."""
        import dask
        import dask.array

        shared = dask.delayed(function, pure=True)  # sent to a worker once
        kept = dask.persist(*(dask.delayed(_apply)(shared, piece) for piece in self.pieces))
        shapes = [(size, n_columns) for size in self.sizes]
        return dask.array.concatenate(
            [dask.array.from_delayed(one, shape, dtype=dtype) for one, shape in zip(kept, shapes, strict=True)]
        )


def _apply(function: Callable[[Any], np.ndarray], piece: Any) -> np.ndarray:
    return function(piece)


@dataclass(frozen=True)
class OpenedPieces:
    """A training table of any kind in partitions."""

    table: Pieces
    y: Any
    """Codes 0 .. K-1: a Dask array that is kept on the workers."""
    classes: np.ndarray
    counts: IntArray
    """How many rows of some weight each class has."""
    weights: Any
    """Of the rows, of any sum; 0 for rows that count as absent: a Dask array."""

    def gather(self) -> tuple[Any, np.ndarray, FloatArray]:
        """Table, labels and weights in memory."""
        codes, weights = evaluate(self.y, self.weights)
        return self.table.take(np.arange(len(self.table))), self.classes[codes], weights


def open_pieces(X: Any, y: Any, sample_weight: Any = None) -> OpenedPieces:
    """Check a collection and its labels; nothing but labels and the kinds of columns is looked at.

    `y` and `sample_weight` may be Dask collections, partitioned in any way, or arrays in memory. Partitions must have
    the same columns, of the same kind; which categories they have may differ.
    """
    import dask.array

    check_cluster(X, y, sample_weight)
    table = _list_pieces(X)
    beside = {"y": align("y", y, table.sizes)}
    if sample_weight is not None:
        beside["sample_weight"] = align("sample_weight", sample_weight, table.sizes)
    full = [place for place, size in enumerate(table.sizes) if size]
    if not full:
        raise ValueError("X has 0 rows: a classifier needs samples of at least 2 classes.")
    beside = {name: choose_partitions(values, full) for name, values in beside.items()}
    classes, counts = survey_labels(beside, full)
    if not counts:
        raise ValueError("sample_weight is 0 for all rows: at least 2 classes need weight.")
    check_classes(classes, sum(counts))
    table = Pieces([table.pieces[place] for place in full], [table.sizes[place] for place in full], full)
    codes = by_rows(LabelEncoder(classes), beside["y"], dtype=np.int16).persist()
    weights = beside.get("sample_weight", dask.array.ones(len(table), chunks=(table.sizes,)))
    return OpenedPieces(table, codes, classes, np.array(counts), weights.astype(np.float64).persist())


def gather_rows(X: Any, numbers: IntArray | None = None) -> Any:
    """The rows of a collection with these ascending numbers, or all, as one table in memory."""
    table = _list_pieces(X)
    return table.take(np.arange(len(table)) if numbers is None else numbers)


def join_pieces(pieces: Sequence[Any]) -> Any:
    """Tables, one below the other: data frames, whose categories are united, or arrays."""
    if not hasattr(pieces[0], "iloc"):
        return np.concatenate(pieces)
    import pandas as pd
    from pandas.api.types import union_categoricals

    joined = pd.concat(pieces, ignore_index=True)
    for place in range(joined.shape[1]):
        parts = [one.iloc[:, place] for one in pieces]
        if all(isinstance(part.dtype, pd.CategoricalDtype) for part in parts):
            joined.isetitem(place, union_categoricals(parts, ignore_order=True))
    return joined


def _list_pieces(X: Any) -> Pieces:
    """All partitions, with their sizes, which are counted where they are not known."""
    from dask import delayed

    if issparse(getattr(X, "_meta", None)):
        raise TypeError(
            "X is a Dask array of sparse blocks, which cannot be fitted in partitions: use X.compute() where the table "
            "fits in memory, or dense columns."
        )
    if not hasattr(X, "to_dask_array"):
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimension(s), and 2 are needed.")
        array = with_sizes(X).rechunk({1: -1})
        return Pieces(array.to_delayed().ravel(), array.chunks[0], range(len(array.chunks[0])))
    pieces = X.to_delayed()
    try:
        outlines = evaluate(*(delayed(outline)(piece) for piece in pieces))
    except Exception:  # of whatever reads the rows; Dask does not say of which partition it is
        check_readable(as_array("X", X, 2))
        raise
    check_outlines(outlines, [f"partition {number} of X" for number in range(len(pieces))])
    return Pieces(pieces, [one.n_rows for one in outlines], range(len(pieces)))
