"""`EmphaticClassifier`: its table, its blend, and the members of all families."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidates.contract import LEAST_LOG
from emphatic.auto.candidates.gradient import GradientEnsemble, GradientModel
from emphatic.auto.candidates.kernels import KernelModel
from emphatic.auto.candidates.logistic import LinearModel
from emphatic.auto.candidates.networks import NetworkModel
from emphatic.auto.candidates.trees import ForestModel
from emphatic.auto.classifier import EmphaticClassifier
from emphatic.auto.encoding import SOFT_LIMIT
from emphatic.auto.searching.blend import Blend, Member
from emphatic.blending.by_loss import SMALLEST
from emphatic.export.answer import (
    Answer,
    answer_by_probabilities,
    log_at_least,
    normalise_rows,
    softmax,
    spread_columns,
)
from emphatic.export.categories import find_transformer
from emphatic.export.conversion import converts, transform
from emphatic.export.distances import Cityblock, SquaredDistances, count_rows
from emphatic.export.forest import split_trees, sum_leaves
from emphatic.export.graph import Value, add_up
from emphatic.export.table import Table
from emphatic.export.transformers import mark_indicators

SINGLE_NOISE = 12 * 2.0**-24
"""How far single precision moves the score of a kernel network, per unit of the length of its coefficients as a vector:
the rounding of every activation, and of the sum, in which large coefficients cancel. On seven problems, 3 to 12 times
2^-24 for the row that moved farthest."""

LEAST_NOISE = 3e-6
"""Noise in probabilities that no one sees: up to there single precision will do, whose exponentials are much faster."""


@converts(EmphaticClassifier)
def _convert_emphatic(model: EmphaticClassifier, table: Table) -> Answer:
    n_classes, blend, transformer = len(model.classes_), model.best_model_, find_transformer(model)
    z = transform(transformer, table).numbers().at_least(-1e6).at_most(1e6)
    scaled = z / SOFT_LIMIT
    inputs = (z / (scaled * scaled + 1.0).apply("Sqrt")).cast(np.float32)
    cityblock = Cityblock(blend.centres, mark_indicators(transformer))
    in_blocks = any(isinstance(one.model, KernelModel) and one.model.metric == "cityblock" for one in blend.members)
    points = Points(cityblock.fill_blocks(inputs) if in_blocks else inputs, blend.centres, cityblock)
    mean = add_up(softmax(_score(one, blend, points) * one.factor) * one.weight for one in blend.members)
    mean = mean.apply("Slice", np.array([0]), count_rows(inputs), np.array([0]))
    answer = answer_by_probabilities(_adjust(blend, mean, n_classes), n_classes)
    gains = model._rule.gains
    return answer if gains is None else answer._replace(winner=(answer.probabilities @ gains).argmax())


def _adjust(blend: Blend, mean: Value, n_classes: int) -> Value:
    """From the members' mean to the prediction, as `Blend.adjust`."""
    result = softmax(log_at_least(mean, SMALLEST) * blend.factor)
    if blend.noise:
        other = blend.noise / (n_classes - 1)
        clean = normalise_rows(((result - other) / (1.0 - blend.noise - other)).at_least(1e-3), n_classes)
        result = clean * blend.clean_chance + result * (1.0 - blend.clean_chance)
    if blend.shares is not None:
        result = normalise_rows(result / np.maximum(blend.shares, SMALLEST * blend.shares.max()), n_classes)
    return result


class Points:
    """Inputs in single precision, and the exponents of kernels' units; what members share is computed once."""

    def __init__(self, inputs: Value, centres: NDArray[np.float32], cityblock: Cityblock) -> None:
        self.inputs, self.cityblock = inputs, cityblock
        self.squares = SquaredDistances(inputs, centres)

    def exponents(self, metric: str, rate: float, precision: type) -> Value:
        """(rows, units): -rate times the distance."""
        if metric == "sqeuclidean":
            return self.squares.measure(-rate).cast(precision)
        return self._distances(metric, precision) * -rate

    @cache  # noqa: B019 - points live as long as their graph is made
    def _distances(self, metric: str, precision: type) -> Value:
        if metric == "euclidean":
            return self.squares.measure(1.0).cast(precision).apply("Relu").apply("Sqrt")
        if precision is np.float64:
            return self._distances(metric, np.float32).cast(np.float64)
        return self.cityblock.measure(self.inputs)


def _score(member: Member, blend: Blend, points: Points) -> Value:
    """(rows, K): the scores of a member's model."""
    model = member.model
    if isinstance(model, KernelModel):
        # the difference of two scores moves twice as far, and a probability by at most a quarter of that
        noise = SINGLE_NOISE * np.linalg.norm(model.coefficients, axis=0).max()
        visible = 0.5 * noise * member.factor * member.weight * blend.factor > LEAST_NOISE
        return _score_kernel(model, points, np.float64 if visible else np.float32)
    return SCORES[type(model)](model, points)


def _score_kernel(model: KernelModel, points: Points, precision: type) -> Value:
    """sum_k c_k (exp(-rate d(x, unit k)) + 1)"""
    activations = points.exponents(model.metric, model.rate, precision).apply("Exp")
    score = (activations @ model.coefficients).cast(np.float64) + model.constant
    return _pair(score, model.coefficients.shape[1])


def _score_network(model: NetworkModel, points: Points) -> Value:
    layers = model.layers
    hidden = (points.inputs @ layers.hidden + layers.hidden_bias).apply("Relu")
    return (hidden @ layers.output + layers.output_bias).cast(np.float64)


def _score_linear(model: LinearModel, points: Points) -> Value:
    return points.inputs.cast(np.float64) @ model.weights + model.biases


def _score_forest(model: ForestModel, points: Points) -> Value:
    score = sum_leaves(points.inputs, split_trees(model.trees))
    if model.logarithm:
        return log_at_least(score, float(np.exp(LEAST_LOG)))
    return _pair(score, model.trees.values.shape[1])


def _score_gradient(model: GradientModel, points: Points) -> Value:
    """The mean of the logarithms of the probabilities of all ensembles; a class that one never saw has the least."""
    logarithms = []
    for one in model.ensembles:
        known = log_at_least(_predict_gradient(one, points), float(np.exp(LEAST_LOG)))
        logarithms.append(spread_columns(known, one.classes, model.n_classes, LEAST_LOG))
    return add_up(logarithms) / float(len(logarithms))


def _predict_gradient(ensemble: GradientEnsemble, points: Points) -> Value:
    outputs = []
    for baseline, joined in zip(ensemble.baselines.tolist(), ensemble.trees, strict=True):
        outputs.append(sum_leaves(points.inputs, split_trees(joined)) + baseline)
    columns = outputs[0].graph.concatenate(outputs)
    if len(outputs) > 1:
        return softmax(columns)
    second = columns.apply("Sigmoid")
    return second.graph.concatenate([1.0 - second, second])


def _pair(score: Value, n_columns: int) -> Value:
    """(-f, f) of the one column of two classes; more columns as they are."""
    return score.graph.concatenate([-score, score]) if n_columns == 1 else score


SCORES: dict[type, Callable[[Any, Points], Value]] = {
    NetworkModel: _score_network,
    LinearModel: _score_linear,
    ForestModel: _score_forest,
    GradientModel: _score_gradient,
}
"""Scores (rows, K) of a member by the class of its model."""
