"""Findings that a person has reviewed in part: what is marked settles some samples, and says more about the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from emphatic.audit.judgement import KINDS, Findings, assign_kinds, set_suspicion, suggest_classes
from emphatic.audit.marks.record import NO_MARKS, Marks
from emphatic.audit.marks.review import Review, estimate_review, shift_suspicion
from emphatic.audit.marks.taking import take_marks
from emphatic.check import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Reviewed(Findings):
    """Findings with marks; `AuditResult` describes them.

    `forecast` holds the suspicions of the models alone (None: nothing is marked, and `suspicion` is the forecast), and
    `repeat` the audit with all its settings: a function of X, y, `marks` and `progress`.
    """

    marks: Marks = NO_MARKS
    forecast: FloatArray | None = None
    repeat: Callable[..., Any] | None = None

    @property
    def review(self) -> Review:
        """How the review stands: precision so far, how many wrong labels remain, and whether to go on."""
        return estimate_review(self.suspicion if self.forecast is None else self.forecast, self.marks)

    @property
    def unmarked(self) -> IntArray:
        """Positions of the samples without a mark, most suspicious first: the first one is the one to look at next."""
        order = self.order
        return order[~np.isin(order, self.marks.rows)]

    def summary(self, n_worst: int = 5) -> str:
        """A few lines: how many samples, of which kinds, and which labels (at most `n_worst`) are most suspicious."""
        if not len(self.marks):
            return super().summary(n_worst)
        lines = [super().summary(0), self.review.describe()]
        worst = [i for i in self.unmarked[: max(n_worst, 0)] if self.suggested[i] != self.y[i]]
        lines += ["Most suspicious of those without a mark:"] if worst else []
        lines += [f"  {self.suspicion[i]:.2f}  {self.describe(i)}" for i in worst]
        return "\n".join(lines)

    def read_marks(self, marks: Any, force: bool = False) -> Marks:
        """The marks that are known already, and these; of a sample with both, the new one counts."""
        found = take_marks(marks, self.X, self.y, self.index, self.classes, self.suggested, force)
        return self.marks.join(found)

    def audit_again(self, marks: Marks, progress: Callable[[int, int], None] | None = None) -> Any:
        """The result of the same audit that knows these marks."""
        if self.repeat is None:
            raise ValueError("This result does not know its settings: only one of audit_labels can be updated.")
        return self.repeat(self.X, self.y, marks=marks, progress=progress)


AnyReviewed = TypeVar("AnyReviewed", bound=Reviewed)


def settle(findings: AnyReviewed, marks: Marks) -> AnyReviewed:
    """Findings of models that learnt from these marks, in agreement with the marks.

    A label that is marked right has the suspicion 0, one that is marked wrong 1; the log odds of all others are shifted
    by what the marks tell (`estimate_review`). Posterior, suggestion and kind follow.
    """
    rows, codes = marks.rows, np.searchsorted(findings.classes, findings.y)
    suspicion = shift_suspicion(findings.suspicion, estimate_review(findings.suspicion, marks).shift)
    suspicion[rows] = marks.wrong
    posterior = set_suspicion(findings.posterior, codes, suspicion)
    known = ~marks.unknown
    posterior[rows[known]] = np.eye(len(findings.classes))[marks.correct[known]]
    redundant, _, noisy = KINDS
    kinds = assign_kinds(findings.probabilities, codes, suspicion)
    kinds[rows] = np.where(marks.wrong, noisy, redundant)
    return replace(
        findings,
        suspicion=suspicion,
        suggested=findings.classes[suggest_classes(posterior, codes, suspicion)],
        kinds=kinds,
        posterior=posterior,
        marks=marks,
        forecast=findings.suspicion,
    )
