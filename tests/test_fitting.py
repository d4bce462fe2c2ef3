"""A fit that fails leaves an estimator as it was."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from emphatic import (
    ClassTreeClassifier,
    EmphaticClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    FuzzyCMeans,
    MLPNetworkClassifier,
    MultiViewForestClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.clustering import (
    EntropyCMeans,
    EvidentialCMeans,
    FuzzyKMedoids,
    GustafsonKessel,
    NoiseCMeans,
    PossibilisticCMeans,
)
from emphatic.fitting import all_or_nothing
from emphatic.selection import EnsembleSearchCV

TREE = DecisionTreeClassifier(max_depth=1)
ESTIMATORS = [
    ClassTreeClassifier(GaussianNB()),
    EmphaticClassifier(),
    EnsembleSearchCV(RealAdaBoostClassifier(TREE, n_estimators=2), {"n_estimators": [1, 2]}, cv=2),
    FusionClassifier([("a", GaussianNB(), None), ("b", TREE, None)], cv=2),
    FuzzyBoostClassifier(n_estimators=2),
    FuzzyCMeans(2, max_iter=50),
    *(EntropyCMeans(2, random_state=0), EvidentialCMeans(2, random_state=0), FuzzyKMedoids(2)),
    *(GustafsonKessel(2, random_state=0), NoiseCMeans(2, random_state=0), PossibilisticCMeans(2, random_state=0)),
    MLPNetworkClassifier(2, max_epochs=5),
    MultiViewForestClassifier(estimator=GaussianNB()),
    ParallelPerceptronClassifier(n_epochs=5),
    RBFNetworkClassifier(),
    RealAdaBoostClassifier(TREE, n_estimators=2),
]
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)


def problem(columns=2):
    X = np.random.default_rng(0).normal(size=(30, columns))
    return X, (X[:, 0] > 0).astype(int)


@every_estimator
def test_an_estimator_that_refused_its_first_table_is_not_fitted(estimator):
    X, y = problem()
    model = clone(estimator)
    before = set(vars(model))
    with pytest.raises(ValueError, match="sample_weight"):
        model.fit(X, y, sample_weight=np.full(30, -1.0))
    assert set(vars(model)) == before
    with pytest.raises(NotFittedError):
        model.predict(X)


@every_estimator
def test_an_estimator_that_refuses_another_table_still_knows_the_first(estimator):
    X, y = problem()
    model = clone(estimator).fit(X, y)
    said = model.predict(X)
    with pytest.raises(ValueError, match="sample_weight"):
        model.fit(problem(3)[0], np.where(y, "b", "a"), sample_weight=np.full(30, -1.0))
    np.testing.assert_array_equal(model.predict(X), said)
    assert model.n_features_in_ == 2


def test_an_interrupt_is_a_failure_too():
    class Interrupted:
        value = 1

        @all_or_nothing
        def fit(self):
            self.value = 2
            raise KeyboardInterrupt

    one = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        one.fit()
    assert one.value == 1
    assert vars(one) == {}
