"""Clusters of a table in partitions are those of the same table in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from emphatic.clustering import (
    EntropyCMeans,
    EvidentialCMeans,
    FuzzyCMeans,
    FuzzyKMedoids,
    GustafsonKessel,
    NoiseCMeans,
    PossibilisticCMeans,
    select_n_clusters,
)
from emphatic.partitions import SAMPLE
from tests.partitions.conftest import make_table

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

BY_SUMS = [
    FuzzyCMeans(3, n_init=2, random_state=0),
    FuzzyCMeans(3, m=1.5, init="random", random_state=0),
    FuzzyCMeans(2, init=[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]),
    EntropyCMeans(3, random_state=0),
    NoiseCMeans(2, random_state=0),
    EvidentialCMeans(3, random_state=0),
    PossibilisticCMeans(2, random_state=0),
    GustafsonKessel(3, shrinkage=0.1, tol=1e-4, random_state=0),
]


def make_blobs(n: int = 900) -> np.ndarray:
    """Rows around three places."""
    X, _ = make_table(n=n)
    return X + 4.0 * np.eye(3, 4)[np.arange(n) % 3]


def as_partitions(X: np.ndarray, sizes: tuple[int, ...]) -> Any:
    return da.from_array(X, chunks=(sizes, 2))  # partitioned across its columns as well


@pytest.mark.parametrize("model", BY_SUMS, ids=repr)
def test_clusters_are_those_of_the_fit_in_memory(model: Any, sizes: tuple[int, ...]) -> None:
    X = make_blobs()
    expected, found = clone(model).fit(X), clone(model).fit(as_partitions(X, sizes))
    tolerance = 1e-10 if len(sizes) == 1 else 1e-8
    np.testing.assert_allclose(found.cluster_centers_, expected.cluster_centers_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.objectives_, expected.objectives_, rtol=tolerance)
    np.testing.assert_allclose(found.predict_membership(X), expected.membership_, rtol=0, atol=tolerance)


@pytest.mark.parametrize("model", [FuzzyCMeans(3, random_state=0), NoiseCMeans(2, random_state=0)], ids=repr)
def test_weights_count_as_in_memory(model: Any) -> None:
    X = make_blobs()
    weights = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    expected = clone(model).fit(X, sample_weight=weights)
    found = clone(model).fit(as_partitions(X, (300, 150, 430, 20)), sample_weight=da.from_array(weights, chunks=100))
    np.testing.assert_allclose(found.cluster_centers_, expected.cluster_centers_, rtol=0, atol=1e-8)
    assert found.objective_ == pytest.approx(expected.objective_, rel=1e-8)


def test_starts_from_a_sample_do_not_depend_on_the_partitions() -> None:
    X = make_blobs(2 * SAMPLE)
    model = FuzzyCMeans(3, init="random", max_iter=2, tol=1.0, random_state=3)
    one, many = (clone(model).fit(as_partitions(X, sizes)) for sizes in ((2 * SAMPLE,), (7, SAMPLE, SAMPLE - 7)))
    np.testing.assert_allclose(one.cluster_centers_, many.cluster_centers_, rtol=0, atol=1e-8)


def test_tiny_and_huge_numbers_are_clustered_in_their_unit() -> None:
    X = make_blobs()
    model = FuzzyCMeans(3, random_state=0)
    expected = clone(model).fit(X).cluster_centers_
    for unit in (2.0**-600, 2.0**300):
        found = clone(model).fit(as_partitions(X * unit, (450, 450))).cluster_centers_
        np.testing.assert_allclose(found / unit, expected, rtol=0, atol=1e-8)


def test_what_is_known_of_rows_is_lazy() -> None:
    X = make_blobs()
    rows = as_partitions(X, (300, 0, 600))
    model = FuzzyCMeans(3, random_state=0).fit(X).fit(rows)
    assert not hasattr(model, "labels_") and not hasattr(model, "membership_")
    labels, membership = model.fit_predict(rows), model.predict_membership(rows)
    assert dask.is_dask_collection(labels) and membership.shape == (900, 3)
    np.testing.assert_array_equal(labels.compute(), model.predict(X))
    np.testing.assert_array_equal(membership.compute(), model.predict_membership(X))
    single = FuzzyCMeans(3, random_state=0).fit(X.astype(np.float32))
    lazy = single.predict_membership(rows.astype(np.float32))
    assert lazy.dtype == lazy.compute().dtype == np.float32


def test_a_model_fitted_to_partitions_is_saved_and_loaded(tmp_path: Any) -> None:
    from emphatic import persistence

    X = make_blobs()
    for model in (FuzzyCMeans(3, random_state=0), EvidentialCMeans(3, random_state=0)):
        model.fit(as_partitions(X, (450, 450)))
        persistence.save(model, tmp_path / "m.emphatic")
        np.testing.assert_array_equal(persistence.load(tmp_path / "m.emphatic").predict(X), model.predict(X))


def test_what_compares_all_pairs_of_rows_is_refused_by_name() -> None:
    rows = as_partitions(make_blobs(), (900,))
    with pytest.raises(TypeError, match="FuzzyKMedoids cannot be fitted to a Dask collection: it compares all pairs"):
        FuzzyKMedoids().fit(rows)
    with pytest.raises(TypeError, match="A Dask collection was passed, but FuzzyCMeans takes tables in memory only"):
        select_n_clusters(rows)


def test_bad_tables_are_named() -> None:
    X = make_blobs()
    X[460, 2] = np.nan
    model = FuzzyCMeans(3)
    with pytest.raises(ValueError, match=r"partition 2 \(rows from 450 on\), first in row 460, column 2"):
        model.fit(as_partitions(X, (300, 150, 450)))
    with pytest.raises(ValueError, match="n_samples=1 rows: n_clusters=3 needs at least as many"):
        model.fit(as_partitions(X[:1], (1,)))
    with pytest.raises(ValueError, match="X has 0 rows"):
        model.fit(as_partitions(X[:0], (0,)))
    with pytest.raises(ValueError, match="sample_weight must have a finite sum above 0"):
        model.fit(as_partitions(X[:9], (9,)), sample_weight=np.zeros(9))
    assert FuzzyCMeans(1).fit(as_partitions(X[:1], (1,))).cluster_centers_.tolist() == X[:1].tolist()


def test_unknown_sizes_and_frames() -> None:
    dd, pd = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
    X = make_blobs()
    model = FuzzyCMeans(3, random_state=0)
    expected = clone(model).fit(X[X[:, 0] > 0])
    rows = as_partitions(X, (300, 600))
    found = clone(model).fit(rows[rows[:, 0] > 0])
    np.testing.assert_allclose(found.cluster_centers_, expected.cluster_centers_, rtol=0, atol=1e-8)
    frame = pd.DataFrame(X[X[:, 0] > 0], columns=list("abcd"))
    named = clone(model).fit(dd.from_pandas(frame, npartitions=3))
    assert named.feature_names_in_.tolist() == list("abcd")
    np.testing.assert_allclose(named.cluster_centers_, expected.cluster_centers_, rtol=0, atol=1e-8)
    labels = named.predict(dd.from_pandas(frame, npartitions=2))
    np.testing.assert_array_equal(labels.compute(), named.predict(frame))
