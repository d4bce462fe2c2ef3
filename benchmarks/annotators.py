"""`python -m benchmarks.annotators`: consensus of drawn annotators, beside majority vote and cleanlab's CROWDLAB.

Annotators of known accuracy label the rows of bundled problems; some labels are missing, and every row has one. All
methods that use the inputs get the same random forest, CROWDLAB its out-of-fold probabilities for the majority vote.
"""

from __future__ import annotations

import argparse
import warnings
from typing import NamedTuple

import numpy as np
import pandas as pd
from cleanlab.multiannotator import get_label_quality_multiannotator, get_majority_vote_label
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_predict

from emphatic.audit import audit_annotators
from emphatic.datasets import load

PROBLEMS = ("crabs", "glass", "heart_cleveland", "ionosphere", "sonar", "vehicle", "vote")


class Crowd(NamedTuple):
    """Accuracies of the annotators, the share of missing labels, and how mistakes hang together.

    A wrong label is any other class. If mistakes are `shared`, it is the same one for all annotators, and they make
    their mistakes on the same half of the rows, as far as they can: the model of Dawid and Skene is wrong then.
    """

    accuracies: tuple[float, ...]
    missing: float
    shared: bool = False


CROWDS = {
    "five, half of the labels missing": Crowd((0.95, 0.85, 0.75, 0.65, 0.55), 0.5),
    "ten, 80% missing": Crowd(tuple(np.linspace(0.5, 0.95, 10)), 0.8),
    "three, 60% missing": Crowd((0.9, 0.75, 0.6), 0.6),
    "five, half missing, mistakes shared": Crowd((0.95, 0.85, 0.75, 0.65, 0.55), 0.5, shared=True),
}


def draw_labels(true: np.ndarray, crowd: Crowd, rng: np.random.Generator) -> pd.DataFrame:
    """Labels (n, A); a row that would have none keeps that of one annotator."""
    n, n_annotators, n_classes = len(true), len(crowd.accuracies), int(true.max()) + 1
    shifts = rng.integers(1, n_classes, (n, n_annotators))
    mistakes = np.broadcast_to(1.0 - np.array(crowd.accuracies), (n, n_annotators))
    if crowd.shared:
        shifts[:] = shifts[:, :1]
        mistakes = np.minimum(2.0 * mistakes, 1.0) * (rng.random(n) < 0.5)[:, None]
    labels = (true[:, None] + np.where(rng.random((n, n_annotators)) < mistakes, shifts, 0)) % n_classes
    kept = rng.random((n, n_annotators)) >= crowd.missing
    kept[np.arange(n), rng.integers(n_annotators, size=n)] |= ~kept.any(axis=1)
    return pd.DataFrame(np.where(kept, labels.astype(float), np.nan))


def compare(name: str, crowd: Crowd, seed: int) -> dict[str, float]:
    """Accuracy of each consensus, and the mean error of the qualities that are estimated."""
    problem = load(name, numeric=True)
    X, true = np.asarray(problem.X), np.unique(problem.y, return_inverse=True)[1]
    labels = draw_labels(true, crowd, np.random.default_rng(seed))
    forest = RandomForestClassifier(100, min_samples_leaf=2, random_state=0)
    majority = get_majority_vote_label(labels)
    probabilities = cross_val_predict(forest, X, majority, cv=5, method="predict_proba")
    crowdlab = get_label_quality_multiannotator(labels, probabilities, verbose=False)
    rated = crowdlab["annotator_stats"]["annotator_quality"].sort_index().to_numpy()
    alone, ours = audit_annotators(None, labels), audit_annotators(X, labels, forest)
    given = labels.notna().to_numpy()
    right = ((labels.to_numpy() == true[:, None]) & given).sum(axis=0) / given.sum(axis=0)
    return {
        "majority": (majority == true).mean(),
        "labels alone": (alone.consensus == true).mean(),
        "CROWDLAB": (crowdlab["label_quality"]["consensus_label"] == true).mean(),
        "ours": (ours.consensus == true).mean(),
        "quality, alone": np.abs(alone.quality - right).mean(),
        "quality, CROWDLAB": np.abs(rated - right).mean(),
        "quality, ours": np.abs(ours.quality - right).mean(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    seeds = range(parser.parse_args().seeds)
    warnings.simplefilter("ignore")  # cleanlab's, about rare classes
    means = {}
    for title, crowd in CROWDS.items():
        rows = {name: pd.DataFrame([compare(name, crowd, seed) for seed in seeds]).mean() for name in PROBLEMS}
        table = pd.DataFrame(rows).T
        ahead = int((table["ours"] > table["CROWDLAB"]).sum())
        print(f"{title}: ours ahead of CROWDLAB on {ahead} of {len(table)}\n{table.round(3).to_string()}\n", flush=True)
        means[title] = table.mean()
    print(pd.DataFrame(means).T.round(3).to_string())


if __name__ == "__main__":
    main()
