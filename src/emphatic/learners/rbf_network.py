"""Radial basis function networks: Gaussian units placed by a design, output weights in closed form or by descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.lapack import dposv

from emphatic import check
from emphatic.base import Learner
from emphatic.check import FloatArray, IntArray
from emphatic.kernels import rbf
from emphatic.learners.rbf_design import Design, SampledCentres
from emphatic.learners.rbf_units import Units

LARGEST_INPUT = 1e100
"""Squared distances of larger values could overflow."""


class RBFNetworkClassifier(Learner):
    r"""A network of Gaussian units (paper 000, equations 14 and 15).

    .. math:: o(x) = \sum_k w_k \exp\Bigl(-\frac{\lVert x - c_k\rVert^2}{2\beta_k^2}\Bigr)

    The weights minimise the emphasised squared error :math:`\sum_i D_i (d_i - o(x_i))^2` (equation 1). K > 2 classes
    share the units and have a column of weights each.

    Parameters
    ----------
    design : Design, default=SampledCentres()
        Where the centres lie and how wide the units are.
    solver : {"ridge", "sgd"}, default="ridge"
        "ridge" solves :math:`(G^T D G + \rho I)\, w = G^T D\, d` with sum D = 1. "sgd" is the paper's: stochastic
        gradient descent with a step that falls linearly to 0.
    regularisation : float, default=1e-3
        The :math:`\rho` of "ridge".
    output_range : {"clip", "tanh", "none"}, default="clip"
        How the linear output is kept in [-1, 1]: clipped after training; by a tanh ("sgd" then trains through it); or
        not at all.
    step, n_epochs : float, default=0.1, and int, default=50
        First step and number of passes of "sgd".
    step_scale : {"max", "mean", "raw", "resample"}, default="max"
        How the emphasis enters a step of "sgd": D_i / max D; L D_i (taken implicitly); D_i; or by drawing samples
        from D.
    random_state : int, generator or None, default=None

    Attributes
    ----------
    centres_ : array (K, features)
    widths_ : array (K,)
    weights_ : array (outputs, K); one output for two classes, one a class for more
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Distances are Euclidean, so inputs should be on one scale (`StandardScaler`, `emphatic.tables.TableTransformer`).
    All arithmetic is in float64. Memory does not grow with the number of samples for "ridge"; "sgd" holds one
    activation for each sample and unit.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic import RBFNetworkClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> network = RBFNetworkClassifier(random_state=0).fit(X, y)
    >>> network.output(X).shape, network.score(X, y) > 0.9
    ((150, 3), True)
    """

    def __init__(
        self,
        design: Design | None = None,
        *,
        solver: str = "ridge",
        regularisation: float = 1e-3,
        output_range: str = "clip",
        step: float = 0.1,
        n_epochs: int = 50,
        step_scale: str = "max",
        random_state: Any = None,
    ) -> None:
        self.design = design
        self.solver = solver
        self.regularisation = regularisation
        self.output_range = output_range
        self.step = step
        self.n_epochs = n_epochs
        self.step_scale = step_scale
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        design_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit to rows `X` with labels `y`; `design_weight` (default: `sample_weight`) places the units."""
        return self._fit(X, y, sample_weight, design_weight)

    def learn(
        self,
        X: FloatArray,
        y: IntArray,
        weights: FloatArray,
        rng: np.random.Generator,
        design_weights: FloatArray | None = None,
    ) -> FloatArray:
        solver = check.one_of("solver", self.solver, ("ridge", "sgd"))
        design = SampledCentres() if self.design is None else self.design
        check.instance("design", design, Design, "SampledCentres(0.1)")
        units = design.units(X, y, weights if design_weights is None else design_weights, rng)
        targets = _targets(y, len(self.classes_))
        if solver == "ridge":
            regularisation = check.real("regularisation", self.regularisation, 0)
            self.weights_ = ridge_weights(units, targets, weights, regularisation)
        else:
            self.weights_ = self._descend(units, targets, weights, rng)
        self.centres_, self.widths_ = units.centres, units.widths
        return self._bounded(units.activations(), len(X))

    def respond(self, X: FloatArray) -> FloatArray:
        return self._bounded(rbf.activation_blocks(self.centres_, self.widths_, X), len(X))

    def _bounded(self, blocks: Iterable[tuple[slice, FloatArray]], n: int) -> FloatArray:
        """Output of `n` samples from the blocks of their activations: (n,), or (n, K) for K > 2 classes."""
        linear = np.empty((len(self.weights_), n))
        for span, block in blocks:
            np.matmul(self.weights_, block, out=linear[:, span])
        output_range = check.one_of("output_range", self.output_range, ("clip", "tanh", "none"))
        if output_range == "clip":
            np.clip(linear, -1.0, 1.0, out=linear)
        elif output_range == "tanh":
            np.tanh(linear, out=linear)
        return linear[0] if len(linear) == 1 else np.ascontiguousarray(linear.T)

    def _descend(self, units: Units, targets: FloatArray, weights: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Output weights by stochastic gradient descent (section V of the paper)."""
        n = len(weights)
        epochs = check.integer("n_epochs", self.n_epochs, at_least=1)
        step = check.real("step", self.step, 0, open_low=True)
        by = check.one_of("step_scale", self.step_scale, ("max", "mean", "raw", "resample"))
        scale = {"max": weights / weights.max(), "mean": n * weights, "raw": weights, "resample": np.ones(n)}[by]
        if by == "resample":
            draws = rng.random((epochs, n)) * (ends := np.cumsum(weights))[-1]
            orders = np.searchsorted(ends, draws, side="right").clip(max=n - 1).astype(np.int32)
        else:
            orders = rbf.shuffled_orders(rng.random((epochs, n)))
        activation = np.empty((n, len(units.centres)))
        for span, block in units.activations():
            activation[span] = block.T
        squash = self.output_range == "tanh"
        return rbf.sgd(activation, np.ascontiguousarray(targets.T), scale, orders, step, by == "mean", squash)

    def _refuse_values(self, X: FloatArray) -> None:
        if X.size and max(X.max(), -X.min()) > LARGEST_INPUT:
            raise ValueError(
                f"X holds values beyond +-{LARGEST_INPUT:g}, whose squared distances overflow: scale the columns first."
            )


def ridge_weights(units: Units, targets: FloatArray, weights: FloatArray, regularisation: float) -> FloatArray:
    """Solve (G' D G + regularisation I) w = G' D d for each row d of `targets`: (outputs, K).

    By Cholesky; by least squares where the matrix is not positive definite (equal units without regularisation).
    """
    size = len(units.centres)
    gram, moments = np.zeros((size, size)), np.zeros((size, len(targets)))
    root = np.sqrt(weights)
    for span, block in units.activations():
        emphasised = rbf.scratch("emphasised", block.size).reshape(block.shape)
        rbf.emphasised(block, root[span], emphasised)
        gram += emphasised @ emphasised.T
        moments += emphasised @ (targets[:, span] * root[span]).T
    gram.flat[:: size + 1] += regularisation
    _, solution, failed = dposv(gram, moments, lower=1)
    if failed:
        solution = np.linalg.lstsq(gram, moments, rcond=None)[0]
    return np.ascontiguousarray(solution.T)


def _targets(y: IntArray, n_classes: int) -> FloatArray:
    """+-1 targets, one row an output: class 1 against 0, or each of K > 2 classes against the rest."""
    if n_classes == 2:
        return np.asarray((2.0 * y - 1.0)[None, :], dtype=np.float64)
    return np.where(y == np.arange(n_classes)[:, None], 1.0, -1.0)
