"""Any classifiers, each on its own columns, fused by a rule."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from emphatic import check
from emphatic.base import Lesson, ProbabilityLearner, check_saved_member, check_saved_names
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import is_deferred
from emphatic.engines import Item, Shared, check_engine, run_tasks
from emphatic.fields import Array, Classifier, IfSet, ListOf, Maybe, saved
from emphatic.fitting import all_or_nothing
from emphatic.fusion.columns import column_positions, take_columns
from emphatic.fusion.disagreement import member_conflict
from emphatic.fusion.members import MemberTraining, check_members, predict_supports, select_valid_members
from emphatic.fusion.missing import add_absent_views, refuse_empty_view
from emphatic.fusion.partitions import fit_member, gather_sample, make_empty_table, refuse_in_memory
from emphatic.fusion.rejection import PERCENTILES, find_undecidable
from emphatic.fusion.robust import LARGEST_WEIGHT
from emphatic.fusion.rules import conflict, find_rule
from emphatic.fusion.trust import Trust
from emphatic.fusion.trusting import cross_validate_trust, read_reliabilities
from emphatic.inputs import any_table, encode_labels
from emphatic.partitions import keep_features, lazily, lazily_of_members
from emphatic.randomness import as_generator, child_generator, draw_entropy


@saved(
    members_=ListOf(Classifier(), "members"),
    columns_=ListOf(Array(np.int64, None, low=0, below="features"), "members"),
    reliabilities_=Array(np.float64, "members", low=0.0, high=1.0),
    weights_=IfSet(Maybe(Array(np.float64, "members", low=0.0, high=LARGEST_WEIGHT)), None),
    corrections_=IfSet(Maybe(Array(np.float64, "members", "classes", "classes")), None),
    conflict_percentiles_=IfSet(Maybe(Array(np.float64, len(PERCENTILES), low=0.0, high=1.0)), None),
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
    reliability : {"auto", "accuracy", "robust"}, number or one number per member, default="auto"
        In [0, 1], used by "dempster_shafer". "auto" minimises the log loss on cross-validated probabilities, with one
        value for all members, or one per member where that is clearly better. "accuracy" is the cross-validated
        accuracy of each member; it suits members that vote, but penalises calibrated probabilities twice for being
        weak. "robust" is for views that may break: it minimises the log loss on cross-validated probabilities of which
        some are exchanged for those of other rows, with one value for all members, a weight for each, and a correction
        of what its support for one class says about another. The other rules ignore the reliability: it is then 1 and
        nothing is cross-validated.
    cv : int, splitter or iterable of (train, test), default=5
        Folds for "auto", "accuracy" and "robust".
    n_jobs : int, default=None
        Number of members and folds trained in parallel; it does not change the result.
    engine : engine of `emphatic.engines`, default=None
        Where that happens instead, such as ``on_dask(address)``; None: on the active Dask client, if there is one.
    random_state : int, generator or None, default=None
        Seeds members whose own is None, the bootstraps of members that do not accept `sample_weight`, and what
        "robust" exchanges.

    Attributes
    ----------
    members_ : list of fitted classifiers
    named_members_ : dict of the fitted classifiers by name
    columns_ : list of arrays, the positions of each member's columns
    reliabilities_ : array (members,)
    weights_ : array (members,) or None
        How many times each member counts, if `reliability` is "robust"; None: each once.
    corrections_ : array (members, K, K) or None
        If `reliability` is "robust": for each member, class it supports and other class, what the support adds to the
        logarithm of the probability of that other class.
    conflict_percentiles_ : array (101,) or None
        Percentiles 0 to 100 of the largest `member_conflict` of the training rows, out of fold; None if nothing was
        cross-validated.
    classes_, n_features_in_, feature_names_in_ : as usual

    Notes
    -----
    `sample_weight` is passed to the members unchanged; a member that does not accept it is trained on a weighted
    bootstrap.

    Views may be missing in some rows. Where all values of a member's columns are missing, and the member refuses
    missing values, it is not trained on that row; when the row is predicted it knows nothing, and the others are fused
    without it. A data frame to predict may also lack all columns of a view. Where nobody knows anything every class has
    1/K, and the conflict is 0.

    A Dask array or data frame is fitted to where it lies by members that can: classifiers of emphatic, alone or in a
    pipeline after `TableTransformer`; others are refused. "auto", "accuracy" and "robust" are then cross-validated in
    memory on a sample of about 20,000 rows, which is the table if it has no more. Predictions of collections are lazy.

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

    weights_: FloatArray | None
    corrections_: FloatArray | None
    conflict_percentiles_: FloatArray | None

    def __init__(
        self,
        members: Any = None,
        fusion: str = "dempster_shafer",
        *,
        reliability: Any = "auto",
        cv: Any = 5,
        n_jobs: int | None = None,
        engine: Any = None,
        random_state: Any = None,
    ) -> None:
        self.members = members
        self.fusion = fusion
        self.reliability = reliability
        self.cv = cv
        self.n_jobs = n_jobs
        self.engine = engine
        self.random_state = random_state

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit every member to its columns of `X`; a row of weight k counts as k rows."""
        if is_deferred(X):
            return self._fit_partitions(X, y, sample_weight)
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

    def _fit_partitions(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """`fit` to a collection: members where its rows lie, and how far they are trusted by a sample of them."""
        self.check_parameters()
        keep_features(self, X)
        members, rng = list(self.members), as_generator(self.random_state)
        for name, one, _ in members:
            refuse_in_memory(name, one)
        self.columns_ = self._find_columns(make_empty_table(X))
        is_trust_given = self._give_trust(len(members))
        entropy = draw_entropy(rng)
        self.members_ = [
            fit_member(name, one, take_columns(X, at), y, sample_weight, child_generator(entropy, number, 0))
            for number, ((name, one, _), at) in enumerate(zip(members, self.columns_, strict=True))
        ]
        self.named_members_ = {name: fitted for (name, _, _), fitted in zip(members, self.members_, strict=True)}
        self.classes_ = self.members_[0].classes_
        if not is_trust_given:
            sample = gather_sample(X, y, sample_weight, self.classes_, rng)
            trainings = self._list_trainings(sample.X, sample.y, sample.counts, entropy)
            self._learn_trust([Shared(one) for one in trainings], sample.present)
        return self

    def check_for_partitions(self) -> None:
        """As a learner; `fit` itself asks its members."""
        raise TypeError(
            "FusionClassifier as a learner of an ensemble cannot be trained on a Dask collection: fuse ensembles "
            "instead, FusionClassifier([(name, RealAdaBoostClassifier(...), columns), ...])."
        )

    def learn(self, lesson: Lesson) -> FloatArray:
        self._fit_members(lesson.table, lesson.y, lesson.weights * len(lesson.y), lesson.rng)
        return self.respond(lesson.table)

    def respond_probabilities(self, X: Any) -> FloatArray:
        return self._fuse(self._supports(X))

    @lazily_of_members("probabilities", "members_")
    def member_probabilities(self, X: Any) -> FloatArray:
        """(members, n, K): the probabilities of each member on its own, in the order of `members`.

        All are 0 where the view of a member is missing.
        """
        check_is_fitted(self)
        return self._supports(self._check_table(X, reset=False))

    @lazily("numbers")
    def conflict(self, X: Any) -> FloatArray:
        """(n,) from 0 to 1: how much the members contradict each other, whatever the rule of fusion.

        It is the mass that their evidence, discounted by `reliabilities_`, puts on the empty set.
        """
        return conflict(self.member_probabilities(X), self.reliabilities_)

    @lazily_of_members("numbers", "members_")
    def member_conflict(self, X: Any) -> FloatArray:
        """(members, n) from 0 to 1: how much each member contradicts all others together; the largest may be broken."""
        return member_conflict(self.member_probabilities(X), self.reliabilities_)

    @lazily("flags")
    def rejects(self, X: Any, quantile: float = 0.99) -> NDArray[np.bool_]:
        """Whether a member contradicts the others too much, or nobody knows anything, for a row to be decided.

        Parameters
        ----------
        X : table
        quantile : float in (0, 1), default=0.99
            The largest `member_conflict` of a row that is rejected exceeds this quantile of that of the training rows,
            out of fold: of rows like those, the share ``1 - quantile`` is rejected.

        Returns
        -------
        ndarray (n,) of bool
            True as well where the views of all members are missing.
        """
        check_is_fitted(self)
        check.real("quantile", quantile, 0, 1, open_low=True, open_high=True)
        if self.conflict_percentiles_ is None:
            raise ValueError(
                "the model knows no conflict to compare with, which takes cross-validation: fit it with "
                'fusion="dempster_shafer" and reliability="auto", "accuracy" or "robust".'
            )
        supports = self.member_probabilities(X)
        return find_undecidable(supports, self.reliabilities_, self.conflict_percentiles_, quantile)

    def check_parameters(self) -> None:
        find_rule(self.fusion)
        check.jobs(self.n_jobs)
        check_engine(self.engine)
        check_members(self.members, reserved=super().get_params(deep=False))

    def set_saved(self, values: dict[str, Any]) -> None:
        """Set the fields that were read from a file."""
        self.__dict__.update(values)
        self.named_members_ = {one[0]: fitted for one, fitted in zip(self.members, self.members_, strict=True)}

    def check_saved(self) -> None:
        super().check_saved()
        if (self.weights_ is None) != (self.corrections_ is None):
            raise ValueError("weights_ and corrections_ belong together: one of them is missing")
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
        self.columns_ = self._find_columns(X)
        trainings = self._list_trainings(X, y, counts, draw_entropy(rng))
        for one in trainings:
            refuse_empty_view(f"member {one.name!r}", one.view)
        present = np.flatnonzero(counts)  # a sample of weight 0 counts as absent
        shared = [Shared(one) for one in trainings]
        if not self._give_trust(len(trainings)):
            self._learn_trust(shared, present)
        items = (Item((present,), shared=(one,)) for one in shared)
        self.members_ = run_tasks(MemberTraining.fit, items, n_jobs=self.n_jobs, engine=self.engine)
        self.named_members_ = {one.name: fitted for one, fitted in zip(trainings, self.members_, strict=True)}

    def _find_columns(self, X: Any) -> list[IntArray]:
        return [column_positions(f"member {name!r}", columns, X) for name, _, columns in self.members]

    def _list_trainings(self, X: Any, y: IntArray, counts: FloatArray, entropy: int) -> list[MemberTraining]:
        return [
            MemberTraining(name, classifier, take_columns(X, at), y, self.classes_, counts, entropy, number)
            for number, ((name, classifier, _), at) in enumerate(zip(self.members, self.columns_, strict=True))
        ]

    def _give_trust(self, n_members: int) -> bool:
        """Set how far each member is trusted, if that need not be learnt."""
        self.weights_ = self.corrections_ = self.conflict_percentiles_ = None
        given = read_reliabilities(self.reliability, self.fusion, n_members)
        if given is None:
            return False
        self.reliabilities_ = given
        return True

    def _learn_trust(self, shared: list[Shared], present: IntArray) -> None:
        """Set how far each member is trusted, by cross-validation."""
        learnt = cross_validate_trust(self.reliability, shared, present, self.cv, self.n_jobs, self.engine)
        (self.reliabilities_, self.weights_, self.corrections_), self.conflict_percentiles_ = learnt

    def _supports(self, X: Any) -> FloatArray:
        pairs = zip(self.named_members_.items(), self.columns_, strict=True)
        return np.array([predict_supports(*named, take_columns(X, at), self.classes_) for named, at in pairs])

    def _fuse(self, supports: FloatArray) -> FloatArray:
        if self.fusion == "dempster_shafer":
            return Trust(self.reliabilities_, self.weights_, self.corrections_).fuse(supports)
        if self.fusion in ("minimum", "product"):  # a member that knows nothing accepts every class
            supports = np.where(supports.any(axis=2, keepdims=True), supports, 1.0)
        return find_rule(self.fusion)(supports)

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """The table unchanged, with its feature names: the members decide what is allowed in it."""
        if not reset and hasattr(X, "columns") and hasattr(self, "feature_names_in_"):
            X = add_absent_views(X, self.feature_names_in_.tolist(), self.columns_)
        return any_table(self, X, reset=reset)

    def _accepts_any_table(self) -> bool:
        return True
