"""Real AdaBoost with any learner and any emphasis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.base import Emphasis, Lesson, Stage, Vote
from emphatic.boosting.additive import AdditiveEnsemble, restore_left_out
from emphatic.boosting.callbacks import CallbackSupportMixin, Monitor, with_callbacks
from emphatic.boosting.checkpoint import Checkpoint
from emphatic.boosting.growth import Growth
from emphatic.boosting.training import Trained, Training, check_for_partitions, train_all
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.emphasis import Exponential
from emphatic.emphasis.pattern_type import TYPES
from emphatic.fields import Array, Choices, IfSet, Number, saved
from emphatic.fitting import all_or_nothing
from emphatic.inputs import check_classifier
from emphatic.learners import RBFNetworkClassifier
from emphatic.margins import effective_sample_size, margins
from emphatic.threads import several_threads
from emphatic.user_warning import warn_user

FEW_SAMPLES = 5
"""Below this effective sample size a learner is trained on next to nothing, and the user should know."""


@saved(
    candidates_=Array(np.int64, "rounds", low=0),
    margin_=Number(),
    pattern_types_=IfSet(Choices(TYPES, "rounds", "samples")),
)
class RealAdaBoostClassifier(CallbackSupportMixin, AdditiveEnsemble):  # type: ignore[misc]
    r"""Boosting in which learner and emphasis are exchangeable.

    Round t trains a learner :math:`o_t` under the emphasis :math:`D_t`, gives it the vote
    :math:`\alpha_t = \operatorname{artanh} r_t` of its edge :math:`r_t = \sum_i V_i\, d_i\, o_t(x_i)` (paper 000,
    equations 4 and 5) and adds it to the score :math:`f = \sum_t \alpha_t o_t`. `emphatic.boosting.grow` is the loop.

    Parameters
    ----------
    estimator : classifier, default=RBFNetworkClassifier()
        Any scikit-learn classifier. One that cannot take `sample_weight` is trained on weighted bootstraps.
    emphasis : Emphasis, default=Exponential()
        Which samples the next learner should look at; `emphatic.emphasis` has the choices.
    n_estimators : int, default=50
        Largest number of rounds.
    design_emphasis : Emphasis, default=None
        Emphasis for placing the units of an RBF network; None uses `emphasis` (paper 000, Tables III and IV).
    vote : {"auto", "bound", "emphasis", "equal"} or Vote, default="auto"
        Distribution under which the edge is measured: Real AdaBoost's own, the emphasis', or what the emphasis
        declares to be right for it. "equal" keeps every learner, whatever its edge, with the vote 1; the probabilities
        are then overconfident. `emphatic.votes` has other votes.
    resample : {"auto", True, False}, default="auto"
        Whether to train on bootstraps drawn from the emphasis instead of passing weights.
    negative : {"stop", "flip"}, default="stop"
        What to do with a learner whose vote is negative: discard it, or let it vote negatively.
    patience : int, default=5
        How often a learner without an edge is drawn again before growth ends.
    min_ess : float, default=None
        Stop when the effective sample size, 1 / sum D^2, falls below this.
    stop_ratio : float, default=None
        Stop, from round 20 on, when the last ten votes make up less than this part of all.
    keep_weights : bool, default=False
        Keep the weights of every round in `sample_weights_`.
    checkpoint : str, default=None
        Folder in which learners are kept as they are trained. The same fit, run again after it was interrupted, goes on
        after its last finished round; with a larger `n_estimators` it grows further. `random_state` must be a number
        then. The folder is made if need be, and may be deleted after the fit.
    n_jobs : int, default=None
        Threads for RBF networks of more than 2,560 samples (-1: one for each core); None is 1. The model is the same to
        the last bit for every number. Other learners are trained one after another, each as its own parameters say.
    random_state : int, generator or None, default=None
        Every training draws from a child seed of its own; the same seed gives the same model. A `random_state` that is
        set on the learner itself is respected: then all rounds draw alike.

    Attributes
    ----------
    estimators_ : list of fitted learners
    alphas_, edges_, effective_sample_sizes_ : arrays (rounds,)
    candidates_ : array (rounds,), which distribution each round kept of those that the emphasis offered, 0 where it
        offered one; with `DynamicMixed` the position of the lambda in `lams`
    classes_ : array of the labels
    n_features_in_, feature_names_in_ : of the training table
    stop_reason_ : "rounds", "edge" (no learner with an edge was found), "ess", "ratio", "callback", or "vote" (the vote
        has come to its end, as that of `Brown` does when its time is up)
    sample_weights_ : array (rounds, n), only with `keep_weights=True`
    what the emphasis observed, arrays (rounds, n): with `PatternType`, `pattern_types_`; with
        `FuzzyEntropy`, `entropies_`
    margin_ : smallest training margin over the sum of the votes (equation 7, normalised)

    Notes
    -----
    Inputs are not scaled here: put a `StandardScaler` or an `emphatic.tables.TableTransformer` before distance-based
    learners. If no learner ever has an edge, the ensemble predicts the class frequencies and warns.
    scikit-learn's callbacks (progress bar, score monitor, early stop) work where scikit-learn has them (1.9).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from emphatic import RealAdaBoostClassifier, RBFNetworkClassifier
    >>> from emphatic.emphasis import Mixed
    >>> from emphatic.learners import SampledCentres
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> network = RBFNetworkClassifier(SampledCentres(0.1))
    >>> boosted = RealAdaBoostClassifier(network, Mixed(0.3), n_estimators=30, random_state=0)
    >>> bool(cross_val_score(make_pipeline(StandardScaler(), boosted), X, y, cv=3).mean() > 0.95)
    True
    """

    sample_weights_: FloatArray

    def __init__(
        self,
        estimator: Any = None,
        emphasis: Emphasis | None = None,
        n_estimators: int = 50,
        *,
        design_emphasis: Emphasis | None = None,
        vote: str | Vote = "auto",
        resample: str | bool = "auto",
        negative: str = "stop",
        patience: int = 5,
        min_ess: float | None = None,
        stop_ratio: float | None = None,
        keep_weights: bool = False,
        checkpoint: str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.emphasis = emphasis
        self.n_estimators = n_estimators
        self.design_emphasis = design_emphasis
        self.vote = vote
        self.resample = resample
        self.negative = negative
        self.patience = patience
        self.min_ess = min_ess
        self.stop_ratio = stop_ratio
        self.keep_weights = keep_weights
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.random_state = random_state

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the ensemble on rows `X` with labels `y`; `sample_weight` multiplies every emphasis."""
        self.take_lesson(self.make_lesson(X, y, sample_weight))
        return self

    def check_parameters(self) -> None:
        self._member()
        check.integer("n_estimators", self.n_estimators, at_least=1)
        check.one_of("keep_weights", self.keep_weights, (True, False))
        check.jobs(self.n_jobs)
        if self.checkpoint is not None:
            check.instance("checkpoint", self.checkpoint, str, '"folder"')
            if not isinstance(self.random_state, Integral):
                raise ValueError(
                    f"random_state={self.random_state!r} is not allowed with a checkpoint: it must be a number, so "
                    "that a second run draws as the first one did."
                )
        if self.min_ess is not None:
            check.real("min_ess", self.min_ess, 1)
        if self.stop_ratio is not None:
            check.real("stop_ratio", self.stop_ratio, 0, 1)

    def prepare(self, X: Any, y: IntArray) -> Any:
        self.check_parameters()
        return X

    def check_for_partitions(self) -> None:
        self.check_parameters()
        if self.keep_weights:
            raise ValueError("keep_weights=True is not allowed with a Dask collection: weights stay with their rows.")
        check_for_partitions(self._member())

    def learn_partitions(self, lesson: Lesson) -> Any:
        return self.learn(lesson)  # the same loop, whose arrays are Dask's

    @with_callbacks
    def learn(self, lesson: Lesson) -> FloatArray:
        monitor = Monitor(self, self.n_estimators, X=lesson.table, y=lambda: self.classes_[lesson.y])
        boosting = Boosting(self, lesson, monitor)
        train = train_all if self.checkpoint is None else Checkpoint(self.checkpoint, self, lesson).train
        with several_threads(self.n_jobs):
            while not boosting.ended:
                boosting.tell(train(boosting.ask()))
        return boosting.finish()

    def _begin_growth(self, lesson: Lesson) -> Growth:
        """The growth of this ensemble, before its first round."""
        return Growth(
            lesson.table,
            lesson.y,
            self.classes_,
            learner=self._member(),
            emphasis=self._emphasis(),
            design_emphasis=self.design_emphasis,
            vote=self.vote,
            resample=self.resample,
            negative=self.negative,
            patience=self.patience,
            prior=lesson.weights,
            feature_names=getattr(self, "feature_names_in_", None),
            rng=lesson.rng,
        )

    def _record(self, rounds: Sequence[Round], stop_reason: str, lesson: Lesson) -> None:
        """Set the fitted attributes."""
        self.stop_reason_ = stop_reason
        self.estimators_ = [one.learner for one in rounds]
        self.alphas_ = np.array([one.alpha for one in rounds], dtype=np.float64)
        self.edges_ = np.array([one.edge for one in rounds], dtype=np.float64)
        self.effective_sample_sizes_ = np.array([one.effective_sample_size for one in rounds], dtype=np.float64)
        self.candidates_ = np.array([one.candidate for one in rounds], dtype=np.intp)
        for name in self.__dict__.get("_sample_attributes", ()):  # of an earlier fit
            del self.__dict__[name]
        observed = rounds[0].observed if rounds else ()
        by_sample = {name: np.array([one.observed[name] for one in rounds]) for name in observed}
        if self.keep_weights:
            by_sample["sample_weights_"] = np.array([one.weights for one in rounds]).reshape(len(rounds), len(lesson.y))
        self._sample_attributes = tuple(by_sample)
        for name, values in by_sample.items():
            setattr(self, name, restore_left_out(values, lesson.present))
        if not rounds:  # the class frequencies, as scores
            codes = range(len(self.classes_))
            shares = np.array(evaluate(*(np.where(lesson.y == code, lesson.weights, 0.0).sum() for code in codes)))
            log_shares = np.log(np.maximum(shares, np.finfo(np.float64).tiny))
            binary = len(self.classes_) == 2
            self.initial_score_ = (log_shares[1] - log_shares[0]) / 2 if binary else log_shares

    def set_saved(self, values: dict[str, Any]) -> None:
        """Set the fields that were read from a file."""
        self.__dict__.update(values)
        by_sample = ("entropies_", "pattern_types_", "sample_weights_")
        self._sample_attributes = tuple(name for name in by_sample if name in values)

    def _emphasis(self) -> Emphasis:
        return Exponential() if self.emphasis is None else self.emphasis

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if isinstance(self.emphasis, Emphasis):
            tags.classifier_tags.multi_class = self.emphasis.multi_class
        return tags

    def _member(self) -> Any:
        return RBFNetworkClassifier() if self.estimator is None else check_classifier("estimator", self.estimator)


