"""The rules that are compared: an emphasis and its vote, and the parameters that are chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from emphatic.emphasis import (
    Annealed,
    Averaged,
    Brown,
    Capped,
    Controlled,
    CostSensitive,
    DynamicMixed,
    Exponential,
    Focal,
    FuzzyEntropy,
    Logistic,
    Mada,
    Mixed,
    Multiplicative,
    Neighbour,
    Robust,
    Savage,
    Smooth,
    SoftMargin,
    Tangent,
    Undersampled,
    Uniform,
)
from emphatic.votes import LineSearch, MarginMaximising, Shrunken

ROUNDS = 30
"""Learners of every ensemble."""

NONE = "no emphasis"
"""A plain committee: learners on bootstraps, with equal votes."""

SHIFTED = f"{NONE}, shifted threshold"

REFERENCE = "Exponential"
"""Real AdaBoost's own, the default of `RealAdaBoostClassifier`."""


@dataclass(frozen=True)
class Rule:
    """Parameters of `RealAdaBoostClassifier`, one set for each candidate.

    `shifted` calibrates the ensemble and predicts a class where it is more probable than it is frequent, which is best
    where errors of a class cost the more the rarer it is (Nikolaou et al. 2016).
    """

    candidates: Sequence[dict[str, Any]]
    shifted: bool = False


def _choose(make: Callable[..., Any], *values: Any) -> Rule:
    """One candidate for each value of the emphasis' parameter, or of its parameters."""
    return Rule([{"emphasis": make(*(value if isinstance(value, tuple) else (value,)))} for value in values])


RULES: dict[str, Rule] = {
    NONE: Rule([{"emphasis": Uniform(), "resample": True, "vote": "equal"}]),
    REFERENCE: Rule([{"emphasis": Exponential()}]),
    "Exponential, line search": Rule([{"emphasis": Exponential(), "vote": LineSearch()}]),
    "Exponential, shrunken": Rule([{"emphasis": Exponential(), "vote": Shrunken(rate)} for rate in (0.1, 0.3)]),
    "Exponential, AdaBoost*": Rule([{"emphasis": Exponential(), "vote": MarginMaximising(0.1)}]),
    "Logistic": Rule([{"emphasis": Logistic()}]),
    "Mada": Rule([{"emphasis": Mada()}]),
    "Smooth": Rule([{"emphasis": Smooth(0.1)}]),
    "Savage": Rule([{"emphasis": Savage()}]),
    "Tangent": Rule([{"emphasis": Tangent()}]),
    "Focal": Rule([{"emphasis": Focal(2.0)}]),
    "Brown": _choose(Brown, 0.7, 2.0),
    "Robust": _choose(Robust, 0.1, 0.25),
    "SoftMargin": Rule([{"emphasis": SoftMargin(0.25)}]),
    "Mixed": _choose(Mixed, 0.3, 0.6),
    "DynamicMixed": _choose(DynamicMixed, ((0.2, 0.5, 0.8),)),
    "Controlled": _choose(Controlled, (0.2, 0.5), (0.6, 1.0)),
    "Neighbour of Exponential": _choose(Neighbour, (Exponential(), 5, 0.5), (Exponential(), 5, 0.9)),
    "Averaged Multiplicative": _choose(Averaged, Multiplicative()),
    "Capped Exponential": _choose(Capped, (Exponential(), 2.0), (Exponential(), 5.0)),
    "Annealed, error to boundary": _choose(Annealed, (Mixed(0.7), Mixed(0.2), ROUNDS)),
    "Annealed, boundary to error": _choose(Annealed, (Mixed(0.2), Mixed(0.7), ROUNDS)),
    "FuzzyEntropy": _choose(FuzzyEntropy, "hard", "easy"),
}
"""Every emphasis of `emphatic.emphasis` for any learner; those whose parameter can be named are chosen among a few."""

FOR_IMBALANCE: dict[str, Rule] = {
    "Undersampled Exponential": _choose(Undersampled, Exponential()),
    **{
        f"CostSensitive, {policy}": _choose(CostSensitive, (policy, None, ROUNDS))
        for policy in ("adacost", "adac1", "adac2", "adac3", "csb2", "asymmetric")
    },
    "Exponential, shifted threshold": Rule([{"emphasis": Exponential()}], shifted=True),
    SHIFTED: Rule(RULES[NONE].candidates, shifted=True),
}
"""Rules that favour the rarer class; with balanced classes they would have nothing to do."""
