"""A table of the user's own as a problem of a study."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from emphatic.study.problem import OwnProblem

if TYPE_CHECKING:
    import pandas as pd


def problem_of(path: Path, target: str, X: pd.DataFrame, y: Any, seed: int = 0) -> OwnProblem:
    """The problem, named after its file, its target, its content and the seed.

    A store knows fits by the names of their problems: another table in the same file is another problem.
    """
    from pandas.util import hash_pandas_object

    digest = hashlib.sha256(hash_pandas_object(X.assign(**{f"label {target}": y}), index=False).to_numpy().tobytes())
    digest.update("\0".join(map(str, X.columns)).encode())
    return OwnProblem(f"{path.stem}, {target}, {digest.hexdigest()[:12]}, seed {seed}", X, y)


def check_folds(y: Any, n_folds: int) -> None:
    """Every class needs a row in every fold, or some folds could not be measured."""
    classes, counts = np.unique(y, return_counts=True)
    smallest, count = classes[counts.argmin()], int(counts.min())
    if count < 2:
        raise ValueError(
            f"class {smallest} has a single row, which cannot be learnt from and tested on: leave it out or join it "
            "with another class"
        )
    if count < n_folds:
        raise ValueError(f"class {smallest} has {count} rows, fewer than the {n_folds} folds: use --folds {count}")
