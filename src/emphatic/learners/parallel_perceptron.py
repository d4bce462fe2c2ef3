"""Parallel perceptrons: a few perceptrons that vote, and margins that tell how safe each of them is (paper 002)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, column_or_1d

from emphatic import check
from emphatic.base import Lesson, MarginLearner, n_outputs
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.fields import Array, saved
from emphatic.kernels import draws, perceptron, rows
from emphatic.learners.perceptron_partitions import PartitionedTable
from emphatic.learners.perceptron_table import Blocks, Course, lay_out, signs_of
from emphatic.partitions import Partitions, refuse_visits

VISITS = 2**20
"""Orders are drawn for about this many visits to samples at once: all of them might not fit in memory."""

LARGEST = 1e6
"""Of the parameters that multiply inputs: larger ones could overflow with the largest inputs allowed."""


class Table(NamedTuple):
    """Inputs as they come, and as the kernels take them."""

    X: FloatArray
    blocks: Blocks


@saved(
    weights_=Array(np.float64, "machines", "perceptrons", "inputs"),
    margins_=Array(np.float64, "machines", above=0.0),
    training_errors_=Array(np.float64, "machines", "epochs", low=0.0),
)
class ParallelPerceptronClassifier(MarginLearner):
    r"""An odd number of perceptrons of which the majority decides (paper 002, section 2).

    .. math:: h(x) = s\Bigl(\sum_i s(W_i \cdot x)\Bigr), \qquad s = \pm 1

    x has a constant 1 appended and every :math:`W_i` has length 1. Training under the weights D of N samples begins
    with random directions. In each epoch, with the activation margins :math:`a_i = y\, W_i \cdot x`,

    1. where h is wrong, every perceptron with :math:`a_i \le 0` moves by :math:`\eta N D(x)\, y\, x` (Rosenblatt's
       rule, equation 2);
    2. where h is right, every perceptron with :math:`0 < a_i < \gamma` moves by :math:`\mu` times as much, so that a
       small change of x does not change its output (output stabilisation);
    3. the margin :math:`\gamma` grows by :math:`\eta D(x) / 4` for a right sample of which no perceptron is within it,
       and shrinks by :math:`3 \eta D(x) / 4` for one of which some are;
    4. rows are brought back to length 1, and if the weighted error is larger than it was an epoch ago, :math:`\eta`
       falls by a tenth.

    Moves are summed over all samples before they are made (`updates="batch"`). K > 2 classes have a machine each,
    which tells the class from all others.

    Parameters
    ----------
    n_perceptrons : odd int, default=3
        Perceptrons of a machine; an even number could tie.
    margin : float, default=0.05
        First value of the margin :math:`\gamma`.
    learning_rate : float, default=0.01
        First value of :math:`\eta`.
    n_epochs : int, default=250
    keep : {"best", "last"}, default="best"
        Which weights are kept: those of the lowest weighted training error (of several the first), or, as in the
        paper, the last. The last are erratic where classes overlap.
    step : {"sum", "mean"}, default="sum"
        Whether a step of the weights has the factor N, which makes equal weights the plain batch rule.
    gamma_step : {"mean", "sum", "unweighted"}, default="mean"
        The same for a step of the margin. With "sum" it may move further in one epoch than it is wide. "unweighted" is
        the paper's wording: every right sample moves the margin by :math:`\eta / 4` or :math:`-3 \eta / 4`, whatever
        its weight.
    stabilisation : float, default=1.0
        The :math:`\mu` of output stabilisation; 0 turns it off.
    updates : {"batch", "online"}, default="batch"
        "online" moves weights and margin after every sample, in a fresh order each epoch; rows are brought back to
        length 1 at its end.
    random_state : int, generator or None, default=None

    Attributes
    ----------
    weights_ : array (machines, n_perceptrons, features + 1); rows of length 1, the bias last. One machine for two
        classes, one per class for more
    margins_ : array (machines,); the margin :math:`\gamma` that each of them learnt
    training_errors_ : array (machines, n_epochs + 1); weighted error before the first and after every epoch
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Inputs are not scaled, yet a margin of 0.05 presumes a scale, which the paper does not name: bring them to [0, 1]
    first (``emphatic.tables.TableTransformer(scale="minmax")``) or standardise them. Only ratios of `sample_weight`
    matter, and a sample of weight 0 counts as absent. All arithmetic is in float64.

    On Dask collections every partition lays out its rows once and holds them for the fit, as large as the table in
    float64. An epoch is one sum over partitions, for all machines together, of which the next one needs the result: 250
    epochs wait 250 times for the slowest partition, and move (features + 1) * n_perceptrons numbers per machine and
    partition each time. Only `updates="batch"` is such a sum. The machine is that of the fit in memory, whatever the
    partitions, but for sums in another order. Whether an activation is right, or within the margin, may hang on the
    last bit of a weight: where perceptrons can learn a problem nothing comes of that, and where they cannot (an
    exclusive or) they wander, and may part ways after some tens of epochs.

    For two classes the output is crisp, +-1. For K > 2 the column of a class holds the votes of its machine, and among
    as many votes their activations decide: :math:`(v + c) / (H + 1)`, with :math:`v = \sum_i s(W_i \cdot x)` and c the
    mean cosine between x and the rows, all in [-1, 1]. An activation of exactly 0 counts as wrong in training and as a
    vote for `classes_[1]`, or the machine's own class, afterwards.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import minmax_scale
    >>> from emphatic import ParallelPerceptronClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> machine = ParallelPerceptronClassifier(random_state=0).fit(X, y)
    >>> machine.score(X, y) > 0.95
    True
    >>> safely_right = (machine.hidden_margins(X, y) > 1).all(axis=1)
    >>> bool(safely_right.mean() > 0.5)
    True
    """

    def __init__(
        self,
        n_perceptrons: int = 3,
        margin: float = 0.05,
        learning_rate: float = 0.01,
        n_epochs: int = 250,
        keep: str = "best",
        *,
        step: str = "sum",
        gamma_step: str = "mean",
        stabilisation: float = 1.0,
        updates: str = "batch",
        random_state: Any = None,
    ) -> None:
        self.n_perceptrons = n_perceptrons
        self.margin = margin
        self.learning_rate = learning_rate
        self.n_epochs = n_epochs
        self.keep = keep
        self.step = step
        self.gamma_step = gamma_step
        self.stabilisation = stabilisation
        self.updates = updates
        self.random_state = random_state

    def check_parameters(self) -> None:
        if check.integer("n_perceptrons", self.n_perceptrons, at_least=1) % 2 == 0:
            raise ValueError(
                f"n_perceptrons={self.n_perceptrons!r} is not allowed: n_perceptrons must be odd, as an even number of "
                "perceptrons can tie and their majority decides."
            )
        check.real("margin", self.margin, 0, LARGEST, open_low=True)
        check.real("learning_rate", self.learning_rate, 0, LARGEST, open_low=True)
        check.integer("n_epochs", self.n_epochs, at_least=1)
        check.one_of("keep", self.keep, ("best", "last"))
        check.one_of("step", self.step, ("sum", "mean"))
        check.one_of("gamma_step", self.gamma_step, ("mean", "sum", "unweighted"))
        check.real("stabilisation", self.stabilisation, 0, LARGEST)
        check.one_of("updates", self.updates, ("batch", "online"))

    def prepare(self, X: FloatArray, y: IntArray) -> Table:
        self.check_parameters()
        return Table(X, lay_out(X, y, len(self.classes_)))

    def learn(self, lesson: Lesson) -> FloatArray:
        (X, blocks), rng = lesson.table, lesson.rng
        members = np.flatnonzero(lesson.weights).astype(np.int32)  # a sample of weight 0 counts as absent
        rule, courses = self._rule(len(members)), []
        for sample in blocks.weigh(lesson.weights, self.gamma_step):
            course, done = self._begin_course(X.shape[1], rng), 0
            for orders in self._draw_orders(members, rng):
                done = perceptron.train(sample, rule, orders, *course, done)
            perceptron.conclude(sample, rule, *course[1:], done)
            courses.append(course)
        self._keep_machines(courses, X.shape[1])
        return self.respond(X)

    def check_for_partitions(self) -> None:
        self.check_parameters()
        refuse_visits(self.updates, "which adds up the moves of all rows")

    def prepare_partitions(self, X: Partitions, y: Any) -> PartitionedTable:
        self.check_for_partitions()
        return PartitionedTable(X, y, len(self.classes_))

    def learn_partitions(self, lesson: Lesson) -> Any:
        table = lesson.table
        (n,) = evaluate((lesson.weights > 0).sum())
        courses = [self._begin_course(table.rows.shape[1], lesson.rng) for _ in range(n_outputs(self.classes_))]
        table.train(lesson.weights, self._rule(int(n)), self.gamma_step, courses)
        self._keep_machines(courses, table.rows.shape[1])
        return self.respond_in_partitions(table.rows)

    def respond(self, X: FloatArray) -> FloatArray:
        activations = self._activations(X)
        votes = np.where(activations >= 0, 1.0, -1.0).sum(axis=1)
        if len(votes) == 1:
            return np.sign(votes[0])
        lengths = np.sqrt(1.0 + np.einsum("ij,ij->i", X, X))
        # one by one, whereas `mean(axis=1)` adds the perceptrons of a single sample in another order
        cosines = sum(activations.swapaxes(0, 1)) / activations.shape[1] / lengths
        return np.ascontiguousarray((votes + cosines).T / (activations.shape[1] + 1))

    def check_saved(self) -> None:
        super().check_saved()
        n_machines, n_perceptrons, n_inputs = self.weights_.shape
        if n_machines != n_outputs(self.classes_) or n_perceptrons % 2 == 0 or n_inputs != self.n_features_in_ + 1:
            raise ValueError(f"weights_ has the shape {self.weights_.shape}, which does not fit classes and features")

    def hidden_margins(self, X: Any, y: ArrayLike) -> FloatArray:
        r"""How right every perceptron is about the rows of `X` with labels `y`, in units of the margin it learnt.

        (n, n_perceptrons): :math:`y\, W_i \cdot x / \gamma`, above 1 safely right and below -1 safely wrong. For K > 2
        classes (n, K n_perceptrons), machine after machine, y being +1 for the machine's own class and -1 for others.
        """
        check_is_fitted(self)
        X = self._check_table(X, reset=False)
        labels = column_or_1d(y)
        if len(labels) != len(X):
            raise ValueError(f"X has {len(X)} rows but y has {len(labels)} labels: their numbers must agree.")
        belongs = self.classes_[:, None] == labels
        known = belongs.any(axis=0)
        if not known.all():
            raise ValueError(
                f"y holds the label {labels[~known][0]!r}, which is not one of classes_ {self.classes_.tolist()}."
            )
        return self.respond_margins(X, belongs.argmax(axis=0))

    def respond_margins(self, X: FloatArray, y: IntArray) -> FloatArray:
        """`hidden_margins` on a checked table, with codes for labels."""
        margins = signs_of(y, len(self.classes_))[:, None] * self._activations(X) / self.margins_[:, None, None]
        return margins.reshape(-1, len(X)).T

    def _activations(self, X: FloatArray) -> FloatArray:
        """(machines, perceptrons, n): few rows are long, so that sums over perceptrons are sums of rows."""
        weights = self.weights_.reshape(-1, X.shape[1] + 1)
        products = np.empty((len(weights), len(X)))
        rows.multiply(weights[:, :-1].copy(), X.T.copy(), products)  # those of a sample do not depend on the others
        return np.asarray((products + weights[:, -1:]).reshape(*self.weights_.shape[:2], len(X)))

    def _rule(self, n: int) -> perceptron.Rule:
        """The constants of a training with so many samples."""
        step_scale, margin_scale = (float(n) if one == "sum" else 1.0 for one in (self.step, self.gamma_step))
        return perceptron.Rule(step_scale, margin_scale, float(self.stabilisation))

    def _begin_course(self, columns: int, rng: np.random.Generator) -> Course:
        """Perceptrons of random directions; inputs that only fill up their number have no weight."""
        directions = rng.standard_normal((self.n_perceptrons, columns + 1))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        weights = np.zeros((self.n_perceptrons, perceptron.n_inputs(columns) + 1))
        weights[:, :columns], weights[:, -1] = directions[:, :-1], directions[:, -1]
        machine = perceptron.Machine(weights, np.array([self.margin], dtype=np.float64))
        return Course.begin(machine, self.learning_rate, self.n_epochs)

    def _keep_machines(self, courses: Sequence[Course], columns: int) -> None:
        kept = [course.best if self.keep == "best" else course.machine for course in courses]
        places = [*range(columns), -1]  # without the inputs that only fill up their number; the bias is last
        self.weights_ = np.array([machine.weights[:, places] for machine in kept])
        self.margins_ = np.array([machine.margin[0] for machine in kept])
        self.training_errors_ = np.array([course.errors for course in courses])

    def _draw_orders(self, members: NDArray[np.int32], rng: np.random.Generator) -> Iterator[NDArray[np.int32]]:
        """An order for every epoch, some at a time; empty ones for batch training, which needs none."""
        if self.updates == "batch":
            yield np.empty((self.n_epochs, 0), dtype=np.int32)
            return
        some = max(1, VISITS // len(members))
        for start in range(0, self.n_epochs, some):
            orders = np.empty((min(some, self.n_epochs - start), len(members)), dtype=np.int32)
            draws.shuffle(rng.integers(2**32, size=orders.shape, dtype=np.uint32), orders)
            yield members[orders]
