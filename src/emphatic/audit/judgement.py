"""From out-of-fold probabilities to what an audit says of each sample: suspicion, kind, and a record."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from emphatic.blending.noise import estimate_noise
from emphatic.check import FloatArray, IntArray
from emphatic.margins import margins
from emphatic.tables.decision import Decision

KINDS = ("redundant", "borderline", "noisy")
"""What a sample can be to a learner (paper 002): safely right, near the boundary, safely wrong."""

SLOPE = 2.0
"""Of the suspicion's log odds in those of the label; the best of 1, 1.5, 2, 3, 4 on the problems for tuning."""

SMALLEST = 1e-9
"""Keeps the log odds finite, and the order of the samples."""

INSIDE_SHARE = 0.25
"""Share of the right samples that lie inside the margin where paper 002's rule for it comes to rest."""

WIDEST_MARGIN = 0.5
"""Odds of three to one for a label are safe, however sure the models are of other samples."""


def estimate_suspicion(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    r"""Probability that a label is wrong, from the out-of-fold probability p of the given label.

    .. math:: s_i = \frac{1}{1 + e^{-c} \left(p_i / (1 - p_i)\right)^2}

    It falls strictly with p, so the order of the samples is that of 1 - p. But 1 - p itself would give every sample
    between two classes a suspicion of one half. The constant c makes all suspicions add up to the estimated number of
    wrong labels.
    """
    own = probabilities[np.arange(len(codes)), codes]
    log_odds = -SLOPE * logit(np.clip(own, SMALLEST, 1.0 - SMALLEST))
    noise = estimate_noise(probabilities, codes)
    # at either end every sample has a suspicion of nearly 0 or 1, so that the mean crosses `noise` in between
    low, high = -log_odds.max() - 50.0, 50.0 - log_odds.min()
    constant = brentq(lambda c: expit(c + log_odds).mean() - noise, low, high)
    return np.asarray(expit(constant + log_odds))


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


def assign_kinds(probabilities: FloatArray, codes: IntArray) -> np.ndarray:
    r"""Kind of every sample, from the margin m = p[y] - max p[other] of its out-of-fold probabilities.

    "redundant" (safely right) for :math:`m > \gamma`, "noisy" (safely wrong) for :math:`m < -\gamma`, otherwise
    "borderline".

    >>> import numpy as np
    >>> assign_kinds(np.array([[0.95, 0.05], [0.9, 0.1], [0.6, 0.4], [0.02, 0.98]]), np.array([0, 0, 0, 0])).tolist()
    ['redundant', 'redundant', 'borderline', 'noisy']
    """
    margin = margins(2.0 * probabilities - 1.0, codes)
    gamma = find_safe_margin(margin)
    redundant, borderline, noisy = KINDS
    return np.where(margin > gamma, redundant, np.where(margin < -gamma, noisy, borderline))


@dataclass(frozen=True, eq=False)
class Findings:
    """The values of an `AuditResult`, which describes them; apart from it because its page and its plot read them."""

    suspicion: FloatArray
    suggested: np.ndarray
    kinds: np.ndarray
    probabilities: FloatArray
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
