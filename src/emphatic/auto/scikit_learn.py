"""Candidates that scikit-learn trains: logistic regression, and gradient-boosted trees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import sklearn
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from emphatic.auto.candidate import LEAST_LOG, Candidate, Fitted, Points, TrainingData
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Number, Part, TupleOf, Whole, saved
from emphatic.kernels.random_trees import Trees, add_leaves
from emphatic.learners.flat_trees import flatten_nodes
from emphatic.learners.random_tree import empty_tree, join_trees
from emphatic.version import __version__


@saved(weights=Array(np.float64, "inputs", "classes"), biases=Array(np.float64, "classes"))
class LinearModel(NamedTuple):
    """X W + b."""

    weights: FloatArray
    biases: FloatArray

    def scores(self, points: Points) -> FloatArray:
        """(rows, K)"""
        return np.asarray(points.multiply(points.inputs, self.weights) + self.biases, dtype=np.float64)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs and classes."""
        if self.weights.shape != (n_inputs, n_classes):
            raise ValueError(f"a linear model has weights of the shape {self.weights.shape}")


@saved(strengths=TupleOf(Number(0.0)))
@dataclass(frozen=True)
class Logistic(Candidate):
    """Multinomial logistic regression with a ridge, whose strength is chosen out of fold."""

    strengths: tuple[float, ...] = (0.01, 0.1, 1.0)
    family: ClassVar[str] = "logistic regression"

    def describe(self, variant: int = -1) -> str:
        return f"C = {self.strengths[variant]:g}"

    def seconds(self, data: TrainingData) -> float:
        return len(self.strengths) * (0.003 + 3e-8 * data.inputs.size * data.n_classes)

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        models = [self._fit_one(data, rows, strength) for strength in self.strengths]
        points = Points(data.inputs[held_out])
        return np.array([one.scores(points) for one in models]), models

    def _fit_one(self, data: TrainingData, rows: IntArray, strength: float) -> LinearModel:
        present = np.unique(data.codes[rows])
        weights, biases = np.zeros((data.inputs.shape[1], data.n_classes)), np.full(data.n_classes, LEAST_LOG)
        biases[present] = 0.0
        if len(present) > 1:
            model = LogisticRegression(C=strength, max_iter=200, tol=1e-3)
            model.fit(data.inputs[rows], data.codes[rows], sample_weight=data.weights[rows])
            columns = present[1:] if len(present) == 2 else present
            weights[:, columns], biases[columns] = model.coef_.T, model.intercept_
        return LinearModel(weights, biases)

    def merge(self, learnt: Sequence[Any], variant: int) -> LinearModel:
        return LinearModel(*(np.mean([one[variant][k] for one in learnt], axis=0) for k in range(2)))


