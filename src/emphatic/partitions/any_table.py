"""A training table with columns of any kind in partitions, as users hand it in, with its labels and weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import by_rows, evaluate
from emphatic.inputs import check_classes
from emphatic.partitions.opening import LabelEncoder, align, check_cluster, choose_partitions, survey_labels
from emphatic.partitions.parts import Parts


@dataclass(frozen=True)
class OpenedParts:
    """A training table of any kind in partitions."""

    table: Parts
    """None of them is empty."""
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
        return self.table.take(), self.classes[codes], weights


def open_parts(X: Any, y: Any, sample_weight: Any = None) -> OpenedParts:
    """Check a collection and its labels; nothing but labels and the kinds of columns is looked at.

    `y` and `sample_weight` may be Dask collections, partitioned in any way, or arrays in memory. Partitions must have
    the same columns, of the same kind; which categories they have may differ.
    """
    import dask.array

    check_cluster(y, sample_weight)
    table = Parts(X)
    table.check_columns()
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
    table = table.choose(full)
    codes = by_rows(LabelEncoder(classes), beside["y"], dtype=np.int16).persist()
    weights = beside.get("sample_weight", dask.array.ones(len(table), chunks=(table.sizes,)))
    return OpenedParts(table, codes, classes, np.array(counts), weights.astype(np.float64).persist())
