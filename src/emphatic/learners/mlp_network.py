"""Perceptrons with one hidden layer, trained by back-propagation: the learners of paper 001."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from emphatic import check
from emphatic.base import Learner, Lesson, n_outputs
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Size, saved
from emphatic.kernels import draws, mlp
from emphatic.learners.mlp_batch import Judges, sum_up, train_batch, weigh_judges
from emphatic.learners.mlp_partitions import PartitionedTable
from emphatic.learners.mlp_training import Plan, Result, Start, Table, train_alone, train_together
from emphatic.partitions import Partitions, refuse_visits
from emphatic.randomness import RowNoise, draw_entropy


@saved(
    hidden_weights_=Array(np.float64, "hidden", "inputs"),
    output_weights_=Array(np.float64, "outputs", "hidden and bias"),
    n_epochs_=Size(name="epochs"),
    validation_errors_=Array(np.float64, "epochs", low=0.0),
)
class MLPNetworkClassifier(Learner):
    r"""A perceptron with one hidden layer of tanh units and tanh outputs (paper 001).

    .. math:: o(x) = \tanh\Bigl(v_0 + \sum_k v_k \tanh(w_{k0} + w_k \cdot x)\Bigr)

    Back-propagation lowers the emphasised squared error :math:`\sum_i D_i (d_i - o(x_i))^2`, sample by sample in a
    fresh order each epoch. Sample i of L moves the output layer by

    .. math:: \delta = \eta \min(L D_i, c)\, (d_i - o_i)(1 - o_i^2)

    times the activation of the hidden unit, and the hidden layer by the chain rule, with the output weights from before
    the step. A part of the samples, drawn anew for every network, takes no step: training ends when the emphasised
    squared error on that part has not fallen for `stall` epochs, and the weights of its lowest value are restored.
    K > 2 classes have an output each, with targets +-1, and their errors are summed.

    `updates="batch"` is another algorithm for the same error, by the gradient of all samples together: L-BFGS
    (`scipy.optimize.minimize`) on :math:`\sum_i \min(D_i, c / L)\, (d_i - o(x_i))^2`. Every network that it tries,
    those of its line searches included, is an epoch. Gradients are sums, so it is the one for Dask collections.

    Parameters
    ----------
    n_hidden : int, default=5
        Number of hidden units.
    step : float, default=0.01
        The step :math:`\eta`, the same in both layers; only for `updates="online"`.
    max_epochs : int, default=1000
        Largest number of passes over the training part.
    stall : int, default=100
        Epochs without a lower error after which training ends.
    validation_fraction : float in [0, 0.5], default=0.2
        Share of each class, rounded, that judges instead of training. If that leaves a class without a judge (with 0.2
        one of fewer than 3 samples), or with 0, all samples train and their own error decides. With `updates="batch"`
        it is the chance of each sample to judge.
    weight_range : float, default=0.2
        First weights are uniform between minus and plus this.
    largest_weight : float, default=20.0
        The cap c of :math:`L D_i`, whose mean is 1: it keeps a strongly emphasised sample from taking wild steps.
    updates : {"online", "batch"}, default="online"
        Whether a step follows every sample, or the sum over all of them.
    random_state : int, generator or None, default=None

    Attributes
    ----------
    hidden_weights_ : array (n_hidden, features + 1); one row per unit, its bias last
    output_weights_ : array (outputs, n_hidden + 1); one output for two classes, one per class for more; its bias last
    n_epochs_ : int; epochs trained, of which the one of the lowest error is kept
    validation_errors_ : array (``n_epochs_``,); emphasised mean squared error on the validation part after every epoch
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Inputs are not scaled: units begin near 0, so columns should be standardised (`StandardScaler`,
    `emphatic.tables.TableTransformer`); with large values units saturate and learn nothing. Only the ratios of
    `sample_weight` matter, and a sample of weight 0 counts as absent; a weight of 2 is a step twice as long,
    which is near to, but not the same as, a sample that is visited twice. All arithmetic is in float64.

    Samples on the wrong side of a first, nearly linear solution saturate the output and lose their gradient
    (1 - o^2); a larger `step` makes that worse. Where a network stays linear, a longer `stall` helps.

    Batch training ends where L-BFGS sees no further gain, or as above. On Dask collections every partition holds its
    rows in float64 for the fit. An epoch is one sum over partitions, of which the next one needs the result: a network
    waits `max_epochs` times for the slowest partition at the most, and moves as many numbers as it has weights, per
    partition, each time. The network is that of the fit in memory, but for sums in another order; as every step depends
    on all before it such differences grow, from 1e-14 after 10 epochs to 1e-9 after 50, and may decide after hundreds.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> from emphatic import MLPNetworkClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> network = MLPNetworkClassifier(random_state=0).fit(scale(X), y)
    >>> network.output(scale(X)).shape, network.score(scale(X), y) > 0.9
    ((150, 3), True)
    """

    def __init__(
        self,
        n_hidden: int = 5,
        *,
        step: float = 0.01,
        max_epochs: int = 1000,
        stall: int = 100,
        validation_fraction: float = 0.2,
        weight_range: float = 0.2,
        largest_weight: float = 20.0,
        updates: str = "online",
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.step = step
        self.max_epochs = max_epochs
        self.stall = stall
        self.validation_fraction = validation_fraction
        self.weight_range = weight_range
        self.largest_weight = largest_weight
        self.updates = updates
        self.random_state = random_state

    def check_parameters(self) -> None:
        check.integer("n_hidden", self.n_hidden, at_least=1)
        check.real("step", self.step, 0, open_low=True)
        check.integer("max_epochs", self.max_epochs, at_least=1)
        check.integer("stall", self.stall, at_least=1)
        check.real("validation_fraction", self.validation_fraction, 0, 0.5)
        check.real("weight_range", self.weight_range, 0, open_low=True)
        check.real("largest_weight", self.largest_weight, 0, open_low=True)
        check.one_of("updates", self.updates, ("online", "batch"))

    def prepare(self, X: FloatArray, y: IntArray) -> Table:
        self.check_parameters()
        return self._lay_out(X, y)

    def learn(self, lesson: Lesson) -> FloatArray:
        if self.updates == "batch":
            self._keep(*self._train_batch(lesson))
        else:
            self._keep(*train_alone(self._plan(), lesson.table, self._draw_start(lesson)))
        return self.respond(lesson.table.X)

    def check_for_partitions(self) -> None:
        self.check_parameters()
        refuse_visits(self.updates, "another algorithm for the same error that adds up gradients")

    def prepare_partitions(self, X: Partitions, y: Any) -> PartitionedTable:
        self.check_for_partitions()
        return PartitionedTable(X, y, self._lay_out)

    def learn_partitions(self, lesson: Lesson) -> Any:
        table, network = lesson.table, self._draw_network(lesson.table.rows.shape[1], lesson.rng)
        judges = self._draw_judges_by_number(len(lesson.y), lesson.rng)
        parts = table.divide(lesson.weights, judges, self.largest_weight)
        self._keep(*train_batch(self._plan(), network, partial(table.sum_up, parts)))
        return self.respond_in_partitions(table.rows)

    @classmethod
    def learn_many(cls, learners: Sequence[Self], lessons: Sequence[Lesson]) -> list[FloatArray]:
        """Networks of one shape are trained side by side, several times faster than one at a time."""
        groups: dict[Any, list[tuple[Self, Lesson]]] = {}
        for learner, lesson in zip(learners, lessons, strict=True):
            if learner.updates == "batch":
                learner._keep(*learner._train_batch(lesson))
                continue
            shape = learner._plan(), lesson.table.X.shape[1], lesson.table.targets.shape[1]
            groups.setdefault(shape, []).append((learner, lesson))
        for (plan, *_), alike in groups.items():
            starts = [learner._draw_start(lesson) for learner, lesson in alike]
            results = train_together(plan, [lesson.table for _, lesson in alike], starts)
            for (learner, _), (network, errors) in zip(alike, results, strict=True):
                learner._keep(network, errors)
        return [learner.respond(lesson.table.X) for learner, lesson in zip(learners, lessons, strict=True)]

    def respond(self, X: FloatArray) -> FloatArray:
        network = mlp.Network(_writable(self.hidden_weights_), _writable(self.output_weights_))
        output = mlp.outputs(_writable(X), network)
        return np.asarray(output[:, 0] if output.shape[1] == 1 else output)

    def check_saved(self) -> None:
        super().check_saved()
        n_hidden = len(self.hidden_weights_)
        expected = (n_hidden, self.n_features_in_ + 1), (n_outputs(self.classes_), n_hidden + 1)
        if (self.hidden_weights_.shape, self.output_weights_.shape) != expected or not n_hidden:
            raise ValueError("the weights of the two layers do not fit together")

    def _lay_out(self, X: FloatArray, y: IntArray) -> Table:
        n_classes = len(self.classes_)
        positive = np.array([1]) if n_classes == 2 else np.arange(n_classes)  # the class of each output
        return Table(_writable(X), np.where(y[:, None] == positive, 1.0, -1.0))

    def _plan(self) -> Plan:
        return Plan(self.n_hidden, self.step, self.max_epochs, self.stall)

    def _draw_start(self, lesson: Lesson) -> Start:
        table, rng = lesson.table, lesson.rng
        members = np.flatnonzero(lesson.weights).astype(np.int32)  # a sample of weight 0 counts as absent
        weights = lesson.weights[members]
        judge = self._draw_judges(lesson.y[members], rng)
        train = ~judge if judge.any() else np.ones(len(members), dtype=bool)
        judge = judge if judge.any() else train
        steps = self.step * np.minimum(len(members) * weights[train], self.largest_weight)
        shares = check.distribution("weights", weights[judge], int(judge.sum()))
        network = self._draw_network(table.X.shape[1], rng)
        # orders come from a generator of their own: how many of them go unused must not change what `rng` draws next
        orders = np.random.default_rng(draw_entropy(rng))
        return Start(network, mlp.Part(members[train], steps), mlp.Part(members[judge], shares), orders)

    def _draw_judges(self, y: IntArray, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Which samples are the validation part: of every class the same share; none if a class would have no judge."""
        times = rng.standard_exponential(len(y))
        _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
        shares = np.minimum(np.floor(self.validation_fraction * counts + 0.5).astype(np.intp), counts - 1)
        judge = np.zeros(len(y), dtype=bool)
        if (shares > 0).all():
            judge[draws.first_arrivals(times, np.ones(len(y)), codes, shares)] = True
        return judge

    def _draw_network(self, inputs: int, rng: np.random.Generator) -> mlp.Network:
        return mlp.Network(
            rng.uniform(-self.weight_range, self.weight_range, (self.n_hidden, inputs + 1)),
            rng.uniform(-self.weight_range, self.weight_range, (n_outputs(self.classes_), self.n_hidden + 1)),
        )

    def _draw_judges_by_number(self, n: int, rng: np.random.Generator) -> Judges:
        return Judges(RowNoise(rng, n), self.validation_fraction, len(self.classes_))

    def _train_batch(self, lesson: Lesson) -> Result:
        """What `learn_partitions` does, with one partition that is in memory."""
        table, network = lesson.table, self._draw_network(lesson.table.X.shape[1], lesson.rng)
        judges = self._draw_judges_by_number(len(lesson.y), lesson.rng)
        members, judging, weight = judges.count(lesson.y, lesson.weights)
        share, judged = self.largest_weight / members.sum(), weigh_judges(members, judging, weight)
        parts = judges.divide(lesson.weights, share, judged)
        return train_batch(self._plan(), network, partial(sum_up, table, parts))

    def _keep(self, best: mlp.Network, errors: FloatArray) -> None:
        self.hidden_weights_, self.output_weights_ = best
        self.validation_errors_ = errors
        self.n_epochs_ = len(errors)


def _writable(array: FloatArray) -> FloatArray:
    """`array`, or a copy of one that is read-only (a memory map), for which numba would compile all kernels anew."""
    return np.require(array, requirements=["C", "W"])
