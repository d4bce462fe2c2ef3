"""Every fitted public estimator answers lazily for a Dask collection what it answers for its rows, and gathers none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import emphatic
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
    clustering,
    tables,
)
from emphatic.learners import SampledCentres
from emphatic.multiview import views
from emphatic.selection import EnsembleSearchCV
from tests.partitions.conftest import make_table

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

NETWORK = RBFNetworkClassifier(SampledCentres(n_centres=8))
CLASSIFIERS = [
    NETWORK,
    MLPNetworkClassifier(3, max_epochs=20),
    ParallelPerceptronClassifier(n_epochs=10),
    RealAdaBoostClassifier(NETWORK, n_estimators=3),
    RealAdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3),
    FuzzyBoostClassifier(n_estimators=3),
    FusionClassifier([("a", GaussianNB(), [0, 1]), ("b", NETWORK, None)], cv=3),
    ClassTreeClassifier(),
    MultiViewForestClassifier(),
    EnsembleSearchCV(RealAdaBoostClassifier(NETWORK), {"n_estimators": [2, 3]}, cv=2),
]
OTHERS = [
    *(getattr(clustering, name)() for name in clustering.__all__ if name.endswith(("Means", "Kessel", "Medoids"))),
    tables.TableTransformer(),
    *(getattr(views, name)(shape=(2, 2)) for name in views.__all__ if name not in ("ImageView", "digit_views")),
]
METHODS = (
    *("predict", "predict_proba", "decision_function", "output", "transform", "predict_membership", "predict_masses"),
    *("conflict", "rejects", "supports", "member_supports", "member_predictions", "member_probabilities"),
    *("member_conflict", "staged_predict", "staged_predict_proba", "staged_decision_function", "staged_output"),
)


@pytest.fixture(autouse=True)
def nothing_gathers(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy must not turn a Dask array into one of its own: that would bring all rows into memory, silently."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a Dask array was gathered")

    monkeypatch.setattr(da.Array, "__array__", refuse)


def seed(estimator: Any) -> Any:
    model = clone(estimator)
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def list_answers(model: Any, X: Any) -> list[tuple[str, Any]]:
    """What all methods answer; of staged ones, each round."""
    found = []
    for name in METHODS:
        if hasattr(model, name):
            answer = getattr(model, name)(X)
            found += [(name, one) for one in (answer if name.startswith("staged") else [answer])]
    return found


def test_all_public_estimators_are_here() -> None:
    here = {type(one) for one in (*CLASSIFIERS, *OTHERS)} | {EmphaticClassifier}
    public = {
        one
        for module in (emphatic, emphatic.learners, clustering, tables, views)
        for one in (getattr(module, name) for name in module.__all__)
        if isinstance(one, type) and (hasattr(one, "predict") or hasattr(one, "transform"))
    }
    assert public - here == {views.ImageView}  # which is abstract


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("estimator", [*CLASSIFIERS, *OTHERS], ids=lambda one: type(one).__name__)
def test_lazy_answers_are_those_for_the_rows(estimator: Any, n_classes: int) -> None:
    X, y = make_table(n_classes, n=120)
    model = seed(estimator).fit(X, y)
    rows = da.from_array(X, chunks=((50, 0, 67, 3), 3))
    lazy, direct = list_answers(model, rows), list_answers(model, X)
    assert [name for name, _ in lazy] == [name for name, _ in direct]
    for (name, ours), (_, expected) in zip(lazy, direct, strict=True):
        assert dask.is_dask_collection(ours), name
        assert ours.shape == expected.shape and ours.dtype == expected.dtype, name
    for ours, (_, expected) in zip(dask.compute(*(ours for _, ours in lazy)), direct, strict=True):
        if ours.dtype.kind == "f":
            np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-12)
        else:
            np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=lambda one: type(one).__name__)
def test_scores_and_names_of_data_frames(estimator: Any) -> None:
    pd, dd = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    X, y = make_table(n=120)
    frame, labels = pd.DataFrame(X, columns=list("abcd")), pd.Series(np.array(["no", "yes"])[y])
    model = seed(estimator).fit(frame, labels)
    rows = dd.from_pandas(frame, npartitions=3)
    predicted = model.predict(rows)
    assert dask.is_dask_collection(predicted)
    np.testing.assert_array_equal(predicted.compute(), model.predict(frame))
    weights = np.arange(120.0)
    expected = model.score(frame, labels), model.score(frame, labels, weights)
    assert model.score(rows, dd.from_pandas(labels, npartitions=2)) == pytest.approx(expected[0], abs=1e-12)
    assert model.score(rows, labels, weights) == pytest.approx(expected[1], abs=1e-12)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(rows.rename(columns={"a": "z"})).compute()


def find_refusal(model: Any, X: Any, y: Any) -> str:
    """Why it cannot be fitted; nothing if it was."""
    try:
        model.fit(X, y)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", [*CLASSIFIERS, *OTHERS], ids=lambda one: type(one).__name__)
def test_a_fit_adds_up_or_refuses_and_never_gathers(estimator: Any) -> None:
    X, y = make_table(n=120)
    rows, labels = da.from_array(X, chunks=(50, 4)), da.from_array(y, chunks=70)
    model = seed(estimator)
    refusal = find_refusal(model, rows, labels)
    assert bool(refusal) != hasattr(model, "n_features_in_")
    assert not refusal or "Dask collection" in refusal


def test_images_in_stacks() -> None:
    images = make_table(n=40)[0].reshape(40, 2, 2)
    model = views.ImageVector().fit(images)
    lazy = model.transform(da.from_array(images, chunks=(15, 1, 2)))
    assert lazy.shape == (40, 4)
    np.testing.assert_array_equal(lazy.compute(), model.transform(images))
