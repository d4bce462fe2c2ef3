"""The model that a search ends in: members, their weights, one temperature for all; and why, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax, softmax

from emphatic.auto.candidates.contract import Candidate, Model
from emphatic.auto.candidates.kernels import KernelModel
from emphatic.auto.candidates.linear import SparseLinearModel
from emphatic.auto.candidates.points import IndependentPoints
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.searching.results import CandidateResult
from emphatic.blending.by_loss import LOSSES, SMALLEST, balance_classes, error, log_loss
from emphatic.blending.greedy import weigh_greedily
from emphatic.blending.noise import LARGEST_NOISE, estimate_least_noise, hedge_noise
from emphatic.blending.temperature import fit_factor
from emphatic.check import FloatArray
from emphatic.fields import Array, IfSet, Maybe, Number, Part, TupleOf, Whole, saved

LARGEST_CENTRE = 1e6
"""In a model file: encoded inputs are smaller by far."""

LEAST_NOISE = 0.05
"""Less than this share of wrong labels is not corrected for: it may be the overlap of the classes."""

CLEAN_CHANCES = {"auto": 0.5, "ignore": 0.0, "correct": 1.0}
"""By the value of `label_noise`, how probable it is that the labels to be predicted are clean though those of the
training are not."""

BLOCK = 2**17
"""Distances to units that are computed at a time: half a megabyte, and twice that for what a member makes of them, stay
in the cache. Arrays of 4 MB and more cost most: each time, the system hands out new pages for them."""

BLOCK_OF_ROWS = 2048
"""That other members score at a time: each tree comes into the cache for all of them, and so do hidden units."""


@saved(
    candidate=Part(
        "KernelRidge",
        "Network",
        "Logistic",
        "BaggedTrees",
        "BoostedTrees",
        "GradientTrees",
        "AllRowsTrees",
        "SparseLogistic",
        "NaiveBayes",
    ),
    variant=Whole(),
    weight=Number(0.0, 1.0),
    loss=Number(),
    error=Number(0.0, 1.0),
    factor=Number(0.0),
    model=Part("KernelModel", "NetworkModel", "LinearModel", "ForestModel", "GradientModel", "SparseLinearModel"),
)
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
        return self.candidate.name(self.variant)


@saved(
    members=TupleOf(Part("Member")),
    factor=Number(0.0),
    loss=Number(),
    error=Number(0.0, 1.0),
    noise=Number(0.0, LARGEST_NOISE),
    clean_chance=IfSet(Number(0.0, 1.0), 1.0),
    shares=Maybe(Array(np.float64, None, low=0.0)),
    centres=Array(np.float32, None, None, low=-LARGEST_CENTRE, high=LARGEST_CENTRE),
)
@dataclass(frozen=True)
class Blend:
    """sum_m weight_m softmax(factor_m scores_m), sharpened or softened by one `factor` for all.

    Attributes
    ----------
    members : those with the largest weights first; the weights sum to 1
    factor : of the logarithm of the mean
    loss, error : out of fold, of the whole
    noise : share of wrong training labels that the probabilities are corrected for; 0 for no correction
    clean_chance : with which the labels to be predicted are taken to be clean; otherwise they have the same noise
    shares : of the classes in training, if predictions are for equally frequent ones; otherwise None
    centres : (inputs, units), those of all kernels; none if there is no kernel among the members
    """

    members: tuple[Member, ...]
    factor: float
    loss: float
    error: float
    noise: float
    clean_chance: float
    shares: FloatArray | None
    centres: NDArray[np.float32]

    def probabilities(self, inputs: FloatArray, columns: sparse.csr_array | None = None) -> FloatArray:
        """(n, K) of the rows of a prepared table; those of a row do not depend on the others.

        `columns` are all columns of a sparse matrix, if the blend was made of one.
        """
        rows = np.require(inputs, np.float32, ["C", "W"])
        kernels = [one.model for one in self.members if isinstance(one.model, KernelModel)]
        others = [one.model for one in self.members if not isinstance(one.model, KernelModel)]
        by_kernels = self._score(kernels, rows, columns, BLOCK // max(1, self.centres.shape[1]))
        by_others = self._score(others, rows, columns, BLOCK_OF_ROWS)
        mean: Any = 0.0
        for one in self.members:
            scores = next(by_kernels if isinstance(one.model, KernelModel) else by_others)
            mean = mean + one.weight * softmax(one.factor * scores, axis=1)
        return self.adjust(mean)

    def _score(
        self, models: Sequence[Model], rows: NDArray[np.float32], columns: sparse.csr_array | None, size: int
    ) -> Iterator[FloatArray]:
        """The scores (n, K) by each model, blocks of `size` rows at a time."""
        size = max(1, size)
        blocks = (
            IndependentPoints(rows[k : k + size], self.centres, None if columns is None else columns[k : k + size])
            for k in range(0, max(1, len(rows)) if models else 0, size)
        )
        scores = [[one.scores(points) for one in models] for points in blocks]
        return map(np.concatenate, zip(*scores, strict=True))

    def check_shape(self, n_inputs: int, n_classes: int) -> None:
        """Raise ValueError unless all members take so many inputs, and tell so many classes apart."""
        if len(self.centres) != n_inputs or (self.shares is not None and len(self.shares) != n_classes):
            raise ValueError(f"a blend of {n_inputs} inputs and {n_classes} classes is needed")
        if self.shares is not None and not self.shares.any():
            raise ValueError("at least one class must have a share")
        if not self.members or abs(sum(one.weight for one in self.members) - 1.0) > 1e-6:
            raise ValueError("the weights of the members must sum to 1")
        for one in self.members:
            one.model.check_shape(n_inputs, self.centres.shape[1], n_classes)

    def check_columns(self, n_columns: int) -> None:
        """Raise ValueError if a member is for another number of columns of a sparse matrix."""
        for one in self.members:
            if isinstance(one.model, SparseLinearModel):
                one.model.check_columns(n_columns)

    def adjust(self, mean: FloatArray) -> FloatArray:
        """From the members' mean to the prediction: calibrated, and corrected as far as requested."""
        result = sharpen(mean, self.factor)
        if self.noise:
            result = hedge_noise(result, self.noise, self.clean_chance)
        return result if self.shares is None else balance_classes(result, self.shares)


