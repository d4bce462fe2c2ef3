"""One judgement of each sample, from out-of-fold probabilities: suspicion, suggested class and kind; and a record."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from emphatic.audit.noise_model import SMALLEST, find_posterior
from emphatic.check import FloatArray, IntArray
from emphatic.margins import margins, normalise_rows
from emphatic.tables.decision import Decision

KINDS = ("redundant", "borderline", "noisy")
"""What a sample can be to a learner (paper 002): safely right, near the boundary, safely wrong."""

INSIDE_SHARE = 0.25
"""Share of the right samples that lie inside the margin where paper 002's rule for it comes to rest."""

WIDEST_MARGIN = 0.5
"""Odds of three to one for a label are safe, however sure the models are of other samples."""


class Judgement(NamedTuple):
    """What an audit says of n samples; all of it follows from the probabilities, and agrees."""

    posterior: FloatArray
    """(n, K): probabilities of the true classes, given the samples and their labels."""
    suspicion: FloatArray
    """(n,): probability that the label is wrong."""
    suggested: IntArray
    """(n,): codes; not that of the label where the suspicion is above one half, and nowhere else."""
    kinds: np.ndarray
    """(n,) of str: "redundant" samples are suggested their label, "noisy" ones another."""


def judge_labels(probabilities: FloatArray, codes: IntArray) -> Judgement:
    """Judge labels by their out-of-fold probabilities (n, K).

    Models of the noise (`emphatic.audit.noise_model`) give the posterior of the true class. Suspicion is what it leaves
    to other classes than the label.

    >>> import numpy as np
    >>> probabilities = np.repeat([[0.97, 0.03], [0.03, 0.97], [0.5, 0.5]], [40, 40, 2], axis=0)
    >>> codes = np.repeat([0, 1, 0], [40, 40, 2])
    >>> codes[5] = 1
    >>> found = judge_labels(probabilities, codes)
    >>> found.suspicion[[0, 5, 80]].round(2).tolist(), found.suggested[[0, 5, 80]].tolist()
    ([0.0, 0.99, 0.05], [0, 0, 0])
    >>> found.kinds[[0, 5, 80]].tolist()
    ['redundant', 'noisy', 'borderline']
    """
    posterior = find_posterior(probabilities, codes)
    others = posterior.copy()
    others[np.arange(len(codes)), codes] = 0.0
    suspicion = others.sum(axis=1)  # not 1 - posterior, which would round small suspicions to equal ones
    suggested = suggest_classes(posterior, codes, suspicion)
    return Judgement(posterior, suspicion, suggested, assign_kinds(probabilities, codes, suspicion))


def suggest_classes(posterior: FloatArray, codes: IntArray, suspicion: FloatArray) -> IntArray:
    """The most probable other class where the suspicion is above one half, otherwise that of the label.

    Of three or more classes, the label's may have the largest part of a posterior and yet less than half of it.

    >>> import numpy as np
    >>> posterior = np.array([[0.6, 0.3, 0.1], [0.4, 0.3, 0.3]])
    >>> suggest_classes(posterior, np.array([0, 0]), np.array([0.4, 0.6]))
    array([0, 1])
    """
    others = posterior.copy()
    others[np.arange(len(codes)), codes] = -1.0
    return np.where(suspicion > 0.5, others.argmax(axis=1), codes)


def set_suspicion(posterior: FloatArray, codes: IntArray, suspicion: FloatArray) -> FloatArray:
    """The posterior that leaves so much to other classes than the label, among which the proportions stay.

    >>> import numpy as np
    >>> set_suspicion(np.array([[0.6, 0.3, 0.1]]), np.array([0]), np.array([0.8]))
    array([[0.2, 0.6, 0.2]])
    """
    own = np.arange(len(codes)), codes
    others = np.maximum(posterior, SMALLEST)  # where all of them are 0, they are alike
    others[own] = 0.0
    found = suspicion[:, None] * normalise_rows(others)
    found[own] = 1.0 - suspicion
    return found


def find_safe_margin(margin: FloatArray) -> float:
    r"""The :math:`\gamma` that separates safe samples from borderline ones.

    Paper 002 raises gamma by 0.25 for every right sample beyond it and lowers it by 0.75 for every right one inside.
    It rests where a quarter of the right samples lie inside: the lower quartile of the positive margins, for every
    model and on any scale. Here it is never above 0.5.

    >>> import numpy as np
    >>> find_safe_margin(np.array([-0.4, 0.1, 0.2, 0.3, 0.4, 0.5])).__round__(2)
    0.2
    """
    right = margin[margin > 0]
    return float(min(np.quantile(right, INSIDE_SHARE), WIDEST_MARGIN)) if len(right) else WIDEST_MARGIN


def assign_kinds(probabilities: FloatArray, codes: IntArray, suspicion: FloatArray) -> np.ndarray:
    r"""Kind of every sample, from the margin m = p[y] - max p[other] of its out-of-fold probabilities.

    "redundant" (safely right) for :math:`m > \gamma` and a suspicion of at most one half, "noisy" (safely wrong) for
    :math:`m < -\gamma` and a suspicion above one half, otherwise "borderline".

    >>> import numpy as np
    >>> probabilities = np.array([[0.95, 0.05], [0.9, 0.1], [0.6, 0.4], [0.02, 0.98]])
    >>> assign_kinds(probabilities, np.array([0, 0, 0, 0]), np.array([0.01, 0.02, 0.1, 0.9])).tolist()
    ['redundant', 'redundant', 'borderline', 'noisy']
    """
    margin = margins(2.0 * probabilities - 1.0, codes)
    gamma = find_safe_margin(margin)
    redundant, borderline, noisy = KINDS
    right, wrong = (margin > gamma) & (suspicion <= 0.5), (margin < -gamma) & (suspicion > 0.5)
    return np.where(right, redundant, np.where(wrong, noisy, borderline))


@dataclass(frozen=True, eq=False)
class Findings:
    """The values of an `AuditResult`, which describes them; apart from it because its page and its plot read them."""

    suspicion: FloatArray
    suggested: np.ndarray
    kinds: np.ndarray
    probabilities: FloatArray
    posterior: FloatArray
    classes: np.ndarray
    X: Any
    y: np.ndarray
    index: np.ndarray
    neighbours: IntArray
    columns: Sequence[Decision] = ()
    notes: Sequence[str] = ()

    @property
    def order(self) -> IntArray:
        """Positions by decreasing suspicion; of equal ones the first comes first."""
        return np.argsort(-self.suspicion, kind="stable")

    def summary(self, n_worst: int = 5) -> str:
        """A few lines: how many samples, of which kinds, and which labels (at most `n_worst`) are most suspicious."""
        counts = ", ".join(f"{(self.kinds == kind).sum()} {kind}" for kind in KINDS)
        lines = [
            f"{len(self.y)} samples, {len(self.classes)} classes: {counts}.",
            f"About {self.suspicion.sum():.0f} labels are expected to be wrong (the sum of all suspicions).",
            *self.notes,
        ]
        worst = [i for i in self.order[: max(n_worst, 0)] if self.suggested[i] != self.y[i]]
        if n_worst > 0:
            lines.append("Most suspicious:" if worst else "No label looks wrong.")
        lines += [f"  {self.suspicion[i]:.2f}  {self.describe(i)}" for i in worst]
        return "\n".join(lines)

    def describe(self, i: int) -> str:
        """The row at position `i`, with its label and the suggested one."""
        return f"row {self.index[i]}: labelled {self.y[i]}, suggested {self.suggested[i]}"
