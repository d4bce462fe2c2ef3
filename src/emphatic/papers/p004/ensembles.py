"""The ensembles of paper 004, the problems of our own choice that they are compared on, and their trees.

The slides name neither their 20 problems nor their parameters. `PROBLEMS` was fixed before the first result; what the
slides leave open was chosen on `OTHERS` (table 004-parameters).

The trees are CART as in scikit-learn and, where it is installed, Weka's J48, which is C4.5. J48 has what CART lacks:
gain ratio and pruning by a pessimistic error. It needs the package python-weka-wrapper3 and Java; neither is a
dependency of this library, and without them only one table is missing.
"""

import logging
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic.check import FloatArray
from emphatic.papers.table import UnsplitProblem, load_problem
from emphatic.randomness import derive_seed
from emphatic.study.tasks import Setting
from emphatic.tables import TableTransformer

PAPER = "004"
N_TREES = 30  # the slides do not say how many
MIN_LEAF = 2  # samples per leaf: the default of Weka, kept for CART in place of C4.5

PROBLEMS: Sequence[str] = (
    *("autos", "balance_scale", "breast", "breast_cancer_ljubljana", "car", "credit", "diabetes", "german", "glass"),
    *("heart_cleveland", "hepatitis", "ionosphere", "labor", "sonar", "soybean", "tic_tac_toe", "vehicle", "vote"),
    *("vowel", "zoo"),
)
"""Of the 30 shipped tables, those of at most 2,000 rows, without four.

Left out are ripley (two inputs), crabs (one input is a running number), lymph (a class of two rows) and heart_statlog
(patients of heart_cleveland). Twelve have nominal inputs, nine have missing values.
"""

OTHERS: Sequence[str] = (
    *("abalone", "crabs", "digits", "image", "iris", "kr_vs_kp", "lymph", "ripley", "splice", "thyroid", "waveform"),
    "wine",
)
"""Where parameters are chosen: no rows in common with `PROBLEMS`."""

AT_MOST = 400
"""Rows of each of `OTHERS` that are used."""


@cache
def load_sample(name: str) -> UnsplitProblem:
    """At most `AT_MOST` rows of one of `OTHERS`, with the class frequencies of all rows.

    Abalone has the two classes of paper 000: most of its 28 are too rare to be learnt from so few.
    """
    from sklearn.model_selection import train_test_split

    from emphatic.inputs import take_rows

    problem = load_problem(name, "000" if name == "abalone" else None)
    rows = np.arange(len(problem.y))
    if len(rows) > AT_MOST:
        seed = derive_seed(PAPER, name, "sample")
        rows, _ = train_test_split(rows, train_size=AT_MOST, stratify=problem.y, random_state=seed)
    return UnsplitProblem(name, take_rows(problem.X, rows), problem.y[rows])


