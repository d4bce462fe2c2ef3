"""The contract of a candidate: learn in parts, speak in scores, become one model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from emphatic.auto.lesson import Lesson, Query
from emphatic.check import FloatArray


class Model(Protocol):
    """What is left of a candidate when it predicts."""

    def scores(self, query: Query) -> FloatArray:
        """(rows, K), on a scale of its own."""


class Part(NamedTuple):
    """What a candidate learnt in one part: scores on rows that it was not trained on, and what makes a model."""

    rows: Any
    scores: FloatArray
    """(variants, rows, K)"""
    learnt: Any


class Candidate(ABC):
    """One way to learn a table. Candidates are values: equal ones learn the same from equal lessons and draws.

    A candidate may have several variants that cost next to nothing beside each other: the stages of a network's
    training, the rounds of an ensemble. All of them are scored, and the best one is taken.
    """

    family: ClassVar[str]

    @property
    @abstractmethod
    def variants(self) -> Sequence[Any]:
        """The values that tell the variants apart."""

    @abstractmethod
    def describe(self, variant: int = -1) -> str:
        """In words, without the family."""

    @abstractmethod
    def seconds(self, lesson: Lesson) -> float:
        """A rough estimate for one part, on one core: enough to keep a time budget."""

    def n_parts(self, lesson: Lesson) -> int:
        """One a fold, unless a candidate can judge every sample without it in one go."""
        return len(lesson.folds)

    @abstractmethod
    def learn(self, lesson: Lesson, part: int, rng: np.random.Generator) -> Part:
        """Learn one part."""

    @abstractmethod
    def join(self, learnt: Sequence[Any], variant: int) -> Model:
        """One model from all parts: the mean of their scores."""
