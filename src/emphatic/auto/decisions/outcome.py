"""What a decision does to each class, counted on the training rows out of fold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from emphatic.auto.decisions.decision import DecisionRule, choose_rule
from emphatic.check import FloatArray, IntArray
from emphatic.wording import as_one_line


@dataclass(frozen=True, eq=False)
class Outcome:
    """A rule, and out-of-fold probabilities (n, K) of rows with known codes of classes, and weights."""

    rule: DecisionRule
    classes: np.ndarray
    probabilities: FloatArray
    codes: IntArray
    weights: FloatArray

    @cached_property
    def confusion(self) -> FloatArray:
        """(K, K): the weight of the rows of class i that are predicted as class j, in shares of all rows."""
        n_classes = len(self.classes)
        cells = self.codes * n_classes + self.rule.choose(self.probabilities)
        counts = np.bincount(cells, self.weights, minlength=n_classes**2).reshape(n_classes, n_classes)
        return np.asarray(counts / counts.sum())

    @property
    def shares(self) -> FloatArray:
        """Of the rows, per class."""
        return np.asarray(self.confusion.sum(axis=1))

    @property
    def predicted(self) -> FloatArray:
        """Share of the rows that are predicted as each class."""
        return np.asarray(self.confusion.sum(axis=0))

    @property
    def right(self) -> FloatArray:
        """Share of the rows that are predicted as each class and belong to it."""
        return np.diag(self.confusion)

    def by(self, decision: str) -> Outcome:
        """The outcome of another decision for the same rows."""
        rule = choose_rule(decision, None, self.classes, self.probabilities, self.codes, self.weights)
        return replace(self, rule=rule)

    @cached_property
    def remedies(self) -> tuple[Outcome, Outcome]:
        """Outcomes of the decisions that predict rare classes more often."""
        return self.by("f1"), self.by("balanced")

    def quote(self, place: int) -> str:
        """The label of a class, as it is written in Python."""
        return as_one_line(repr(self.classes.tolist()[place]))
