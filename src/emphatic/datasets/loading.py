"""`load`: from a name to a problem, whose rows come from a file, a generator, or scikit-learn."""

import io
import itertools
from typing import Any, NamedTuple

import numpy as np
from sklearn import datasets as scikit_learn

from emphatic import check
from emphatic.datasets import generators
from emphatic.datasets.catalogue import check_published_counts, find_entry, find_paper_rule, published_sizes
from emphatic.datasets.problem import Problem
from emphatic.datasets.stored import read_bytes, read_cells
from emphatic.inputs import take_rows
from emphatic.tables import TableTransformer

PARTS = ("train", "test")


def load(name: str, paper: str | None = None, *, numeric: bool = False, random_state: Any = 0) -> Problem:
    """Load a data set, as it is or as a paper uses it.

    Parameters
    ----------
    name : str
        One of `names()`.
    paper : {"000", "001", "002"}, optional
        Make the labels +1 and -1 and take the split or the sizes as this paper does; the class counts are compared with
        the published ones. Where a paper does not say which class is C1 (ripley, crabs), +1 is the last class in sorted
        order. The row of ionosphere in 000 is misprinted; there the split is that of 001.
    numeric : bool, default=False
        Return X as a standardised float64 array without missing values, made by a `TableTransformer` fitted on the
        training rows if there is a predefined split, otherwise on all rows. (If you draw the partitions yourself, leave
        this False and fit a `TableTransformer` on each training part.) Nominal columns become one column each under 000
        and 001, which count them as one input, and indicators otherwise.
    random_state : int, numpy.random.Generator or None, default=0
        For generated sets (ripley_mixture, waveform, five_gaussians_not_kwok); the others do not depend on it.

    Returns
    -------
    Problem
        With its own arrays: modifying them does not affect later calls.

    Examples
    --------
    >>> from emphatic.datasets import load
    >>> problem = load("ionosphere", paper="001")
    >>> problem.X[problem.train].shape, problem.X[problem.test].shape, problem.positive
    ((201, 34), (150, 34), ('g',))
    >>> load("abalone", paper="000", numeric=True).X.shape
    (4177, 8)
    """
    entry = find_entry(name)
    rule = None if paper is None else find_paper_rule(name, paper)
    X, y, feature_names, parts = _read_rows(name, entry, paper, random_state)
    note, positive, sizes = entry["note"], None, None
    if rule is not None:
        is_positive = np.isin(y.astype(str), rule["positive"])
        positive = tuple(np.unique(y[is_positive]).tolist())
        y = np.where(is_positive, 1, -1)
        check_published_counts(name, y, parts, rule)
        note = f"{note} Paper {paper}: {rule['note']}.".strip()
        sizes = published_sizes(rule) if rule["split"] == "random" else None
        parts = parts if rule["split"] == "predefined" else None
    train, test = (None, None) if parts is None else (np.flatnonzero(parts == part) for part in PARTS)
    nominal = entry.get("nominal", [])
    if check.one_of("numeric", numeric, (True, False)):
        transformer = TableTransformer(nominal="ordinal" if paper in ("000", "001") else "one_hot")
        transformer.fit(X if train is None else take_rows(X, train))
        X, nominal = transformer.transform(X), []
        feature_names = transformer.get_feature_names_out(feature_names).tolist()
    return Problem(
        name=name,
        X=X,
        y=y,
        feature_names=tuple(map(str, feature_names)),
        feature_types=tuple("nominal" if feature in nominal else "numeric" for feature in feature_names),
        licence=entry["licence"],
        citation=entry["citation"],
        note=note,
        train=train,
        test=test,
        paper=paper,
        positive=positive,
        sizes=sizes,
        stand_in=entry.get("stand_in", False),
        views=_slices(entry["views"]) if "views" in entry else None,
    )