class Blended(NamedTuple):
    """A blend, and what is known of it out of fold, on the rows that it is judged on."""

    blend: Blend
    probabilities: FloatArray
    """(rows, K), as the blend predicts."""
    label_probabilities: FloatArray
    """(rows, K), of labels such as those of the training: corrected for nothing."""
    noise: float
    """Share of the labels that look wrong."""


def blend_results(
    data: TrainingData, results: Sequence[CandidateResult], metric: str, label_noise: str, noise: float | None = None
) -> Blended:
    """Weigh the candidates and calibrate their mean; `noise` is the share of wrong labels, if it is known."""
    results = [one for one in results if not one.dropped]
    predictions = np.array([one.probabilities for one in results])
    codes, weights = data.codes[data.judged], data.weights[data.judged]
    shares = weigh_greedily(predictions, codes, weights, LOSSES[metric])
    mean = np.tensordot(shares, predictions, axes=1)
    factor, _ = fit_factor(np.log(np.maximum(mean, SMALLEST)), codes, weights, data.smoothing)
    probabilities = sharpen(mean, factor)
    noise = estimate_least_noise(probabilities, codes) if noise is None else noise
    members = [
        Member(one.candidate, one.variant, share, one.loss, one.error, one.factor, one.merge_fits())
        for one, share in zip(results, shares.tolist(), strict=True)
        if share > 0
    ]
    units = data.units if any(isinstance(one.model, KernelModel) for one in members) else data.units[:0]
    blend = Blend(
        members=tuple(sorted(members, key=lambda one: -one.weight)),
        factor=factor,
        loss=log_loss(probabilities, codes, weights),
        error=error(probabilities, codes, weights),
        noise=noise if label_noise != "ignore" and noise > LEAST_NOISE else 0.0,
        clean_chance=CLEAN_CHANCES[label_noise],
        shares=_sum_weights(data) if metric == "balanced_accuracy" else None,
        centres=np.ascontiguousarray(data.inputs[units].T, dtype=np.float32),
    )
    return Blended(blend, blend.adjust(mean), probabilities, noise)


def _sum_weights(data: TrainingData) -> FloatArray:
    """(K,), of all rows: those that are judged may lack a class."""
    return np.bincount(data.codes, data.weights, minlength=data.n_classes).astype(np.float64)


def sharpen(mean: FloatArray, factor: float) -> FloatArray:
    """Probabilities to the power of `factor`, scaled to sum 1; a factor below 1 softens them."""
    return np.asarray(np.exp(log_softmax(factor * np.log(np.maximum(mean, SMALLEST)), axis=1)))


def tabulate_results(results: Sequence[CandidateResult], blend: Blend) -> dict[str, list[Any]]:
    """What is known of each candidate, the best first, column by column."""
    shares = {one.candidate: one.weight for one in blend.members}
    ranked = sorted(results, key=lambda one: (one.dropped, one.loss))
    return {
        "family": [one.candidate.family for one in ranked],
        "candidate": [one.candidate.describe(one.variant) for one in ranked],
        "log_loss": [one.loss for one in ranked],
        "error": [one.error for one in ranked],
        "weight": [shares.get(one.candidate, 0.0) for one in ranked],
        "dropped": [one.dropped for one in ranked],
        "seconds": [one.seconds for one in ranked],
    }
