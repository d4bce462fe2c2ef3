"""The digits of paper 003 and their views.

The paper's 10,000 digits are not public. These stand in for them, and results on them are no replications: the first
1,000 of each class of USPS (16 x 16, like the paper's), which may not be shipped; the six ready-made views of mfeat;
and scikit-learn's digits (8 x 8). Three more problems serve the choice of a reading, and no table of the paper.
"""

import os
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from emphatic.papers.table import UnsplitProblem, load_problem

FOLDER = "EMPHATIC_EXTRA_DATA"
"""The environment variable for the folder with these files (X: grey values, an image per row; y: the digit)."""

USPS_FILE = "usps11000.npz"
EXTRA_FILES = {"mnist5k": "mnist5k.npz", "semeion": "semeion.npz"}
PATCH_VIEWS = {"place": slice(0, 8), "colour": slice(8, 18)}
"""Of `image`: position, lines and edges of a patch; intensity and colours."""
IMAGE_VIEWS = {
    "usps": {"image_vector": 256, "orienthisto": 144, "pca_40": 40, "rows_sum": 160, "cols_sum": 160},
    "digits": {"image_vector": 64, "orienthisto": 144, "pca_40": 40, "rows_sum": 80, "cols_sum": 80},
    "mnist5k": {"image_vector": 784, "orienthisto": 144, "pca_40": 40, "rows_sum": 280, "cols_sum": 280},
    "semeion": {"image_vector": 256, "orienthisto": 144, "pca_40": 40, "rows_sum": 160, "cols_sum": 160},
}
"""The number of columns that `DigitViews` gives each view."""


def find_file(name: str) -> Path | None:
    """A file of digits that is not shipped, or None where it is not at hand."""
    path = Path(os.environ[FOLDER]) / name if os.environ.get(FOLDER) else None
    return path if path is not None and path.is_file() else None


def list_problems() -> tuple[str, ...]:
    """The problems at hand."""
    return ("usps", "mfeat", "digits") if find_file(USPS_FILE) else ("mfeat", "digits")


def list_other_problems() -> tuple[str, ...]:
    """The problems at hand that no table of the paper has."""
    return (*(name for name, file in EXTRA_FILES.items() if find_file(file)), "image")


@cache
def load_digits(name: str) -> UnsplitProblem:
    """Digits without a split: images as rows of pixels from 0 to 1, or the six views of mfeat side by side."""
    if name == "usps":
        X, y = _read_images(USPS_FILE)
        rows = np.concatenate([np.flatnonzero(y == digit)[:1000] for digit in range(10)])
        return UnsplitProblem(name, X[rows] / 255.0, y[rows])
    if name in EXTRA_FILES:
        X, y = _read_images(EXTRA_FILES[name])
        return UnsplitProblem(name, X / float(X.max()), y)
    if name == "digits":
        from sklearn import datasets

        images, y = datasets.load_digits(return_X_y=True)
        return UnsplitProblem(name, images / 16.0, y)
    bundled = load_problem(name)
    return UnsplitProblem(name, bundled.X, bundled.y)


@cache
def columns_of(name: str) -> dict[str, slice]:
    """The columns of each view in the output of the problem's transformer."""
    if name == "image":
        return PATCH_VIEWS
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
    """Unfitted: images become their five views; other columns, whose scales differ, are standardised."""
    from sklearn.preprocessing import StandardScaler

    from emphatic.multiview.views import DigitViews

    return DigitViews() if name in IMAGE_VIEWS else StandardScaler()


def _read_images(name: str) -> tuple[np.ndarray, np.ndarray]:
    path = find_file(name)
    if path is None:
        raise FileNotFoundError(f"{name} not found; set the environment variable {FOLDER} to its folder")
    with np.load(path, allow_pickle=False) as file:
        return file["X"], file["y"].astype(np.intp)
