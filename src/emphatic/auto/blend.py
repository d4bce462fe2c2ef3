"""The model that a search ends in: members, their weights, and one temperature for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

from emphatic.auto.candidate import Candidate, Model
from emphatic.auto.lesson import Query
from emphatic.blending.noise import without_noise
from emphatic.blending.selection import SMALLEST, equally_frequent
from emphatic.check import FloatArray


@dataclass(frozen=True)
class Member:
    """A candidate that was chosen.

    Attributes
    ----------
    candidate, variant : what it is
    weight : share in the blend
    loss, error : its own, out of fold; the log loss and the share of mistakes
    factor : what its scores are multiplied by before they become probabilities
    model : what predicts
    """

    candidate: Candidate
    variant: int
    weight: float
    loss: float
    error: float
    factor: float
    model: Model

    def __str__(self) -> str:
        return f"{self.candidate.family} ({self.candidate.describe(self.variant)})"


@dataclass(frozen=True)
class Blend:
    """sum_m weight_m softmax(factor_m scores_m), sharpened or softened by one `factor` for all.

    Attributes
    ----------
    members : the heaviest first; their weights sum to 1
    factor : of the logarithm of the mean
    loss, error : out of fold, of the whole
    noise : share of wrong training labels that the probabilities are corrected for; 0 for no correction
    shares : of the classes in training, if predictions are for equally frequent ones; else None
    centres : (inputs, units), those of all kernels
    """

    members: tuple[Member, ...]
    factor: float
    loss: float
    error: float
    noise: float
    shares: FloatArray | None
    centres: NDArray[np.float32]

    def probabilities(self, inputs: FloatArray) -> FloatArray:
        """(n, K) of the rows of a prepared table."""
        query = Query(np.ascontiguousarray(inputs, dtype=np.float32), self.centres)
        mean = sum(one.weight * softmax(one.factor * one.model.scores(query), axis=1) for one in self.members)
        return finished(np.asarray(mean), self.factor, self.noise, self.shares)


def finished(mean: FloatArray, factor: float, noise: float = 0.0, shares: FloatArray | None = None) -> FloatArray:
    """From the mean of the members to what is predicted: calibrated, and corrected where that was asked for."""
    result = np.exp(log_softmax(factor * np.log(np.maximum(mean, SMALLEST)), axis=1))
    if noise:
        result = without_noise(result, noise)
    return result if shares is None else equally_frequent(result, shares)
