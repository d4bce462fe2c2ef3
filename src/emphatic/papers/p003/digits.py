"""The digits of paper 003 and their views.

The paper's 10,000 digits are not public. These stand in for them, and results on them are no replications: the first
1,000 of each class of USPS (16 x 16, like the paper's), which may not be shipped; the six ready-made views of mfeat;
and scikit-learn's digits (8 x 8).
"""

import os
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from emphatic.papers.table import UnsplitProblem, load_problem

FOLDER = "EMPHATIC_EXTRA_DATA"
"""The environment variable for the folder with `usps11000.npz` (X: 256 grey values per row; y: the digit)."""

USPS_FILE = "usps11000.npz"
IMAGE_VIEWS = {
    "usps": {"image_vector": 256, "orienthisto": 144, "pca_40": 40, "rows_sum": 160, "cols_sum": 160},
    "digits": {"image_vector": 64, "orienthisto": 144, "pca_40": 40, "rows_sum": 80, "cols_sum": 80},
}
"""The number of columns that `DigitViews` gives each view."""


def find_usps() -> Path | None:
    """The file with the USPS digits, or None where it is not at hand."""
    path = Path(os.environ[FOLDER]) / USPS_FILE if os.environ.get(FOLDER) else None
    return path if path is not None and path.is_file() else None


def list_problems() -> tuple[str, ...]:
    """The problems at hand."""
    return ("usps", "mfeat", "digits") if find_usps() else ("mfeat", "digits")


@cache
def load_digits(name: str) -> UnsplitProblem:
    """Digits without a split: images as rows of pixels from 0 to 1, or the six views of mfeat side by side."""
    if name == "usps":
        return _load_usps()
    if name == "digits":
        from sklearn import datasets

        images, y = datasets.load_digits(return_X_y=True)
        return UnsplitProblem(name, images / 16.0, y)
    mfeat = load_problem(name)
    return UnsplitProblem(name, mfeat.X, mfeat.y)


@cache
def columns_of(name: str) -> dict[str, slice]:
    """The columns of each view in the output of the problem's transformer."""
    if name not in IMAGE_VIEWS:
        return dict(load_problem(name).views or {})
    sizes = IMAGE_VIEWS[name]
    ends = np.cumsum(list(sizes.values())).tolist()
    return {view: slice(end - size, end) for (view, size), end in zip(sizes.items(), ends, strict=True)}


def view_sets(name: str) -> list[list[str]]:
    """All sets of views, single views first."""
    views = list(columns_of(name))
    return [list(chosen) for size in range(1, len(views) + 1) for chosen in combinations(views, size)]


def make_transformer(name: str) -> Any:
    """Unfitted: images become their five views; the columns of mfeat, whose scales differ, are standardised."""
    from sklearn.preprocessing import StandardScaler

    from emphatic.multiview.views import DigitViews

    return DigitViews() if name in IMAGE_VIEWS else StandardScaler()


def _load_usps() -> UnsplitProblem:
    path = find_usps()
    if path is None:
        raise FileNotFoundError(f"{USPS_FILE} not found; set the environment variable {FOLDER} to its folder")
    with np.load(path, allow_pickle=False) as file:
        X, y = file["X"], file["y"].astype(np.intp)
    rows = np.concatenate([np.flatnonzero(y == digit)[:1000] for digit in range(10)])
    return UnsplitProblem("usps", X[rows] / 255.0, y[rows])
