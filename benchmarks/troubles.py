"""`python -m benchmarks.troubles`: are planted near duplicates and outliers found, beside cleanlab's Datalab?

Into the numbers of each problem (at most 1,000 rows, without exact duplicates), 2% of the rows are planted: copies with
noise of 1% and of 5% of each column's deviation; or rows of which a quarter of the columns, at least one, are moved by
3 and by 6 deviations. Reported are the recall and the precision of the rows that are said to be near duplicates or
outliers, and the average precision of their scores. Rows of the problem that are near duplicates or outliers without
having been planted count as mistakes, alike for all. The settings of `find_troubles` were chosen on other problems:
car, crabs, credit, german, glass, heart_cleveland, ionosphere, iris, sonar, soybean, vehicle, vote, vowel.
Where cleanlab or the package `datasets`, which Datalab needs, is not installed, only ours is measured.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.metrics import average_precision_score

from emphatic.audit import find_troubles
from emphatic.datasets import load, names
from emphatic.tables import TableTransformer

PROBLEMS = ("breast", "diabetes", "digits", "heart_statlog", "image", "thyroid", "waveform", "wine")
LARGEST, SHARE, MOVED = 1000, 0.02, 0.25
NOISES, SHIFTS = (0.01, 0.05), (3.0, 6.0)
KINDS = {"near duplicates": "near_duplicate", "outliers": "outlier"}
"""Ours, and Datalab's name of the same."""

Planted = tuple[str, float, np.ndarray, np.ndarray, np.ndarray]
"""Kind, noise or shift, table, labels, and which rows were planted (or copied)."""


class Answer(NamedTuple):
    """Which rows are said to be in trouble, and how surely each is."""

    flagged: np.ndarray
    scores: np.ndarray


def take_numbers(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Scaled numbers and labels of a problem, every row once."""
    given = load(name)
    inputs = TableTransformer(columns="useful").fit_transform(given.X)
    first = np.unique(inputs, axis=0, return_index=True)[1]
    rows = np.sort(np.random.default_rng(0).permutation(first)[:LARGEST])
    return inputs[rows], np.unique(np.asarray(given.y)[rows], return_inverse=True)[1]


def plant(X: np.ndarray, y: np.ndarray, seed: int) -> Iterator[Planted]:
    """Every kind and size of trouble, one table each."""
    rng = np.random.default_rng(seed)
    n, n_columns = X.shape
    n_planted = max(5, int(SHARE * n))
    for noise in NOISES:
        rows = rng.choice(n, n_planted, replace=False)
        copies = X[rows] + noise * X.std(axis=0) * rng.normal(size=(n_planted, n_columns))
        true = np.zeros(n + n_planted, dtype=bool)
        true[rows], true[n:] = True, True
        yield "near duplicates", noise, np.vstack([X, copies]), np.concatenate([y, y[rows]]), true
    for shift in SHIFTS:
        rows = rng.choice(n, n_planted, replace=False)
        moved = rng.random((n_planted, n_columns)) < MOVED
        moved[np.arange(n_planted), rng.integers(n_columns, size=n_planted)] = True
        ways = rng.choice([-1.0, 1.0], size=moved.shape)
        outliers = X[rows] + moved * shift * X.std(axis=0) * ways
        true = np.arange(n + n_planted) >= n
        yield "outliers", shift, np.vstack([X, outliers]), np.concatenate([y, y[rows]]), true


def ask_ours(X: np.ndarray, y: np.ndarray, kind: str) -> Answer:
    found = find_troubles(X, y)
    flagged = np.zeros(len(y), dtype=bool)
    for one in found.of(kind):
        flagged[list(one.rows)] = True
    return Answer(flagged, found.scores.get(kind, np.zeros(len(y))))


def ask_datalab(X: np.ndarray, y: np.ndarray, kind: str) -> Answer:
    from cleanlab import Datalab

    name = KINDS[kind]
    with contextlib.redirect_stdout(io.StringIO()):  # it reports as it goes
        lab = Datalab(data={"label": y}, label_name="label")
        lab.find_issues(features=X, issue_types={name: {}})
    issues = lab.get_issues(name)
    return Answer(issues[f"is_{name}_issue"].to_numpy(dtype=bool), -issues[f"{name}_score"].to_numpy())


def has_datalab() -> bool:
    try:
        from cleanlab import Datalab

        Datalab(data={"label": [0, 1]}, label_name="label")
    except ImportError:
        return False
    return True


def judge(answer: Answer, true: np.ndarray) -> tuple[float, float, float]:
    """Recall, precision (1 if nothing is said) and average precision."""
    right = (answer.flagged & true).sum()
    precision = right / answer.flagged.sum() if answer.flagged.any() else 1.0
    return right / true.sum(), precision, average_precision_score(true, answer.scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, choices=names(), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    asked = {"ours": ask_ours}
    if has_datalab():
        asked["Datalab"] = ask_datalab
    else:
        print("cleanlab's Datalab is not installed (cleanlab, datasets): ours alone.\n")
    print("| problem | kind | size | who | recall | precision | average precision |\n|---|---|---|---|---|---|---|")
    results: dict[tuple[str, float, str], list[tuple[float, float, float]]] = {}
    for name in options.problems:
        X, y = take_numbers(name)
        for seed in range(options.seeds):
            for kind, size, table, labels, true in plant(X, y, seed):
                for who, ask in asked.items():
                    figures = judge(ask(table, labels, kind), true)
                    results.setdefault((kind, size, who), []).append(figures)
                    print(
                        f"| {name} | {kind} | {size:g} | {who} | " + " | ".join(f"{one:.2f}" for one in figures) + " |"
                    )
    for (kind, size, who), figures in results.items():
        print(
            f"| mean | {kind} | {size:g} | {who} | "
            + " | ".join(f"{one:.2f}" for one in np.mean(figures, axis=0))
            + " |"
        )


if __name__ == "__main__":
    main()
