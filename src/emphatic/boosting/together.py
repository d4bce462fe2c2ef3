"""Fit many ensembles in step: learners are trained side by side, and what several of them need is trained once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from emphatic.boosting.orders import Steps, carry_out_together
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier


class Fit(NamedTuple):
    """An estimator, and what its `fit` takes."""

    estimator: Any
    X: Any
    y: ArrayLike
    sample_weight: ArrayLike | None = None


def fit_together(fits: Sequence[Fit], progress: Callable[[int], None] = lambda ended: None) -> list[Any]:
    """Fit every estimator to its own table; the fitted estimators, an exception in the place of one that failed.

    Each is what `fit` would have made of it, but for rounding in the training of networks. Three things make it faster,
    all of them for ensembles (`RealAdaBoostClassifier`); others are fitted one after another:

    - networks of one shape (`MLPNetworkClassifier`) are trained side by side, also across tables of equal width;
    - what several ensembles order is trained once: those with one learner, table and seed share their first round, and
      whatever else their emphases agree on;
    - tables that are the same object are held once.

    `progress` is called with the number of ensembles that are ready.

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
    return carry_out_together([_fitting(one) for one in fits], progress)


def _fitting(fit: Fit) -> Steps[Any]:
    weights = {} if fit.sample_weight is None else {"sample_weight": fit.sample_weight}
    if isinstance(fit.estimator, RealAdaBoostClassifier):
        return (yield from fit.estimator.fitting(fit.X, fit.y, **weights))
    return fit.estimator.fit(fit.X, fit.y, **weights)
