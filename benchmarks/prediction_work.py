"""How much work the predictions of a fitted model take at least, where that can be counted."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from sklearn.pipeline import Pipeline

from benchmarks.work import Work, count_activations, count_linear, count_mlp_output, count_perceptrons
from emphatic import (
    MLPNetworkClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)


@singledispatch
def count_prediction(model: Any, n: int) -> Work | None:
    """Of `n` rows; None for what compares rather than computes, such as trees, and for blends that hold them."""
    return None


@count_prediction.register
def _(model: Pipeline, n: int) -> Work | None:
    """Without the preparation of the table."""
    return count_prediction(model.steps[-1][1], n)


@count_prediction.register
def _(model: RealAdaBoostClassifier, n: int) -> Work | None:
    total = Work()
    for member in model.estimators_:
        work = count_prediction(member, n)
        if work is None:
            return None
        total += work
    return total


@count_prediction.register
def _(model: RBFNetworkClassifier, n: int) -> Work:
    n_units, n_features = model.centres_.shape
    return count_activations(n, n_features, n_units) + count_linear(n, n_units, len(model.weights_))


@count_prediction.register
def _(model: MLPNetworkClassifier, n: int) -> Work:
    n_hidden, n_inputs = model.hidden_weights_.shape
    return count_mlp_output(n, n_inputs - 1, n_hidden, len(model.output_weights_))


@count_prediction.register
def _(model: ParallelPerceptronClassifier, n: int) -> Work:
    n_machines, n_perceptrons, n_inputs = model.weights_.shape
    return count_perceptrons(n, n_inputs - 1, n_machines * n_perceptrons)
