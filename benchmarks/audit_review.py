"""Simulated reviews of tables with flipped labels: how many are found, and how well is it known how many remain?

`python -m benchmarks.audit_review` prints a table. The samples are marked in the order of their suspicion by someone
who knows the true labels. After 20, 40, 60 and 80 marks the estimate of what remains is compared with the truth, and
after 40 the table is audited again with what is known. The problems are those on which the audit is tuned, at most 300
rows.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import average_precision_score

from emphatic.audit import AuditResult, audit_labels
from emphatic.audit.marks.record import Marks
from emphatic.audit.marks.review import estimate_review
from emphatic.datasets import load
from emphatic.inputs import take_rows
from emphatic.progress import progress_bar

PROBLEMS = ("breast", "diabetes", "digits", "heart_statlog", "image", "thyroid", "waveform", "wine")
RATES = (0.1, 0.2)
LARGEST = 300
STEPS = (20, 40, 60, 80)
UPDATE_AFTER = 40


class Outcome(NamedTuple):
    """What became of one review."""

    name: str
    n: int
    n_wrong: int
    looks: int
    found: int
    errors: list[float]
    covered: list[bool]
    before: float
    after: float


def flip(y: np.ndarray, rate: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels of which each is replaced by another class with this probability, and which ones."""
    rng = np.random.default_rng([seed, round(100 * rate)])
    shift = rng.integers(1, y.max() + 1, size=len(y)) * (rng.random(len(y)) < rate)
    return (y + shift) % (y.max() + 1), shift > 0


def mark(audit: AuditResult, true: np.ndarray, rows: np.ndarray) -> Marks:
    """What someone who knows the true labels says about these rows."""
    names = audit.index.tolist()
    return audit.read_marks({names[i]: "right" if audit.y[i] == true[i] else ("wrong", true[i]) for i in rows})


def review(name: str, rate: float, seed: int) -> Outcome:
    """Audit a problem with flipped labels, and mark until one can stop."""
    given: Any = load(name)
    rows = np.sort(np.random.default_rng(seed).permutation(len(given.y))[:LARGEST])
    X, true = take_rows(given.X, rows), np.unique(given.y[rows], return_inverse=True)[1]
    X = X.reset_index(drop=True) if hasattr(X, "iloc") else X
    y, wrong = flip(true, rate, seed)
    audit = audit_labels(X, y, random_state=seed)
    order = audit.order
    errors, covered = [], []
    for looks in STEPS:
        known = estimate_review(audit.suspicion, mark(audit, true, order[:looks]))
        remain = wrong[order[looks:]].sum()
        low, high = known.remaining_interval
        errors.append(known.remaining - remain)
        covered.append(bool(np.floor(low) <= remain <= np.ceil(high)))
    looks = next(
        k for k in range(1, len(y) + 1) if estimate_review(audit.suspicion, mark(audit, true, order[:k])).enough
    )
    rest = order[UPDATE_AFTER:]
    updated = audit.update(mark(audit, true, order[:UPDATE_AFTER]))
    precisions = [average_precision_score(wrong[rest], one.suspicion[rest]) for one in (audit, updated)]
    n_found = int(wrong[order[:looks]].sum())
    return Outcome(f"{name}, {100 * rate:.0f}%", len(y), int(wrong.sum()), looks, n_found, errors, covered, *precisions)


def report(outcomes: list[Outcome]) -> list[str]:
    """Lines of a Markdown table, and what they amount to."""
    lines = [
        "| problem | n | wrong | looks | found | precision of the rest | after an update |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.name} | {one.n} | {one.n_wrong} | {one.looks} | {one.found} | {one.before:.3f} | {one.after:.3f} |"
        for one in outcomes
    ]
    n, n_wrong, looks, found = (
        sum(getattr(one, field) for one in outcomes) for field in ("n", "n_wrong", "looks", "found")
    )
    covered = [each for one in outcomes for each in one.covered]
    errors = np.concatenate([one.errors for one in outcomes])
    before, after = np.mean([(one.before, one.after) for one in outcomes if one.before > 0], axis=0)  # 0: none is left
    lines += [
        "",
        f"Looks at {looks / n:.0%} of the samples find {found / n_wrong:.0%} of the wrong labels. What remains is "
        f"within the interval in {sum(covered)} of {len(covered)} cases; mean error {errors.mean():+.1f}, its root "
        f"mean square {np.sqrt((errors**2).mean()):.1f}. Average precision of the rest after {UPDATE_AFTER} marks: "
        f"{before:.3f}, after an update {after:.3f}.",
    ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--problems", nargs="+", default=PROBLEMS, metavar="NAME")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    outcomes = []
    with progress_bar("reviews", len(options.problems) * len(RATES), show=True) as advance:
        for name in options.problems:
            for rate in RATES:
                outcomes.append(review(name, rate, options.seed))
                advance()
    print("\n".join(report(outcomes)))


if __name__ == "__main__":
    main()
