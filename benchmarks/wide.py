"""`python -m benchmarks.wide [seeds]`: EmphaticClassifier and others on generated tables with many columns."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import log_loss
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from benchmarks.wide_tables import DENSE, SPARSE, Table, draw_table
from emphatic.auto import EmphaticClassifier

Methods = dict[str, Callable[[], Any]]

OURS: Methods = {"EmphaticClassifier": lambda: EmphaticClassifier(random_state=0)}
FOR_SPARSE: Methods = {
    **OURS,
    "LogisticRegression": lambda: LogisticRegression(max_iter=1000),
    "tf-idf, LogisticRegression(C=10)": lambda: make_pipeline(
        TfidfTransformer(sublinear_tf=True), LogisticRegression(C=10.0, max_iter=1000)
    ),
    "tf-idf, LinearSVC, calibrated": lambda: make_pipeline(
        TfidfTransformer(sublinear_tf=True), CalibratedClassifierCV(LinearSVC())
    ),
    "MultinomialNB": MultinomialNB,
    "LightGBM": lambda: LGBMClassifier(n_jobs=1, verbose=-1),
}
FOR_DENSE: Methods = {
    **OURS,
    **{
        f"LogisticRegression(C={strength:g})": lambda strength=strength: make_pipeline(  # type: ignore[misc]
            StandardScaler(), LogisticRegression(C=strength, max_iter=1000)
        )
        for strength in (1.0, 0.01)
    },
    "RidgeClassifier, calibrated": lambda: make_pipeline(StandardScaler(), CalibratedClassifierCV(RidgeClassifier())),
    "SVC, calibrated": lambda: make_pipeline(StandardScaler(), CalibratedClassifierCV(SVC())),
    "RandomForest": lambda: RandomForestClassifier(random_state=0),
}


def measure(method: Callable[[], Any], table: Table, seed: int) -> tuple[float, float, float]:
    """Test error in per cent, log loss, and seconds of CPU for the fit."""
    X, y, X_test, y_test = draw_table(table, seed)
    started = process_time()
    model = method().fit(X, y)
    seconds = process_time() - started
    probabilities = model.predict_proba(X_test)
    wrong = model.classes_[probabilities.argmax(axis=1)] != y_test
    return 100.0 * float(wrong.mean()), float(log_loss(y_test, probabilities, labels=model.classes_)), seconds


def compare(tables: dict[str, Table], methods: Methods, n_seeds: int) -> None:
    """Print the mean over the seeds, table by table."""
    for name, table in tables.items():
        print(f"\n{name:<36}{'error %':>9}{'log loss':>10}{'fit s':>8}")
        for label, method in methods.items():
            error, loss, seconds = np.mean([measure(method, table, seed) for seed in range(n_seeds)], axis=0)
            print(f"{label:<36}{error:>9.1f}{loss:>10.3f}{seconds:>8.1f}", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    n_seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    compare(DENSE, FOR_DENSE, n_seeds)
    compare(SPARSE, FOR_SPARSE, n_seeds)