@dataclass(frozen=True)
class Round:
    """What an ensemble keeps of a round: of the `Stage` without what is needed only to go on."""

    learner: Any
    alpha: float
    edge: float
    effective_sample_size: float
    candidate: int
    weights: FloatArray | None
    observed: dict[str, np.ndarray]


class Boosting:
    """One fit of an ensemble in progress: `ask` which learners the round needs and `tell` what was trained, until it
    has `ended`; then `finish`.

    Alone or among others (`emphatic.boosting.together`), it is the same.
    """

    def __init__(self, ensemble: RealAdaBoostClassifier, lesson: Lesson, monitor: Monitor | None = None) -> None:
        self.ensemble, self.lesson, self.monitor = ensemble, lesson, monitor
        ensemble.initial_score_ = ensemble._zero_score()
        self.growth = ensemble._begin_growth(lesson)
        self.rounds: list[Round] = []
        self.score: FloatArray | None = None
        self.stop_reason = ""

    @property
    def ended(self) -> bool:
        return self.stop_reason != ""

    def ask(self) -> list[Training]:
        """The trainings that the round needs."""
        return self.growth.ask()

    def tell(self, trained: Sequence[Trained]) -> None:
        """Keep the round that was trained, and see whether it is the last one."""
        stage = self.growth.tell(trained)
        if stage is not None:
            self.stop_reason = self._keep(stage) or ("vote" if self.growth.ended else "")
        elif self.growth.ended:
            self.stop_reason = "edge"

    def _keep(self, stage: Stage) -> str:
        """Keep a round; the reason why it is the last one, or ""."""
        ensemble, size = self.ensemble, effective_sample_size(stage.training_weights)
        if ensemble.min_ess is not None and size < ensemble.min_ess:
            return "ess"
        weights = stage.training_weights if ensemble.keep_weights else None
        self.rounds.append(
            Round(stage.learner, stage.alpha, stage.edge, size, stage.candidate, weights, stage.observed)
        )
        self.score = stage.score
        if stage.alphas is not None:
            self.rounds = [replace(one, alpha=alpha) for one, alpha in zip(self.rounds, stage.alphas.tolist())]
        if self.monitor is not None and self.monitor.round_ended(self._attributes_so_far):
            return "callback"
        if ensemble.stop_ratio is not None and self._votes_have_faded(ensemble.stop_ratio):
            return "ratio"
        return "rounds" if len(self.rounds) == ensemble.n_estimators else ""

    def finish(self) -> FloatArray:
        """Set the attributes of the ensemble, warn where its user should know something, return its output."""
        ensemble, lesson = self.ensemble, self.lesson
        ensemble._record(self.rounds, self.stop_reason, lesson)
        score = self.growth.first_score + ensemble.initial_score_ if self.score is None else self.score
        output = ensemble._confidence(score)
        ensemble.margin_ = float(margins(output, lesson.y).min()) if self.rounds else 0.0
        self._warn()
        if self.monitor is not None:
            self.monitor.fit_ended(self._attributes_so_far)
        return output

    def _warn(self) -> None:
        sizes = [one.effective_sample_size for one in self.rounds]
        if not self.rounds:
            reason = "No learner had an edge" if self.stop_reason == "edge" else "No round was kept"
            warn_user(f"{reason} (stop_reason_={self.stop_reason!r}): the class frequencies are predicted.")
        elif min(sizes) < min(FEW_SAMPLES, len(self.lesson.y) / 2):
            first = 1 + next(number for number, size in enumerate(sizes) if size < FEW_SAMPLES)
            warn_user(
                f"From round {first} on the emphasis rests on fewer than {FEW_SAMPLES} samples (smallest effective "
                f"sample size {min(sizes):.1f}): the learners chase single samples. min_ess stops such growth."
            )

    def _attributes_so_far(self) -> dict[str, Any]:
        """What a callback needs to make a fitted copy of the ensemble as it is now."""
        alphas = np.array([one.alpha for one in self.rounds])
        return {"estimators_": [one.learner for one in self.rounds], "alphas_": alphas}

    def _votes_have_faded(self, ratio: float) -> bool:
        """Whether, from round 20 on, the last ten votes are less than `ratio` of all (as paper 001's group does)."""
        sizes = np.abs([one.alpha for one in self.rounds])
        return len(sizes) >= 20 and bool(sizes[-10:].sum() < ratio * sizes.sum())
