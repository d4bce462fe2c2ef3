"""Clusters, tables and fusions that are learnt by the processes of a Dask cluster are those of this process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from emphatic import FusionClassifier, FuzzyCMeans, RBFNetworkClassifier
from emphatic.learners import SampledCentres
from emphatic.tables import TableTransformer
from tests.partitions.conftest import make_table, open_cluster

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
pytest.importorskip("distributed")

pytestmark = pytest.mark.slow

X, Y = make_table(n=3000)
FRAME = pd.DataFrame(X, columns=list("abcd")).assign(e=np.where(X[:, 1] > 0, "wet", "dry"))
NETWORK = RBFNetworkClassifier(SampledCentres(n_centres=10))


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Of a cluster of two processes."""
    with open_cluster() as client:
        yield client


def test_clusters(client: Any) -> None:
    model = FuzzyCMeans(3, random_state=0)
    rows = da.from_array(X, chunks=(500, -1))
    expected, found = clone(model).fit(X), clone(model).fit(rows)
    np.testing.assert_allclose(found.cluster_centers_, expected.cluster_centers_, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(found.predict(rows).compute(), found.predict(X))


@pytest.mark.parametrize("columns", ["all", "useful"])
def test_tables(client: Any, columns: str) -> None:
    rows = dd.from_pandas(FRAME, npartitions=5)
    expected = TableTransformer(scale="robust", columns=columns).fit_transform(FRAME)
    found = TableTransformer(scale="robust", columns=columns).fit_transform(rows)
    np.testing.assert_allclose(found.compute(), expected, rtol=0, atol=1e-8)


def test_fusion(client: Any) -> None:
    members = [("a", NETWORK, ["a", "b"]), ("b", make_pipeline(TableTransformer(), NETWORK), ["c", "d", "e"])]
    model = FusionClassifier(members, cv=3, random_state=0)
    rows, labels = dd.from_pandas(FRAME, npartitions=5), dd.from_pandas(pd.Series(Y), npartitions=2)
    expected, found = clone(model).fit(FRAME, Y), clone(model).fit(rows, labels)
    np.testing.assert_allclose(found.predict_proba(rows).compute(), expected.predict_proba(FRAME), rtol=0, atol=1e-8)
    assert found.score(rows, labels) == pytest.approx(expected.score(FRAME, Y), abs=1e-12)
