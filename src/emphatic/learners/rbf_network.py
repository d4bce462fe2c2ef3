"""Radial basis function networks: Gaussian units placed by a design, output weights in closed form or by descent."""

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.lapack import dpocon, dposv
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.base import Learner, Lesson, n_outputs
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.fields import Array, saved
from emphatic.fitting import all_or_nothing
from emphatic.kernels import descent, draws, rbf, rows
from emphatic.kernels.memory import scratch
from emphatic.learners.rbf_design import Design, SampledCentres
from emphatic.learners.rbf_partitions import PartitionedTable
from emphatic.learners.rbf_units import Table
from emphatic.partitions import Partitions

SMALLEST_ROOT = 1e-100
"""A sample of less weight than 1e-200 counts for nothing in a solution; its output is still wanted."""


SMALLEST_WIDTH = 1e-140
"""In a model file: half of the inverse square of a width is finite."""


@saved(
    centres_=Array(np.float64, "units", "features"),
    widths_=Array(np.float64, "units", low=SMALLEST_WIDTH, high=1.0 / SMALLEST_WIDTH),
    weights_=Array(np.float64, "outputs", "units"),
)
class RBFNetworkClassifier(Learner):
    r"""A network of Gaussian units (paper 000, equations 14 and 15).

    .. math:: o(x) = \sum_k w_k \exp\Bigl(-\frac{\lVert x - c_k\rVert^2}{2\beta_k^2}\Bigr)

    The weights minimise the emphasised squared error :math:`\sum_i D_i (d_i - o(x_i))^2` (equation 1). K > 2 classes
    share the units and have a column of weights each.

    Parameters
    ----------
    design : Design, default=SampledCentres()
        Where the centres lie and how wide the units are.
    solver : {"ridge", "sgd", "pseudo_inverse"}, default="ridge"
        "ridge" solves :math:`(G^T D G + \rho I)\, w = G^T D\, d` with sum D = 1. "sgd" is the paper's: stochastic
        gradient descent with a step that falls linearly to 0. "pseudo_inverse" is that of paper 003, section 2.1.1:
        :math:`w = (\sqrt D\, G)^+ \sqrt D\, d`, the shortest of all least squares solutions, without regularisation.
    regularisation : float, default=1e-4
        The :math:`\rho` of "ridge". The default is the best of five values by cross-validation on 23 bundled
        problems (docs/papers/000.md); noisy problems and few samples per unit want more.
    output_range : {"clip", "tanh", "none"}, default="clip"
        How the linear output is kept in [-1, 1]: clipped after training; by a tanh ("sgd" of signs trains through
        it); or not at all.
    step, n_epochs : float, default=0.1, and int, default=50
        First step and number of passes of "sgd".
    step_scale : {"max", "mean", "raw", "resample"}, default="max"
        How the emphasis enters a step of "sgd": D_i / max D; L D_i (taken implicitly); D_i; or by drawing samples
        from D.
    targets : {"signs", "indicators"}, default="signs"
        What the outputs are trained to be: +1 or -1, or the indicator of each class (paper 003, the Y of equation 3).
        Then `supports` tells evidence from ignorance, and the output is made of the two (or K) indicators.
    random_state : int, generator or None, default=None

    Attributes
    ----------
    centres_ : array (K, features)
    widths_ : array (K,)
    weights_ : array (outputs, K); one output for two classes, one per class for more classes and for indicators
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Distances are Euclidean, so inputs should be on one scale (`StandardScaler`, `emphatic.tables.TableTransformer`).
    All arithmetic is in float64, but for "sgd", whose activations and products are float32 and whose weights are summed
    in float64: they agree to about 1e-6 from one CPU to another, those of the other solvers to 1e-10. Memory does not
    grow with the number of samples for "ridge"; "sgd" and "pseudo_inverse" hold one activation for each sample and
    unit.

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
        regularisation: float = 1e-4,
        output_range: str = "clip",
        step: float = 0.1,
        n_epochs: int = 50,
        step_scale: str = "max",
        targets: str = "signs",
        random_state: Any = None,
    ) -> None:
        self.design = design
        self.solver = solver
        self.regularisation = regularisation
        self.output_range = output_range
        self.step = step
        self.n_epochs = n_epochs
        self.step_scale = step_scale
        self.targets = targets
        self.random_state = random_state

    @all_or_nothing
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        design_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit to rows `X` with labels `y`; `design_weight` (default: `sample_weight`) places the units."""
        self.take_lesson(self.make_lesson(X, y, sample_weight, design_weight))
        return self

    def check_parameters(self) -> None:
        check.one_of("solver", self.solver, ("ridge", "sgd", "pseudo_inverse"))
        check.real("regularisation", self.regularisation, 0)
        check.one_of("output_range", self.output_range, ("clip", "tanh", "none"))
        check.real("step", self.step, 0, open_low=True)
        check.integer("n_epochs", self.n_epochs, at_least=1)
        check.one_of("step_scale", self.step_scale, ("max", "mean", "raw", "resample"))
        check.one_of("targets", self.targets, ("signs", "indicators"))
        self._check_design()

    def prepare(self, X: FloatArray, y: IntArray) -> Table:
        self.check_parameters()
        return Table(X, y, len(self.classes_), indicators=self.targets == "indicators")

    def learn(self, lesson: Lesson) -> FloatArray:
        table, weights, n = lesson.table, lesson.weights, len(lesson.y)
        design_weights = weights if lesson.design_weights is None else lesson.design_weights
        units = self._design().place_units(table, design_weights, lesson.rng)
        self.centres_, self.widths_ = units.centres, units.widths
        # the factor of every sample's activations: emphasised for least squares, plain for descent
        root = np.ones(n) if self.solver == "sgd" else root_of_weights(weights)
        if self.solver == "ridge":
            self.weights_ = solve_ridge(*units.sum_products(root, table.targets), self.regularisation)
        elif self.solver == "pseudo_inverse":
            self.weights_ = shortest_weights(units.activations(root), table.targets * root)
        else:
            self.weights_ = self._descend(units.activations(root), table.targets, weights, lesson.rng)
        return self._limit_output(units.combine(root, self.weights_))

    def check_for_partitions(self) -> None:
        self.check_parameters()
        self._design().check_for_partitions()
        if self.solver != "ridge":
            raise ValueError(
                f"solver={self.solver!r} is not allowed with a Dask collection: only the sums of solver='ridge' can be "
                "added up over partitions."
            )

    def prepare_partitions(self, X: Partitions, y: Any) -> PartitionedTable:
        self.check_for_partitions()
        return PartitionedTable(X, y, len(self.classes_), indicators=self.targets == "indicators")

    def learn_partitions(self, lesson: Lesson) -> Any:
        table, weights = lesson.table, lesson.weights
        design_weights = weights if lesson.design_weights is None else lesson.design_weights
        self.centres_, self.widths_ = self._design().place_units_in_partitions(table, design_weights, lesson.rng)
        sums = table.sum_products(weights, self.centres_, self.widths_, root_of_weights)
        ((gram, moments),) = evaluate(sums)
        self.weights_ = solve_ridge(gram, moments, self.regularisation)
        return self.respond_in_partitions(table.rows)

    def respond(self, X: FloatArray) -> FloatArray:
        return self._limit_output(self._linear(X))

    def check_saved(self) -> None:
        super().check_saved()
        expected = len(self.classes_) if self.targets == "indicators" else n_outputs(self.classes_)
        if len(self.weights_) != expected:
            raise ValueError(f"weights_ has {len(self.weights_)} outputs, and {expected} are expected")

    @available_if(lambda self: self.targets == "indicators")  # type: ignore[untyped-decorator]
    def supports(self, X: Any) -> FloatArray:
        """(n, classes): the outputs clipped to [0, 1], and divided by their sum where that exceeds 1.

        What is missing to a sum of 1 is ignorance. Far from all units they are 0: there is no bias.
        """
        check_is_fitted(self)
        X = self._check_table(X, reset=False)
        found = np.clip(self._linear(X), 0.0, 1.0)
        return np.ascontiguousarray((found / np.maximum(_sum_rows(found), 1.0)).T)

    def fit_classes(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Self:
        """An unfitted network whose design is fitted inside each class, to be shared by many networks."""
        return self._with(design=self._check_design().fit_classes(X, y, weights, rng))

    def for_sides(self, sides: IntArray) -> Self:
        """An unfitted network for two sets of classes, a node of a class tree: `sides[c]` is 0 or 1, -1 for neither."""
        return self._with(design=self._check_design().for_sides(sides), targets="indicators")

    def _with(self, **parameters: Any) -> Self:
        """An unfitted network with other parameters; what they hold keeps no state, so nothing need be copied."""
        return type(self)(**{**self.get_params(deep=False), **parameters})

    def _linear(self, X: FloatArray) -> FloatArray:
        """Weights times activations, (outputs, n); those of a sample do not depend on the others."""
        weights, linear = np.require(self.weights_, requirements=["C", "W"]), np.empty((len(self.weights_), len(X)))
        for span, block in rbf.activation_blocks(self.centres_, self.widths_, X):
            part = np.empty((len(weights), block.shape[1]))
            rows.multiply(weights, block, part)
            linear[:, span] = part
        return linear

    def _limit_output(self, linear: FloatArray) -> FloatArray:
        """Output in its range: (n,), or (n, K) for K > 2 classes."""
        if self.targets == "indicators":  # a sign is twice the indicator minus the sum of all, and so are the estimates
            linear = 2.0 * linear - _sum_rows(linear)
            linear = linear[1:] if len(linear) == 2 else linear
        if self.output_range == "clip":
            linear = np.minimum(np.maximum(linear, -1.0, out=linear), 1.0, out=linear)  # np.clip takes twice as long
        elif self.output_range == "tanh":
            linear = np.tanh(linear)
        return linear[0] if len(linear) == 1 else np.ascontiguousarray(linear.T)

    def _descend(
        self,
        blocks: Iterable[tuple[slice, FloatArray]],
        targets: FloatArray,
        weights: FloatArray,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Output weights by stochastic gradient descent (section V of the paper)."""
        n, by = len(weights), self.step_scale
        scale = {"max": weights / weights.max(), "mean": n * weights, "raw": weights, "resample": np.ones(n)}[by]
        if by == "resample":
            noise = rng.random((self.n_epochs, n)) * (ends := np.cumsum(weights))[-1]
            orders = np.searchsorted(ends, noise, side="right").clip(max=n - 1).astype(np.int32)
        else:
            size = self.n_epochs * n
            noise = rng.bit_generator.random_raw((size + 1) // 2).view(np.uint32)[:size]
            orders = scratch("orders", (self.n_epochs, n), np.int32)
            draws.shuffle(noise.reshape(orders.shape), orders)
        n_units = len(self.centres_)
        activation = descent.make_rows(blocks, n, n_units)
        squash = self.output_range == "tanh" and self.targets == "signs"
        found = descent.sgd(activation, targets, scale, orders, self.step, by == "mean", squash)
        return np.ascontiguousarray(found[:, :n_units])

    def _design(self) -> Design:
        return SampledCentres() if self.design is None else self.design

    def _check_design(self) -> Design:
        design: Design = check.instance("design", self._design(), Design, "SampledCentres(0.1)")
        design.check_parameters()
        return design


def root_of_weights(weights: FloatArray) -> FloatArray:
    """By which activations and targets are multiplied for least squares under the emphasis."""
    root = np.sqrt(weights)
    return np.maximum(root, SMALLEST_ROOT, out=root)


def _sum_rows(linear: FloatArray) -> FloatArray:
    """One by one, whereas `linear.sum(axis=0)` adds the outputs of a single sample in another order."""
    return np.asarray(sum(linear))


def solve_ridge(gram: FloatArray, moments: FloatArray, regularisation: float) -> FloatArray:
    """(outputs, K): solve (gram + regularisation I) w = moments, with `gram` in turn overwritten.

    By Cholesky; by least squares where the matrix is singular up to rounding (equal units without regularisation).
    """
    gram.flat[:: len(gram) + 1] += regularisation
    factor, solution, failed = dposv(gram, moments, lower=1)
    if failed or _is_singular(gram, factor, regularisation):
        solution = np.linalg.lstsq(gram, moments, rcond=None)[0]
    return np.ascontiguousarray(solution.T)


def shortest_weights(blocks: Iterable[tuple[slice, FloatArray]], targets: FloatArray) -> FloatArray:
    """The pseudo-inverse of the activations times the targets, (outputs, K): the shortest least squares solution.

    Activations (K, n) come in blocks, they and the targets (outputs, n) times the square root of the weights D.
    Singular values up to max(n, K) times the precision of float64 times the largest one count as 0: smaller ones are
    rounding.
    """
    matrix = np.hstack([block.copy() for _, block in blocks]).T  # copies: a block's memory is used again
    rounding = max(matrix.shape) * np.finfo(np.float64).eps
    return np.ascontiguousarray(np.linalg.lstsq(matrix, targets.T, rcond=rounding)[0].T)


def _is_singular(gram: FloatArray, factor: FloatArray, regularisation: float) -> bool:
    """Whether rounding alone makes a matrix regular, as it may that of nearly equal units.

    Its solution then has weights of any size that cancel. The condition is estimated from the Cholesky factor, unless
    the regularisation bounds it: eigenvalues lie between that and the trace.
    """
    smallest = len(gram) * np.finfo(np.float64).eps  # of the ratio of the least eigenvalue and the largest
    if regularisation > smallest * gram.trace():
        return False
    reciprocal, _ = dpocon(factor, np.abs(gram).sum(axis=0).max(), uplo="L")
    return bool(reciprocal < smallest)
