"""The contract of a candidate: what it returns, and how it becomes one model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import Size, TrainingData
from emphatic.check import FloatArray, IntArray

LEAST_LOG = -7.0
"""Log probability of a class that the training rows lack, or that a model rules out: about one in a thousand."""


class Model(Protocol):
    """What is left of a candidate when it predicts."""

    def scores(self, points: Points) -> FloatArray:
        """(rows, K), on a scale of its own."""

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs, kernels' units and classes."""


class LeftOut(Protocol):
    """What is left of a candidate to score the examples of its training data, and rows made of them by changing inputs.

    Each is scored by models that were not trained on the example. Unchanged examples have the scores of the search.
    """

    def scores(self, points: Points, places: IntArray) -> FloatArray:
        """(rows, K); row i of the points is a version of the example number `places[i]`."""


@dataclass(frozen=True)
class FoldsLeftOut:
    """One model per fold; `folds` says which of them was not trained on each example."""

    models: tuple[Model, ...]
    folds: IntArray
    n_classes: int

    def scores(self, points: Points, places: IntArray) -> FloatArray:
        """(rows, K)"""
        result = np.empty((len(places), self.n_classes))
        for fold, model in enumerate(self.models):
            own = np.flatnonzero(self.folds[places] == fold)
            if len(own):
                result[own] = model.scores(Points(points.inputs[own].astype(np.float32), points.centres))
        return result


@dataclass(frozen=True)
class PassesLeftOut:
    """The mean of several passes."""

    passes: tuple[LeftOut, ...]

    def scores(self, points: Points, places: IntArray) -> FloatArray:
        """(rows, K)"""
        return np.asarray(np.mean([one.scores(points, places) for one in self.passes], axis=0))


Fitted = tuple[FloatArray, Any]
"""Scores (variants, rows, K) on rows that a candidate was not trained on, and what it learnt."""


def is_past_best(losses: Sequence[float]) -> bool:
    """Whether the losses at the checkpoints of a training were worse twice in a row: it will not recover."""
    return len(losses) > 2 and min(losses[-2:]) > min(losses)


class Candidate(ABC):
    """One way to learn a table. Candidates are values: equal ones learn the same from equal data and random draws.

    A candidate may have several variants that cost next to nothing beside each other: the checkpoints of a network's
    training, the rounds of an ensemble. All of them are scored, and the best one is taken.
    """

    family: ClassVar[str]
    fits_once: ClassVar[bool] = False
    """Whether one fit scores every row without having been trained on it; otherwise there is one fit per fold."""
    ends_early: ClassVar[bool] = False
    """Whether a fit ends at a checkpoint when time is over (`TrainingData.is_over`)."""

    @abstractmethod
    def describe(self, variant: int = -1) -> str:
        """In words, without the family."""

    def name(self, variant: int) -> str:
        """In words, with the family."""
        return f"{self.family} ({self.describe(variant)})"

    @abstractmethod
    def seconds(self, size: Size) -> float:
        """A rough estimate for one fit, on one core: how candidates and tables compare is what counts."""

    def make_pilot(self, size: Size) -> Candidate | None:
        """A far cheaper version, which shows whether this one is hopeless; None if its first fold does, or nothing."""
        return None

    def work(self, size: Size) -> float:
        """A rough estimate for all fits."""
        return self.seconds(size) * (1 if self.fits_once else size.n_folds)

    def least_work(self, size: Size) -> float:
        """What there must be time for: half of a single fit that ends early is worth it, but folds must be alike."""
        return self.work(size) * (0.5 if self.ends_early and size.n_folds == 1 else 1.0)

    @abstractmethod
    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        """Learn from all folds but this one, and score it; with `fits_once`, learn from all rows and score them all.

        A row is scored by what has not learnt from it.
        """

    @abstractmethod
    def merge(self, learnt: Sequence[Any], variant: int) -> Model:
        """One model of all fits, those of several passes, too: the mean of their scores."""

    def leave_out(self, data: TrainingData, learnt: Sequence[Any], variant: int) -> LeftOut:
        """What scores changed versions of the examples of the data by fits of a pass that did not see them."""
        models = tuple(self.merge([one], variant) for one in learnt)
        return FoldsLeftOut(models, data.fold_of[data.examples], data.n_classes)
