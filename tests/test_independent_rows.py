"""Every classifier of ours predicts a row alike, to the last bit, whatever rows come with it and in which order."""

import numpy as np
import pytest
import sklearn.utils.estimator_checks as checks
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from emphatic import (
    ClassTreeClassifier,
    EmphaticClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    MLPNetworkClassifier,
    MultiViewForestClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from tests.test_contract import ESTIMATORS, name

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # of fits to a few samples: none of them matters

NETWORK, INDICATORS = RBFNetworkClassifier(), RBFNetworkClassifier(targets="indicators")
# with learners of ours, or trees of scikit-learn, which decide row by row; what other learners do is theirs
OURS = [
    NETWORK,
    INDICATORS,
    RBFNetworkClassifier(output_range="tanh", solver="sgd", n_epochs=3),
    MLPNetworkClassifier(19, max_epochs=5),
    ParallelPerceptronClassifier(11, n_epochs=5),
    RealAdaBoostClassifier(n_estimators=3),
    RealAdaBoostClassifier(MLPNetworkClassifier(3, max_epochs=5), n_estimators=3),
    FuzzyBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=3),
    FuzzyBoostClassifier(NETWORK, n_estimators=3),
    FusionClassifier([("a", NETWORK, slice(0, 2)), ("b", NETWORK, None)]),
    FusionClassifier([("a", INDICATORS, slice(0, 2)), ("b", INDICATORS, None)], "dempster_shafer"),
    ClassTreeClassifier(),
    MultiViewForestClassifier(),
    EmphaticClassifier(),
    EmphaticClassifier(decision="balanced"),
]
METHODS = ("predict_proba", "decision_function", "output", "supports")


def problem(n_classes):
    """13 columns and 9 or more classes: sums that are long enough to be added in different orders."""
    return make_classification(260, 13, n_informative=9, n_classes=n_classes, flip_y=0.05, random_state=1)


@pytest.fixture(scope="module", params=[2, 3, 12])
def table(request):
    return problem(request.param)


@pytest.fixture(scope="module", params=OURS, ids=name)
def fitted(request, table):
    X, y = table
    return clone(request.param).set_params(random_state=0).fit(X[:160], y[:160])


def responses(model):
    return [getattr(model, method) for method in METHODS if hasattr(model, method)]


def test_every_classifier_is_here():
    assert {type(one) for one in OURS} == {type(one) for one in ESTIMATORS}


@pytest.mark.parametrize("size", [1, 7])
def test_rows_one_by_one_and_in_small_batches(fitted, table, size):
    X = table[0][160:]
    for respond in responses(fitted):
        parts = [respond(X[k : k + size]) for k in range(0, len(X), size)]
        np.testing.assert_array_equal(np.concatenate(parts), respond(X))


@given(order=st.permutations(range(100)), cuts=st.lists(st.integers(0, 100), max_size=6), fortran=st.booleans())
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_split_and_any_order(fitted, table, order, cuts, fortran):
    X = table[0][160:]
    parts = [part for part in np.split(np.array(order), sorted(cuts)) if len(part)]
    for respond in responses(fitted):
        found = [respond(np.asfortranarray(X[part]) if fortran else X[part]) for part in parts]
        np.testing.assert_array_equal(np.concatenate(found), respond(X)[order])


def test_any_number_of_threads(fitted, table):
    X = table[0]
    for respond in responses(fitted):
        with threadpool_limits(1):
            alone = respond(X)
        with threadpool_limits(2):
            np.testing.assert_array_equal(respond(X), alone)


@pytest.mark.parametrize("estimator", OURS, ids=name)
@pytest.mark.parametrize("check", ["subset", "sample_order"])
def test_scikit_learns_checks_without_their_tolerance(estimator, check, monkeypatch):
    """Of one row at a time, and of another order."""

    def assert_equal(found, expected, *, atol=None, rtol=None, err_msg=""):
        np.testing.assert_array_equal(found, expected, err_msg=err_msg)

    monkeypatch.setattr(checks, "assert_allclose_dense_sparse", assert_equal)
    monkeypatch.setattr(checks, "assert_allclose", assert_equal)
    getattr(checks, f"check_methods_{check}_invariance")(type(estimator).__name__, clone(estimator))
