"""Gradient-boosted trees, for tables with many rows and sharp edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from emphatic.auto.candidate import Candidate, Part
from emphatic.auto.lesson import ABSENT, Lesson, Query
from emphatic.check import FloatArray


class GradientModel(NamedTuple):
    """Ensembles of all folds, and the number of all classes."""

    ensembles: tuple[Any, ...]
    n_classes: int

    def scores(self, query: Query) -> FloatArray:
        """(rows, K): the mean of the logarithms of their probabilities."""
        total = np.full((len(query.inputs), self.n_classes), ABSENT * len(self.ensembles))
        for one in self.ensembles:
            said = np.log(np.maximum(one.predict_proba(query.inputs), np.exp(ABSENT)))
            total[:, one.classes_] += said - ABSENT
        return total / len(self.ensembles)


@dataclass(frozen=True)
class GradientTrees(Candidate):
    """scikit-learn's histogram gradient boosting with small trees."""

    n_rounds: int = 60
    family: ClassVar[str] = "gradient-boosted trees"

    @property
    def variants(self) -> Sequence[int]:
        return (self.n_rounds,)

    def describe(self, variant: int = -1) -> str:
        return f"{self.n_rounds} rounds of trees with 15 leaves"

    def seconds(self, lesson: Lesson) -> float:
        n_trees = self.n_rounds * (1 if lesson.n_classes == 2 else lesson.n_classes)
        return n_trees * (1.5e-3 + 2e-9 * lesson.inputs.size) + 1e-7 * lesson.inputs.size

    def learn(self, lesson: Lesson, part: int, rng: np.random.Generator) -> Part:
        rows, held_out = lesson.all_but(part), lesson.folds[part]
        ensemble = HistGradientBoostingClassifier(
            max_iter=self.n_rounds,
            max_leaf_nodes=15,
            max_bins=63,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=int(rng.integers(2**31)),
        )
        # finding weighted bins takes many times as long as growing the trees: weights only where they differ
        weights = lesson.weights[rows] if np.ptp(lesson.weights) else None
        ensemble.fit(lesson.singles[rows], lesson.codes[rows], sample_weight=weights)
        model = GradientModel((ensemble,), lesson.n_classes)
        return Part(held_out, model.scores(Query(lesson.singles[held_out], lesson.singles[:0].T))[None], model)

    def join(self, learnt: Sequence[Any], variant: int) -> GradientModel:
        return GradientModel(tuple(one for model in learnt for one in model.ensembles), learnt[0].n_classes)
