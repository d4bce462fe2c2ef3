"""The emphasis that maximises the soft margin, as SoftBoost and LPBoost do."""

from typing import Any

import numpy as np

from emphatic import check
from emphatic.base import Ballot, Stage, VotingEmphasis
from emphatic.check import FloatArray, IntArray
from emphatic.soft_margins import choose_votes, weigh_samples


class SoftMargin(VotingEmphasis):
    r"""Weights that none of the learners so far has an edge against, none above :math:`1/(\nu n)` (ERLPBoost).

    .. math:: D_{t+1} = \arg\min_D\; \max_{s \le t} \sum_i D_i\, m_i(o_s) + \frac{1}{\eta} \sum_i D_i \ln (n D_i),
              \qquad 0 \le D_i \le \frac{1}{\nu n}

    The votes, set anew in every round, solve the dual problem: they maximise the mean of the :math:`\nu n` smallest
    margins (Warmuth, Glocer and Vishwanathan 2008; without the entropy it is :math:`\nu`-LPBoost of Demiriz, Bennett
    and Shawe-Taylor 2002). Growth ends when a learner has no larger edge than the former ones.

    Parameters
    ----------
    nu : float in (0, 1], default=0.2
        About the share of samples that may end up inside the margin, which are then hardly looked at: choose the share
        of noise, or more. At least 1/n; with 1 all weights stay equal.
    accuracy : float in [1e-9, 1), default=0.05
        How much of the margin may be lost for the sake of smooth weights: :math:`\eta = 2 \ln(1/\nu) / accuracy`.

    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import SoftMargin
    >>> X, y = make_moons(100, noise=0.3, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = RealAdaBoostClassifier(stump, SoftMargin(0.2), n_estimators=30, random_state=0).fit(X, y)
    >>> print(model.alphas_.sum().round(6), model.effective_sample_sizes_.min().round(6))  # nu n = 20 samples at least
    1.0 20.0
    """

    revises = True

    def __init__(self, nu: float = 0.2, accuracy: float = 0.05) -> None:
        self.nu = nu
        self.accuracy = accuracy

    def check_parameters(self) -> None:
        check.real("nu", self.nu, 0, 1, open_low=True)
        check.real("accuracy", self.accuracy, 1e-9, 1, open_high=True)

    @property
    def needs_all_rows(self) -> str:
        return "its votes rest on the margins of all rows in all rounds"

    def start(self, X: Any, y: IntArray) -> FloatArray:
        if self.nu * len(y) < 1.0:
            raise ValueError(
                f"nu={self.nu!r} is not allowed for {len(y)} samples: no weight can be as large as 1/(nu n). "
                f"nu must be at least 1/n = {1 / len(y):.3g}."
            )
        self.eta_ = max(0.5, 2.0 * np.log(1.0 / self.nu) / self.accuracy)
        self.margins_, self.votes_ = np.empty((len(y), 0)), np.empty(0)
        return super().start(X, y)

    def choose(self, ballot: Ballot) -> float | FloatArray:
        former = max(ballot.weights @ self.margins_, default=0.0)
        if ballot.edge <= max(former, 0.0) + 1e-9:
            return 0.0
        self.prior_, self.margins_ = ballot.prior, np.column_stack([self.margins_, ballot.margin])
        begin = np.append(self.votes_ * 0.9, 0.1 if len(self.votes_) else 1.0)
        self.votes_ = choose_votes(self.margins_, self.prior_, self.prior_ / self.nu, self.eta_, begin)
        return self.votes_

    def update(self, stage: Stage) -> FloatArray:
        weights = weigh_samples(self.margins_ @ self.votes_, self.prior_, self.prior_ / self.nu, self.eta_)
        return np.asarray(weights / self.prior_ / len(weights))  # the loop multiplies the prior in
