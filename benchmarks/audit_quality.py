"""`python -m benchmarks.audit_quality`: are flipped labels found, beside cleanlab with its strongest probabilities?

Labels of bundled problems are made wrong (`benchmarks.label_noise`; `--kind`) and average precision of finding them is
measured for `audit_labels` and for cleanlab's label quality fed with the mean of the 5-fold out-of-fold
probabilities of four models. `--own` adds cleanlab fed with those of `EmphaticClassifier`, which takes long. All
parameters of the audit were chosen on other problems than `PROBLEMS`. Classes of fewer than 8 samples are left out (the
peer's calibration cannot take them), and problems are cut at 2000 rows; none of `PROBLEMS` is concerned.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cleanlab.rank import get_label_quality_scores
from scipy.stats import wilcoxon
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC

from benchmarks.label_noise import KINDS_OF_NOISE, PROBLEMS, flip_labels, read_problem
from emphatic import EmphaticClassifier
from emphatic.audit import audit_labels
from emphatic.datasets import names
from emphatic.inputs import take_rows
from emphatic.progress import progress_bar
from emphatic.tables import TableTransformer

RATES = (0.1, 0.2)
N_FOLDS = 5
METHODS = {
    "self_confidence": {},
    "self_confidence, adjusted": {"adjust_pred_probs": True},
    "normalized_margin": {},
    "normalized_margin, adjusted": {"adjust_pred_probs": True},
    "confidence_weighted_entropy": {},
}
"""cleanlab's scores; adjusted: probabilities relative to the mean confidence in each class."""

OWN = "self_confidence of our probabilities"
"""cleanlab's first score, fed by `EmphaticClassifier`."""


class Row(NamedTuple):
    """Average precisions on one problem, means over the seeds; one a rate, and for cleanlab one a method and rate."""

    name: str
    n: int
    n_classes: int
    ours: list[float]
    peers: dict[str, list[float]]

    @property
    def best_peer(self) -> list[float]:
        return max(self.peers.values(), key=np.mean)


def averaged_probabilities(X: object, y: np.ndarray, seed: int) -> np.ndarray:
    """Mean of the out-of-fold probabilities of the four models: the strongest way to feed cleanlab."""
    models = (
        LogisticRegression(max_iter=1000),
        RandomForestClassifier(random_state=seed),
        HistGradientBoostingClassifier(random_state=seed),
        CalibratedClassifierCV(SVC()),
    )
    mean = np.zeros((len(y), y.max() + 1))
    for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(mean, y):
        transformer = TableTransformer().fit(take_rows(X, train))
        inputs, judged = (transformer.transform(take_rows(X, rows)) for rows in (train, test))
        counts = np.bincount(y[train])
        for model in models:
            model = clone(model)
            if isinstance(model, CalibratedClassifierCV):  # it needs every class in each of its own folds
                model.set_params(cv=max(2, min(N_FOLDS, counts[counts > 0].min())))
            model.fit(inputs, y[train])
            mean[np.ix_(test, model.classes_)] += model.predict_proba(judged) / len(models)
    return mean


def own_probabilities(X: object, y: np.ndarray, seed: int) -> np.ndarray:
    """Out-of-fold probabilities of `EmphaticClassifier`."""
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    return cross_val_predict(EmphaticClassifier(random_state=seed), X, y, cv=folds, method="predict_proba")


def measure(name: str, seeds: int, kind: str, own: bool) -> Iterator[Row | None]:
    """None after every seed and rate, the row at the end."""
    X, y = read_problem(name)
    ours: dict[float, list[float]] = {rate: [] for rate in RATES}
    peers: dict[str, dict[float, list[float]]] = {
        method: {rate: [] for rate in RATES} for method in (*METHODS, *([OWN] if own else []))
    }
    for seed in range(seeds):
        for rate in RATES:
            given, wrong = flip_labels(kind, X, y, rate, seed)
            ours[rate].append(average_precision_score(wrong, audit_labels(X, given, random_state=seed).suspicion))
            probabilities = averaged_probabilities(X, given, seed)
            for method, options in METHODS.items():
                quality = get_label_quality_scores(given, probabilities, method=method.split(",")[0], **options)
                peers[method][rate].append(average_precision_score(wrong, -quality))
            if own:
                quality = get_label_quality_scores(given, own_probabilities(X, given, seed))
                peers[OWN][rate].append(average_precision_score(wrong, -quality))
            yield None
    mean = {method: [float(np.mean(found[rate])) for rate in RATES] for method, found in peers.items()}
    yield Row(name, len(y), y.max() + 1, [float(np.mean(ours[rate])) for rate in RATES], mean)


def report(rows: list[Row], seeds: int) -> list[str]:
    """Lines of a Markdown table, and what they amount to."""
    lines = [
        "| problem | n | K | ours 10% | ours 20% | cleanlab 10% | cleanlab 20% | gain |",
        "|---|---|---|---|---|---|---|---|",
    ]
    peer = [row.peers["self_confidence"] for row in rows]
    gains = np.array([np.mean(row.ours) - np.mean(other) for row, other in zip(rows, peer)])
    for row, other, gain in zip(rows, peer, gains):
        figures = " | ".join(f"{value:.3f}" for value in (*row.ours, *other))
        lines.append(f"| {row.name} | {row.n} | {row.n_classes} | {figures} | {gain:+.3f} |")
    means = np.mean([(*row.ours, *other) for row, other in zip(rows, peer)], axis=0)
    lines.append(f"| mean | | | {' | '.join(f'{value:.3f}' for value in means)} | {gains.mean():+.3f} |")
    methods = list(rows[0].peers)
    best = sum(np.mean(row.ours) > np.mean(row.best_peer) for row in rows)
    lines += [
        "",
        f"Above cleanlab's self-confidence on {(gains > 0).sum()} of {len(rows)} problems, above the best of its "
        f"{len(methods)} scores, chosen for each problem by the flips themselves, on {best}; {seeds} seeds.",
    ]
    if len(rows) > 5:
        lines.append(f"Wilcoxon's signed rank test over the problems, two-sided: p = {wilcoxon(gains).pvalue:.4f}.")
    other_scores = ", ".join(f"{method} {np.mean([row.peers[method] for row in rows]):.3f}" for method in methods)
    lines.append(f"Means over both rates: ours {means[:2].mean():.3f}; cleanlab by {other_scores}.")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, choices=names(), metavar="NAME")
    parser.add_argument("--kind", default="uniform", choices=KINDS_OF_NOISE, help="how labels are made wrong")
    parser.add_argument("--own", action="store_true", help="feed cleanlab with EmphaticClassifier's probabilities too")
    parser.add_argument("--markdown", type=Path, help="write the table to this file too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    with progress_bar("audits", len(options.problems) * options.seeds * len(RATES), show=True) as advance:
        for name in options.problems:
            for row in measure(name, options.seeds, options.kind, options.own):
                if row is None:
                    advance()
                    continue
                rows.append(row)
                print(f"{row.name}: ours {np.mean(row.ours):.3f}", file=sys.stderr, flush=True)
    text = "\n".join(report(rows, options.seeds))
    print(text)
    if options.markdown:
        options.markdown.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
