"""The emphases of cost-sensitive boosting: errors of one class cost more than those of another."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emphatic import check
from emphatic.base import LARGEST_EDGE, Ballot, Stage, VotingEmphasis
from emphatic.check import FloatArray, IntArray
from emphatic.margins import count_classes, look_up, normalise

Factors = tuple[Any, Any, Any, Any]
"""A, B, V and S of every sample (see `CostSensitive`); 1 stands for 1 everywhere."""

POLICIES: dict[str, Callable[[FloatArray, FloatArray], Factors]] = {
    "adacost": lambda cost, u: (1, half(cost, u), half(cost, u), 1),
    "adac1": lambda cost, u: (1, cost, cost, 1),
    "adac2": lambda cost, u: (cost, 1, cost, cost),
    "adac3": lambda cost, u: (cost, cost, cost**2, cost),
    "csb2": lambda cost, u: (np.where(u > 0, 1.0, cost / cost.min()), 1, 1, 1),
    "asymmetric": lambda cost, u: (cost, 1, 1, 1),
}


def half(cost: FloatArray, u: FloatArray) -> FloatArray:
    """AdaCost's adjustment: (1 - c)/2 for right samples, (1 + c)/2 for wrong ones."""
    factor: FloatArray = (1.0 - np.sign(u) * cost) / 2.0
    return factor


class CostSensitive(VotingEmphasis):
    r"""Let the errors of some classes count more, by one of six published rules.

    .. math:: D_{t+1}(i) \propto A_i\, D_t(i)\, e^{-\alpha_t B_i u_i}, \qquad
              \alpha_t = \operatorname{artanh} \frac{\sum_i D_t(i)\, V_i\, u_i}{\sum_i D_t(i)\, S_i}

    where u is the margin of the newest learner and C the cost of a sample's class over the largest cost:

    ============== ============================= ======================= ======= ======= =====================
    policy         A                             B                       V       S       source
    ============== ============================= ======================= ======= ======= =====================
    ``adacost``    1                             (1-C)/2 if right,       B       1       Fan et al. 1999
                                                 (1+C)/2 if wrong
    ``adac1``      1                             C                       C       1       Sun et al. 2007
    ``adac2``      C                             1                       C       C       Sun et al. 2007
    ``adac3``      C                             C                       C^2     C       Sun et al. 2007
    ``csb2``       1 if right, C/min(C) if wrong 1                       1       1       Ting 2000
    ``asymmetric`` C^(1/rounds)                  1                       1       1       Viola and Jones 2002
    ============== ============================= ======================= ======= ======= =====================

    Parameters
    ----------
    policy : one of the above, default="asymmetric"
    costs : sequence of floats above 0, default=None
        One per class, in the order of `classes_`. None: inversely proportional to the size of the classes.
    rounds : int, default=50
        Over how many rounds "asymmetric" spreads the costs.

    Notes
    -----
    "adacost" and "csb2" begin with weights proportional to C, "asymmetric" with A, the others with equal ones. With
    equal costs all but "adacost" are AdaBoost; with "adacost" learners then have no votes, as B of right samples is 0.
    "adac2" and "adac3" multiply by the costs in every round, so small differences go far. A calibrated ensemble with a
    shifted threshold did better than all but "adacost" in docs/emphasis-study.md.

    >>> from sklearn.datasets import make_blobs
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import CostSensitive
    >>> from emphatic.metrics import class_accuracies
    >>> X, y = make_blobs([300, 30], cluster_std=3, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> for costs in ([1, 1], [1, 10]):
    ...     emphasis = CostSensitive("asymmetric", costs, rounds=10)
    ...     model = RealAdaBoostClassifier(stump, emphasis, n_estimators=10, random_state=0).fit(X, y)
    ...     print(class_accuracies(y, model.predict(X)).round(2))
    [0.99 0.23]
    [0.85 0.67]
    """

    def __init__(self, policy: str = "asymmetric", costs: Sequence[float] | None = None, rounds: int = 50) -> None:
        self.policy = policy
        self.costs = costs
        self.rounds = rounds

    def check_parameters(self) -> None:
        check.one_of("policy", self.policy, tuple(POLICIES))
        check.integer("rounds", self.rounds, at_least=1)
        if self.costs is not None:
            for place, cost in enumerate(np.atleast_1d(np.asarray(self.costs, dtype=object))):
                check.real(f"costs[{place}]", cost, 0, open_low=True)

    def start(self, X: Any, y: IntArray) -> FloatArray:
        sizes = count_classes(y)
        costs = 1.0 / np.maximum(sizes, 1) if self.costs is None else np.ravel(np.asarray(self.costs, dtype=np.float64))
        if len(costs) != len(sizes):
            raise ValueError(
                f"costs has {len(costs)} numbers, but y has {len(sizes)} classes: one per class is needed."
            )
        cost = look_up(costs / costs.max(), y)
        self.cost_ = cost ** (1.0 / self.rounds) if self.policy == "asymmetric" else cost
        return normalise(
            np.log(self.cost_) if self.policy in {"adacost", "csb2", "asymmetric"} else np.zeros_like(cost)
        )

    def choose(self, ballot: Ballot) -> float:
        _, _, benefit, scale = POLICIES[self.policy](self.cost_, ballot.margin)
        weights = ballot.weights
        edge = (weights * benefit) @ ballot.margin / (weights * scale).sum()
        return float(np.arctanh(np.clip(edge, -LARGEST_EDGE, LARGEST_EDGE)))

    def update(self, stage: Stage) -> FloatArray:
        multiplier, exponent, _, _ = POLICIES[self.policy](self.cost_, stage.margin)
        with np.errstate(divide="ignore"):  # a weight that has vanished stays 0: exp(-inf)
            log_weights = np.log(stage.weights)
        return normalise(log_weights + np.log(multiplier) - stage.alpha * exponent * stage.margin)
