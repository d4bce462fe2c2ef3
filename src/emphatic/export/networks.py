"""Single networks: Gaussian units, hidden layers of tanh units, parallel perceptrons."""

from __future__ import annotations

import numpy as np

from emphatic.export.answer import Answer, answer_by_output
from emphatic.export.conversion import converts
from emphatic.export.table import Table
from emphatic.learners import MLPNetworkClassifier, ParallelPerceptronClassifier, RBFNetworkClassifier

SAFE_EXPONENT = 1e6
"""As long as no unit is so narrow, and so far out, that an exponent is larger than this somewhere among the units, what
rounding leaves above 0 where there should be 0 is harmless."""


@converts(RBFNetworkClassifier)
def _convert_rbf_network(model: RBFNetworkClassifier, table: Table) -> Answer:
    """Weights times exp(-|x - c|^2 / (2 width^2)).

    The exponent is the product of (x, |x|^2, 1) with one column per unit; x and c are taken from the mean of the
    centres, so that of large coordinates with small differences no digits are lost.
    """
    n_classes, middle, scales = len(model.classes_), model.centres_.mean(axis=0), 0.5 / model.widths_**2
    x, centres = table.numbers() - middle, model.centres_ - middle
    squares = np.einsum("ij,ij->i", centres, centres)
    units = np.vstack([2.0 * scales * centres.T, -scales, -scales * squares])
    extended = x.graph.concatenate([x, (x * x).sum(), table.constant_column(1.0)])
    exponents = extended @ units
    if (scales.max() * squares.max()) > SAFE_EXPONENT:
        exponents = exponents.at_most(0.0)
    activations = exponents.apply("Exp")
    linear = activations @ model.weights_.T
    supports = None
    if model.targets == "indicators":
        found = linear.at_least(0.0).at_most(1.0)
        supports = found / found.sum().at_least(1.0)
        # a sign is twice the indicator minus the sum of all
        linear = linear * 2.0 - linear.sum()
        linear = linear.columns([1]) if n_classes == 2 else linear
    if model.output_range == "clip":
        linear = linear.at_least(-1.0).at_most(1.0)
    elif model.output_range == "tanh":
        linear = linear.apply("Tanh")
    return answer_by_output(linear, n_classes, supports)


@converts(MLPNetworkClassifier)
def _convert_mlp_network(model: MLPNetworkClassifier, table: Table) -> Answer:
    """tanh(v_0 + v . tanh(w_0 + w . x)); biases are last."""
    x = table.numbers()
    for layer in (model.hidden_weights_, model.output_weights_):
        x = (x @ layer[:, :-1].T + layer[:, -1]).apply("Tanh")
    return answer_by_output(x, len(model.classes_))


@converts(ParallelPerceptronClassifier)
def _convert_parallel_perceptron(model: ParallelPerceptronClassifier, table: Table) -> Answer:
    """The majority of the perceptrons of each machine; among K machines their mean cosine decides between ties."""
    x = table.numbers()
    n_machines, n_perceptrons, _ = model.weights_.shape
    rows = model.weights_.reshape(n_machines * n_perceptrons, -1)
    of_machine = np.repeat(np.eye(n_machines), n_perceptrons, axis=0)
    activations = x @ rows[:, :-1].T + rows[:, -1]
    votes = (activations >= 0.0).cast(np.float64) @ (2.0 * of_machine) - float(n_perceptrons)
    if n_machines == 1:  # the number of perceptrons is odd: no votes are 0
        return answer_by_output(votes.apply("Sign"), len(model.classes_))
    lengths = ((x * x).sum() + 1.0).apply("Sqrt")
    cosines = activations @ (of_machine / n_perceptrons) / lengths
    return answer_by_output((votes + cosines) / (n_perceptrons + 1.0), len(model.classes_))
