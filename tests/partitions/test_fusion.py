"""Fused members on collections: the members and the trust of the fit in memory, and lazy answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_selector
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from emphatic import FusionClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Mixed
from emphatic.fusion.rules import RULES
from emphatic.learners import SampledCentres
from emphatic.partitions import SAMPLE
from emphatic.tables import TableTransformer
from tests.partitions.conftest import make_table, split

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
pd = pytest.importorskip("pandas")
dd = pytest.importorskip("dask.dataframe")

NETWORK = RBFNetworkClassifier(SampledCentres(n_centres=10))
MEMBERS = [("a", NETWORK, [0, 1]), ("b", RealAdaBoostClassifier(NETWORK, Mixed(0.3), 2), slice(1, 4))]


def make_frame(n_classes: int = 2) -> tuple[Any, Any]:
    X, y = make_table(n_classes)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["e"] = np.where(X[:, 1] > 0.3, "high", "low")
    return frame, pd.Series(np.array(["no", "yes", "yes!"])[y])


@pytest.mark.parametrize(
    ("reliability", "n_classes"), [("auto", 2), ("auto", 3), ("accuracy", 3), ("robust", 2), (0.9, 3)]
)
def test_members_and_trust_are_those_of_the_fit_in_memory(
    reliability: Any, n_classes: int, sizes: tuple[int, ...]
) -> None:
    X, y = make_table(n_classes)
    model = FusionClassifier(MEMBERS, reliability=reliability, cv=3, random_state=0)
    expected, found = clone(model).fit(X, y), clone(model).fit(*split(X, y, sizes))
    tolerance = 1e-10 if len(sizes) == 1 else 1e-8
    np.testing.assert_allclose(found.reliabilities_, expected.reliabilities_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), rtol=0, atol=tolerance)


@pytest.fixture(scope="module")
def fitted() -> tuple[Any, Any]:
    """Two fusions of the same rows, in partitions and in memory; the rule does not matter to how they are fitted."""
    X, y = make_table(3)
    model = FusionClassifier(MEMBERS, reliability=0.9, random_state=0)
    return clone(model).fit(*split(X, y, (300, 0, 580, 20))), clone(model).fit(X, y)


@pytest.mark.parametrize("fusion", RULES)
def test_every_rule_answers_lazily(fusion: str, fitted: tuple[Any, Any]) -> None:
    X, y = make_table(3)
    rows, labels = split(X, y, (300, 0, 580, 20))
    model, expected = (one.set_params(fusion=fusion) for one in fitted)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-8)
    answers = ("predict", "predict_proba", "output", "member_probabilities", "conflict", "member_conflict")
    for method in answers:
        lazy, direct = getattr(model, method)(rows), getattr(model, method)(X)
        assert dask.is_dask_collection(lazy) and lazy.shape == direct.shape and lazy.dtype == direct.dtype
        np.testing.assert_allclose(lazy.compute(), direct, rtol=0, atol=1e-12)
    assert model.score(rows, labels) == pytest.approx(model.score(X, y), abs=1e-12)


def test_a_frame_of_any_columns_and_views_that_are_missing_when_rows_are_predicted() -> None:
    frame, y = make_frame()
    pipeline = make_pipeline(TableTransformer(), RealAdaBoostClassifier(NETWORK, Mixed(0.3), 2))
    members = [("text", pipeline, ["d", "e"]), ("numbers", NETWORK, make_column_selector(dtype_include=float))]
    model = FusionClassifier(members, cv=3, random_state=0)
    rows, labels = dd.from_pandas(frame, npartitions=3), dd.from_pandas(y, npartitions=2)
    expected, found = clone(model).fit(frame, y), clone(model).fit(rows, labels)
    np.testing.assert_allclose(found.predict_proba(frame), expected.predict_proba(frame), rtol=0, atol=1e-8)
    assert found.feature_names_in_.tolist() == list("abcde")
    np.testing.assert_array_equal(found.predict(rows).compute(), found.predict(frame))
    np.testing.assert_array_equal(found.rejects(rows, 0.9).compute(), found.rejects(frame, 0.9))
    part = frame.assign(a=np.where(np.arange(len(frame)) % 7, frame["a"], np.nan))
    for name in "bcd":
        part.loc[part["a"].isna(), name] = np.nan
    lazy = found.predict_proba(dd.from_pandas(part, npartitions=3)).compute()
    np.testing.assert_array_equal(lazy, found.predict_proba(part))
    assert not np.array_equal(lazy, found.predict_proba(frame))


def test_a_data_frame_may_lack_a_view() -> None:
    frame, y = make_frame()
    model = FusionClassifier([("a", NETWORK, ["a", "b"]), ("b", NETWORK, ["c", "d"])], reliability=0.9, random_state=0)
    model.fit(dd.from_pandas(frame[list("abcd")], npartitions=3), y)
    half = frame[["a", "b"]]
    lazy = model.predict_proba(dd.from_pandas(half, npartitions=2))
    np.testing.assert_array_equal(lazy.compute(), model.predict_proba(half))


def test_weights_reach_the_members() -> None:
    X, y = make_table()
    weights = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    model = FusionClassifier(MEMBERS, cv=3, random_state=0)
    expected = clone(model).fit(X, y, weights)
    found = clone(model).fit(*split(X, y, (450, 450)), da.from_array(weights, chunks=200))
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-8)


def test_trust_in_members_of_a_large_table_comes_from_a_sample_that_partitions_do_not_change() -> None:
    X, y = make_table(n=SAMPLE + 9_000)
    model = FusionClassifier([("a", NETWORK, [0, 1]), ("b", NETWORK, [2, 3])], reliability="accuracy", random_state=0)
    labels = y.copy()
    labels[7] = 2  # a class of one row, which may be in the sample
    found = [clone(model).fit(*split(X, labels, sizes)) for sizes in ((len(y),), (5_000, len(y) - 5_000))]
    np.testing.assert_array_equal(found[0].reliabilities_, found[1].reliabilities_)
    assert found[0].classes_.tolist() == [0, 1, 2]
    expected = clone(model).fit(X, y)
    np.testing.assert_allclose(found[0].reliabilities_, expected.reliabilities_, rtol=0, atol=0.02)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([("a", GaussianNB(), None)], "member 'a': GaussianNB cannot be fitted to a Dask collection"),
        ([("a", NETWORK, None), ("b", make_pipeline(StandardScaler(), NETWORK), None)], "member 'b': StandardScaler"),
        ([("a", RealAdaBoostClassifier(GaussianNB()), None)], "GaussianNB cannot be fitted to a Dask collection"),
        ([("a", RBFNetworkClassifier(solver="sgd"), None)], r"member 'a' \(RBFNetworkClassifier\): solver='sgd'"),
    ],
)
def test_members_that_need_all_rows_are_refused_by_name(members: Any, message: str) -> None:
    X, y = make_table()
    with pytest.raises((TypeError, ValueError), match=message):
        FusionClassifier(members).fit(*split(X, y, (450, 450)))


def test_other_refusals() -> None:
    X, y = make_table()
    rows, labels = split(X, y, (450, 450))
    pipeline = make_pipeline(TableTransformer(), NETWORK)
    with pytest.raises(TypeError, match="member 'a': Pipeline does not accept sample_weight"):
        FusionClassifier([("a", pipeline, None)]).fit(rows, labels, np.ones(len(y)))
    with pytest.raises(TypeError, match="FusionClassifier as a learner of an ensemble"):
        RealAdaBoostClassifier(FusionClassifier(MEMBERS)).fit(rows, labels)
    bad = X.copy()
    bad[460, 0] = np.nan
    with pytest.raises(ValueError, match=r"member 'a'.*NaN or infinity in partition 1"):
        FusionClassifier([("a", NETWORK, [0])], reliability=1).fit(*split(bad, y, (450, 450)))
    with pytest.raises(ValueError, match="reliability"):
        FusionClassifier([("a", NETWORK, [0])], reliability="blind").fit(rows, labels)
    with pytest.raises(ValueError, match="only one class"):
        FusionClassifier([("a", NETWORK, [0])], reliability=1).fit(rows[:1], labels[:1])
    with pytest.raises(ValueError, match="X has 900 rows but y has 899 labels"):
        FusionClassifier([("a", NETWORK, [0])], reliability=1).fit(rows, labels[:-1])


def test_a_fusion_fitted_to_a_collection_is_saved_and_loaded(tmp_path: Any) -> None:
    from emphatic import persistence

    X, y = make_table(3)
    model = FusionClassifier(MEMBERS, cv=3, random_state=0).fit(*split(X, y, (450, 450)))
    persistence.save(model, tmp_path / "m.emphatic")
    np.testing.assert_array_equal(persistence.load(tmp_path / "m.emphatic").predict_proba(X), model.predict_proba(X))
