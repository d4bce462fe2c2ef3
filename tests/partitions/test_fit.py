"""A fit on partitions is the fit in memory: the same loop, the same draws, the same model."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import (
    Capped,
    Exponential,
    FuzzyEntropy,
    Guided,
    Mixed,
    Neighbour,
    Oversampled,
    SoftMargin,
    Undersampled,
    Uniform,
)
from emphatic.learners import SampledCentres
from emphatic.votes import LineSearch, Samme, Shrunken
from tests.partitions.conftest import EMPHASES, assert_same_model, make_table, split

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

NETWORK = RBFNetworkClassifier(SampledCentres(n_centres=15))
NEED_ALL_ROWS = [
    Neighbour(Mixed(0.3)),
    FuzzyEntropy(),
    Guided(Mixed(0.3)),
    Capped(Mixed(0.3)),
    SoftMargin(),
    Oversampled(Mixed(0.3)),
    Undersampled(Mixed(0.3)),
]


@pytest.mark.parametrize(
    ("emphasis", "n_classes"), [(one, n) for one in EMPHASES for n in (2, 3) if n == 2 or one.multi_class], ids=repr
)
def test_the_model_is_that_of_the_fit_in_memory(emphasis: Any, n_classes: int, sizes: tuple[int, ...]) -> None:
    X, y = make_table(n_classes)
    model = RealAdaBoostClassifier(NETWORK, emphasis, 3, random_state=0)
    expected, found = clone(model).fit(X, y), clone(model).fit(*split(X, y, sizes))
    assert_same_model(found, expected, X, 1e-10 if len(sizes) == 1 else 1e-8)


@pytest.mark.parametrize(
    "options",
    [
        {"design_emphasis": Uniform()},
        {"vote": LineSearch()},
        {"vote": Samme()},
        {"vote": Shrunken(0.5)},
        {"vote": "equal"},
        {"negative": "flip", "vote": "bound"},
        {"min_ess": 600.0},
        {"stop_ratio": 0.9, "n_estimators": 22},
    ],
    ids=repr,
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_votes_and_stopping_rules_are_the_same_code(options: dict[str, Any], n_classes: int) -> None:
    X, y = make_table(n_classes)
    model = RealAdaBoostClassifier(NETWORK, Mixed(0.7), 3, random_state=1).set_params(**options)
    expected, found = clone(model).fit(X, y), clone(model).fit(*split(X, y, (300, 150, 430, 20)))
    assert_same_model(found, expected, X, 1e-8)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "design", [SampledCentres(0.02), SampledCentres(n_centres=9, assign="same_class")], ids=["fraction", "same_class"]
)
def test_a_single_network_is_the_one_in_memory(design: Any, n_classes: int, sizes: tuple[int, ...]) -> None:
    X, y = make_table(n_classes)
    network = RBFNetworkClassifier(design, random_state=5)
    expected, found = clone(network).fit(X, y), clone(network).fit(*split(X, y, sizes))
    np.testing.assert_array_equal(found.centres_, expected.centres_)
    np.testing.assert_allclose(found.widths_, expected.widths_, rtol=1e-10)
    np.testing.assert_allclose(found.output(X), expected.output(X), rtol=0, atol=1e-10)


def test_indicators_and_sample_weights() -> None:
    X, y = make_table(3)
    weights = np.random.default_rng(1).random(len(y))
    weights[::7] = 0.0  # counts as absent
    network = RBFNetworkClassifier(SampledCentres(n_centres=12), targets="indicators", random_state=0)
    model = RealAdaBoostClassifier(network, Mixed(0.3), 3, random_state=0)
    expected = clone(model).fit(X, y, weights)
    rows, labels = split(X, y, (300, 150, 430, 20))
    found = clone(model).fit(rows, labels, da.from_array(weights, chunks=500))
    in_memory = clone(model).fit(rows, y, weights)  # labels and weights need not be collections
    np.testing.assert_allclose(in_memory.decision_function(X), found.decision_function(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.alphas_[0], expected.alphas_[0], rtol=1e-10)


def test_many_rows_draw_by_their_number() -> None:
    # beyond the first block of noise, and with partitions that begin inside blocks
    X, y = make_table(n=150_000)
    model = RealAdaBoostClassifier(NETWORK, Mixed(0.3), 2, random_state=0)
    expected = clone(model).fit(X, y)
    for sizes in [(150_000,), (70_000, 10, 29_990, 50_000)]:
        found = clone(model).fit(*split(X, y, sizes))
        assert_same_model(found, expected, X, 1e-8)


def test_an_ensemble_of_ensembles_and_its_predictions_stay_lazy() -> None:
    X, y = make_table()
    inner = RealAdaBoostClassifier(NETWORK, Mixed(0.3), 2)
    model = RealAdaBoostClassifier(inner, Exponential(), 2, random_state=0)
    rows, labels = split(X, y, (300, 150, 430, 20))
    expected, found = clone(model).fit(X, y), clone(model).fit(rows, labels)
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), rtol=0, atol=1e-8)


@pytest.mark.parametrize("emphasis", NEED_ALL_ROWS, ids=repr)
def test_what_needs_all_rows_is_refused_by_name(emphasis: Any) -> None:
    X, y = make_table()
    with pytest.raises(ValueError, match=f"emphasis={type(emphasis).__name__}.*not allowed with a Dask collection"):
        RealAdaBoostClassifier(NETWORK, emphasis, 2).fit(*split(X, y, (450, 450)))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RealAdaBoostClassifier(DecisionTreeClassifier()), "DecisionTreeClassifier cannot be fitted.*RandomTree for a"),
        (RealAdaBoostClassifier(NETWORK, keep_weights=True), "keep_weights=True is not allowed"),
        (RealAdaBoostClassifier(NETWORK, resample=True), "resample=True is not allowed"),
        (RBFNetworkClassifier(solver="sgd"), "solver='sgd' is not allowed with a Dask collection"),
        (RBFNetworkClassifier(SampledCentres(replace=True)), "replace=True is not allowed"),
    ],
)
def test_options_that_need_all_rows_are_refused(model: Any, message: str) -> None:
    X, y = make_table()
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(*split(X, y, (450, 450)))


def test_frames_keep_their_names() -> None:
    pd = pytest.importorskip("pandas")
    dd = pytest.importorskip("dask.dataframe")
    X, y = make_table()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    labels = pd.Series(np.where(y == 1, "yes", "no"))
    model = RealAdaBoostClassifier(NETWORK, Mixed(0.3), 2, random_state=0)
    expected = clone(model).fit(frame, labels)
    rows = dd.from_pandas(frame, npartitions=3)
    found = clone(model).fit(rows, dd.from_pandas(labels, npartitions=2))
    assert found.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert_same_model(found, expected, frame, 1e-8)
    predicted = found.predict(rows)
    assert dask.is_dask_collection(predicted)
    np.testing.assert_array_equal(predicted.compute(), expected.predict(frame))


def test_predictions_of_collections_are_lazy_and_those_of_the_rows() -> None:
    X, y = make_table(3)
    rows, labels = split(X, y, (300, 150, 0, 430, 20))
    model = RealAdaBoostClassifier(NETWORK, Mixed(0.3), 3, random_state=0).fit(X, y)
    for method in ("predict", "predict_proba", "decision_function", "output"):
        lazy = getattr(model, method)(rows)
        assert dask.is_dask_collection(lazy)
        assert lazy.shape == getattr(model, method)(X).shape
        np.testing.assert_array_equal(lazy.compute(), getattr(model, method)(X))
        staged = getattr(model, "staged_" + method) if method != "output" else model.staged_output
        for ours, theirs in zip(dask.compute(*staged(rows)), staged(X), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    assert model.score(rows, labels) == pytest.approx(model.score(X, y), abs=1e-12)
    assert model.score(rows, y, np.arange(len(y))) == pytest.approx(model.score(X, y, np.arange(len(y))), abs=1e-12)


def test_noise_of_a_row_depends_on_its_number_alone() -> None:
    from emphatic.randomness import RowNoise

    noise = RowNoise(np.random.default_rng(3), 200_000)
    whole = noise.between(0, 200_000)
    cuts = [0, 10, 65_536, 65_537, 140_000, 200_000]
    np.testing.assert_array_equal(np.concatenate([noise.between(a, b) for a, b in pairwise(cuts)]), whole)
    # few rows draw what the generator itself draws
    few = RowNoise(np.random.default_rng(3), 100).between(0, 100)
    np.testing.assert_array_equal(few, np.random.default_rng(3).standard_exponential(100))
