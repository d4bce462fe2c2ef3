"""How a review stands: how often suspicion was right so far, how many wrong labels remain, and whether to go on.

`web/estimate.js` computes the same in the page; a browser test compares the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import binomtest

from emphatic.audit.marks.record import Marks
from emphatic.check import FloatArray

ENOUGH_MARKS = 20
"""Before, an estimate would say little more than the suspicions alone."""

PRIOR_DEVIATION = 1.0
"""Of the shift of the log odds, before any mark: the odds of a mistake may be e or 1/e times those of the audit."""

WORTH_A_LOOK = 0.1
"""Below it, ten samples and more must be looked at to find one wrong label."""

SMALLEST = 1e-6
"""Keeps the log odds finite; the page knows suspicions to six digits."""

TWO_SIDED_95 = 1.959963984540054
"""Quantile 0.975 of the normal distribution."""


@dataclass(frozen=True)
class Review:
    """How a review stands.

    Attributes
    ----------
    n_marked, n_wrong, n_unmarked : int
        Samples with a mark, those of them whose label is wrong, and samples without one.
    precision, precision_interval : float, and (low, high)
        Share of the marked labels that were wrong, with Wilson's interval of 95%; NaN without marks.
    shift : float
        What the marks add to the log odds of every suspicion.
    remaining, remaining_interval : float, and (low, high)
        Wrong labels to be expected among the unmarked ones: the sum of their suspicions, with an interval of 95%.
    next_suspicion : float
        Of the most suspicious unmarked label; 0 if there is none.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from emphatic.audit import audit_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y[3] = 2
    >>> audit = audit_labels(X, y, estimator=LogisticRegression(max_iter=500)).update({3: ("wrong", 0), 106: "right"})
    >>> print(audit.review.describe())
    1 of 2 marked labels were wrong. How many remain is estimated from 20 marks on.
    """

    n_marked: int
    n_wrong: int
    n_unmarked: int
    precision: float
    precision_interval: tuple[float, float]
    shift: float
    remaining: float
    remaining_interval: tuple[float, float]
    next_suspicion: float

    @property
    def enough(self) -> bool:
        """Whether one can stop: after 20 marks, if no unmarked label has a suspicion of 0.1 or more."""
        return self.n_unmarked == 0 or (self.n_marked >= ENOUGH_MARKS and self.next_suspicion < WORTH_A_LOOK)

    def describe(self) -> str:
        """The same in sentences."""
        if self.n_unmarked and self.n_marked < ENOUGH_MARKS:
            return (
                f"{self.n_wrong} of {self.n_marked} marked labels were wrong. How many remain is estimated from "
                f"{ENOUGH_MARKS} marks on."
            )
        shares = [_percent(share) for share in (self.precision, *self.precision_interval)]
        found = "{} of {} marked labels were wrong ({}%; {}% to {}%).".format(self.n_wrong, self.n_marked, *shares)
        if not self.n_unmarked:
            return f"{found} Every sample is marked."
        numbers = [_round(number) for number in (self.n_unmarked, self.remaining, *self.remaining_interval)]
        left = "Of the {} others, about {} are expected to be wrong ({} to {}).".format(*numbers)
        rule = f"no unmarked label is wrong with a probability of {_percent(WORTH_A_LOOK)}% or more."
        if self.enough:
            return f"{found} {left} You can stop: {rule}"
        go_on = f"Go on: the next one is wrong with a probability of {_percent(self.next_suspicion)}%."
        return f"{found} {left} {go_on} You can stop when {rule}"


def estimate_review(forecast: FloatArray, marks: Marks) -> Review:
    r"""How a review stands, from the suspicions that an audit forecast and what became of the marked ones.

    Let :math:`l_i` be the log odds of the forecast suspicions. Those of all samples are shifted by the most probable
    :math:`d`, given the marks :math:`w_i` (1 for a wrong label) and a normal prior of mean 0 and deviation
    :math:`\tau = 1`:

    .. math:: \max_d \sum_{i\ \text{marked}} \log p(w_i \mid l_i + d) - \frac{d^2}{2 \tau^2}
        \quad\Leftrightarrow\quad \sum_{i\ \text{marked}} \big(w_i - \sigma(l_i + d)\big) = \frac{d}{\tau^2}.

    It does not matter that the most suspicious samples are marked first: what is fitted is how often labels *of a given
    suspicion* are wrong. Of the unmarked ones :math:`\sum s_i` with :math:`s_i = \sigma(l_i + d)` are expected to be
    wrong. The variance of their number is :math:`V + v V^2`: :math:`V = \sum s_i (1 - s_i)`, as each of them is wrong
    or not, and :math:`v = 1 / (1 / \tau^2 + \sum_{\text{marked}} s_i (1 - s_i))` is the variance of d.

    >>> import numpy as np
    >>> marks = Marks.of({0: (True, 1), 1: (False, 0)})
    >>> estimate_review(np.array([0.5, 0.5, 0.2]), marks).remaining.__round__(6)  # as forecast
    0.2
    """
    log_odds = logit(np.clip(forecast, SMALLEST, 1.0 - SMALLEST))
    marked = np.isin(np.arange(len(forecast)), marks.rows)
    shift = _fit_shift(log_odds[marked], marks.wrong)
    suspicion = expit(log_odds + shift)
    spread = suspicion * (1.0 - suspicion)
    own, doubt = spread[~marked].sum(), 1.0 / (PRIOR_DEVIATION**-2 + spread[marked].sum())
    remaining, n_unmarked = float(suspicion[~marked].sum()), int((~marked).sum())
    reach = TWO_SIDED_95 * math.sqrt(own + doubt * own**2)
    n_wrong = int(marks.wrong.sum())
    interval = binomtest(n_wrong, len(marks)).proportion_ci(method="wilson") if len(marks) else (math.nan, math.nan)
    return Review(
        n_marked=len(marks),
        n_wrong=n_wrong,
        n_unmarked=n_unmarked,
        precision=n_wrong / len(marks) if len(marks) else math.nan,
        precision_interval=(float(interval[0]), float(interval[1])),
        shift=shift,
        remaining=remaining,
        remaining_interval=(max(0.0, remaining - reach), min(float(n_unmarked), remaining + reach)),
        next_suspicion=float(suspicion[~marked].max(initial=0.0)),
    )


def shift_suspicion(forecast: FloatArray, shift: float) -> FloatArray:
    """Suspicions whose log odds are shifted; a shift of 0 changes nothing.

    >>> import numpy as np
    >>> shift_suspicion(np.array([0.5, 0.9]), float(np.log(3))).round(3)
    array([0.75 , 0.964])
    """
    return np.asarray(expit(logit(forecast) + shift))


def _fit_shift(log_odds: FloatArray, wrong: NDArray[np.bool_]) -> float:
    """The d at which the slope of the log posterior is 0; the slope falls, and d is at most tau^2 per mark."""

    def slope(shift: float) -> float:
        return float((wrong - expit(log_odds + shift)).sum() - shift / PRIOR_DEVIATION**2)

    reach = len(log_odds) * PRIOR_DEVIATION**2
    return float(brentq(slope, -reach, reach, xtol=1e-12)) if len(log_odds) else 0.0


def _round(number: float) -> int:
    """Halves upwards, as the page does it."""
    return math.floor(number + 0.5)


def _percent(share: float) -> int:
    return _round(100.0 * share)
