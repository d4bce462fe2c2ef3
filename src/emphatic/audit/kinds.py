"""Redundant, borderline, noisy: paper 002's pattern types, for any model that gives probabilities."""

from __future__ import annotations

import numpy as np

from emphatic.audit.result import KINDS
from emphatic.check import FloatArray, IntArray
from emphatic.margins import margins

WITHIN_SHARE = 0.25
"""Share of the right samples that lie within the margin where paper 002's rule for it comes to rest."""

WIDEST_MARGIN = 0.5
"""Three to one for a label is safe, however sure the models are of other samples."""


def safe_margin(margin: FloatArray) -> float:
    r"""The :math:`\gamma` that tells safe samples from borderline ones.

    Paper 002 raises gamma by 0.25 for every right sample beyond it and lowers it by 0.75 for every right one within.
    It rests where a quarter of the right samples lie within: the lower quartile of the positive margins, for every
    model and on any scale. Here it is never above 0.5.

    >>> import numpy as np
    >>> safe_margin(np.array([-0.4, 0.1, 0.2, 0.3, 0.4, 0.5])).__round__(2)
    0.2
    """
    right = margin[margin > 0]
    return float(min(np.quantile(right, WITHIN_SHARE), WIDEST_MARGIN)) if len(right) else WIDEST_MARGIN


def kinds(probabilities: FloatArray, codes: IntArray) -> np.ndarray:
    r"""Kind of every sample, from the margin m = p[y] - max p[other] of its out-of-fold probabilities.

    "redundant" (safely right) for :math:`m > \gamma`, "noisy" (safely wrong) for :math:`m < -\gamma`, "borderline"
    between them.

    >>> import numpy as np
    >>> kinds(np.array([[0.95, 0.05], [0.9, 0.1], [0.6, 0.4], [0.02, 0.98]]), np.array([0, 0, 0, 0])).tolist()
    ['redundant', 'redundant', 'borderline', 'noisy']
    """
    margin = margins(2.0 * probabilities - 1.0, codes)
    gamma = safe_margin(margin)
    redundant, borderline, noisy = KINDS
    return np.where(margin > gamma, redundant, np.where(margin < -gamma, noisy, borderline))
