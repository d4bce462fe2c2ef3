"""Tables of several views, and ways in which a view breaks: for `benchmarks.broken_views`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from emphatic.datasets import load

SHIFT = 2.0
"""Standard deviations by which every column of a shifted view is off, up or down: a sensor that lost its zero."""


class ViewTable(NamedTuple):
    """Columns of several views side by side, and labels."""

    X: np.ndarray
    y: np.ndarray
    views: dict[str, slice]


def join_views(parts: dict[str, np.ndarray], y: np.ndarray) -> ViewTable:
    """The views side by side."""
    flat = {name: np.asarray(part, dtype=np.float64).reshape(len(y), -1) for name, part in parts.items()}
    stops = np.cumsum([part.shape[1] for part in flat.values()])
    views = {
        name: slice(stop - part.shape[1], stop) for (name, part), stop in zip(flat.items(), stops.tolist(), strict=True)
    }
    return ViewTable(np.hstack(list(flat.values())), np.asarray(y), views)


def make_mfeat() -> ViewTable:
    """2,000 digits, its own six sets of features."""
    problem = load("mfeat")
    assert problem.views is not None
    return ViewTable(np.asarray(problem.X, dtype=np.float64), problem.y, problem.views)


def make_digits() -> ViewTable:
    """8 x 8 images: pixels, left half, lower half, differences along rows and along columns."""
    problem = load("digits")
    images = np.asarray(problem.X, dtype=np.float64).reshape(-1, 8, 8)
    parts = {"pixels": images, "left": images[:, :, :4], "lower": images[:, 4:]}
    return join_views(parts | {"rows": np.diff(images, axis=1), "columns": np.diff(images, axis=2)}, problem.y)


def make_image() -> ViewTable:
    """Segments of outdoor photographs: where and which lines, edges, raw colours, excess colours, and hue."""
    problem = load("image")
    X = np.asarray(problem.X, dtype=np.float64)
    ends = {"place": 4, "edges": 8, "raw": 12, "excess": 15, "hue": 18}
    return join_views(dict(zip(ends, np.split(X, list(ends.values())[:-1], axis=1), strict=True)), problem.y)


def make_splice() -> ViewTable:
    """Sixty bases around a possible splice site: four windows of fifteen, one column per base and letter."""
    problem = load("splice")
    letters = np.asarray(problem.X).astype(str)
    marks = (letters[:, :, None] == np.unique(letters)).astype(np.float64)
    return join_views({f"window{number}": marks[:, 15 * number : 15 * number + 15] for number in range(4)}, problem.y)


def make_waveform() -> ViewTable:
    """Three thirds of the 21 columns of noisy waves."""
    problem = load("waveform")
    X = np.asarray(problem.X, dtype=np.float64)
    return join_views({f"third{number}": X[:, 7 * number : 7 * number + 7] for number in range(3)}, problem.y)


def make_usps() -> ViewTable:
    """16 x 16 images: their four quarters, and the sums along rows and along columns."""
    return _cut_into_quarters("usps")


def make_semeion() -> ViewTable:
    """16 x 16 black and white images, cut as USPS is."""
    return _cut_into_quarters("semeion")


def make_mnist() -> ViewTable:
    """28 x 28 images, 5,000 of them, cut as USPS is."""
    return _cut_into_quarters("mnist5k")


def make_mushroom() -> ViewTable:
    """8,124 mushrooms, poisonous or not, by their parts; one column per property and value."""
    table = pd.read_csv(find_extra("mushroom.csv.gz"), dtype=str)
    parts = {
        "cap": ["cap-shape", "cap-surface", "cap-color"],
        "bruises and odor": ["bruises?", "odor"],
        "gill": [name for name in table.columns if name.startswith("gill-")],
        "stalk": [name for name in table.columns if name.startswith("stalk-")],
        "veil and ring": [name for name in table.columns if name.startswith(("veil-", "ring-"))],
        "spores and place": ["spore-print-color", "population", "habitat"],
    }
    marks = {part: pd.get_dummies(table[names]).to_numpy(dtype=np.float64) for part, names in parts.items()}
    return join_views(marks, table["target"].to_numpy(dtype=str))


def find_extra(name: str) -> Path:
    """A file that is not shipped."""
    folder = os.environ.get("EMPHATIC_EXTRA_DATA")
    if not folder or not (Path(folder) / name).exists():
        raise FileNotFoundError(f"{name} is not shipped: EMPHATIC_EXTRA_DATA must name the folder that holds it.")
    return Path(folder) / name


def _cut_into_quarters(name: str) -> ViewTable:
    with np.load(find_extra(f"{name}.npz")) as arrays:
        X, y = arrays["X"].astype(np.float64), arrays["y"].astype(np.int64)
    side = int(np.sqrt(X.shape[1]))
    images, half = X.reshape(-1, side, side), side // 2
    quarters = {
        f"{height}_{place}": images[:, rows, columns]
        for height, rows in (("upper", slice(half)), ("lower", slice(half, side)))
        for place, columns in (("left", slice(half)), ("right", slice(half, side)))
    }
    return join_views(quarters | {"rows": images.sum(axis=2), "columns": images.sum(axis=1)}, y)


TUNING: dict[str, Callable[[], ViewTable]] = {
    "digits": make_digits,
    "waveform": make_waveform,
    "image": make_image,
    "semeion": make_semeion,
}
"""How reliabilities are learnt was chosen on these."""

REPORTING: dict[str, Callable[[], ViewTable]] = {
    "mfeat": make_mfeat,
    "usps": make_usps,
    "mnist": make_mnist,
    "splice": make_splice,
    "mushroom": make_mushroom,
}


def break_view(X: np.ndarray, view: slice, how: str, rng: np.random.Generator) -> np.ndarray:
    """The columns of a view, broken in every row: by "noise", those of "other" rows, "shifted" or "missing" (NaN)."""
    clean = X[:, view]
    if how == "noise":
        return rng.normal(clean.mean(axis=0), clean.std(axis=0), clean.shape)
    if how == "other":
        return clean[(np.arange(len(X)) + rng.integers(1, len(X), len(X))) % len(X)]
    if how == "shifted":
        return clean + SHIFT * clean.std(axis=0) * rng.choice([-1.0, 1.0], clean.shape[1])
    return np.full_like(clean, np.nan)


def choose_broken(n_rows: int, n_views: int, n_broken: int, rng: np.random.Generator) -> np.ndarray:
    """(n, views) of bool: `n_broken` views of every row."""
    return rng.random((n_rows, n_views)).argsort(axis=1) < n_broken


def break_rows(table: ViewTable, X: np.ndarray, broken: np.ndarray, how: str, rng: np.random.Generator) -> np.ndarray:
    """`X` with the views of each row that `broken` says, broken."""
    found = X.copy()
    for view, rows in zip(table.views.values(), broken.T, strict=True):
        found[rows, view] = break_view(X, view, how, rng)[rows]
    return found
