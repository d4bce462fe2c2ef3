"""Dask's collections as users hand them in, checked partition by partition, where they lie."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import column_or_1d

from emphatic.check import FloatArray, IntArray
from emphatic.cluster import find_client, is_kept
from emphatic.deferred import by_rows, evaluate, is_deferred
from emphatic.engines import check_workers
from emphatic.inputs import LARGEST_INPUT, check_classes
from emphatic.partitions.sources import check_readable
from emphatic.partitions.table import Partitions, add_lists

MOST_LABELS = 1000
"""More different labels in one partition are a measurement: they are not sent around."""


@dataclass(frozen=True)
class Opened:
    """A training table in partitions, its labels as codes, and its sample weights."""

    table: Partitions
    y: Any
    """Codes 0 .. K-1: a Dask array that is kept on the workers."""
    classes: np.ndarray
    frequencies: tuple[int, ...]
    """How many rows each class has."""
    weights: Any
    """Sum 1: a Dask array."""


def open_partitions(X: Any, y: Any, sample_weight: Any = None) -> Opened:
    """Check a table and its labels, in one pass over them.

    `X` is a Dask array or data frame of numbers. `y` and `sample_weight` may be Dask collections, partitioned in any
    way, or arrays in memory. An error names the partition that it is about. Empty partitions are left out, and so are
    rows of weight 0.
    """
    table, beside, surveys = _look_into(X, {"y": y, "sample_weight": sample_weight})
    distinct, counts = _count_labels(surveys)
    if any(survey.absent for survey in surveys):
        keep = beside["sample_weight"] > 0
        kept = [with_sizes(values[keep]) for values in (table, *beside.values())]
        if not len(kept[0]):
            raise ValueError("sample_weight is 0 for all rows: at least 2 classes need weight.")
        return open_partitions(kept[0], *kept[1:])
    check_classes(distinct, int(sum(counts)))
    codes = by_rows(LabelEncoder(distinct), beside["y"], dtype=np.int16).persist()
    return Opened(_in_floats(table), codes, distinct, tuple(counts), _weigh(beside, codes))


def open_rows(X: Any, sample_weight: Any = None) -> tuple[Partitions, Any]:
    """Check a table without labels, in one pass over it: its rows, and their weights, or None, as they were given.

    As `open_partitions` does, but rows of weight 0 stay.
    """
    table, beside, _ = _look_into(X, {"sample_weight": sample_weight})
    weights = beside.get("sample_weight")
    return _in_floats(table), None if weights is None else weights.astype(np.float64).persist()


def check_cluster(*collections: Any) -> None:
    """Raise EngineError if a collection is kept on a cluster that is gone, or workers have another version of this."""
    for one in filter(is_deferred, collections):
        is_kept(one)
    client = find_client()
    if client is not None:
        check_workers(client)


def keep_features(estimator: Any, X: Any) -> None:
    """Set `n_features_in_`, and `feature_names_in_` if the columns of `X` have names, as scikit-learn does."""
    check_dimensions("X", X, 2)
    estimator.n_features_in_ = X.shape[1]
    vars(estimator).pop("feature_names_in_", None)
    if hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns):
        estimator.feature_names_in_ = np.array(X.columns, dtype=object)


def check_dimensions(name: str, values: Any, n_dimensions: int) -> None:
    """Raise ValueError unless it is a table (2), or holds one value per row (1)."""
    if len(values.shape) != n_dimensions:
        raise ValueError(f"{name} has {len(values.shape)} dimension(s), and {n_dimensions} are needed.")


def _in_floats(table: Any) -> Partitions:
    return Partitions(table.map_blocks(_as_floats, dtype=np.float64, meta=np.empty((0, 0))))


def _look_into(X: Any, beside: dict[str, Any]) -> tuple[Any, dict[str, Any], list[Survey]]:
    """The table and what lies beside its rows, in the same partitions, none of them empty; and what each tells."""
    check_cluster(X, *beside.values())
    table = with_sizes(as_array("X", X, 2)).rechunk({1: -1})
    sizes = table.chunks[0]
    given = {name: align(name, values, sizes) for name, values in beside.items() if values is not None}
    full = [number for number, size in enumerate(sizes) if size]
    if not full:
        raise ValueError("X has 0 rows, and a fit needs some.")
    table = choose_partitions(table, full)
    given = {name: choose_partitions(values, full) for name, values in given.items()}
    raw = Partitions(table)
    shared = [raw.starts, full, tuple(given)]
    found = raw.total(_survey_partition, *given.values(), shared=shared, merge=add_lists, numbered=True)
    return table, given, _check_surveys(*evaluate(found))


def survey_labels(beside: dict[str, Any], numbers: Sequence[int]) -> tuple[np.ndarray, list[int]]:
    """Sorted labels ("y"), and how many rows of some weight ("sample_weight", if given) each has.

    They are Dask arrays with the same partitions, which have these numbers for users; raises for what is not allowed.
    """
    labels = Partitions(beside["y"])
    shared = [labels.starts, list(numbers), tuple(beside)]
    found = labels.total(_survey_beside, *beside.values(), shared=shared, merge=add_lists, numbered=True, reads=False)
    return _count_labels(_check_surveys(*evaluate(found)))


def _check_surveys(surveys: list[Survey]) -> list[Survey]:
    for survey in surveys:
        if survey.problem:  # of the first partition that has one, whichever was looked at first
            raise ValueError(survey.problem)
    return surveys


def _count_labels(surveys: Sequence[Survey]) -> tuple[np.ndarray, list[int]]:
    """Sorted labels, and how many rows of some weight each has."""
    labels = [survey.labels for survey in surveys]
    kinds = {values.dtype.kind for values in labels}
    if len(kinds) > 1 and not kinds <= set("biuf"):
        raise ValueError("y holds labels of mixed type in different partitions: all labels must be of one type.")
    try:
        distinct, place = np.unique(np.concatenate(labels), return_inverse=True)
    except TypeError as error:
        raise ValueError("y holds labels of mixed type: all labels must be of one type.") from error
    counts = np.bincount(place.ravel(), weights=np.concatenate([survey.counts for survey in surveys]))
    return distinct, counts.astype(np.int64).tolist()


class Survey(NamedTuple):
    """What one partition tells before a fit: a problem, or its labels."""

    problem: str = ""
    labels: Any = ()
    counts: Any = ()
    absent: bool = False
    """Whether there are rows of weight 0."""


def _survey_partition(X: Any, *rest: Any) -> list[Survey]:
    *_, start, starts, numbers, _ = rest
    problem = _find_problem(X, int(start[0]), _name_partition(start, starts, numbers))
    return [Survey(problem)] if problem else _survey_beside(*rest)


def _survey_beside(*rest: Any) -> list[Survey]:
    *values, start, starts, numbers, names = rest
    beside = dict(zip(names, values, strict=True))
    problem = _find_problem_beside(beside, _name_partition(start, starts, numbers))
    if problem:
        return [Survey(problem)]
    labels = beside.get("y", np.empty(0))
    present = beside["sample_weight"] > 0 if "sample_weight" in beside else np.ones(len(labels), dtype=bool)
    distinct, counts = np.unique(labels[present] if "y" in beside else labels, return_counts=True)
    return [Survey("", distinct, counts, not present.all())]


def _name_partition(start: IntArray, starts: IntArray, numbers: Sequence[int]) -> str:
    return f"partition {numbers[int(np.searchsorted(starts, start[0]))]} (rows from {start[0]:,} on)"


def _find_problem(X: Any, start: int, where: str) -> str:
    """What is not allowed in the rows of one partition, the first of which has the number `start`; "" if nothing."""
    try:
        values = _as_floats(X)
    except (TypeError, ValueError) as error:
        return (
            f"X holds something other than numbers in {where}: put emphatic.tables.TableTransformer before this "
            f"estimator. ({error})"
        )
    finite = np.isfinite(values)
    if not finite.all():
        row, column = (int(one[0]) for one in np.nonzero(~finite))
        return f"X holds NaN or infinity in {where}, first in row {start + row:,}, column {column}."
    if max(values.max(), -values.min()) > LARGEST_INPUT:
        return f"X holds values beyond +-{LARGEST_INPUT:g} in {where}: scale the columns first."
    return ""


def _find_problem_beside(beside: dict[str, np.ndarray], where: str) -> str:
    """What is not allowed in the labels and weights of one partition; "" if nothing."""
    y, weights = beside.get("y", np.empty(0)), beside.get("sample_weight", np.empty(0))
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        return f"y contains NaN or infinity in {where}: every label must be given."
    if y.dtype.kind not in "biufUS":
        kinds = sorted({type(value).__name__ for value in y.tolist()})
        if "NoneType" in kinds:
            return f"y contains None in {where}: every label must be given."
        if len(kinds) > 1:
            return f"y holds labels of mixed type ({', '.join(kinds)}) in {where}: all must be of one type."
    n_labels = len(np.unique(y))
    if n_labels > MOST_LABELS:
        return (
            f"Unknown label type: continuous. y holds {n_labels:,} different labels in {where}, which looks like "
            "a measurement rather than classes: cut it into classes first."
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        return f"sample_weight must hold finite numbers of at least 0, and does not in {where}."
    return ""


def _as_floats(X: Any) -> FloatArray:
    return np.ascontiguousarray(X, dtype=np.float64)


class LabelEncoder:
    """Codes of labels; a class of its own so that the labels travel with it.

    A label that only rows of weight 0 have is none of the classes: those rows count as absent, and get any code.
    """

    def __init__(self, classes: np.ndarray) -> None:
        self.classes = classes

    def __call__(self, y: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.classes[:-1], y).astype(np.int16)


def _weigh(beside: dict[str, Any], codes: Any) -> Any:
    """The sample weights as a distribution."""
    if "sample_weight" not in beside:
        return np.full_like(codes, 1.0 / len(codes), dtype=np.float64)
    weights = beside["sample_weight"].astype(np.float64).persist()
    total = float(weights.sum())
    if not np.isfinite(total):
        raise ValueError("sample_weight must have a finite sum.")
    return (weights / total).persist()


def as_array(name: str, values: Any, n_dimensions: int) -> Any:
    """A Dask array of what a user handed in."""
    array = values
    if hasattr(values, "to_dask_array"):
        with warnings.catch_warnings():  # strings of pandas become strings of Python: as they should
            warnings.filterwarnings("ignore", "Dask currently has limited support", UserWarning)
            array = values.to_dask_array()
    if array.ndim == 2 and n_dimensions == 1 and array.shape[1] == 1:
        array = array[:, 0]
    check_dimensions(name, array, n_dimensions)
    return array


def align(name: str, values: Any, sizes: tuple[int, ...]) -> Any:
    """One value per row, in the same partitions as the rows."""
    import dask.array

    if is_deferred(values):
        array = with_sizes(as_array(name, values, 1))
    else:
        array = dask.array.from_array(column_or_1d(values), chunks=-1)
    if len(array) != sum(sizes):
        what = "labels" if name == "y" else "entries"
        raise ValueError(f"X has {sum(sizes)} rows but {name} has {len(array)} {what}: their numbers must agree.")
    return array if array.chunks[0] == sizes else array.rechunk((sizes,))


def with_sizes(array: Any) -> Any:
    """The array with the sizes of its partitions, which are counted where they are not known."""
    if not np.isnan(sum(array.chunks[0])):
        return array
    try:
        return array.copy().compute_chunk_sizes()
    except Exception:  # of whatever reads the rows; Dask does not say of which partition it is
        check_readable(array)
        raise


def choose_partitions(array: Any, numbers: Sequence[int]) -> Any:
    """The array without partitions other than those of these numbers."""
    import dask.array

    if len(numbers) == len(array.chunks[0]):
        return array
    return dask.array.concatenate([array.blocks[number] for number in numbers])
