"""`python -m benchmarks.broken_views [seeds] [tables]`: classifiers on views, some of which break at test time.

Of every test row one or two views are noise, those of another row, shifted, or missing. Per table and kind: accuracy in
% and log loss, mean and standard error over the seeds, each with its own split (800 training rows, at most 1,000 for
testing); how well `conflict`, and the largest `member_conflict`, tell broken rows from clean ones (AUC); and how often
the member of the largest `member_conflict` is a broken one. `--noisy-training`: one view of 30% of the training rows is
noise as well.

USPS, mnist and semeion are not shipped: the environment variable EMPHATIC_EXTRA_DATA names the folder of their files.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.broken_tables import REPORTING, TUNING, ViewTable, break_rows, choose_broken
from emphatic.fusion import FusionClassifier

N_TRAIN, MOST_TEST = 800, 1000
NOISY_SHARE = 0.3
TOLD = ("conflict", "member_conflict", "which")
KINDS = [("clean", 0), *((how, number) for how in ("noise", "other", "shifted", "missing") for number in (1, 2))]


def make_regression() -> Any:
    """The classifier of every view."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))


def fit_single(X: np.ndarray, y: np.ndarray, seed: int) -> Any:
    """The best of three classifiers on all columns, by its cross-validated log loss; a missing value is the mean."""
    forest = RandomForestClassifier(100, random_state=seed)
    candidates = [make_regression(), make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()), forest]
    best = max(candidates, key=lambda one: cross_val_score(one, X, y, cv=3, scoring="neg_log_loss").mean())
    return make_pipeline(SimpleImputer(), best).fit(X, y)


def fit_stacking(table: ViewTable, X: np.ndarray, y: np.ndarray) -> Any:
    """Logistic regression on the out-of-fold probabilities of all views; a missing value is the mean."""
    members = [
        (name, make_pipeline(ColumnTransformer([("view", "passthrough", view)]), make_regression()))
        for name, view in table.views.items()
    ]
    stacking = StackingClassifier(members, LogisticRegression(max_iter=300), cv=5, stack_method="predict_proba")
    return make_pipeline(SimpleImputer(), stacking).fit(X, y)


def fit_contenders(table: ViewTable, X: np.ndarray, y: np.ndarray, seed: int) -> dict[str, Any]:
    members = [(name, make_regression(), view) for name, view in table.views.items()]
    ways: dict[str, dict[str, Any]] = {
        "robust": {"reliability": "robust"},
        "auto": {"reliability": "auto"},
        "0.9": {"reliability": 0.9},
        **{rule: {"fusion": rule} for rule in ("mean", "product", "majority")},
    }
    fitted: dict[str, Any] = {
        name: FusionClassifier(members, random_state=seed, **way).fit(X, y) for name, way in ways.items()
    }
    return {**fitted, "stacking": fit_stacking(table, X, y), "single": fit_single(X, y, seed)}


def measure_table(table: ViewTable, seed: int, *, noisy_training: bool) -> dict[tuple[str, int], dict[str, Any]]:
    """Per kind of breaking: accuracy and log loss of each contender, and what the conflict tells."""
    rng = np.random.default_rng(seed)
    n_test = min(len(table.y) - N_TRAIN, MOST_TEST)
    rows = train_test_split(
        np.arange(len(table.y)), train_size=N_TRAIN, test_size=n_test, stratify=table.y, random_state=seed
    )
    (X, X_test), (y, y_test) = ([values[part] for part in rows] for values in (table.X, table.y))
    if noisy_training:
        noisy = choose_broken(len(X), len(table.views), 1, rng) & (rng.random((len(X), 1)) < NOISY_SHARE)
        X = break_rows(table, X, noisy, "noise", rng)
    contenders = fit_contenders(table, X, y, seed)
    robust = contenders["robust"]
    clean_conflicts = robust.conflict(X_test), robust.member_conflict(X_test).max(axis=0)
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for how, number in KINDS:
        if number > 1 and number > len(table.views) // 2:
            continue
        broken = choose_broken(len(X_test), len(table.views), number, rng)
        given = break_rows(table, X_test, broken, how, rng)
        line: dict[str, Any] = {name: score(model, given, y_test) for name, model in contenders.items()}
        if number and how != "missing":
            either, each = np.repeat([0, 1], len(X_test)), robust.member_conflict(given)
            conflicts = robust.conflict(given), each.max(axis=0)
            told = [roc_auc_score(either, np.r_[pair]) for pair in zip(clean_conflicts, conflicts, strict=True)]
            line |= dict(zip(TOLD, [*told, broken[np.arange(len(X_test)), each.argmax(axis=0)].mean()], strict=True))
        found[how, number] = line
    return found


