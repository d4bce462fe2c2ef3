"""A parameter search in the manner of scikit-learn, for ensembles whose candidates share work."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, column_or_1d, indexable

from emphatic import check
from emphatic.check import FloatArray
from emphatic.deferred import is_deferred
from emphatic.engines import Shared, check_engine
from emphatic.fitting import all_or_nothing
from emphatic.inputs import encode_labels, list_folds, refuse_lazy
from emphatic.partitions import lazily, score_lazily
from emphatic.selection.strategies import STRATEGIES, tabulate_scores
from emphatic.selection.work import Search, score_all
from emphatic.user_warning import warn_user

PAPER_001_GRID: dict[str, Sequence[float]] = {
    "estimator__n_hidden": tuple(range(2, 13)),
    "emphasis__alpha": tuple(round(0.1 * k, 1) for k in range(11)),
    "emphasis__beta": tuple(round(0.1 * k, 1) for k in range(11)),
}
"""Paper 001: H (our range; the paper gives none), alpha and beta in steps of 0.1, for
``RealAdaBoostClassifier(MLPNetworkClassifier(), Controlled())``; the paper searches it with
``cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=20)``."""


def _available_if_it_has(method: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "best_estimator_", self.estimator), method))


class EnsembleSearchCV(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Search the parameters of an ensemble like `GridSearchCV`, without doing the same work twice.

    Scores are those of scikit-learn's own search objects on the same folds (up to rounding in the training of
    networks). The candidates share:

    - folds, and the tables of each fold: in a `Pipeline` all steps before the ensemble are fitted once per fold, unless
      their own parameters are searched;
    - learners: the ensembles of all candidates grow together (`emphatic.boosting.together`), so that networks are
      trained side by side, and candidates with the same distribution, as in the first round, share one learner;
    - partial ensembles: candidates that differ only in `n_estimators` are one ensemble, scored at several lengths.

    Parameters
    ----------
    estimator : RealAdaBoostClassifier, or a Pipeline that ends in one
        Other classifiers can be searched too, but share only folds and tables. Set its `random_state`: then candidates
        differ by their parameters alone, not by chance, and share most.
    param_grid : dict or list of dicts
        As for `GridSearchCV`: names of parameters, lists of values.
    strategy : {"grid", "random", "halving", "optuna"}, default="grid"
        "grid" tries all candidates on all folds. The others have a budget, and `search_` says so: "random" tries
        `n_iter` candidates drawn without replacement; "halving" tries all of them on the first folds, then the best
        1 / `factor` of them on some more, until the last have seen all folds; "optuna" lets Optuna (an extra:
        ``pip install "emphatic[search]"``) propose `n_iter` candidates.
    n_iter : int, default=30
        Number of candidates for "random" and "optuna".
    factor : int, default=3
        For "halving".
    cv : int, splitter or iterable, default=5
        Folds, the same for all candidates.
    scoring : str or callable, default=None
        As for `GridSearchCV`; None is the accuracy.
    n_jobs : int, default=None
        Number of processes; it does not change the result.
    engine : engine of `emphatic.engines`, default=None
        Where they are fitted instead, such as ``on_dask(address)``; None: on the active Dask client, if there is one.
    progress : bool, default=False
        Whether to show a progress bar (needs `rich`).
    random_state : int, generator or None, default=None
        For "random" and "optuna".

    Attributes
    ----------
    cv_results_ : dict of arrays, as that of `GridSearchCV`; `n_folds` says how many folds a candidate was tried on
    best_index_, best_params_, best_score_, best_estimator_ (fitted to all samples)
    search_ : str; what was searched, and whether there was a budget
    n_splits_, classes_, n_features_in_, feature_names_in_ : as usual

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    >>> from emphatic.emphasis import Controlled
    >>> from emphatic.selection import EnsembleSearchCV
    >>> X, y = make_moons(120, noise=0.2, random_state=0)
    >>> network = MLPNetworkClassifier(max_epochs=100)
    >>> boosted = RealAdaBoostClassifier(network, Controlled(), n_estimators=5, random_state=0)
    >>> grid = {
    ...     "realadaboostclassifier__estimator__n_hidden": [2, 5],
    ...     "realadaboostclassifier__emphasis__alpha": [0, 0.5, 1],
    ... }
    >>> search = EnsembleSearchCV(make_pipeline(StandardScaler(), boosted), grid, cv=3).fit(X, y)
    >>> search.search_
    'grid: all 6 candidates on 3 folds'
    >>> search.score(X, y) > 0.8
    True
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        strategy: str = "grid",
        n_iter: int = 30,
        factor: int = 3,
        cv: Any = 5,
        scoring: Any = None,
        n_jobs: int | None = None,
        engine: Any = None,
        progress: bool = False,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.strategy = strategy
        self.n_iter = n_iter
        self.factor = factor
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.engine = engine
        self.progress = progress
        self.random_state = random_state

    @all_or_nothing
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Search, then fit the best candidate to all samples; `sample_weight` is used in fitting and in scoring."""
        check.one_of("strategy", self.strategy, tuple(STRATEGIES))
        check.jobs(self.n_jobs)
        check_engine(self.engine)
        strategy = STRATEGIES[self.strategy](self.param_grid, self.n_iter, self.factor, self.random_state)
        refuse_lazy(self, X)
        X, y = indexable(X if hasattr(X, "shape") else np.asarray(X), y)
        labels = column_or_1d(y, warn=True)
        encode_labels(labels)  # raises a helpful error for invalid labels
        if sample_weight is not None:
            sample_weight = check.distribution("sample_weight", sample_weight, len(labels))
        splits = list_folds(self.cv, X, labels)
        if not splits:
            raise ValueError(f"cv={self.cv!r} gives no folds.")
        scorer = self._make_scorer()
        search = Search(self.estimator, X, labels, sample_weight, splits, scorer)
        shared = Shared(search)

        failures: list[str] = []

        def evaluate(candidates: Sequence[dict[str, Any]], folds: Sequence[int]) -> FloatArray:
            where = {"n_jobs": self.n_jobs, "engine": self.engine}
            scores, failed = score_all(shared, candidates, folds, self.progress, **where)
            failures.extend(failed)
            return scores

        scores = strategy.run(evaluate, len(splits))
        if not scores.candidates:
            raise ValueError(f"param_grid={self.param_grid!r} gives no candidates.")
        if not np.isfinite(scores.means).any():
            raise ValueError(f"All candidates failed. The first error: {failures[0]}")
        if failures:
            message = (
                f"{len(failures)} fits or scores failed: their candidates score NaN. The first error: {failures[0]}"
            )
            warn_user(message, FitFailedWarning)
        self.n_splits_ = len(splits)
        self.search_ = strategy.describe(scores)
        self.cv_results_ = tabulate_scores(scores)
        self.best_index_ = int(np.argmin(self.cv_results_["rank_test_score"]))
        self.best_params_ = scores.candidates[self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        weights = {} if sample_weight is None else search.fit_weights(slice(None))
        self.best_estimator_ = search.build(self.best_params_).fit(X, labels, **weights)
        self.classes_ = self.best_estimator_.classes_
        self.n_features_in_ = self.best_estimator_.n_features_in_
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_
        return self

    def _make_scorer(self) -> Any:
        if self.scoring is not None and not isinstance(self.scoring, str) and not callable(self.scoring):
            raise ValueError(f"scoring={self.scoring!r} is not allowed: scoring must be one name, a callable or None.")
        return check_scoring(self.estimator, scoring=self.scoring)

    @_available_if_it_has("predict")
    @lazily("labels")
    def predict(self, X: Any) -> np.ndarray:
        """Labels predicted by the best candidate."""
        check_is_fitted(self)
        return np.asarray(self.best_estimator_.predict(X))

    @_available_if_it_has("predict_proba")
    @lazily("probabilities")
    def predict_proba(self, X: Any) -> FloatArray:
        """Probabilities predicted by the best candidate."""
        check_is_fitted(self)
        return np.asarray(self.best_estimator_.predict_proba(X))

    @_available_if_it_has("decision_function")
    @lazily("scores")
    def decision_function(self, X: Any) -> FloatArray:
        """Scores of the best candidate."""
        check_is_fitted(self)
        return np.asarray(self.best_estimator_.decision_function(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows of `X` whose label in `y` is predicted; of Dask collections only this is gathered."""
        if is_deferred(X):
            return score_lazily(self.predict(X), y, sample_weight)
        return float(super().score(X, y, sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags = inner.classifier_tags
        return tags
