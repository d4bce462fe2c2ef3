"""`python -m benchmarks.audit_worth`: how much better does a model become when suspicious labels are looked at?

A fifth of the training labels of each reported problem of `benchmarks.audit_quality` is made wrong in three ways
(`benchmarks.label_noise`). A reviewer who knows the right labels looks at a share of the training rows, in the order of
`audit_labels`, in that of cleanlab's self-confidence (fed as in `audit_quality`) or in a random order, and corrects
what is wrong. Without any person, suspicious rows are left out, relabelled or weighed. Reported is the error of
`EmphaticClassifier` and of LightGBM, trained on the result, on the other 30% of the rows, whose labels are right.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from cleanlab.filter import find_label_issues
from cleanlab.rank import get_label_quality_scores
from joblib import Parallel, delayed
from lightgbm import LGBMClassifier
from scipy.stats import wilcoxon
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from benchmarks.audit_quality import PROBLEMS, averaged_probabilities
from benchmarks.label_noise import flip_labels, read_problem
from benchmarks.pages import write_figures
from emphatic import EmphaticClassifier
from emphatic.audit import audit_labels
from emphatic.datasets import names
from emphatic.inputs import take_rows
from emphatic.progress import progress_bar
from emphatic.tables import TableTransformer

KINDS = ("uniform", "next-class", "boundary")
RATE, TEST_SHARE = 0.2, 0.3
"""Share of wrong training labels, unless `--rate` says otherwise, and of the rows that judge."""

LARGEST, SMALLEST_CLASS = 2000, 8
SHARES = (0.05, 0.1, 0.2)
"""Of the training rows, that are looked at."""

LEARNERS = {
    "EmphaticClassifier": lambda seed: EmphaticClassifier(random_state=seed, n_jobs=1),
    "LightGBM": lambda seed: make_pipeline(TableTransformer(), LGBMClassifier(n_jobs=1, verbose=-1, random_state=seed)),
}
NOTHING, EVERYTHING = "as given", "all corrected"
ORDERS = ("ours", "cleanlab", "random")
AUTOMATIC = ("left out, ours", "relabelled, ours", "weighed, ours", "left out, cleanlab")

PAGE, BENCHMARK = Path("docs/audit.md"), "benchmarks.audit_worth"


class Lesson(NamedTuple):
    """What a learner is trained on: these rows of the training part, their labels and, or None, weights."""

    rows: np.ndarray
    labels: np.ndarray
    weights: np.ndarray | None = None


class Result(NamedTuple):
    """The error of a learner after a treatment of the labels: its name, or an order and the share looked at."""

    problem: str
    kind: str
    learner: str
    treatment: str
    error: float


def list_lessons(X: Any, given: np.ndarray, right: np.ndarray, seed: int) -> Iterator[tuple[str, Lesson]]:
    """All treatments of one training part, by name."""
    rows = np.arange(len(given))
    audit = audit_labels(X, given, random_state=seed)
    probabilities = averaged_probabilities(X, given, seed)
    quality = get_label_quality_scores(given, probabilities, method="self_confidence")
    orders = (audit.order, np.argsort(quality, kind="stable"), np.random.default_rng(seed).permutation(rows))
    yield NOTHING, Lesson(rows, given)
    if (given != right).any():  # otherwise a review changes nothing
        yield EVERYTHING, Lesson(rows, right)
        for name, order in zip(ORDERS, orders):
            for share in SHARES:
                seen = np.isin(rows, order[: round(share * len(rows))])
                yield name_review(name, share), Lesson(rows, np.where(seen, right, given))
    suspicious = audit.suspicion > 0.5
    left_out, relabelled, weighed, by_cleanlab = AUTOMATIC
    yield left_out, Lesson(rows[~suspicious], given[~suspicious])
    yield relabelled, Lesson(rows, np.where(suspicious, audit.suggested, given))
    yield weighed, Lesson(rows, given, 1.0 - audit.suspicion)
    kept = ~find_label_issues(given, probabilities, n_jobs=1)
    yield by_cleanlab, Lesson(rows[kept], given[kept])


def name_review(order: str, share: float) -> str:
    return f"{order}, {100 * share:g}%"


def train(learner: str, X: Any, lesson: Lesson, seed: int) -> Any:
    model = LEARNERS[learner](seed)
    weights = {}
    if lesson.weights is not None:
        last = f"{model.steps[-1][0]}__" if hasattr(model, "steps") else ""
        weights[f"{last}sample_weight"] = lesson.weights
    return model.fit(take_rows(X, lesson.rows), lesson.labels, **weights)


def measure(name: str, kind: str, rate: float, seed: int) -> list[Result]:
    """Every treatment on one problem with one kind of noise."""
    warnings.simplefilter("ignore")  # in a worker: what peers warn of
    X, y = read_problem(name, LARGEST, SMALLEST_CLASS)
    taught, judged = train_test_split(np.arange(len(y)), test_size=TEST_SHARE, stratify=y, random_state=seed)
    table, right = take_rows(X, taught), y[taught]
    given, _ = flip_labels(kind, table, right, rate, seed)
    answers = take_rows(X, judged)
    return [
        Result(name, kind, learner, treatment, float(np.mean(model.predict(answers) != y[judged])))
        for treatment, lesson in list_lessons(table, given, right, seed)
        for learner in LEARNERS
        for model in [train(learner, table, lesson, seed)]
    ]


def report(results: Sequence[Result]) -> list[str]:
    """Lines of Markdown: a table for each learner, and the tests over the problems."""
    lines: list[str] = []
    kinds = list(dict.fromkeys(one.kind for one in results))
    for learner in LEARNERS:
        errors = {
            (one.treatment, one.kind): [each.error for each in results if each[1:4] == one[1:4]]
            for one in results
            if one.learner == learner
        }
        lines += [
            f"Error of {learner} in %, mean over {len(next(iter(errors.values())))} problems:",
            "",
            f"| training labels | {' | '.join(kinds)} |",
            f"|---|{'---:|' * len(kinds)}",
        ]
        for treatment in dict.fromkeys(one for one, _ in errors):
            figures = " | ".join(f"{100 * np.mean(errors[treatment, kind]):.2f}" for kind in kinds)
            lines.append(f"| {treatment} | {figures} |")
        reviewed = any(treatment == EVERYTHING for treatment, _ in errors)
        lines += ["", *(compare_orders(errors, kinds) if reviewed else ()), ""]
    return lines


def compare_orders(errors: dict[tuple[str, str], list[float]], kinds: Sequence[str]) -> Iterator[str]:
    """Our order against the others, at every share: on how many problems the error is lower, and higher."""
    for other in ORDERS[1:]:
        found = []
        for share in SHARES:
            gains = np.concatenate(
                [
                    np.subtract(errors[name_review(other, share), kind], errors[name_review("ours", share), kind])
                    for kind in kinds
                ]
            )
            p = wilcoxon(gains).pvalue if np.any(gains) else 1.0
            found.append(f"{100 * share:g}%: {(gains > 0).sum()} / {(gains < 0).sum()} (p {p:.2g})")
        yield f"Ours better / worse than {other}, by problem and kind: {', '.join(found)}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, choices=names(), metavar="NAME")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument(
        "--rate", type=float, default=RATE, help="share of wrong labels; 0: what is done without reason"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write the figures into {PAGE}")
    options = parser.parse_args()
    cells = [(name, kind) for name in options.problems for kind in options.kinds]
    results: list[Result] = []
    with progress_bar("problems", len(cells), show=True) as advance:
        jobs = (delayed(measure)(name, kind, options.rate, options.seed) for name, kind in cells)
        for found in Parallel(n_jobs=options.jobs, return_as="generator")(jobs):
            results += found
            advance()
            print(f"{found[0].problem}, {found[0].kind}", file=sys.stderr, flush=True)
    lines = report(results)
    print("\n".join(lines))
    if options.write:
        write_figures(PAGE, lines, BENCHMARK)


if __name__ == "__main__":
    main()
