"""Forests of class trees: one tree per set of views, fused by a rule, and pruned by kappa."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.base import check_saved_member
from emphatic.check import FloatArray, IntArray
from emphatic.diversity import kappa_matrix, kappa_select
from emphatic.diversity.agreement import PRUNINGS
from emphatic.engines import check_engine
from emphatic.fields import ListOf, Part, Text, TupleOf, saved
from emphatic.fusion.rules import conflict, find_rule
from emphatic.multiview.class_tree.classifier import ClassTreeClassifier
from emphatic.multiview.class_tree.evaluation import predict_masses
from emphatic.multiview.class_tree.multi_view import MultiViewLearner
from emphatic.multiview.class_tree.node import Node, Split
from emphatic.multiview.class_tree.planning import View, plan_tree
from emphatic.multiview.class_tree.training import SplitTraining
from emphatic.names import unknown
from emphatic.partitions import lazily, lazily_of_members

RULES_FOR_VOTES = ("majority", "mean")
"""Rules that make sense for crisp decisions."""

MOST_VIEWS = 12
"""So many views have 4,095 sets; `view_sets="all"` refuses more."""


@saved(estimators_=ListOf(Part("ClassTreeClassifier"), "members"), view_sets_=ListOf(TupleOf(Text()), "members"))
class MultiViewForestClassifier(MultiViewLearner):
    """Class trees on sets of views, fused by one of the rules of `emphatic.fusion` (paper 003, section 2).

    Parameters
    ----------
    views : {name: columns}, default=None
        As in `ClassTreeClassifier`; `fit` and all other methods accept a list or a dictionary of tables instead.
    estimator : classifier, default=RBFNetworkClassifier(ClassKMeans(20), regularisation=1e-8)
        The classifier at the nodes of the trees.
    view_sets : {"single", "all"} or list of lists of names, default="single"
        The views of each tree: one view per tree, every set of views (31 for five), or the sets listed.
    fusion : {"mean", "majority", "minimum", "maximum", "product", "dempster_shafer"}, default="mean"
    keep : int, default=None
        Largest number of trees to keep: those whose pairs agree least by kappa. None keeps all.
    kappa_folds : int, default=None
        Measure kappa on this number of folds, by trees trained without the fold; None: on the training samples.
    dedupe : bool, default=True
        Keep only the first of equal trees. Larger sets of views often lead to the tree of a smaller set.
    evaluation, masses, inner, normalise
        Parameters of the trees: see `ClassTreeClassifier`. Walks are crisp, so "walk" needs `fusion` "majority" or
        "mean".
    n_jobs : int, default=None
        Number of classifiers that are trained in parallel; it does not change the result.
    engine : engine of `emphatic.engines`, default=None
        Where that happens instead, such as ``on_dask(address)``; None: on the active Dask client, if there is one.
    random_state : int, generator or None, default=None
    ratio
        A parameter of the trees: see `ClassTreeClassifier`.
    pruning : {"pairs", "removal"}, default="pairs"
        How the trees to `keep` are found: see `emphatic.diversity.kappa_select`.

    Attributes
    ----------
    estimators_ : list of fitted ClassTreeClassifier
    view_sets_ : list of tuples, the views of each tree
    columns_ : dict of the positions of each view's columns
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    Trees that have a split in common, the same two sets of classes in the same view, share its classifier, which is
    trained once, stored once and evaluated once. A forest of one view is its tree.

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
        engine: Any = None,
        random_state: Any = None,
        ratio: str = "gap",
        pruning: str = "pairs",
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
        self.engine = engine
        self.random_state = random_state
        self.ratio = ratio
        self.pruning = pruning

    @lazily_of_members("probabilities", "estimators_")
    def member_supports(self, X: Any) -> FloatArray:
        """(members, n, K): the supports of each tree."""
        check_is_fitted(self)
        return self._supports(self._take_views(self._check_table(X, reset=False)))

    @lazily_of_members("labels", "estimators_")
    def member_predictions(self, X: Any) -> np.ndarray:
        """(members, n): the labels that each tree predicts."""
        winners = self.member_supports(X).argmax(axis=2)
        return np.asarray(self.classes_[winners])

    @lazily("numbers")
    def conflict(self, X: Any) -> FloatArray:
        """(n,) from 0 to 1: how much the trees contradict each other, whatever the rule of fusion."""
        return conflict(self.member_supports(X))

    def check_parameters(self) -> None:
        super().check_parameters()
        check.jobs(self.n_jobs)
        check_engine(self.engine)
        find_rule(self.fusion)
        if self.evaluation == "walk" and self.fusion not in RULES_FOR_VOTES:
            raise ValueError(
                f'fusion={self.fusion!r} is not allowed with evaluation="walk", whose decisions are crisp: fusion must '
                "be 'majority' or 'mean'."
            )
        check.one_of("dedupe", self.dedupe, (True, False))
        check.one_of("pruning", self.pruning, PRUNINGS)

    def prepare(self, X: FloatArray, y: IntArray) -> FloatArray:
        table = super().prepare(X, y)
        sets = resolve_view_sets(self.view_sets, list(self.columns_))
        if self.keep is not None and check.integer("keep", self.keep, at_least=1) > len(sets):
            raise ValueError(f"keep={self.keep} is not allowed: keep must be at most {len(sets)}, the number of trees.")
        if self.kappa_folds is not None:
            check.integer("kappa_folds", self.kappa_folds, at_least=2)
        return table

    def train(self, views: Mapping[str, View], classes: tuple[int, ...]) -> None:
        sets = resolve_view_sets(self.view_sets, list(views))
        training = SplitTraining(self._node_classifier(), views, self.n_jobs, self.engine)

        def plan() -> list[Node]:
            return [plan_tree([views[name] for name in names], classes) for names in sets]

        roots = training.plan(plan, dict.fromkeys(names[0] for names in sets if len(names) == 1))
        first: dict[Node, int] = {}
        for number, root in enumerate(roots):
            first.setdefault(root, number)
        chosen = list(first.values()) if self.dedupe else list(range(len(sets)))
        planned = [roots[number] for number in chosen]
        classifiers = training.train(planned)
        self.estimators_ = [self._build_tree(sets[number], roots[number], classifiers) for number in chosen]
        if self.keep is not None and self.keep < len(chosen):
            self.view_sets_ = [sets[number] for number in chosen]  # for the trees of the folds
            kept = kappa_select(kappa_matrix(self._predict_codes(views)), self.keep, self.pruning)
            chosen, self.estimators_ = [chosen[one] for one in kept], [self.estimators_[one] for one in kept]
        self.view_sets_ = [sets[number] for number in chosen]

    def respond_probabilities(self, X: FloatArray) -> FloatArray:
        return find_rule(self.fusion)(self._supports(self._take_views(X)))

    def check_saved(self) -> None:
        super().check_saved()
        for tree in self.estimators_:
            check_saved_member(tree, self.classes_, self.n_features_in_)
            if tree.evaluation != self.evaluation or not tree.columns_.keys() <= self.columns_.keys():
                raise ValueError("a tree has another evaluation or other views than the forest")
            if not all(np.array_equal(at, self.columns_[name]) for name, at in tree.columns_.items()):
                raise ValueError("a view of a tree has other columns than in the forest")
        if not self.estimators_:
            raise ValueError("there must be at least one tree")

    def _supports(self, tables: Mapping[str, FloatArray]) -> FloatArray:
        """Supports of all trees; each classifier is evaluated once, however many trees share it."""
        trees = {node.split: tree for tree in self.estimators_ for node in tree.root_}
        masses = {
            split: predict_masses(split[0], tree.classifiers_[split], tables[split[0]]) for split, tree in trees.items()
        }
        n = len(next(iter(masses.values())))
        return np.array(
            [tree.evaluate(lambda node, rows: masses[node.split][rows], n).supports for tree in self.estimators_]
        )

    def _predict_codes(self, views: Mapping[str, View]) -> IntArray:
        """(members, n): the codes of the classes that the trees predict for the training samples."""
        if self.kappa_folds is None:
            return self._supports({name: view.X for name, view in views.items()}).argmax(axis=2)
        any_view = next(iter(views.values()))
        codes = np.empty((len(self.estimators_), len(any_view.y)), dtype=np.intp)
        for train, test in any_view.folds(self.kappa_folds):
            forest = clone(self).set_params(view_sets=self.view_sets_, keep=None, dedupe=False)
            forest.classes_, forest.columns_, forest.n_features_in_ = self.classes_, self.columns_, self.n_features_in_
            seen = tuple(np.unique(any_view.y[train]).tolist())
            forest.train({name: view.take(train) for name, view in views.items()}, seen)
            codes[:, test] = forest._supports({name: view.X[test] for name, view in views.items()}).argmax(axis=2)
        return codes

    def _build_tree(self, names: tuple[str, ...], root: Node, classifiers: Mapping[Split, Any]) -> ClassTreeClassifier:
        """A fitted tree on the table of the forest."""
        tree = ClassTreeClassifier(
            self.estimator,
            {name: self.columns_[name] for name in names},
            evaluation=self.evaluation,
            masses=self.masses,
            inner=self.inner,
            normalise=self.normalise,
            random_state=self.random_state,
            ratio=self.ratio,
        )
        tree.root_, tree.classifiers_ = root, {node.split: classifiers[node.split] for node in root}
        tree.columns_ = tree.views
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        return tree


