"""`python -m benchmarks.broken_views`: classifiers on views, some of which break.

Of every test row one or two views are noise, those of another row, shifted, or missing. Per table and kind: accuracy in
% and log loss, mean and standard error over the splits (800 training rows, at most 1,000 for testing); how well
`conflict`, and the largest `member_conflict`, tell broken rows from clean ones (AUC); and how often the member of the
largest `member_conflict` is a broken one. `--training`: one view of 30% of the training rows is broken as well, in each
of four ways.

USPS, mnist, mushroom and semeion are not shipped: the environment variable EMPHATIC_EXTRA_DATA names the folder of
their files.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
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

from benchmarks.broken_report import Found, Kind, Split, count_level, write_header, write_line
from benchmarks.broken_tables import REPORTING, TUNING, ViewTable, break_rows, choose_broken
from benchmarks.pages import write_figures
from emphatic.fusion import FusionClassifier

N_TRAIN, MOST_TEST = 800, 1000
BROKEN_SHARE = 0.3
"""Of the training rows."""
WAYS = ("noise", "other", "shifted", "missing")
KINDS = [Kind("clean"), *(Kind(how, number) for how in WAYS for number in (1, 2))]
SHOWN = {Kind("clean"), Kind("other", 1), *(Kind(how, 2) for how in WAYS)}
"""The kinds that a page shows where all training rows are in order."""
FUSIONS: dict[str, dict[str, Any]] = {
    "robust": {"reliability": "robust"},
    "auto": {"reliability": "auto"},
    "0.9": {"reliability": 0.9},
    **{rule: {"fusion": rule} for rule in ("mean", "product", "majority")},
}
CONTENDERS = (*FUSIONS, "stacking", "all columns")
TOLD = ("conflict", "of one", "which")


def make_regression() -> Any:
    """The classifier of every view."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))


def fit_single(X: np.ndarray, y: np.ndarray, seed: int) -> Any:
    """The best of three classifiers on all columns, by its cross-validated log loss; a missing value is the mean."""
    discriminants = make_pipeline(StandardScaler(), LinearDiscriminantAnalysis())
    forest = RandomForestClassifier(100, random_state=seed)
    candidates = [make_pipeline(SimpleImputer(), one) for one in (make_regression(), discriminants, forest)]
    best = max(candidates, key=lambda one: cross_val_score(one, X, y, cv=3, scoring="neg_log_loss").mean())
    return best.fit(X, y)


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
    fused = [FusionClassifier(members, random_state=seed, **way).fit(X, y) for way in FUSIONS.values()]
    return dict(zip(CONTENDERS, [*fused, fit_stacking(table, X, y), fit_single(X, y, seed)], strict=True))


def measure_split(table: ViewTable, seed: int, training: str) -> Iterator[tuple[Kind, Split]]:
    """What each kind of breaking leaves of the contenders, on one split."""
    rng = np.random.default_rng(seed)
    n_test = min(len(table.y) - N_TRAIN, MOST_TEST)
    rows = train_test_split(
        np.arange(len(table.y)), train_size=N_TRAIN, test_size=n_test, stratify=table.y, random_state=seed
    )
    (X, X_test), (y, y_test) = ([values[part] for part in rows] for values in (table.X, table.y))
    if training != "clean":
        broken = choose_broken(len(X), len(table.views), 1, rng) & (rng.random((len(X), 1)) < BROKEN_SHARE)
        X = break_rows(table, X, broken, training, rng)
    contenders = fit_contenders(table, X, y, seed)
    robust = contenders["robust"]
    clean_conflicts = robust.conflict(X_test), robust.member_conflict(X_test).max(axis=0)
    for kind in KINDS:
        if kind.number > 1 and kind.number > len(table.views) // 2:
            continue
        broken = choose_broken(len(X_test), len(table.views), kind.number, rng)
        given = break_rows(table, X_test, broken, kind.how, rng)
        told: list[float] = []
        if kind.number and kind.how != "missing":
            either, each = np.repeat([0, 1], len(X_test)), robust.member_conflict(given)
            conflicts = robust.conflict(given), each.max(axis=0)
            told = [roc_auc_score(either, np.r_[pair]) for pair in zip(clean_conflicts, conflicts, strict=True)]
            told.append(broken[np.arange(len(X_test)), each.argmax(axis=0)].mean())
        scores = {name: score(model, given, y_test) for name, model in contenders.items()}
        yield kind._replace(training=training), Split(scores, told)


def score(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    probabilities = model.predict_proba(X)
    labels = model.classes_
    return 100 * accuracy_score(y, labels[probabilities.argmax(axis=1)]), log_loss(y, probabilities, labels=labels)


def measure_table(table: ViewTable, n_splits: int, training: str) -> Found:
    found: dict[Kind, list[Split]] = {}
    for seed in range(n_splits):
        for kind, split in measure_split(table, seed, training):
            found.setdefault(kind, []).append(split)
    return found


def is_shown(kind: Kind) -> bool:
    """Whether a page shows this kind: of rows broken in training, those in order and two broken in the same way."""
    if kind.training == "clean":
        return kind in SHOWN
    return kind.number == 0 or (kind.how == kind.training and kind.number == 2)


def main(arguments: Sequence[str] | None = None) -> None:
    tables = TUNING | REPORTING
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--tables", nargs="+", default=list(REPORTING), choices=tables, metavar="NAME")
    parser.add_argument("--training", action="store_true", help="break views of training rows as well")
    parser.add_argument("--markdown", type=Path, help="fill in the figures of this page, such as docs/fusion.md")
    options = parser.parse_args(arguments)
    shown = write_header(CONTENDERS, TOLD)
    print("\n".join(shown))
    found: dict[str, list[Sequence[Split]]] = {}
    for name in options.tables:
        try:
            table = tables[name]()
        except FileNotFoundError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        for training in WAYS if options.training else ("clean",):
            for kind, splits in measure_table(table, options.splits, training).items():
                line = write_line(f"{name}, {kind.title}", splits, len(TOLD))
                print(line, flush=True)
                shown += [line] if is_shown(kind) else []
                found.setdefault(training, []).append(splits)
    counts = [f"{training}: {line}" for training, lines in found.items() for line in count_level(lines)]
    counts += [f"all: {line}" for line in count_level(splits for lines in found.values() for splits in lines)]
    print("\n".join(counts))
    if options.markdown:
        which = "benchmarks.broken_views --training" if options.training else "benchmarks.broken_views"
        write_figures(options.markdown, [*shown, ""], which)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # a regression that has not converged is no news here
    main()
