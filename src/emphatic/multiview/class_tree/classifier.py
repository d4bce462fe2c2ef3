"""Class trees: K - 1 binary classifiers, each on the view that tells its two sets of classes apart best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise_rows
from emphatic.multiview.class_tree.drawing import drawn, written
from emphatic.multiview.class_tree.evaluation import Evidence, Said, combine, walk
from emphatic.multiview.class_tree.growth import masses_of, train
from emphatic.multiview.class_tree.multi_view import MultiViewLearner
from emphatic.multiview.class_tree.node import Node
from emphatic.multiview.class_tree.view import View, plan


class ClassTreeClassifier(MultiViewLearner):
    r"""A tree of binary classifiers over the classes of a problem (paper 003, section 2.1).

    1. At every node the centroids of its classes are parted in two by k-means, in each view. The view of the largest
       ratio of the distance between the two means to the sum of the mean distances inside gives the node its split
       and its inputs. So it goes on until a set is a single class: K classes, K - 1 nodes.
    2. At every node a classifier learns the two sets: an RBF network with prototypes of each class.
    3. "walk" follows the larger output to a leaf. "evidence" makes masses of the outputs of all nodes and combines
       them by the orthogonal sum without normalisation.

    Parameters
    ----------
    estimator : classifier, default=RBFNetworkClassifier(ClassKMeans(20), regularisation=1e-8)
        Any scikit-learn classifier; a clone of it sits at every node.
    views : {name: columns}, default=None
        Columns are positions, names of a data frame, a slice, a mask, a function that returns one of these, or None or
        "all". Views may overlap, and columns of no view are not used. None is one view of all columns. Instead, `fit`
        and all other methods may get a list or a dictionary of tables, each of which is a view.
    evaluation : {"evidence", "walk"}, default="evidence"
    masses : {"discount", "plain", "balloon"}, default="discount"
        How much a node may say of classes that it never saw. "discount" trusts it by the product of the masses that
        lead to it; "plain" fully, so that it excludes them; "balloon" lets it speak about its own classes only.
    inner : {"samples", "centroids"}, default="samples"
        What the mean distances inside are taken of. With centroids they are 0 for two classes, in every view.
    normalise : bool, default=False
        Whether `supports` sum to 1; the paper's do not.
    random_state : int, generator or None, default=None

    Attributes
    ----------
    root_ : Node, with the shape of the tree
    classifiers_ : dict of the fitted classifiers, by the `split` of their node
    columns_ : dict of the positions of each view's columns
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Inputs are not scaled here, and distances are taken in each view as it is.

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
    ) -> None:
        self.estimator = estimator
        self.views = views
        self.evaluation = evaluation
        self.masses = masses
        self.inner = inner
        self.normalise = normalise
        self.random_state = random_state

    def supports(self, X: Any) -> FloatArray:
        """(n, K): what speaks for each class, not scaled to sum 1 unless `normalise` is set."""
        check_is_fitted(self)
        table = self._check_table(X, reset=False)
        return self.combined(self._asking(table), len(table)).supports

    def conflict(self, X: Any) -> FloatArray:
        """(n,) mass that the nodes' evidence leaves to no class: 1 where they contradict each other in full."""
        check_is_fitted(self)
        table = self._check_table(X, reset=False)
        return self.combined(self._asking(table), len(table)).conflict

    def export_text(self) -> str:
        """The tree as text: the view of every node and its two sets of classes."""
        check_is_fitted(self)
        return written(self.root_, self.classes_)

    def plot(self) -> Any:
        """The tree as a plotly figure. plotly comes with ``emphatic[study]``."""
        check_is_fitted(self)
        return drawn(self.root_, self.classes_)

    def train(self, views: Mapping[str, View], classes: tuple[int, ...]) -> None:
        self.root_ = plan(list(views.values()), classes)
        self.classifiers_ = train(self._node_classifier(), [self.root_], views)

    def probabilities(self, X: FloatArray) -> FloatArray:
        return normalise_rows(self.combined(self._asking(X), len(X)).supports)

    def combined(self, said: Said, n: int) -> Evidence:
        """What the tree makes of what its nodes say about `n` samples."""
        shape = n, len(self.classes_)
        if self.evaluation == "walk":
            return Evidence(walk(self.root_, said, shape), np.zeros(n))
        found = combine(self.root_, said, shape, self.masses)
        return found._replace(supports=normalise_rows(found.supports)) if self.normalise else found

    def __getstate__(self) -> dict[str, Any]:
        """The classifiers as pairs: a model file without code (skops) knows no tuples as keys."""
        state = dict(super().__getstate__())
        if "classifiers_" in state:
            state["classifiers_"] = list(state["classifiers_"].items())
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "classifiers_" in state:
            state = {**state, "classifiers_": dict(state["classifiers_"])}
        super().__setstate__(state)

    def _asking(self, table: FloatArray) -> Said:
        tables = self._parted(table)

        def said(node: Node, rows: IntArray) -> FloatArray:
            return masses_of(self.classifiers_[node.split], tables[node.view][rows])

        return said