def resolve_view_sets(view_sets: Any, views: Sequence[str]) -> list[tuple[str, ...]]:
    """The sets of views meant by `view_sets`: "single", "all" or a list of lists of names.

    >>> resolve_view_sets("all", ["a", "b", "c"])
    [('a',), ('b',), ('c',), ('a', 'b'), ('a', 'c'), ('b', 'c'), ('a', 'b', 'c')]
    >>> resolve_view_sets([["b"], ["a", "c"]], ["a", "b", "c"])
    [('b',), ('a', 'c')]
    """
    if isinstance(view_sets, str) and view_sets == "single":
        return [(name,) for name in views]
    if isinstance(view_sets, str) and view_sets == "all":
        if len(views) > MOST_VIEWS:
            raise ValueError(
                f'view_sets="all" is not allowed for {len(views)} views, which have {2 ** len(views) - 1} sets: list '
                f'the sets that you want ("all" accepts at most {MOST_VIEWS} views).'
            )
        return [names for size in range(1, len(views) + 1) for names in combinations(views, size)]
    if isinstance(view_sets, str) or not isinstance(view_sets, Sequence) or not view_sets:
        raise ValueError(
            f"view_sets={view_sets!r} is not allowed: view_sets must be 'single', 'all' or a list of lists."
        )
    for names in view_sets:
        if isinstance(names, str) or not isinstance(names, Sequence) or not names:
            raise ValueError(f"view_sets holds {names!r}: each set must be a list of at least one view name.")
        for name in names:
            if name not in views:
                raise unknown("view", str(name), views)
    return [tuple(dict.fromkeys(names)) for names in view_sets]
