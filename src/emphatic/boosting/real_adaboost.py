"""Real AdaBoost with any learner and any emphasis."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.base import Emphasis
from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.boosting.callbacks import SUPPORTED, CallbackSupportMixin, Monitor, with_callbacks
from emphatic.boosting.growth import Growth
from emphatic.boosting.orders import Steps, carry_out
from emphatic.check import FloatArray, IntArray
from emphatic.emphasis import Exponential
from emphatic.inputs import check_classifier
from emphatic.learners import RBFNetworkClassifier
from emphatic.margins import effective_sample_size, margins

FEW_SAMPLES = 5
"""Below this effective sample size a learner is trained on next to nothing, and the user should know."""


CALL_OF_FIT = 8 if SUPPORTED else 7
"""Frames from a warning up to the user's line: callbacks wrap `learn` in one more."""


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
    vote : {"auto", "bound", "emphasis", "equal"}, default="auto"
        Distribution under which the edge is measured: Real AdaBoost's own, the emphasis', or what the emphasis
        declares to be right for it. "equal" keeps every learner, whatever its edge, with the vote 1; the probabilities
        are then too sure of themselves.
    resample : {"auto", True, False}, default="auto"
        Whether to train on bootstraps drawn from the emphasis instead of passing weights.
    negative : {"stop", "flip"}, default="stop"
        What to do with a learner of negative edge: discard it, or let it vote negatively.
    patience : int, default=5
        How often a learner without an edge is drawn again before growth ends.
    min_ess : float, default=None
        Stop when the effective sample size, 1 / sum D^2, falls below this.
    stop_ratio : float, default=None
        Stop, from round 20 on, when the last ten votes make up less than this part of all.
    keep_weights : bool, default=False
        Keep the weights of every round in `sample_weights_`.
    random_state : int, generator or None, default=None
        Every training draws from a child seed of its own; the same seed gives the same model.

    Attributes
    ----------
    estimators_ : list of fitted learners
    alphas_, edges_, effective_sample_sizes_ : arrays (rounds,)
    candidates_ : array (rounds,), which distribution each round kept of those that the emphasis offered, 0 where it
        offered one; with `DynamicMixed` the position of the lambda in `lams`
    classes_ : array of the labels
    n_features_in_, feature_names_in_ : of the training table
    stop_reason_ : "rounds", "edge" (no learner with an edge was found), "ess", "ratio" or "callback"
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
        vote: str = "auto",
        resample: str | bool = "auto",
        negative: str = "stop",
        patience: int = 5,
        min_ess: float | None = None,
        stop_ratio: float | None = None,
        keep_weights: bool = False,
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
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the ensemble on rows `X` with labels `y`; `sample_weight` multiplies every emphasis."""
        self._fit(X, y, sample_weight, None)
        self._spread(self._of_samples(), sample_weight, y)
        return self

    def fitting(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Steps[Self]:
        """`fit`, step by step, for ensembles that are fitted in step with others (see `emphatic.boosting.together`).

        scikit-learn's callbacks hear nothing of it.
        """
        table, codes, weights, rng, _ = self.lesson(X, y, sample_weight)
        yield from self.learning(table, codes, weights, rng)
        self._spread(self._of_samples(), sample_weight, y)
        return self

    def _of_samples(self) -> list[str]:
        """Names of the attributes (rounds, n)."""
        return [*self._observed, *(["sample_weights_"] if self.keep_weights else [])]

    def prepare(self, X: Any, y: IntArray) -> Any:
        check.integer("n_estimators", self.n_estimators, at_least=1)
        check.one_of("keep_weights", self.keep_weights, (True, False))
        if self.min_ess is not None:
            check.real("min_ess", self.min_ess, 1)
        if self.stop_ratio is not None:
            check.real("stop_ratio", self.stop_ratio, 0, 1)
        return X

    @with_callbacks
    def learn(
        self,
        X: Any,
        y: IntArray,
        weights: FloatArray,
        rng: np.random.Generator,
        design_weights: FloatArray | None = None,
    ) -> FloatArray:
        monitor = Monitor(self, self.n_estimators, X=X, y=lambda: self.classes_[y])
        return carry_out(self.learning(X, y, weights, rng, monitor))

    def learning(
        self,
        X: Any,
        y: IntArray,
        weights: FloatArray,
        rng: np.random.Generator,
        monitor: Monitor | None = None,
    ) -> Steps[FloatArray]:
        """`learn`, step by step: yields orders for learners, is sent the trained ones, returns the output."""
        self.initial_score_ = np.zeros(() if len(self.classes_) == 2 else len(self.classes_))
        score = self._first_score(X)
        rounds: list[tuple[Any, float, float, float, FloatArray | None, int, dict[str, np.ndarray]]] = []

        def so_far() -> dict[str, Any]:
            return {"estimators_": [one[0] for one in rounds], "alphas_": np.array([one[1] for one in rounds])}

        growth = self._growth(X, y, weights, rng)
        self.stop_reason_ = "rounds"
        while len(rounds) < self.n_estimators:
            stage = yield from growth.next_stage()
            if stage is None:
                self.stop_reason_ = "edge"
                break
            ess = effective_sample_size(stage.training_weights)
            if self.min_ess is not None and ess < self.min_ess:
                self.stop_reason_ = "ess"
                break
            kept = stage.training_weights if self.keep_weights else None
            rounds.append((stage.learner, stage.alpha, stage.edge, ess, kept, stage.candidate, growth.observed))
            score = stage.score
            if monitor is not None and monitor.round_ended(so_far):
                self.stop_reason_ = "callback"
                break
            if self.stop_ratio is not None and _votes_have_faded([one[1] for one in rounds], self.stop_ratio):
                self.stop_reason_ = "ratio"
                break
        self._record(rounds, score, y, weights)
        if monitor is not None:
            monitor.fit_ended(so_far)
        return self._confidence(score if rounds else self._first_score(X))

    def _growth(self, X: Any, y: IntArray, prior: FloatArray, rng: np.random.Generator) -> Growth:
        return Growth(
            X,
            y,
            self.classes_,
            learner=self._member(),
            emphasis=self._emphasis(),
            design_emphasis=self.design_emphasis,
            vote=self.vote,
            resample=self.resample,
            negative=self.negative,
            patience=self.patience,
            prior=prior,
            feature_names=getattr(self, "feature_names_in_", None),
            rng=rng,
        )

    def _record(self, rounds: list[Any], score: FloatArray, y: IntArray, prior: FloatArray) -> None:
        """Set the fitted attributes, and say what the user should know."""
        learners, alphas, edges, sizes, weights, candidates, observed = (
            zip(*rounds, strict=True) if rounds else ((),) * 7
        )
        self.estimators_ = list(learners)
        self.alphas_ = np.array(alphas, dtype=np.float64)
        self.edges_ = np.array(edges, dtype=np.float64)
        self.effective_sample_sizes_ = np.array(sizes, dtype=np.float64)
        self.candidates_ = np.array(candidates, dtype=np.intp)
        if self.keep_weights:
            self.sample_weights_ = np.array(weights).reshape(len(rounds), len(y))
        else:  # of an earlier fit
            self.__dict__.pop("sample_weights_", None)
        for name in self.__dict__.get("_observed", ()):  # of an earlier fit with another emphasis
            del self.__dict__[name]
        self._observed = tuple(observed[0]) if rounds else ()
        for name in self._observed:
            setattr(self, name, np.array([one[name] for one in observed]))
        self.margin_ = float(margins(self._confidence(score), y).min())
        if not rounds:
            shares = np.bincount(y, weights=prior, minlength=len(self.classes_))
            log_shares = np.log(np.maximum(shares, np.finfo(np.float64).tiny))
            binary = len(self.classes_) == 2
            self.initial_score_ = (log_shares[1] - log_shares[0]) / 2 if binary else log_shares
            reason = "No learner had an edge" if self.stop_reason_ == "edge" else "No round was kept"
            warnings.warn(
                f"{reason} (stop_reason_={self.stop_reason_!r}): the class frequencies are predicted.",
                stacklevel=CALL_OF_FIT,
            )
        elif min(sizes) < min(FEW_SAMPLES, len(y) / 2):
            first = int(np.argmax(self.effective_sample_sizes_ < FEW_SAMPLES)) + 1
            warnings.warn(
                f"From round {first} on the emphasis rests on fewer than {FEW_SAMPLES} samples (effective sample size "
                f"{min(sizes):.1f} at the least): the learners chase single samples. min_ess stops such growth.",
                stacklevel=CALL_OF_FIT,
            )

    def _emphasis(self) -> Emphasis:
        return Exponential() if self.emphasis is None else self.emphasis

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if isinstance(self.emphasis, Emphasis):
            tags.classifier_tags.multi_class = self.emphasis.multi_class
        return tags

    def _member(self) -> Any:
        return RBFNetworkClassifier() if self.estimator is None else check_classifier("estimator", self.estimator)


def _votes_have_faded(alphas: list[float], ratio: float) -> bool:
    """Whether, from round 20 on, the last ten votes make up less than `ratio` of all (a habit of paper 001's group)."""
    sizes = np.abs(alphas)
    return len(sizes) >= 20 and bool(sizes[-10:].sum() < ratio * sizes.sum())
