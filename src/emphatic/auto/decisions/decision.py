"""How `predict` turns probabilities into classes: the class whose prediction is worth most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic import check
from emphatic.auto.decisions.costs import check_costs, read_costs
from emphatic.auto.decisions.decision_weights import Measure, choose_weights, f1, recall
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Maybe, Text, saved
from emphatic.inputs import find_rarer

DECISIONS = ("probability", "f1", "balanced", "cost")


@saved(name=Text(*DECISIONS), gains=Maybe(Array(np.float64, "classes", "classes")))
@dataclass(frozen=True)
class DecisionRule:
    """argmax_k sum_j p_j gains_jk.

    Attributes
    ----------
    name : str
        One of `DECISIONS`.
    gains : (K, K), or None
        What it is worth to predict a class (columns) where another one (rows) is true: weights of the classes on the
        diagonal, or negative costs. None predicts the most probable class.
    """

    name: str = "probability"
    gains: FloatArray | None = None

    def choose(self, probabilities: FloatArray) -> IntArray:
        """Codes (n,) of the classes to predict; those of a row do not depend on the others."""
        return np.asarray(self.value(probabilities).argmax(axis=1))

    def value(self, probabilities: FloatArray) -> FloatArray:
        """(n, K): what predicting each class is worth."""
        if self.gains is None:
            return probabilities
        # by columns, in one order: a product of matrices may round a row otherwise in other company
        worth: Any = 0.0
        for column, gains in zip(probabilities.T, self.gains, strict=True):
            worth = worth + column[:, None] * gains
        return np.asarray(worth)

    def weigh(self, n_classes: int) -> FloatArray | None:
        """(K,): what probabilities are multiplied by; None if costs decide."""
        if self.name == "cost":
            return None
        return np.ones(n_classes) if self.gains is None else np.diag(self.gains).copy()

    def check_shape(self, n_classes: int) -> None:
        """Raise ValueError unless it decides between so many classes."""
        if self.gains is None:
            if self.name != "probability":
                raise ValueError(f"the decision {self.name} needs its gains")
        elif len(self.gains) != n_classes:
            raise ValueError(f"a decision between {n_classes} classes is needed, not {len(self.gains)}")


BY_PROBABILITY = DecisionRule()


def check_decision(decision: Any, costs: Any) -> None:
    """Raise ValueError or TypeError unless `decision` is known, and there are costs where they are used."""
    check.one_of("decision", decision, DECISIONS)
    if costs is not None:
        check_costs(costs)
        if decision not in ("probability", "cost"):
            raise ValueError(f'costs are given, but decision={decision!r} does not use them: use decision="cost".')
    elif decision == "cost":
        raise ValueError('decision="cost" needs costs, such as costs=[[0, 1], [10, 0]].')


def choose_rule(
    decision: str, costs: Any, classes: np.ndarray, probabilities: FloatArray, codes: IntArray, weights: FloatArray
) -> DecisionRule:
    """The rule of this name for these out-of-fold probabilities (n, K); given costs always decide."""
    if costs is not None:
        return DecisionRule("cost", -read_costs(costs, classes))
    if decision == "probability":
        return BY_PROBABILITY
    shares = np.bincount(codes, weights, minlength=len(classes)).astype(np.float64)
    measure = choose_measure(decision, shares)
    return DecisionRule(decision, np.diag(choose_weights(probabilities, codes, weights, measure)))


def choose_measure(decision: str, shares: FloatArray) -> Measure:
    """What is largest under the decision "f1" or "balanced", with classes of these shares."""
    even = np.full(len(shares), 1.0 / len(shares))
    if decision == "balanced":
        return Measure(recall, even)
    return Measure(f1, np.eye(2)[find_rarer(shares.tolist())] if len(shares) == 2 else even)
