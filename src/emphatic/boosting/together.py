"""Fit many ensembles in step: learners are trained side by side, and what several of them need is trained once."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from emphatic.boosting.real_adaboost import Boosting, RealAdaBoostClassifier
from emphatic.boosting.training import Trained, Training, train_all

Failure = Exception | SystemExit


class Fit(NamedTuple):
    """An estimator, and what its `fit` takes."""

    estimator: Any
    X: Any
    y: ArrayLike
    sample_weight: ArrayLike | None = None


def fit_together(fits: Sequence[Fit], progress: Callable[[int], None] = lambda ended: None) -> list[Any]:
    """Fit every estimator to its own table; the fitted estimators, an exception in the place of one that failed.

    `sys.exit` in a fit is a failure like any other, and ends no other fit.

    Each is what `fit` would have made of it, but for rounding in the training of networks. Three things make it faster,
    all of them for ensembles (`RealAdaBoostClassifier`); others are fitted one after another:

    - networks of one shape (`MLPNetworkClassifier`) are trained side by side, also across tables of equal width;
    - what several ensembles ask for is trained once: those with one learner, table and seed share their first round,
      and whatever else their emphases agree on;
    - tables that are the same object are held once.

    `progress` is called after every round with the number of ensembles that are ready. scikit-learn's callbacks are
    not called.

    >>> from sklearn.datasets import make_moons
    >>> from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    >>> from emphatic.emphasis import Controlled
    >>> X, y = make_moons(100, noise=0.2, random_state=0)
    >>> network = MLPNetworkClassifier(3, max_epochs=50)
    >>> fits = [
    ...     Fit(RealAdaBoostClassifier(network, Controlled(alpha, 1.0), n_estimators=3, random_state=0), X, y)
    ...     for alpha in (0.0, 0.5, 1.0)
    ... ]
    >>> [round(one.score(X, y), 1) for one in fit_together(fits)]
    [0.9, 0.9, 0.9]
    """
    ensembles = [_Ensemble(fit) for fit in fits]
    for ensemble in ensembles:
        ensemble.advance([])
    while growing := [ensemble for ensemble in ensembles if ensemble.result is None]:
        for ensemble, trained in zip(growing, _train_each([one.trainings for one in growing]), strict=True):
            ensemble.advance(trained)
        progress(sum(ensemble.result is not None for ensemble in ensembles))
    return [ensemble.result for ensemble in ensembles]


class _Ensemble:
    """One fit among many: the trainings it waits for, until it has a result, which may be an exception."""

    def __init__(self, fit: Fit) -> None:
        self.fit = fit
        self.boosting: Boosting | None = None
        self.trainings: list[Training] = []
        self.result: Any = None

    def advance(self, trained: list[Trained] | Failure) -> None:
        """Begin, or go on with what was trained, up to the next trainings; what goes wrong ends this fit alone."""
        try:
            if isinstance(trained, Failure):
                raise trained
            self._advance(trained)
        except (Exception, SystemExit) as error:
            self.result = error

    def _advance(self, trained: list[Trained]) -> None:
        estimator, X, y, sample_weight = self.fit
        if not isinstance(estimator, RealAdaBoostClassifier):
            weights = {} if sample_weight is None else {"sample_weight": sample_weight}
            self.result = estimator.fit(X, y, **weights)
            return
        if self.boosting is None:
            self.boosting = Boosting(estimator, estimator.make_lesson(X, y, sample_weight))
        else:
            self.boosting.tell(trained)
        if self.boosting.ended:
            self.boosting.finish()
            self.result = estimator
        else:
            self.trainings = self.boosting.ask()


def _train_each(asked: Sequence[list[Training]]) -> list[list[Trained] | Failure]:
    """What was trained for each ensemble. If it cannot be done for all at once, then for each by itself, so that only
    those fail that must."""
    try:
        trained = iter(train_all([training for trainings in asked for training in trainings]))
        return [[next(trained) for _ in trainings] for trainings in asked]
    except (Exception, SystemExit):
        return [_train_or_fail(trainings) for trainings in asked]


def _train_or_fail(trainings: list[Training]) -> list[Trained] | Failure:
    try:
        return train_all(trainings)
    except (Exception, SystemExit) as error:
        return error
