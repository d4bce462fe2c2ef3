"""What holds for every learner and every public estimator that meets a Dask collection."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import emphatic
from emphatic import MLPNetworkClassifier, ParallelPerceptronClassifier, RealAdaBoostClassifier
from emphatic.diversity import kappa_prune
from emphatic.learners.random_tree import RandomTree, Shape
from emphatic.partitions import Partitions
from tests.partitions.conftest import EMPHASES, assert_same_model, make_table, split

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

LEARNERS = [
    ParallelPerceptronClassifier(3, n_epochs=15),
    MLPNetworkClassifier(3, updates="batch", max_epochs=10),
    RandomTree(Shape(3, 20)),
]

ELSEWHERE = {"EmphaticClassifier", "FusionClassifier", "FuzzyCMeans", "TableTransformer"}
"""Of which other tests say what they do with collections."""

CLUSTERERS = ("EntropyCMeans", "EvidentialCMeans", "GustafsonKessel", "NoiseCMeans", "PossibilisticCMeans")
FITTED: dict[str, dict[str, Any]] = {
    "RealAdaBoostClassifier": {"n_estimators": 2},
    "RBFNetworkClassifier": {},
    "ParallelPerceptronClassifier": {"n_epochs": 3},
    "MLPNetworkClassifier": {"updates": "batch", "max_epochs": 3},
    **{name: {"n_clusters": 2, "tol": 0.01} for name in CLUSTERERS},
}
ARGUMENTS = {"EnsembleSearchCV": (RealAdaBoostClassifier(), {"n_estimators": [1, 2]})}


def list_public_estimators() -> dict[str, type]:
    """Every class with a `fit` that a package of ours offers."""
    packages = [name for _, name, is_package in pkgutil.walk_packages(emphatic.__path__, "emphatic.") if is_package]
    modules = [importlib.import_module(name) for name in ("emphatic", *packages)]
    offered = [getattr(module, name) for module in modules for name in getattr(module, "__all__", ())]
    found = {one for one in offered if inspect.isclass(one) and hasattr(one, "fit") and not inspect.isabstract(one)}
    return {one.__name__: one for one in found if one.__name__ not in ELSEWHERE}


ESTIMATORS = list_public_estimators()


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("emphasis", EMPHASES, ids=repr)
def test_every_emphasis_of_margins_serves_every_learner(emphasis: Any, learner: Any, sizes: tuple[int, ...]) -> None:
    X, y = make_table()
    model = RealAdaBoostClassifier(learner, emphasis, 3, random_state=0)
    expected, found = clone(model).fit(X, y), clone(model).fit(*split(X, y, sizes))
    assert_same_model(found, expected, X, 1e-10 if len(sizes) == 1 else 1e-8)


def unreadable() -> Any:
    """A Dask array whose rows cannot be gathered: a partition that is asked for says so."""

    def refuse(block: Any) -> Any:
        raise AssertionError("rows were read")

    return da.zeros((900, 4), chunks=(300, -1)).map_blocks(refuse, dtype=float, meta=np.empty((0, 0)))


def test_the_list_of_estimators_is_not_short() -> None:
    assert {*FITTED, "ClassTreeClassifier", "EnsembleSearchCV", "GustafsonKessel"} <= set(ESTIMATORS)


@pytest.mark.parametrize("name", sorted(FITTED))
def test_a_collection_is_fitted_where_it_lies(name: str, monkeypatch: Any) -> None:
    def gather(self: Any, *args: Any, **options: Any) -> Any:
        assert self.ndim < 2, f"{name} gathers the table"
        return self.compute()

    monkeypatch.setattr(da.Array, "__array__", gather)
    X, y = make_table()
    fitted = ESTIMATORS[name](**FITTED[name]).fit(*split(X, y, (450, 450)))
    assert fitted.n_features_in_ == 4


@pytest.mark.parametrize("name", sorted(set(ESTIMATORS) - set(FITTED)))
def test_any_other_estimator_refuses_a_collection_unread(name: str) -> None:
    _, y = make_table()
    with pytest.raises(TypeError, match=rf"(?s)(?=.*Dask collection)(?=.*{name})(?=.*X\.compute\(\))"):
        ESTIMATORS[name](*ARGUMENTS.get(name, ())).fit(unreadable(), y)


@pytest.mark.parametrize("name", ["MLPNetworkClassifier", "ParallelPerceptronClassifier"])
def test_visits_in_an_order_are_refused_unread(name: str) -> None:
    _, y = make_table()
    with pytest.raises(ValueError, match=r"updates='online' is not allowed with a Dask.*Use updates='batch'"):
        ESTIMATORS[name](updates="online").fit(unreadable(), y)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(), LogisticRegression(), KNeighborsClassifier()], ids=repr)
def test_learners_of_scikit_learn_are_refused_by_name(learner: Any) -> None:
    _, y = make_table()
    name = type(learner).__name__
    with pytest.raises(TypeError, match=f"{name} cannot be fitted to a Dask collection.*X.compute.*RandomTree"):
        RealAdaBoostClassifier(learner).fit(unreadable(), y)


def test_what_answers_for_rows_in_memory_only_does_not_gather() -> None:
    X, y = make_table()
    rows, _ = split(X, y, (450, 450))
    machine = ParallelPerceptronClassifier(3, n_epochs=3, random_state=0).fit(X, y)
    ensemble = RealAdaBoostClassifier(n_estimators=3, random_state=0).fit(X, y)
    for ask in (
        lambda: machine.hidden_margins(rows, y),
        lambda: kappa_prune(ensemble, rows, y, keep=2),
    ):
        with pytest.raises(TypeError, match=r"A Dask collection was passed.*X.compute\(\)"):
            ask()


@pytest.mark.parametrize("name", ["y", "sample_weight"])
def test_a_collection_beside_a_table_in_memory_is_refused(name: str) -> None:
    X, y = make_table()
    given = {"y": y, "sample_weight": np.ones(len(y))}
    given[name] = da.from_array(given[name], chunks=300)
    with pytest.raises(TypeError, match=f"{name} is a Dask collection and X is not"):
        RealAdaBoostClassifier(n_estimators=2).fit(X, **given)


def test_what_a_partition_holds_is_computed_once() -> None:
    X, _ = make_table()
    calls: list[int] = []

    def describe(rows: np.ndarray) -> int:
        calls.append(len(rows))
        return len(rows)

    table = Partitions(da.from_array(X, chunks=((300, 150, 430, 20), -1)))
    with dask.config.set(scheduler="synchronous"):
        held = table.hold(describe)
        for _ in range(3):
            total = table.total(lambda held, extra: (held[0] + extra,), held, shared=[1], reads=False)
            assert dask.compute(total)[0] == (904,)
    assert sorted(calls) == [20, 150, 300, 430]


def test_dask_knows_how_large_is_what_a_partition_holds() -> None:
    """Workers count it as memory, and move it as little as any other array of that size."""
    X, _ = make_table()
    with dask.config.set(scheduler="synchronous"):
        held = Partitions(da.from_array(X, chunks=(450, -1))).hold(lambda rows: (rows, [rows + 1]))
        (first,) = dask.compute(held.blocks[0])
    assert 2 * 450 * 4 * 8 <= dask.sizeof.sizeof(first) < 2 * 450 * 4 * 8 + 1000
