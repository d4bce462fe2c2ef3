"""Where the rows come from: a shipped file, a generator, or scikit-learn. Each gives the same plain parts."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
from typing import Any, NamedTuple

import numpy as np
from sklearn import datasets as scikit_learn

from emphatic.datasets import generators
from emphatic.datasets.catalogue import data_file

PARTS = ("train", "test")


class Rows(NamedTuple):
    """Inputs, classes, names of the inputs, and the part ("train" or "test") of each row, if there are parts."""

    X: Any
    y: np.ndarray
    names: list[str]
    parts: np.ndarray | None = None


def rows_of(name: str, entry: dict[str, Any], paper: str | None, random_state: Any) -> Rows:
    """Read or draw a set of the catalogue."""
    if "generator" in entry:
        return _generated(name, entry, paper, random_state)
    if "scikit_learn" in entry:
        bunch = getattr(scikit_learn, entry["scikit_learn"])()
        return Rows(bunch.data.astype(np.float64), bunch.target, list(bunch.feature_names))
    return _views(entry) if "views" in entry else _table(entry)


def _table(entry: dict[str, Any]) -> Rows:
    """A gzipped CSV file. Only the empty cell is missing; nominal cells and classes stay text."""
    packed = data_file(entry["file"]).read_bytes()
    with gzip.open(io.BytesIO(packed), mode="rt", encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    cells = dict(zip(header, zip(*lines)))
    nominal = set(entry["nominal"])
    columns = {column: cells[column] if column in nominal else _floats(cells[column]) for column in entry["columns"]}
    X = _frame(columns, nominal) if nominal else np.column_stack(list(columns.values()))
    parts = np.array(cells["split"]) if "split" in cells else None
    return Rows(X, np.array(cells["target"]), entry["columns"], parts)


def _floats(cells: tuple[str, ...]) -> np.ndarray:
    return np.array([float(cell) if cell else np.nan for cell in cells])


def _frame(columns: dict[str, Any], nominal: set[str]) -> Any:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "this data set has nominal columns and is loaded as a pandas DataFrame, but pandas is not installed: "
            "pip install emphatic[study]"
        ) from error

    def category(cells: tuple[str, ...]) -> Any:
        return pd.Categorical([cell or None for cell in cells], categories=sorted(set(cells) - {""}))

    return pd.DataFrame({name: category(cells) if name in nominal else cells for name, cells in columns.items()})


def _views(entry: dict[str, Any]) -> Rows:
    """An npz file with an array for each view, put side by side."""
    with np.load(io.BytesIO(data_file(entry["file"]).read_bytes()), allow_pickle=False) as arrays:
        X = np.hstack([arrays[view].astype(np.float64) for view in entry["views"]])
        y = arrays["y"].astype(np.int64)
    return Rows(X, y, [f"{view}_{column:03d}" for view, width in entry["views"].items() for column in range(width)])


def slices_of(views: dict[str, int]) -> dict[str, slice]:
    """Columns of each view, given their widths in order."""
    stops = list(itertools.accumulate(views.values()))
    return {view: slice(stop - width, stop) for (view, width), stop in zip(views.items(), stops)}


def _generated(name: str, entry: dict[str, Any], paper: str | None, random_state: Any) -> Rows:
    """Draw training rows, then test rows, with the class counts of the catalogue or of the paper."""
    rng = np.random.default_rng(random_state)
    if name == "waveform" and paper is None:
        X, y = generators.waveform(entry["rows"], rng)
        return Rows(X, y, entry["columns"])
    if name == "waveform":
        rule = entry["papers"][paper]
        draws = [generators.waveform(labels=_waveform_labels(rule[part], rng), random_state=rng) for part in PARTS]
    elif name == "ripley_mixture":
        draws = [generators.ripley_mixture(entry["split"][part]["0"], rng) for part in PARTS]
    else:
        draws = [generators.five_gaussians_not_kwok(entry["split"][part]["1"] // 3, rng) for part in PARTS]
    X, y = (np.concatenate(arrays) for arrays in zip(*draws))
    return Rows(X, y, entry["columns"], np.repeat(PARTS, [len(labels) for _, labels in draws]))


def _waveform_labels(counts: dict[str, int], rng: np.random.Generator) -> np.ndarray:
    """Class 1 and, as often one as the other by chance, 0 and 2: exactly as many as the paper prints."""
    others = 2 * rng.integers(2, size=counts["-1"])
    return rng.permutation(np.concatenate([np.ones(counts["1"], dtype=int), others]))
