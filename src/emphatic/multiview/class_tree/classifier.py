"""Class trees: K - 1 binary classifiers, each on the view that separates its two sets of classes best."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from emphatic.base import check_saved_member
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Classifier, ListOf, Text, Together, TupleOf, Whole, saved
from emphatic.margins import normalise_rows
from emphatic.multiview.class_tree.evaluation import SIDES, Ask, Evidence, combine, predict_masses, walk
from emphatic.multiview.class_tree.multi_view import MultiViewLearner
from emphatic.multiview.class_tree.node import Node, format_tree, plant_tree, plot_tree
from emphatic.multiview.class_tree.planning import View, plan_tree
from emphatic.multiview.class_tree.training import SplitTraining
from emphatic.partitions import lazily


@saved(
    splits=ListOf(Together(Text(), TupleOf(Whole(below="classes")), TupleOf(Whole(below="classes")))),
    classifiers=ListOf(Classifier()),
)
class ClassTreeClassifier(MultiViewLearner):
    r"""A tree of binary classifiers over the classes of a problem (paper 003, section 2.1).

    1. At every node and in each view, k-means divides the centroids of the node's classes in two. The view with the
       largest ratio of the distance between the two means to the sum of the mean inner distances gives the node its
       split and its inputs. This continues until a set is a single class: K classes make K - 1 nodes.
    2. At every node a classifier learns the two sets: by default an RBF network with prototypes of each class.
    3. "walk" follows the larger output to a leaf. "evidence" turns the outputs of all nodes into masses and combines
       them by the orthogonal sum without normalisation.

    Parameters
    ----------
    estimator : classifier, default=RBFNetworkClassifier(ClassKMeans(20), regularisation=1e-8)
        Any scikit-learn classifier; every node has a clone of it.
    views : {name: columns}, default=None
        Columns are positions, names of a data frame, a slice, a mask, a function that returns one of these, or None or
        "all". Views may overlap, and columns that are in no view are not used. None is one view of all columns.
        Alternatively, pass a list or a dictionary of tables, one per view, to `fit` and all other methods.
    evaluation : {"evidence", "walk"}, default="evidence"
    masses : {"discount", "plain", "balloon"}, default="discount"
        How much a node may say about classes that it never saw. "discount" trusts it by the product of the masses that
        lead to it; "plain" trusts it fully, so that it excludes them; with "balloon" it judges its own classes only.
    inner : {"samples", "centroids"}, default="samples"
        Whether the inner distances are those of samples or of class centroids. The latter are 0 for two classes.
    normalise : bool, default=False
        Whether `supports` are scaled to sum 1; those of the paper are not.
    random_state : int, generator or None, default=None
    ratio : {"gap", "squared_gap"}, default="gap"
        What chooses the view of a node: the distance of the two means over the sum of the inner distances, or the
        square of that distance over the same sum. The square is *inferred*, not printed: with it nearly all trees are
        copies of a single-view tree, as the paper's forest of 31 trees seems to be (docs/papers/003.md). It depends on
        the scale: a view whose numbers are c times as large has c times the ratio.

    Attributes
    ----------
    root_ : Node, the shape of the tree
    classifiers_ : dict of the fitted classifiers, by the `split` of their node
    columns_ : dict of the positions of each view's columns
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Inputs are not scaled: distances are taken in each view as it is.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic import ClassTreeClassifier
    >>> iris = load_iris()
    >>> tree = ClassTreeClassifier(views={"sepal": [0, 1], "petal": [2, 3]}, random_state=0)
    >>> tree = tree.fit(iris.data, iris.target_names[iris.target])
    >>> print(tree.export_text())
    petal: setosa | versicolor, virginica
    ├─ setosa
    └─ petal: versicolor | virginica
       ├─ versicolor
       └─ virginica
    >>> tree.score(iris.data, iris.target_names[iris.target]) > 0.95
    True
    """

    root_: Node
    classifiers_: dict[Any, Any]

    def __init__(
        self,
        estimator: Any = None,
        views: Any = None,
        *,
        evaluation: str = "evidence",
        masses: str = "discount",
        inner: str = "samples",
        normalise: bool = False,
        random_state: Any = None,
        ratio: str = "gap",
    ) -> None:
        self.estimator = estimator
        self.views = views
        self.evaluation = evaluation
        self.masses = masses
        self.inner = inner
        self.normalise = normalise
        self.random_state = random_state
        self.ratio = ratio

    @lazily("probabilities")
    def supports(self, X: Any) -> FloatArray:
        """(n, K): the evidence for each class, not scaled to sum 1 unless `normalise` is set."""
        return self._evaluate_table(X).supports

    @lazily("numbers")
    def conflict(self, X: Any) -> FloatArray:
        """(n,) mass that the nodes' evidence puts on the empty set: 1 where they contradict each other completely."""
        return self._evaluate_table(X).conflict

    def export_text(self) -> str:
        """The tree as text: the view of every node and its two sets of classes."""
        check_is_fitted(self)
        return "\n".join(format_tree(self.root_, self.classes_))

    def plot(self) -> Any:
        """The tree as a plotly figure. plotly comes with ``emphatic[plot]``."""
        check_is_fitted(self)
        return plot_tree(self.root_, self.classes_)

    def train(self, views: Mapping[str, View], classes: tuple[int, ...]) -> None:
        self.root_ = plan_tree(list(views.values()), classes)
        self.classifiers_ = SplitTraining(self._node_classifier(), views).train([self.root_])

    def respond_probabilities(self, X: FloatArray) -> FloatArray:
        return normalise_rows(self.evaluate(self._ask_about(X), len(X)).supports)

    def evaluate(self, ask: Ask, n: int) -> Evidence:
        """Supports and conflict of `n` samples, from the masses that `ask` gives for each node."""
        shape = n, len(self.classes_)
        if self.evaluation == "walk":
            return Evidence(walk(self.root_, ask, shape), np.zeros(n))
        evidence = combine(self.root_, ask, shape, self.masses)
        return evidence._replace(supports=normalise_rows(evidence.supports)) if self.normalise else evidence

    def list_saved(self) -> dict[str, Any]:
        """The fields for a file: the splits of all nodes, and the classifier of each split."""
        fields = {name: getattr(self, name) for name in super().saved_fields if hasattr(self, name)}
        if hasattr(self, "root_"):
            fields["splits"] = [node.split for node in self.root_]
            fields["classifiers"] = [self.classifiers_[split] for split in dict.fromkeys(fields["splits"])]
        return fields

    def set_saved(self, values: dict[str, Any]) -> None:
        """Set the fields that were read from a file."""
        splits, classifiers = values.pop("splits"), values.pop("classifiers")
        self.__dict__.update(values)
        self.root_ = plant_tree(splits)
        self.classifiers_ = dict(zip(dict.fromkeys(splits), classifiers, strict=True))

    def check_saved(self) -> None:
        super().check_saved()
        for (view, _, _), classifier in self.classifiers_.items():
            if view not in self.columns_:
                raise ValueError(f"a node has the view {view!r}, and there are {', '.join(self.columns_)}")
            check_saved_member(classifier, SIDES, len(self.columns_[view]))

    def _evaluate_table(self, X: Any) -> Evidence:
        check_is_fitted(self)
        table = self._check_table(X, reset=False)
        return self.evaluate(self._ask_about(table), len(table))

    def _ask_about(self, table: FloatArray) -> Ask:
        tables = self._take_views(table)

        def ask(node: Node, rows: IntArray) -> FloatArray:
            return predict_masses(node.view, self.classifiers_[node.split], tables[node.view][rows])

        return ask
