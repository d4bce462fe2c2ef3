"""Forests of class trees: one for every set of views, fused, and pruned by kappa."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.diversity import kappa_matrix, kappa_select
from emphatic.fusion.rules import conflict, rule
from emphatic.multiview.class_tree import ClassTreeClassifier, Node
from emphatic.multiview.class_tree.growth import masses_of, train
from emphatic.multiview.class_tree.multi_view import MultiViewLearner
from emphatic.multiview.class_tree.node import Split
from emphatic.multiview.class_tree.view import View, plan
from emphatic.multiview.view_sets import checked_sets

OF_VOTES = ("majority", "mean")
"""Rules that make sense of crisp decisions."""


class MultiViewForestClassifier(MultiViewLearner):
    """Class trees on sets of views, fused by one of the rules of `emphatic.fusion` (paper 003, section 2).

    Parameters
    ----------
    views : {name: columns}, default=None
        As in `ClassTreeClassifier`; `fit` and all other methods may get a list or a dictionary of tables instead.
    estimator : classifier, default=RBFNetworkClassifier(ClassKMeans(20), regularisation=1e-8)
        What sits at the nodes of the trees.
    view_sets : {"single", "all"} or list of lists of names, default="single"
        The views of each tree: one view a tree, every set of views (31 for five), or those that are listed.
    fusion : {"mean", "majority", "minimum", "maximum", "product", "dempster_shafer"}, default="mean"
    keep : int, default=None
        So many trees at the most are kept: those whose pairs agree least by kappa. None keeps all.
    kappa_folds : int, default=None
        Kappa is measured on the training samples, or, given a number of folds, on what trees without a fold say of it.
    dedupe : bool, default=True
        Whether of equal trees only the first is kept. Larger sets of views often make the tree of a smaller one.
    evaluation, masses, inner, normalise
        Of the trees: see `ClassTreeClassifier`. Walks are crisp, so their `fusion` is "majority" (or "mean").
    n_jobs : int, default=None
        Classifiers of nodes that are trained at a time; it does not change the result.
    random_state : int, generator or None, default=None

    Attributes
    ----------
    estimators_ : list of fitted ClassTreeClassifier
    view_sets_ : list of tuples, the views of each
    columns_ : dict of the positions of each view's columns
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Trees that have a split in common, the same sets of classes in the same view, share its classifier: it is trained
    once, kept once and asked once. A forest of one view is its tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic import MultiViewForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = MultiViewForestClassifier({"sepal": [0, 1], "petal": [2, 3]}, view_sets="all", random_state=0)
    >>> forest.fit(X, y).view_sets_
    [('sepal',), ('petal',)]
    >>> forest.member_supports(X).shape, forest.score(X, y) > 0.9
    ((2, 150, 3), True)
    """

    member_attributes = ("view_sets_",)  # for kappa_prune

    def __init__(
        self,
        views: Any = None,
        estimator: Any = None,
        *,
        view_sets: Any = "single",
        fusion: str = "mean",
        keep: int | None = None,
        kappa_folds: int | None = None,
        dedupe: bool = True,
        evaluation: str = "evidence",
        masses: str = "discount",
        inner: str = "samples",
        normalise: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.views = views
        self.estimator = estimator
        self.view_sets = view_sets
        self.fusion = fusion
        self.keep = keep
        self.kappa_folds = kappa_folds
        self.dedupe = dedupe
        self.evaluation = evaluation
        self.masses = masses
        self.inner = inner
        self.normalise = normalise
        self.n_jobs = n_jobs
        self.random_state = random_state

    def member_supports(self, X: Any) -> FloatArray:
        """(members, n, K): the supports of each tree."""
        check_is_fitted(self)
        return self._supports(self._parted(self._check_table(X, reset=False)))

    def member_predictions(self, X: Any) -> np.ndarray:
        """(members, n): the labels that each tree predicts."""
        winners = self.member_supports(X).argmax(axis=2)
        return np.asarray(self.classes_[winners])

    def conflict(self, X: Any) -> FloatArray:
        """(n,) from 0 to 1: how much the trees contradict each other, whatever the rule of fusion."""
        return conflict(self.member_supports(X))

    def prepare(self, X: FloatArray, y: IntArray) -> FloatArray:
        rule(self.fusion)
        if self.evaluation == "walk" and self.fusion not in OF_VOTES:
            raise ValueError(
                f'fusion={self.fusion!r} is not allowed with evaluation="walk", whose decisions are crisp: fusion must '
                "be 'majority' or 'mean'."
            )
        check.one_of("dedupe", self.dedupe, (True, False))
        table = super().prepare(X, y)
        sets = checked_sets(self.view_sets, list(self.columns_))
        if self.keep is not None and check.integer("keep", self.keep, at_least=1) > len(sets):
            raise ValueError(f"keep={self.keep} is not allowed: keep must be at most {len(sets)}, the number of trees.")
        if self.kappa_folds is not None:
            check.integer("kappa_folds", self.kappa_folds, at_least=2)
        return table

    def train(self, views: Mapping[str, View], classes: tuple[int, ...]) -> None:
        sets = checked_sets(self.view_sets, list(views))
        plans = [plan([views[name] for name in names], classes) for names in sets]
        first: dict[Node, int] = {}
        for number, root in enumerate(plans):
            first.setdefault(root, number)
        different = list(first.values()) if self.dedupe else range(len(sets))
        classifiers = train(self._node_classifier(), [plans[number] for number in different], views, self.n_jobs)
        self.view_sets_ = [sets[number] for number in different]
        self.estimators_ = [self._tree(sets[number], plans[number], classifiers) for number in different]
        if self.keep is not None and self.keep < len(different):
            kept = kappa_select(kappa_matrix(self._judged(views)), self.keep)
            self.view_sets_ = [self.view_sets_[number] for number in kept]
            self.estimators_ = [self.estimators_[number] for number in kept]

    def probabilities(self, X: FloatArray) -> FloatArray:
        return rule(self.fusion)(self._supports(self._parted(X)))

    def _supports(self, tables: Mapping[str, FloatArray]) -> FloatArray:
        """Supports of all trees, for which each classifier is asked once, however many trees share it."""
        splits = {node.split: tree for tree in self.estimators_ for node in tree.root_}
        masses = {split: masses_of(tree.classifiers_[split], tables[split[0]]) for split, tree in splits.items()}
        n = len(next(iter(masses.values())))

        def said(node: Node, rows: IntArray) -> FloatArray:
            return masses[node.split][rows]

        return np.array([tree.combined(said, n).supports for tree in self.estimators_])

    def _judged(self, views: Mapping[str, View]) -> IntArray:
        """(members, n): the codes of the classes that the trees predict for the training samples."""
        if self.kappa_folds is None:
            return self._supports({name: view.X for name, view in views.items()}).argmax(axis=2)
        any_view = next(iter(views.values()))
        codes = np.empty((len(self.estimators_), len(any_view.y)), dtype=np.intp)
        for rows, others in any_view.folds(self.kappa_folds):
            part = clone(self).set_params(view_sets=self.view_sets_, keep=None, dedupe=False)
            part.classes_, part.columns_, part.n_features_in_ = self.classes_, self.columns_, self.n_features_in_
            seen = tuple(np.unique(any_view.y[rows]).tolist())
            part.train({name: view.part(rows) for name, view in views.items()}, seen)
            codes[:, others] = part._supports({name: view.X[others] for name, view in views.items()}).argmax(axis=2)
        return codes

    def _tree(self, names: tuple[str, ...], root: Node, classifiers: Mapping[Split, Any]) -> ClassTreeClassifier:
        """A fitted tree on the table of the forest."""
        tree = ClassTreeClassifier(
            self.estimator,
            {name: self.columns_[name] for name in names},
            evaluation=self.evaluation,
            masses=self.masses,
            inner=self.inner,
            normalise=self.normalise,
            random_state=self.random_state,
        )
        tree.root_, tree.classifiers_ = root, {node.split: classifiers[node.split] for node in root}
        tree.columns_ = tree.views
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        return tree
