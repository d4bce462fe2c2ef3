"""Tables and weights that cannot be used: the error says which column, what is wrong, and what to do."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
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
from emphatic.audit import audit_labels
from emphatic.selection import EnsembleSearchCV
from emphatic.tables import TableTransformer

X, Y = make_moons(60, noise=0.2, random_state=0)
CLASSIFIERS = [
    ClassTreeClassifier(),
    EmphaticClassifier(),
    FusionClassifier([("one", LogisticRegression(), [0]), ("two", RBFNetworkClassifier(), None)]),
    FuzzyBoostClassifier(n_estimators=4),
    MLPNetworkClassifier(),
    MultiViewForestClassifier(),
    ParallelPerceptronClassifier(),
    RBFNetworkClassifier(),
    RealAdaBoostClassifier(n_estimators=3),
]
NAMES = [type(one).__name__ for one in CLASSIFIERS]
ODD = {
    "tuples": ([(1, 2)] * 60, "values of type tuple"),
    "lists": ([[1, 2]] * 60, "values of type list"),
    "intervals": (pd.interval_range(0, 60), "values of type Interval"),
    "categories of intervals": (pd.cut(X[:, 1], 3), "values of type Interval"),
    "periods": (pd.period_range("2020", periods=60, freq="M"), "values of type Period|dates"),
    "dates": (pd.date_range("2020", periods=60), "dates"),
    "complex numbers": (X[:, 1] * 1j, "complex"),
}


@pytest.mark.parametrize("model", [*CLASSIFIERS, EnsembleSearchCV(CLASSIFIERS[-1], {}), FuzzyCMeans(2)], ids=repr)
def test_lazy_frame_is_to_be_collected(model):
    lazy = pl.DataFrame({"a": X[:, 0], "b": X[:, 1]}).lazy()
    with pytest.raises(TypeError, match=rf"LazyFrame was passed, but {type(model).__name__} .* use X\.collect\(\)"):
        model.fit(lazy, Y)


@pytest.mark.parametrize("use", [TableTransformer().fit, lambda X: audit_labels(X, Y)], ids=["transformer", "audit"])
def test_lazy_frame_is_to_be_collected_also_elsewhere(use):
    with pytest.raises(ValueError, match=r"LazyFrame is not supported: pass a DataFrame, such as X\.collect\(\)"):
        use(pl.DataFrame({"a": X[:, 0]}).lazy())


@pytest.mark.parametrize(("values", "message"), ODD.values(), ids=ODD)
@pytest.mark.parametrize(
    "fit",
    [
        RBFNetworkClassifier().fit,
        RealAdaBoostClassifier(n_estimators=2).fit,
        RealAdaBoostClassifier(DecisionTreeClassifier(), n_estimators=2).fit,
        RealAdaBoostClassifier(KNeighborsClassifier(), n_estimators=2).fit,
        FusionClassifier([("one", LogisticRegression(), [0]), ("two", LogisticRegression(), None)], reliability=1).fit,
        EmphaticClassifier().fit,
        audit_labels,
        TableTransformer().fit,
    ],
    ids=["network", "boosting", "of trees", "of neighbours", "fusion", "EmphaticClassifier", "audit", "transformer"],
)
def test_column_that_holds_no_numbers_is_named(fit, values, message, request):
    table = pd.DataFrame({"good": X[:, 0]})
    table["odd"] = values
    if "dates" in message and request.node.callspec.id.startswith(("EmphaticClassifier", "audit")):
        fit(table, Y)  # who use them
        return
    with pytest.raises(ValueError, match=rf"column 'odd' holds (values of type )?({message})"):
        fit(table, Y)


@pytest.mark.parametrize("weights", [np.ones(60) + 0j, np.full(60, 1j), [1 + 1j] * 60])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=NAMES)
def test_complex_weights_are_refused(model, weights):
    with pytest.raises(ValueError, match="sample_weight must hold numbers, one per row of X: got complex numbers"):
        model.fit(X, Y, sample_weight=weights)


WEIGHTS = {
    "all tiny": np.full(60, 1e-100),
    "tiny but one": np.r_[1.0, np.full(59, 1e-100)],
    "tiny but one per class": np.where(np.isin(np.arange(60), [Y.argmax(), Y.argmin()]), 1.0, 1e-100),
    "nearly all tinier": np.where(np.arange(60) < 50, 1e-200, 1.0),
    "of any size": 10.0 ** np.random.default_rng(0).integers(-150, 0, 60),
}


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_tiny_weights_are_weights(weights):
    """In single precision they are 0, and a batch of them had shares of 0/0."""
    model = EmphaticClassifier(random_state=0).fit(X, Y, sample_weight=weights)
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("factor", [2.0**-330, 2.0**330])
@pytest.mark.parametrize("model", [CLASSIFIERS[1], *CLASSIFIERS[3:]], ids=[NAMES[1], *NAMES[3:]])
def test_only_ratios_of_weights_count(model, factor):
    """Not of a fusion, whose members get the weights as they are: two rows of weight 1 are one of weight 2."""
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 60)
    first, second = (
        type(model)(**model.get_params(deep=False) | {"random_state": 0}).fit(X, Y, sample_weight=scale * weights)
        for scale in (1.0, factor)
    )
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))


def test_a_learner_from_elsewhere_gets_the_table_as_it_is():
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    assert RealAdaBoostClassifier(DecisionTreeClassifier(max_depth=1)).fit(table, Y).score(table, Y) > 0.8
