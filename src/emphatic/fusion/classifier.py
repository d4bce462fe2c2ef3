"""Any classifiers, each on its own columns, fused by a rule; and how each of these members is trained."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.answers import name_errors, predict_probabilities
from emphatic.base import Lesson, ProbabilityLearner, check_saved_member, check_saved_names, output_of
from emphatic.boosting.training import takes_sample_weight, weighted_bootstrap
from emphatic.check import FloatArray, IntArray
from emphatic.fields import Array, Classifier, ListOf, saved
from emphatic.fitting import all_or_nothing
from emphatic.fusion.columns import column_positions, take_columns
from emphatic.fusion.evidence import broadcast_reliability
from emphatic.fusion.reliability import estimate_accuracies, minimise_log_loss
from emphatic.fusion.rules import conflict, dempster_shafer, find_rule
from emphatic.inputs import any_table, check_classifier, encode_labels, list_folds, name_odd_column, take_rows
from emphatic.randomness import as_generator, child_generator, draw_entropy, seed_clone
from emphatic.threads import one_thread
from emphatic.workers import tie


@saved(
    members_=ListOf(Classifier(), "members"),
    columns_=ListOf(Array(np.int64, None, low=0, below="features"), "members"),
    reliabilities_=Array(np.float64, "members", low=0.0, high=1.0),
)
class FusionClassifier(ProbabilityLearner):
    r"""Classifiers of any kind, each on its own view of the samples, fused by one of the rules of `emphatic.fusion`.

    The default rule combines evidence: member j puts the mass :math:`r_j\,p_j(c \mid x)` on class c and its ignorance
    :math:`1 - r_j` on the set of all classes, and Dempster's rule combines the members (paper 003, equations 6 and 7).
    With reliability 1 this is the product of the probabilities; the smaller the reliability, the closer to their mean.

    Parameters
    ----------
    members : list of (name, classifier, columns)
        `columns` are names of a data frame, positions (negative ones count from the end), a single one of either, a
        slice, a boolean mask, a function that returns one of these for a table (such as scikit-learn's
        `make_column_selector`), or None or "all". Views may overlap. A member without `predict_proba` votes.
    fusion : {"dempster_shafer", "majority", "minimum", "maximum", "mean", "product"}, default="dempster_shafer"
    reliability : {"auto", "accuracy"}, number or one number per member, default="auto"
        In [0, 1], used by "dempster_shafer". "auto" minimises the log loss on cross-validated probabilities, with one
        value for all members, or one per member where that is clearly better. "accuracy" is the cross-validated
        accuracy of each member; it suits members that vote, but penalises calibrated probabilities twice for being
        weak. The other rules ignore the reliability: both are then 1 and nothing is cross-validated.
    cv : int, splitter or iterable of (train, test), default=5
        Folds for "auto" and "accuracy".
    n_jobs : int, default=None
        Number of members and folds trained in parallel; it does not change the result.
    random_state : int, generator or None, default=None
        Seeds members whose own is None, and the bootstraps of members that do not accept `sample_weight`.

    Attributes
    ----------
    members_ : list of fitted classifiers
    named_members_ : dict of the fitted classifiers by name
    columns_ : list of arrays, the positions of each member's columns
    reliabilities_ : array (members,)
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    `sample_weight` is passed to the members unchanged; a member that does not accept it is trained on a weighted
    bootstrap.

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

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit every member to its columns of `X`; a row of weight k counts as k rows."""
        X = self._check_table(X, reset=True)
        self.classes_, codes = encode_labels(y)
        if X.shape[0] != len(codes):
            raise ValueError(f"X has {X.shape[0]} rows but y has {len(codes)} labels: their numbers must agree.")
        shares = check.distribution("sample_weight", sample_weight, len(codes))
        if len(np.unique(codes[shares > 0])) < 2:
            raise ValueError("sample_weight leaves samples of only one class: at least 2 classes need weight.")
        # not scaled to mean 1: weight 2 means two rows, also for a member that weighs them against C or a prior
        given = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
        self._fit_members(X, codes, np.broadcast_to(given, shares.shape), as_generator(self.random_state))
        return self

    def learn(self, lesson: Lesson) -> FloatArray:
        self._fit_members(lesson.table, lesson.y, lesson.weights * len(lesson.y), lesson.rng)
        return self.respond(lesson.table)

    def respond_probabilities(self, X: Any) -> FloatArray:
        return self._fuse(self._supports(X))

    def member_probabilities(self, X: Any) -> FloatArray:
        """(members, n, K): the probabilities of each member on its own, in the order of `members`."""
        check_is_fitted(self)
        return self._supports(self._check_table(X, reset=False))

    def conflict(self, X: Any) -> FloatArray:
        """(n,) from 0 to 1: how much the members contradict each other, whatever the rule of fusion.

        It is the mass that their evidence, discounted by `reliabilities_`, puts on the empty set.
        """
        return conflict(self.member_probabilities(X), self.reliabilities_)

    def check_parameters(self) -> None:
        find_rule(self.fusion)
        check.jobs(self.n_jobs)
        check_members(self.members, reserved=super().get_params(deep=False))

    def set_saved(self, values: dict[str, Any]) -> None:
        """Set the fields that were read from a file."""
        self.__dict__.update(values)
        self.named_members_ = {one[0]: fitted for one, fitted in zip(self.members, self.members_, strict=True)}

    def check_saved(self) -> None:
        super().check_saved()
        names = getattr(self, "feature_names_in_", None)
        for one, at in zip(self.members_, self.columns_, strict=True):
            check_saved_member(one, self.classes_, len(at))
            check_saved_names(one, None if names is None else names[at])

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters; with `deep` also the members by name, and their parameters as ``name__parameter``."""
        parameters: dict[str, Any] = super().get_params(deep)
        for name, member, _ in select_valid_members(self.members) if deep else ():
            parameters[name] = member
            parameters |= {f"{name}__{key}": value for key, value in member.get_params().items()}
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters; ``name=classifier`` replaces a member, ``name__parameter=value`` changes one."""
        if "members" in parameters:
            self.members = parameters.pop("members")
        new = {name: parameters.pop(name) for name, _, _ in select_valid_members(self.members) if name in parameters}
        if new:
            self.members = [(name, new.get(name, member), columns) for name, member, columns in self.members]
        super().set_params(**parameters)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        members = [member for _, member, _ in select_valid_members(self.members)]
        tags.input_tags.allow_nan = bool(members) and all(get_tags(one).input_tags.allow_nan for one in members)
        return tags

    def _fit_members(self, X: Any, y: IntArray, counts: FloatArray, rng: np.random.Generator) -> None:
        self.check_parameters()
        members = list(self.members)
        self.columns_ = [column_positions(f"member {name!r}", columns, X) for name, _, columns in members]
        entropy = draw_entropy(rng)
        trainings = [
            MemberTraining(name, classifier, take_columns(X, at), y, self.classes_, counts, entropy, number)
            for number, ((name, classifier, _), at) in enumerate(zip(members, self.columns_, strict=True))
        ]
        present = np.flatnonzero(counts)  # a sample of weight 0 counts as absent
        self.reliabilities_ = self._estimate_reliabilities(trainings, present)
        self.members_ = list(Parallel(n_jobs=self.n_jobs)(delayed(tie(one.fit))(present) for one in trainings))
        self.named_members_ = {one.name: fitted for one, fitted in zip(trainings, self.members_, strict=True)}

    def _estimate_reliabilities(self, trainings: list[MemberTraining], present: IntArray) -> FloatArray:
        """Reliability of each member: as given, or by cross-validation."""
        if not isinstance(self.reliability, str):
            return broadcast_reliability(self.reliability, (len(trainings),)).copy()
        check.one_of("reliability", self.reliability, ("auto", "accuracy"))
        if self.fusion != "dempster_shafer":
            return np.ones(len(trainings))
        y, counts = trainings[0].y, trainings[0].counts
        folds = [(number, fold) for number, fold in enumerate(self._folds(y, present), start=1) if min(map(len, fold))]
        if not folds:
            raise ValueError(f"cv={self.cv!r} is not allowed: no fold has both training and test samples.")
        predictions = Parallel(n_jobs=self.n_jobs)(
            delayed(tie(one.predict_fold))(number, *fold) for one in trainings for number, fold in folds
        )
        supports = np.concatenate(predictions).reshape(len(trainings), -1, len(self.classes_))
        tested = np.concatenate([test for _, (_, test) in folds])
        estimate = estimate_accuracies if self.reliability == "accuracy" else minimise_log_loss
        return estimate(supports, y[tested], counts[tested])

    def _folds(self, y: IntArray, present: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
        """Training and test rows of each fold, without those of weight 0."""
        if not isinstance(self.cv, Integral):
            for train, test in list_folds(self.cv, np.zeros(len(y)), y):
                yield np.intersect1d(train, present), np.intersect1d(test, present)
            return
        sizes = np.bincount(y[present])
        fewest = int(sizes[sizes > 0].min())
        if fewest < 2:
            raise ValueError(
                f"reliability={self.reliability!r} needs at least 2 samples per class, but a class has only 1: give a "
                "number, such as reliability=0.9."
            )
        splitter = StratifiedKFold(min(check.integer("cv", self.cv, at_least=2), fewest))
        for train, test in splitter.split(present, y[present]):
            yield present[train], present[test]

    def _supports(self, X: Any) -> FloatArray:
        pairs = zip(self.named_members_.items(), self.columns_, strict=True)
        return np.array([predict_supports(*named, take_columns(X, at), self.classes_) for named, at in pairs])

    def _fuse(self, supports: FloatArray) -> FloatArray:
        if self.fusion == "dempster_shafer":
            return dempster_shafer(supports, self.reliabilities_)
        return find_rule(self.fusion)(supports)

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """The table unchanged, with its feature names: the members decide what is allowed in it."""
        return any_table(self, X, reset=reset)

    def _accepts_any_table(self) -> bool:
        return True


class MemberTraining(NamedTuple):
    """One member to be trained: a classifier and its samples, of which it sees all or, fold by fold, some."""

    name: str
    classifier: Any
    view: Any
    y: IntArray
    classes: np.ndarray
    counts: FloatArray
    """How many samples each row counts as."""
    entropy: int
    number: int

    def fit(self, rows: IntArray, fold: int = 0) -> Any:
        """A clone trained on `rows`; `fold` gives each training its own random draws."""
        # one thread: several may differ in the last bit of a sum, and parallel trainings would slow each other down
        with one_thread():
            return self.fit_clone(rows, fold)

    def fit_clone(self, rows: IntArray, fold: int = 0) -> Any:
        """`fit` for callers that have limited the threads, which takes time, once for many small trainings."""
        rng = child_generator(self.entropy, self.number, fold)
        classifier = seed_clone(clone(self.classifier), rng)
        X, y, counts = take_rows(self.view, rows), self.y[rows], self.counts[rows]
        weights = {}
        if takes_sample_weight(classifier) and (counts != 1).any():
            weights = {"sample_weight": counts}
        elif np.ptp(counts) > 0:
            bootstrap = weighted_bootstrap(y, counts / counts.sum(), rng)
            X, y = take_rows(X, bootstrap), y[bootstrap]
        with name_errors(self.name, classifier), name_odd_column(X):
            return classifier.fit(X, self.classes[y], **weights)

    def predict_fold(self, fold: int, train: IntArray, test: IntArray) -> FloatArray:
        """Supports for the rows `test` of a clone trained on the rows `train`."""
        return predict_supports(self.name, self.fit(train, fold), take_rows(self.view, test), self.classes)


def predict_supports(name: str, fitted: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """(n, K) probabilities of a fitted classifier, or its votes; 0 for a class that it never saw."""
    with name_errors(name, fitted):
        if not hasattr(fitted, "predict_proba"):
            support = (1.0 + output_of(fitted, X, classes)) / 2.0
            return np.column_stack([1.0 - support, support]) if support.ndim == 1 else support
        # not by way of output_of: 2p - 1 rounds away small probabilities, which a product must not lose
        probabilities = predict_probabilities(fitted, X)
    supports = np.zeros((len(probabilities), len(classes)))
    supports[:, np.searchsorted(classes, fitted.classes_)] = probabilities
    return supports


def select_valid_members(members: Any) -> list[tuple[str, Any, Any]]:
    """The (name, classifier, columns) among `members`, whose parameters can be read and set."""
    given = members if isinstance(members, list | tuple) else ()
    triples = [tuple(one) for one in given if isinstance(one, list | tuple) and len(one) == 3]
    return [(name, one, columns) for name, one, columns in triples if isinstance(one, BaseEstimator)]


def check_members(members: Any, reserved: Collection[str]) -> list[tuple[str, Any, Any]]:
    """Return `members`, or raise an error that says what is wrong; `reserved` are names that no member may have."""
    allowed = "a list of (name, classifier, columns)"
    if not isinstance(members, list | tuple) or not members:
        raise ValueError(f"members={members!r} is not allowed: members must be {allowed}, at least 1 of them.")
    for one in members:
        if not isinstance(one, list | tuple) or len(one) != 3 or not isinstance(one[0], str):
            raise ValueError(f"members holds {one!r}: members must be {allowed}.")
        if "__" in one[0] or one[0] in reserved:
            raise ValueError(
                f"members holds the name {one[0]!r}: it must not be the name of a parameter, nor contain '__'."
            )
        check_classifier(f"member {one[0]!r}", one[1])
    names = [one[0] for one in members]
    if len(set(names)) < len(names):
        raise ValueError(f"members has the names {', '.join(names)}: each name must be unique.")
    return list(members)
