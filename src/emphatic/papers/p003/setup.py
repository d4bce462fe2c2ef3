"""Paper 003's problems, as far as they can be had, and the classifiers of its tables.

The paper's 10,000 digits are not public. Substitutes, never to be called replications: the first 1,000 of each class of
USPS (16 x 16, as the paper's), which may not be shipped; the six ready views of mfeat; scikit-learn's digits (8 x 8).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from emphatic.study.tasks import Setting, canonical

FOLDER = "EMPHATIC_EXTRA_DATA"
"""The environment variable that names the folder with `usps11000.npz` (X: 256 grey values a row; y: the digit)."""

USPS_FILE = "usps11000.npz"
IMAGE_VIEWS = {
    "usps": {"image_vector": 256, "orienthisto": 144, "pca_40": 40, "rows_sum": 160, "cols_sum": 160},
    "digits": {"image_vector": 64, "orienthisto": 144, "pca_40": 40, "rows_sum": 80, "cols_sum": 80},
}
"""The columns that `DigitViews` gives each view."""


@dataclass(frozen=True, eq=False)
class Digits:
    """A table of digits; it has no split of its own."""

    name: str
    X: np.ndarray
    y: np.ndarray
    train: None = None
    test: None = None

    def partition(self, random_state: Any) -> tuple[Any, Any]:
        raise ValueError(f"{self.name} has no split: it is cross-validated")


def usps_file() -> Path | None:
    """The file with the USPS digits, or None."""
    path = Path(os.environ[FOLDER]) / USPS_FILE if os.environ.get(FOLDER) else None
    return path if path is not None and path.is_file() else None


def problem_names() -> tuple[str, ...]:
    """Those that are at hand."""
    return ("usps", "mfeat", "digits") if usps_file() else ("mfeat", "digits")


@cache
def load_problem(name: str) -> Digits:
    """Digits as they are: images as rows of pixels from 0 to 1, or the six views of mfeat side by side."""
    if name == "usps":
        return _usps()
    if name == "digits":
        from sklearn.datasets import load_digits

        images, y = load_digits(return_X_y=True)
        return Digits(name, images / 16.0, y)
    from emphatic.datasets import load

    mfeat = load(name)
    return Digits(name, mfeat.X, mfeat.y)


@cache
def columns_of(name: str) -> dict[str, slice]:
    """The columns of each view in the table that the transformer of the problem makes."""
    if name not in IMAGE_VIEWS:
        from emphatic.datasets import load

        return dict(load(name).views or {})
    sizes = IMAGE_VIEWS[name]
    ends = np.cumsum(list(sizes.values())).tolist()
    return {view: slice(end - size, end) for (view, size), end in zip(sizes.items(), ends, strict=True)}


def sets_of(name: str) -> list[list[str]]:
    """All sets of views, the single ones first."""
    views = list(columns_of(name))
    return [list(chosen) for size in range(1, len(views) + 1) for chosen in combinations(views, size)]


def transformer_of(name: str) -> Callable[[], Any]:
    """Images become their five views; columns of mfeat, which are of all scales, are standardised."""
    return digit_views if name in IMAGE_VIEWS else standard_scaler


def digit_views() -> Any:
    """The five views side by side, the principal components fitted on the training part."""
    from emphatic.multiview.views import DigitViews

    return DigitViews()


def standard_scaler() -> Any:
    """Fitted on the training part."""
    from sklearn.preprocessing import StandardScaler

    return StandardScaler()


def build(setting: Setting, random_state: int) -> Any:
    """The classifier of a setting: a tree, a forest under one rule, one SVC or several that are fused."""
    from emphatic.fusion.classifier import FusionClassifier
    from emphatic.multiview.class_tree import ClassTreeClassifier

    columns = columns_of(setting["problem"])
    if setting["model"] == "tree":
        views = {view: columns[view] for view in setting["views"]}
        shared = {"evaluation": setting["evaluation"], "random_state": random_state}
        return ClassTreeClassifier(_network(setting["per_class"]), views, **shared)
    if setting["model"] == "forest":
        return FusedForest(setting, random_state)
    machine = _calibrated_svc() if setting["model"] == "SVCs" else _svc()
    names = columns if setting["model"] == "SVCs" else setting["views"]
    members = [(name, machine, columns[name]) for name in names]
    return FusionClassifier(members, setting["fusion"], cv=3, random_state=random_state)


class FusedForest:
    """A forest under the rule of its setting; forests that differ in nothing else are trained once for a table."""

    _last: ClassVar[tuple[Any, dict[str, Any]]] = (None, {})
    """The table of the last fit, and the forests that were trained on it."""

    def __init__(self, setting: Setting, random_state: int) -> None:
        self.setting, self.random_state = setting, random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Train the forest, or find it."""
        if FusedForest._last[0] is not X:
            FusedForest._last = X, {}
        forests = FusedForest._last[1]
        untold = canonical({**self.setting, "fusion": "", "random_state": self.random_state})
        if untold not in forests:
            forests[untold] = self.forest().fit(X, y)
        self.forest_ = forests[untold]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Labels by the rule of the setting."""
        from emphatic.fusion.rules import find_rule

        winners = find_rule(self.setting["fusion"])(self.forest_.member_supports(X)).argmax(axis=1)
        return np.asarray(self.forest_.classes_[winners])

    def forest(self) -> Any:
        """The forest that is meant, not yet fitted."""
        from emphatic.multiview.forest import MultiViewForestClassifier

        names = ("view_sets", "fusion", "keep", "kappa_folds", "dedupe", "evaluation")
        return MultiViewForestClassifier(
            columns_of(self.setting["problem"]),
            _network(self.setting["per_class"]),
            random_state=self.random_state,
            **{name: self.setting[name] for name in names},
        )


def _network(per_class: int) -> Any:
    from emphatic.learners import RBFNetworkClassifier
    from emphatic.learners.prototypes import ClassKMeans

    return RBFNetworkClassifier(ClassKMeans(per_class), regularisation=1e-8)


def _svc() -> Any:
    from sklearn.svm import SVC

    return SVC(C=10)


def _calibrated_svc() -> Any:
    """One machine on all samples, its scores made probabilities by 3-fold cross-validation: rules need them."""
    from sklearn.calibration import CalibratedClassifierCV

    return CalibratedClassifierCV(_svc(), cv=3, ensemble=False)


@cache
def _usps() -> Digits:
    path = usps_file()
    if path is None:
        raise FileNotFoundError(f"{USPS_FILE} is not in the folder that the environment variable {FOLDER} names.")
    with np.load(path, allow_pickle=False) as file:
        X, y = file["X"], file["y"].astype(np.intp)
    rows = np.concatenate([np.flatnonzero(y == digit)[:1000] for digit in range(10)])
    return Digits("usps", X[rows] / 255.0, y[rows])
