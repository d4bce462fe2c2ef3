"""Any classifiers, each on its own columns, fused by a rule; and how much they contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.base import Learner, Lesson
from emphatic.check import FloatArray, IntArray
from emphatic.fusion.columns import column_positions, take_columns
from emphatic.fusion.evidence import reliabilities
from emphatic.fusion.members import Task, checked, supports_of, well_formed
from emphatic.fusion.reliability import of_accuracy, of_least_loss
from emphatic.fusion.rules import conflict, dempster_shafer, rule
from emphatic.inputs import any_table, encode_labels
from emphatic.margins import output_of_probabilities
from emphatic.randomness import as_generator, draw_entropy


class FusionClassifier(Learner):
    r"""Classifiers of any kind, each on its own view of the samples, fused by one of the rules of `emphatic.fusion`.

    By default by evidence: member j puts the mass :math:`r_j\,p_j(c \mid x)` on class c, its ignorance
    :math:`1 - r_j` on all of them, and Dempster's rule combines the members (paper 003, equations 6 and 7). With
    reliability 1 that is the product of the probabilities; the smaller it is, the closer it comes to their mean.

    Parameters
    ----------
    members : list of (name, classifier, columns)
        `columns` are names of a data frame, positions (from the end, if negative), one of either, a slice, a boolean
        mask, a function that returns one of these for a table (such as scikit-learn's `make_column_selector`), or None
        or "all". Views may overlap. A member without `predict_proba` votes.
    fusion : {"dempster_shafer", "majority", "minimum", "maximum", "mean", "product"}, default="dempster_shafer"
    reliability : {"auto", "accuracy"}, number or one number a member, default="auto"
        In [0, 1], for evidence. "auto" takes those of least log loss on cross-validated probabilities: the same for
        all members, or each its own where that is clearly better. "accuracy" is the cross-validated accuracy of each
        member, which suits members that vote; to calibrated probabilities it says twice who is weak. Under the other
        rules, which have no use for it, both are 1 and nothing is cross-validated.
    cv : int, splitter or iterable of (train, test), default=5
        Folds for "auto" and "accuracy".
    n_jobs : int, default=None
        Members and folds that are trained at a time; it does not change the result.
    random_state : int, generator or None, default=None
        For members whose own is None, and for the bootstraps of members that cannot take `sample_weight`.

    Attributes
    ----------
    members_ : list of fitted classifiers
    named_members_ : dict of the same by name
    columns_ : list of arrays, the positions of each member's columns
    reliabilities_ : array (members,)
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    `sample_weight` reaches the members as it is; one that cannot take it is trained on a weighted bootstrap.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from emphatic import FusionClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [("sepal", GaussianNB(), [0, 1]), ("petal", LogisticRegression(), [2, 3])]
    >>> model = FusionClassifier(members).fit(X, y)
    >>> model.score(X, y) > 0.9, model.member_probabilities(X).shape, model.reliabilities_
    (True, (2, 150, 3), array([0.1, 1. ]))
    >>> conflict, wrong = model.conflict(X), model.predict(X) != y
    >>> bool(conflict[wrong].mean() > conflict[~wrong].mean())
    True
    """

    def __init__(
        self,
        members: Any = None,
        fusion: str = "dempster_shafer",
        *,
        reliability: Any = "auto",
        cv: Any = 5,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.members = members
        self.fusion = fusion
        self.reliability = reliability
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit every member to its columns of `X`; `sample_weight` counts a row as that many."""
        X = self._check_table(X, reset=True)
        self.classes_, codes = encode_labels(y)
        if X.shape[0] != len(codes):
            raise ValueError(f"X has {X.shape[0]} rows but y has {len(codes)} labels: their numbers must agree.")
        shares = check.distribution("sample_weight", sample_weight, len(codes))
        if len(np.unique(codes[shares > 0])) < 2:
            raise ValueError("sample_weight leaves samples of only one class: at least 2 classes need weight.")
        # as given, not scaled to mean 1: weight 2 is two rows, also to a member that holds C or a prior against it
        given = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
        self._train(X, codes, np.broadcast_to(given, shares.shape), as_generator(self.random_state))
        return self

    def learn(self, lesson: Lesson) -> FloatArray:
        self._train(lesson.table, lesson.y, lesson.weights * len(lesson.y), lesson.rng)
        return self.respond(lesson.table)

    def respond(self, X: Any) -> FloatArray:
        return output_of_probabilities(self._fused(self._supports(X)))

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of `X`."""
        winner = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winner])

    def predict_proba(self, X: Any) -> FloatArray:
        """What the rule makes of the members' probabilities."""
        return self._fused(self.member_probabilities(X))

    def member_probabilities(self, X: Any) -> FloatArray:
        """(members, n, K): what each member says on its own, in the order of `members`."""
        check_is_fitted(self)
        return self._supports(self._check_table(X, reset=False))

    def conflict(self, X: Any) -> FloatArray:
        """(n,) from 0 to 1: the mass that the members' evidence, discounted by `reliabilities_`, leaves to no class.

        It is the mass of the empty set before normalisation, whatever the rule of fusion.
        """
        return conflict(self.member_probabilities(X), self.reliabilities_)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters; with `deep` also the members by name, and theirs as ``name__parameter``."""
        parameters: dict[str, Any] = super().get_params(deep)
        for name, member, _ in well_formed(self.members) if deep else ():
            parameters[name] = member
            parameters |= {f"{name}__{key}": value for key, value in member.get_params().items()}
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters; ``name=classifier`` replaces a member, ``name__parameter=value`` changes one."""
        if "members" in parameters:
            self.members = parameters.pop("members")
        new = {name: parameters.pop(name) for name, _, _ in well_formed(self.members) if name in parameters}
        if new:
            self.members = [(name, new.get(name, member), columns) for name, member, columns in self.members]
        super().set_params(**parameters)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        members = [member for _, member, _ in well_formed(self.members)]
        tags.input_tags.allow_nan = bool(members) and all(get_tags(one).input_tags.allow_nan for one in members)
        return tags

    def _train(self, X: Any, y: IntArray, counts: FloatArray, rng: np.random.Generator) -> None:
        rule(self.fusion)
        members = checked(self.members, taken=super().get_params(deep=False))
        self.columns_ = [column_positions(f"member {name!r}", columns, X) for name, _, columns in members]
        entropy = draw_entropy(rng)
        tasks = [
            Task(name, classifier, take_columns(X, at), y, self.classes_, counts, entropy, number)
            for number, ((name, classifier, _), at) in enumerate(zip(members, self.columns_, strict=True))
        ]
        present = np.flatnonzero(counts)  # a sample of weight 0 is one that is not there
        self.reliabilities_ = self._trust(tasks, present)
        self.members_ = list(Parallel(n_jobs=self.n_jobs)(delayed(task.fitted)(present) for task in tasks))
        self.named_members_ = {task.name: fitted for task, fitted in zip(tasks, self.members_, strict=True)}

    def _trust(self, tasks: list[Task], present: IntArray) -> FloatArray:
        """Reliability of each member: as given, or by cross-validation."""
        if not isinstance(self.reliability, str):
            return reliabilities(self.reliability, (len(tasks),)).copy()
        check.one_of("reliability", self.reliability, ("auto", "accuracy"))
        if self.fusion != "dempster_shafer":
            return np.ones(len(tasks))
        folds = [(n, fold) for n, fold in enumerate(self._folds(tasks[0].y, present), start=1) if min(map(len, fold))]
        if not folds:
            raise ValueError(f"cv={self.cv!r} is not allowed: no fold has samples both to train on and to judge by.")
        said = Parallel(n_jobs=self.n_jobs)(
            delayed(task.foretold)(number, *fold) for task in tasks for number, fold in folds
        )
        supports = np.concatenate(said).reshape(len(tasks), -1, len(self.classes_))
        judged = np.concatenate([test for _, (_, test) in folds])
        y, counts = tasks[0].y[judged], tasks[0].counts[judged]
        learn = of_accuracy if self.reliability == "accuracy" else of_least_loss
        return learn(supports, y, counts)

    def _folds(self, y: IntArray, present: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
        """Rows to train on and rows to judge by, without those of weight 0."""
        if isinstance(self.cv, Integral):
            sizes = np.bincount(y[present])
            fewest = int(sizes[sizes > 0].min())
            if fewest < 2:
                remedy = "give a number, such as reliability=0.9"
                raise ValueError(
                    f"reliability={self.reliability!r} needs 2 samples of every class, one has 1: {remedy}."
                )
            splitter = StratifiedKFold(min(check.integer("cv", self.cv, at_least=2), fewest))
            for train, test in splitter.split(present, y[present]):
                yield present[train], present[test]
        else:
            for train, test in check_cv(self.cv, y, classifier=True).split(np.zeros(len(y)), y):
                yield np.intersect1d(train, present), np.intersect1d(test, present)

    def _supports(self, X: Any) -> FloatArray:
        pairs = zip(self.named_members_.items(), self.columns_, strict=True)
        return np.array([supports_of(*named, take_columns(X, at), self.classes_) for named, at in pairs])

    def _fused(self, supports: FloatArray) -> FloatArray:
        if self.fusion == "dempster_shafer":
            return dempster_shafer(supports, self.reliabilities_)
        return rule(self.fusion)(supports)

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """A table goes on as it is, with its feature names: what is allowed in it is the members' business."""
        return any_table(self, X, reset=reset)

    def _accepts_any_table(self) -> bool:
        return True
