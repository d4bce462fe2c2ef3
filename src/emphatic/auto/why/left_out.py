"""The blend as it predicts some of its training rows, and changed versions of them, without having seen them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import softmax

from emphatic.auto.candidates.contract import LeftOut
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.searching.blend import Blend, sharpen
from emphatic.auto.searching.results import CandidateResult
from emphatic.check import FloatArray, IntArray


@dataclass(frozen=True)
class LeftOutBlend:
    """What stays in memory after a fit to measure which columns matter; model files hold the result instead.

    Attributes
    ----------
    members : (weight, factor, what scores the examples) of each member
    factor : of the blend
    inputs, codes, weights : the examples, a sample of the training rows
    centres : (inputs, units), those of all kernels
    judged_codes : labels of all rows that the blend is judged on, of which the examples are some
    """

    members: tuple[tuple[float, float, LeftOut], ...]
    factor: float
    inputs: FloatArray
    codes: IntArray
    weights: FloatArray
    centres: FloatArray
    judged_codes: IntArray

    @classmethod
    def of(cls, data: TrainingData, results: Sequence[CandidateResult], blend: Blend) -> LeftOutBlend:
        """Of a blend of results that were found on the data."""
        found = {one.candidate: one for one in results if not one.dropped}
        members = tuple((one.weight, one.factor, found[one.candidate].leave_out()) for one in blend.members)
        rows = data.examples
        units = data.units[: blend.centres.shape[1]]  # none without a kernel among the members
        return cls(
            members,
            blend.factor,
            data.inputs[rows],
            data.codes[rows],
            data.weights[rows],
            np.ascontiguousarray(data.inputs[units].T),
            data.codes[data.judged],
        )

    def probabilities(self, inputs: FloatArray, places: IntArray) -> FloatArray:
        """(rows, K) of versions of the examples at these places: calibrated, and not corrected for anything."""
        points = Points(inputs, self.centres)
        mean: Any = 0.0
        for weight, factor, member in self.members:
            mean = mean + weight * softmax(factor * member.scores(points, places), axis=1)
        return sharpen(mean, self.factor)