def _slices(views: dict[str, int]) -> dict[str, slice]:
    """The columns of each view, from the numbers of columns."""
    stops = itertools.accumulate(views.values())
    return {view: slice(stop - width, stop) for (view, width), stop in zip(views.items(), stops)}


class _Rows(NamedTuple):
    """Inputs, classes, names of the inputs, and the part ("train" or "test") of each row, if it has one."""

    X: Any
    y: np.ndarray
    names: list[str]
    parts: np.ndarray | None = None


def _read_rows(name: str, entry: dict[str, Any], paper: str | None, random_state: Any) -> _Rows:
    """Read or draw a set of the catalogue."""
    if "generator" in entry:
        return _draw_rows(name, entry, paper, random_state)
    if "scikit_learn" in entry:
        bunch = getattr(scikit_learn, entry["scikit_learn"])()
        return _Rows(bunch.data.astype(np.float64), bunch.target, list(bunch.feature_names))
    return _read_views(name, entry) if "views" in entry else _read_table(name, entry)


def _read_table(name: str, entry: dict[str, Any]) -> _Rows:
    """A stored table. Only empty cells are missing values; nominal cells and classes stay text."""
    cells = read_cells(name, entry)
    nominal = set(entry["nominal"])
    columns = {
        column: cells[column] if column in nominal else np.array([float(c) if c else np.nan for c in cells[column]])
        for column in entry["columns"]
    }
    X = _make_frame(columns, nominal) if nominal else np.column_stack(list(columns.values()))
    parts = np.array(cells["split"]) if "split" in cells else None
    return _Rows(X, np.array(cells["target"]), entry["columns"], parts)


def _make_frame(columns: dict[str, Any], nominal: set[str]) -> Any:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "this data set has nominal columns and is loaded as a pandas DataFrame, but pandas is not installed: "
            'pip install "emphatic[cli]"'
        ) from error

    def category(cells: tuple[str, ...]) -> Any:
        return pd.Categorical([cell or None for cell in cells], categories=sorted(set(cells) - {""}))

    return pd.DataFrame({name: category(cells) if name in nominal else cells for name, cells in columns.items()})


def _read_views(name: str, entry: dict[str, Any]) -> _Rows:
    """An npz file with one array per view, side by side."""
    with np.load(io.BytesIO(read_bytes(name, entry)), allow_pickle=False) as arrays:
        X = np.hstack([arrays[view].astype(np.float64) for view in entry["views"]])
        y = arrays["y"].astype(np.int64)
    return _Rows(X, y, [f"{view}_{column:03d}" for view, width in entry["views"].items() for column in range(width)])


def _draw_rows(name: str, entry: dict[str, Any], paper: str | None, random_state: Any) -> _Rows:
    """Draw training rows, then test rows, with the class counts of the catalogue or of the paper."""
    rng = np.random.default_rng(random_state)
    if name == "waveform" and paper is None:
        X, y = generators.waveform(entry["rows"], rng)
        return _Rows(X, y, entry["columns"])
    if name == "waveform":
        rule = entry["papers"][paper]
        draws = [generators.waveform(labels=_draw_waveform_labels(rule[part], rng), random_state=rng) for part in PARTS]
    elif name == "ripley_mixture":
        draws = [generators.ripley_mixture(entry["split"][part]["0"], rng) for part in PARTS]
    else:
        draws = [generators.five_gaussians_not_kwok(entry["split"][part]["1"] // 3, rng) for part in PARTS]
    X, y = (np.concatenate(arrays) for arrays in zip(*draws))
    return _Rows(X, y, entry["columns"], np.repeat(PARTS, [len(labels) for _, labels in draws]))


def _draw_waveform_labels(counts: dict[str, int], rng: np.random.Generator) -> np.ndarray:
    """As many labels 1, and together 0 and 2, as the paper gives; 0 and 2 are drawn with equal chances."""
    others = 2 * rng.integers(2, size=counts["-1"])
    return rng.permutation(np.concatenate([np.ones(counts["1"], dtype=int), others]))
