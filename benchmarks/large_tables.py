"""Tables of 3,000 to a million rows in two halves, and how they are parted: `load_table(name, n_train, seed)`.

The halves were fixed before anything was measured, with comparable kinds in both: images, sensors, customers, credits,
incomes, surveys, places and days, rare classes, and tables that are drawn. Choices may be made on `DEVELOPMENT` only.
A problem that `benchmarks.peers` or `benchmarks.columns` has in one of its halves is in the same half here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from benchmarks import large_drawn, large_real
from benchmarks.large_real import Absent
from emphatic.names import unknown

REAL = {**large_real.DEVELOPMENT, **large_real.REPORTING}
DRAWN = {**large_drawn.DEVELOPMENT, **large_drawn.REPORTING}
DEVELOPMENT = (*large_real.DEVELOPMENT, *large_drawn.DEVELOPMENT)
REPORTING = (*large_real.REPORTING, *large_drawn.REPORTING)
HALVES = {"all": (*DEVELOPMENT, *REPORTING), "development": DEVELOPMENT, "reporting": REPORTING}

TEST_SHARE, MOST_TEST_ROWS = 0.25, 20_000
RARE = 40
"""Classes of fewer rows are left out of a real table: no stratified partition has enough of them."""


class Parted(NamedTuple):
    """Frames with numbers and categories, and labels: integers of drawn tables, text of real ones."""

    X_train: pd.DataFrame
    y_train: np.ndarray
    X_test: pd.DataFrame
    y_test: np.ndarray


def load_table(name: str, n_train: int | None = None, seed: int = 0) -> Parted:
    """A stratified random partition of a table, the same for the same seed.

    A quarter of a real table's rows, at most 20,000, are for testing, whatever `n_train`; so many of the others are
    kept, by default all. Drawn tables have 20,000 rows for testing and by default 10,000 for training. Raises `Absent`
    for a table whose source is not at hand.
    """
    if name in DRAWN:
        n_train = 10_000 if n_train is None else n_train
        X, y = DRAWN[name](n_train + MOST_TEST_ROWS, seed)
        test, train = np.split(np.arange(len(y)), [MOST_TEST_ROWS])
    elif name in REAL:
        X, y = _read(name)
        train, test = _part(y, n_train, seed)
    else:
        raise unknown("table", name, (*REAL, *DRAWN))
    return Parted(_rows(X, train), y[train], _rows(X, test), y[test])


def count_rows(name: str) -> int:
    """The largest `n_train` of a real table."""
    n = len(_read(name)[1])
    return n - _count_test_rows(n)


def is_at_hand(name: str) -> bool:
    """Whether the table can be loaded here."""
    try:
        load_table(name, 100 if name in DRAWN else None)
    except Absent:
        return False
    return True


@lru_cache(maxsize=4)
def _read(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows that have a label of a class that is not rare; columns of text and truth become categories."""
    raw = REAL[name]()
    target = raw.target.astype(object)
    frequent = target.map(target.value_counts()) >= RARE  # a missing label has no count
    X = raw.X[frequent].reset_index(drop=True)
    nominal = [column for column in X if not pd.api.types.is_numeric_dtype(X[column]) or X[column].dtype == bool]
    return X.astype(dict.fromkeys(nominal, "category")), target[frequent].astype(str).to_numpy(dtype=object)


def _part(y: np.ndarray, n_train: int | None, seed: int) -> tuple[np.ndarray, np.ndarray]:
    n_test = _count_test_rows(len(y))
    train, test = train_test_split(np.arange(len(y)), test_size=n_test, stratify=y, random_state=seed)
    if n_train is not None and n_train > len(train):
        raise ValueError(f"the table has {len(train)} rows for training, not {n_train}")
    if n_train is not None and n_train < len(train):
        train, _ = train_test_split(train, train_size=n_train, stratify=y[train], random_state=seed)
    return train, test


def _count_test_rows(n: int) -> int:
    return min(round(TEST_SHARE * n), MOST_TEST_ROWS)


def _rows(X: pd.DataFrame, rows: np.ndarray) -> pd.DataFrame:
    return X.iloc[rows].reset_index(drop=True)