@saved(
    classes=Array(np.int64, "classes", low=0),
    baselines=Array(np.float64, "outputs"),
    trees=TupleOf(Part("Trees"), "outputs"),
)
class GradientEnsemble(NamedTuple):
    """Sums of the trees of all rounds: one for two classes, otherwise one per class."""

    classes: IntArray
    """Codes of those that were seen in training."""
    baselines: FloatArray
    """(outputs,): where the sums begin."""
    trees: tuple[Trees, ...]
    """One `Trees` per output, with values (nodes, 1), in the order of the rounds."""

    def check_shape(self, n_inputs: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs, and for some of so many classes."""
        codes = self.classes
        if len(codes) < 2 or (codes[:-1] >= codes[1:]).any() or codes[-1] >= n_classes:
            raise ValueError(f"gradient-boosted trees have the classes {codes.tolist()} of {n_classes}")
        if len(self.trees) != (1 if len(codes) == 2 else len(codes)):
            raise ValueError(f"gradient-boosted trees have {len(self.trees)} outputs for {len(codes)} classes")
        for one in self.trees:
            one.check_shape(n_inputs, 1)

    def outputs(self, inputs: NDArray[np.float32]) -> FloatArray:
        """(outputs, rows): the logit of the second of two classes, or a logarithm per class."""
        total = np.repeat(self.baselines[:, None], len(inputs), axis=1)
        for trees, score in zip(self.trees, total, strict=True):
            add_leaves(inputs, trees, score[:, None])
        return total

    def probabilities(self, inputs: NDArray[np.float32]) -> FloatArray:
        """(rows, classes), summed class by class as scikit-learn does for any two rows or more."""
        outputs = self.outputs(inputs)
        if len(self.classes) == 2:
            second = expit(outputs[0])
            return np.column_stack([1.0 - second, second])
        powers = np.exp(outputs - outputs.max(axis=0))
        total = np.zeros(len(inputs))
        for one in powers:  # `sum` would add the classes of a single row in another order
            total += one
        return np.ascontiguousarray((powers / total).T)


def read_ensemble(fitted: HistGradientBoostingClassifier, rows: NDArray[np.float32]) -> GradientEnsemble:
    """The trees of a fitted ensemble of scikit-learn as flat arrays.

    scikit-learn has no public access to them: this is the only place that knows its private attributes, and compares
    what was read with what scikit-learn computes from them on `rows`.
    """
    try:
        rounds = [[_flatten(tree.nodes) for tree in outputs] for outputs in fitted._predictors]
        trees = tuple(join_trees(one, np.ones(len(one))) for one in zip(*rounds, strict=True))
        baselines = np.array(fitted._baseline_prediction, dtype=np.float64).ravel()
        ensemble = GradientEnsemble(np.asarray(fitted.classes_, dtype=np.intp), baselines, trees)
        outputs = ensemble.outputs(rows).T
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as problem:
        raise RuntimeError(_unknown_form()) from problem
    if not np.array_equal(outputs, fitted.decision_function(rows).reshape(len(rows), -1)):
        raise RuntimeError(_unknown_form())
    return ensemble


def _flatten(nodes: Any) -> Trees:
    """Nodes of scikit-learn, a structured array whose leaves have children 0."""
    left, right, feature, threshold = (nodes[name] for name in ("left", "right", "feature_idx", "num_threshold"))
    return flatten_nodes(left, right, feature, threshold, nodes["value"][:, None])


def _unknown_form() -> str:
    return (
        f"scikit-learn {sklearn.__version__} keeps gradient-boosted trees in a form that emphatic {__version__} "
        "does not know: use an earlier scikit-learn or a later emphatic."
    )


@saved(ensembles=TupleOf(Part("GradientEnsemble")), n_classes=Whole(2))
class GradientModel(NamedTuple):
    """Ensembles of all folds, and the number of all classes."""

    ensembles: tuple[GradientEnsemble, ...]
    n_classes: int

    def scores(self, points: Points) -> FloatArray:
        """(rows, K): the mean of the logarithms of their probabilities."""
        total = np.full((len(points.inputs), self.n_classes), LEAST_LOG * len(self.ensembles))
        for one in self.ensembles:
            logarithms = np.log(np.maximum(one.probabilities(points.inputs), np.exp(LEAST_LOG)))
            total[:, one.classes] += logarithms - LEAST_LOG
        return total / len(self.ensembles)

    def check_shape(self, n_inputs: int, n_units: int, n_classes: int) -> None:
        """Raise ValueError unless it is for so many inputs and classes."""
        if self.n_classes != n_classes or not self.ensembles:
            raise ValueError(f"gradient-boosted trees have {self.n_classes} classes, and {n_classes} are expected")
        for one in self.ensembles:
            one.check_shape(n_inputs, n_classes)


@saved(n_rounds=Whole(1))
@dataclass(frozen=True)
class GradientTrees(Candidate):
    """Histogram gradient boosting with small trees, for tables with many rows and sharp edges."""

    n_rounds: int = 60
    family: ClassVar[str] = "gradient-boosted trees"

    def describe(self, variant: int = -1) -> str:
        return f"{self.n_rounds} rounds of trees with 15 leaves"

    def seconds(self, data: TrainingData) -> float:
        n_trees = self.n_rounds * (1 if data.n_classes == 2 else data.n_classes)
        return n_trees * (1.5e-3 + 2e-9 * data.inputs.size) + 1e-7 * data.inputs.size

    def fit(self, data: TrainingData, fold: int, rng: np.random.Generator) -> Fitted:
        rows, held_out = data.split(fold)
        model = GradientModel((self._fit_one(data, rows, held_out, int(rng.integers(2**31))),), data.n_classes)
        return model.scores(Points(data.singles[held_out]))[None], model

    def _fit_one(self, data: TrainingData, rows: IntArray, held_out: IntArray, seed: int) -> GradientEnsemble:
        present = np.unique(data.codes[rows])
        if len(present) == 1:
            return GradientEnsemble(present, np.zeros(1), (empty_tree(1, 1),))
        ensemble = HistGradientBoostingClassifier(
            max_iter=self.n_rounds,
            max_leaf_nodes=15,
            max_bins=63,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=seed,
        )
        # finding weighted bins takes many times as long as growing the trees: weights only where they differ
        weights = data.weights[rows] if np.ptp(data.weights) else None
        ensemble.fit(data.singles[rows], data.codes[rows], sample_weight=weights)
        return read_ensemble(ensemble, data.singles[held_out])

    def merge(self, learnt: Sequence[Any], variant: int) -> GradientModel:
        return GradientModel(tuple(one for model in learnt for one in model.ensembles), learnt[0].n_classes)