class PaperDistances(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """One numeric table for all ensembles, in which FuzzyBoost finds the paper's distances.

    Categories become indicators, and missing values are imputed. FuzzyBoost scales every column to [0, 1]; two
    categories then differ in two indicators, so their squared distance is 2. To keep the paper's proportion between
    categories and numbers, a table with both kinds holds its numeric columns twice. Trees are not affected: a repeated
    column offers the same splits.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        self.coding_ = TableTransformer(nominal="one_hot", scale="minmax").fit(X)
        widths = [1 if categories is None else len(categories) for categories in self.coding_.categories_]
        numeric = np.repeat([categories is None for categories in self.coding_.categories_], widths)
        self.twice_ = np.flatnonzero(numeric & ~numeric.all())
        return self

    def transform(self, X: Any) -> FloatArray:
        table = self.coding_.transform(X)
        return np.hstack([table, table[:, self.twice_]])


class CrispTree(DecisionTreeClassifier):
    """A tree whose probabilities are its votes, so that scikit-learn's bagging counts votes."""

    def predict_proba(self, X: Any, check_input: bool = True) -> FloatArray:
        shares = super().predict_proba(X, check_input)
        return np.eye(shares.shape[1])[shares.argmax(axis=1)]


def make_cart(tree: type[DecisionTreeClassifier] = DecisionTreeClassifier) -> DecisionTreeClassifier:
    """The tree of all tables but one: binary splits by entropy, not pruned."""
    return tree(criterion="entropy", min_samples_leaf=MIN_LEAF)


def has_j48() -> bool:
    """Whether Weka and Java are installed."""
    return find_spec("weka") is not None and shutil.which("java") is not None


class J48Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """C4.5 as in Weka, with its defaults: gain ratio, at least 2 samples per leaf, pruned with confidence 0.25.

    Inputs are numeric: a nominal column comes as indicators, with one split for each of them.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Build the tree on weighted rows; the weights are scaled to a mean of 1, as Weka expects."""
        _start_java()
        from weka.classifiers import Classifier

        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        weights = np.ones(len(codes)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        kept = weights > 0
        weights = weights[kept] * kept.sum() / weights[kept].sum()
        self._weka = Classifier(classname="weka.classifiers.trees.J48", options=["-M", str(MIN_LEAF)])
        self._weka.build_classifier(self._instances(X[kept], codes[kept], weights))
        return self

    def predict_proba(self, X: Any) -> FloatArray:
        """Shares of the classes in the leaf of each row."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        rows = self._instances(X, np.full(len(X), np.nan), np.ones(len(X)))
        shares: FloatArray = np.asarray(self._weka.distributions_for_instances(rows))
        return shares

    def predict(self, X: Any) -> np.ndarray:
        """The largest class of each leaf."""
        labels: np.ndarray = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels

    def _instances(self, X: FloatArray, codes: np.ndarray, weights: FloatArray) -> Any:
        """A table in Weka; the class comes last, NaN where it is unknown."""
        import jpype
        from weka.core.dataset import Attribute, Instances

        inputs = [Attribute.create_numeric(f"x{j}") for j in range(X.shape[1])]
        target = Attribute.create_nominal("y", [str(code) for code in range(len(self.classes_))])
        table = Instances.create_instances("table", [*inputs, target], len(X))
        table.class_is_last()
        # All rows are passed to Java at once: one by one they would take longer than the tree.
        row_of = jpype.JClass("weka.core.DenseInstance")
        for row, weight in zip(jpype.JArray.of(np.column_stack([X, codes])), weights.tolist(), strict=True):
            table.jobject.add(row_of(weight, row))
        return table


def _start_java() -> None:
    """Once per process; it ends with the process."""
    import weka.core.jvm as java

    if not java.started:
        java.start(packages=False, max_heap_size="512m", logging_level=logging.WARNING)


PARAMETERS: Mapping[str, Any] = {"reward": 0.3, "fuzziness": 2.0, "init": "classes", "chains": "both", "samme": True}
DEFLECTED: Mapping[str, Any] = {"n_deflections": 4, "relaxation": 10.0, "aligned": False}
"""What FuzzyBoost uses in all tables, and DFA in addition: the best lines of `emphatic reproduce 004-parameters`."""


def fuzzy_boost_setting(tree: str = "CART", **changes: Any) -> dict[str, Any]:
    """The setting of FuzzyBoost with the chosen parameters, except for `changes`."""
    return {"ensemble": "FuzzyBoost", "tree": tree, "n_deflections": 0, **PARAMETERS, **changes}


def list_methods(tree: str = "CART") -> dict[str, dict[str, Any]]:
    """The settings compared, by name: four of the paper, the two halves of FuzzyBoost, and two more with CART."""
    more = ("Real AdaBoost", "Bagging by votes") if tree == "CART" else ()
    return {
        "FuzzyBoost": fuzzy_boost_setting(tree),
        "DFA": fuzzy_boost_setting(tree, **DEFLECTED),
        "easy only": fuzzy_boost_setting(tree, chains="easy"),
        "difficult only": fuzzy_boost_setting(tree, chains="hard"),
        **{name: {"ensemble": name, "tree": tree} for name in ("AdaBoost", "Bagging", *more)},
    }


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting, with `N_TREES` trees."""
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

    from emphatic import FuzzyBoostClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Exponential

    options = {"random_state": random_state, **setting}
    ensemble = options.pop("ensemble")
    tree = J48Classifier() if options.pop("tree") == "J48" else make_cart()
    if ensemble == "FuzzyBoost":
        return FuzzyBoostClassifier(tree, N_TREES, **options)
    peers = {
        "AdaBoost": AdaBoostClassifier(tree, n_estimators=N_TREES, **options),
        "Bagging": BaggingClassifier(tree, N_TREES, **options),
        "Real AdaBoost": RealAdaBoostClassifier(tree, Exponential(), N_TREES, resample=True, **options),
        "Bagging by votes": BaggingClassifier(make_cart(CrispTree), N_TREES, **options),
    }
    return peers[ensemble]