def score(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    probabilities = model.predict_proba(X)
    labels = model.classes_
    return 100 * accuracy_score(y, labels[probabilities.argmax(axis=1)]), log_loss(y, probabilities, labels=labels)


def print_table(name: str, seeds: list[dict[tuple[str, int], dict[str, Any]]]) -> Counter[tuple[str, str]]:
    """A line per kind; the best contenders are in bold, with those within one standard error of the difference.

    Returns for how many lines that is, per contender: by accuracy, by log loss, and by both.
    """
    wins: Counter[tuple[str, str]] = Counter()
    for kind in seeds[0]:
        names = [one for one in seeds[0][kind] if one not in TOLD]
        values = np.array([[one[kind][contender] for contender in names] for one in seeds])  # (seeds, contenders, 2)
        level = np.stack([find_level(values[..., 0]), find_level(-values[..., 1])], axis=1)
        means, errors = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(seeds))
        cells = [
            " / ".join(
                ("**{}** ({})" if best else "{} ({})").format(f"{mean:.{digits}f}", f"{error:.{digits}f}")
                for mean, error, best, digits in zip(means[j], errors[j], level[j], (1, 3), strict=True)
            )
            for j in range(len(names))
        ]
        told = [np.mean([one[kind][what] for one in seeds]) for what in TOLD if what in seeds[0][kind]]
        title = f"{name}, {kind[0]}" + (f" {kind[1]}" if kind[1] else "")
        print(
            f"| {title} | " + " | ".join(cells + [f"{one:.2f}" for one in told] + [""] * (len(TOLD) - len(told))) + " |"
        )
        for contender, (accurate, likely) in zip(names, level.tolist(), strict=True):
            found = {"accuracy": accurate, "log loss": likely, "both": accurate and likely, "lines": True}
            wins.update((contender, what) for what, is_level in found.items() if is_level)
    sys.stdout.flush()
    return wins


def find_level(values: np.ndarray) -> np.ndarray:
    """(contenders,): whether a contender is the best, or behind it by at most one standard error of the difference."""
    behind = values[:, [values.mean(axis=0).argmax()]] - values
    return np.asarray(behind.mean(axis=0) <= behind.std(axis=0, ddof=1) / np.sqrt(len(values)) + 1e-12)


def main(n_seeds: int, names: list[str], *, noisy_training: bool) -> None:
    tables = TUNING | REPORTING
    titles = ["robust", "auto", "0.9", "mean", "product", "majority", "stacking", "single", *TOLD]
    print("| | " + " | ".join(titles) + " |\n|---|" + "---:|" * len(titles))
    wins: Counter[tuple[str, str]] = Counter()
    for name in names:
        try:
            table = tables[name]()
        except FileNotFoundError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        wins += print_table(
            name, [measure_table(table, seed, noisy_training=noisy_training) for seed in range(n_seeds)]
        )
    for contender in titles[: -len(TOLD)]:
        by = ", ".join(f"by {what} {wins[contender, what]}" for what in ("accuracy", "log loss", "both"))
        print(f"{contender}: first or level {by} of {wins[contender, 'lines']} lines")


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # a regression that has not converged is no news here
    options = [one for one in sys.argv[1:] if one != "--noisy-training"]
    chosen = options[1:] or list(REPORTING)
    main(int(options[0]) if options else 5, chosen, noisy_training="--noisy-training" in sys.argv)
