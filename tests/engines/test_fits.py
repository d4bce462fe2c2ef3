"""Everything that has tasks: the same result with one worker, two workers, and without a cluster."""

import distributed
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from emphatic import (
    EmphaticClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    MultiViewForestClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.audit import audit_annotators, audit_labels
from emphatic.engines import in_processes, on_dask
from emphatic.persistence import load, save
from emphatic.selection import EnsembleSearchCV
from emphatic.study import Store
from tests.engines.conftest import start_cluster
from tests.engines.fakes import Hasty
from tests.study.fakes import errors, make_study

X, y = load_iris(return_X_y=True)
X, y = X[::2], y[::2]
BOOSTED = RealAdaBoostClassifier(RBFNetworkClassifier(), n_estimators=3, random_state=0)
MODELS = {
    "fusion": FusionClassifier([("a", GaussianNB(), [0, 1]), ("b", DecisionTreeClassifier(), [2, 3])], random_state=0),
    "forest": MultiViewForestClassifier({"a": [0, 1], "b": [2, 3]}, keep=1, kappa_folds=2, random_state=0),
    "fuzzy boosting": FuzzyBoostClassifier(n_estimators=6, n_deflections=1, random_state=0),
    "search": EnsembleSearchCV(BOOSTED, {"min_ess": range(1, 31)}, cv=5, strategy="halving"),
}


def fit(name, engine):
    return clone(MODELS[name]).set_params(engine=engine).fit(X, y)


def annotate():
    rng = np.random.default_rng(0)
    labels = np.column_stack([np.where(rng.random(len(y)) < 0.2, rng.integers(3, size=len(y)), y) for _ in range(3)])
    return labels.astype(float)


def predict(name):
    return lambda engine: fit(name, engine).predict_proba(X)


USES = {
    **{name: predict(name) for name in MODELS},
    "audit": lambda engine: audit_labels(X, y, GaussianNB(), engine=engine).posterior,
    "annotators": lambda engine: audit_annotators(X, annotate(), GaussianNB(), engine=engine).probabilities,
}


@pytest.fixture(scope="module", params=[1, 2], ids=["one worker", "two workers"])
def engine(request):
    with start_cluster(request.param) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(request.param)
        yield on_dask(client)


@pytest.mark.parametrize("use", USES)
def test_results_do_not_depend_on_the_engine(use, engine):
    expected = USES[use](None)
    np.testing.assert_array_equal(USES[use](engine), expected)
    np.testing.assert_array_equal(USES[use](Hasty(3)), expected)


def test_emphatic_classifier_does_not_depend_on_the_engine(engine):
    model, expected = (EmphaticClassifier(random_state=0, engine=one).fit(X, y) for one in (engine, None))
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    np.testing.assert_array_equal(model.out_of_fold_, expected.out_of_fold_)
    assert model.explain() == expected.explain()
    np.testing.assert_array_equal(model.importances_["importance"], expected.importances_["importance"])
    assert model.engine is engine


def test_an_active_client_is_used_by_every_fit(engine, monkeypatch):
    asked = []
    monkeypatch.setattr(type(engine), "__call__", _watch(type(engine).__call__, asked))
    with engine.client.as_current():
        for use in USES.values():
            asked.clear()
            use(None)
            assert asked


def _watch(call, asked):
    def watched(engine, function, items):
        asked.append(function)
        return call(engine, function, items)

    return watched


def test_a_study_runs_on_the_active_client(engine, tmp_path):
    with Store(tmp_path / "here.sqlite") as here, Store(tmp_path / "there.sqlite") as there:
        make_study(n_runs=2).run(here, progress=False)
        make_study(n_runs=2).run(there, progress=False, engine=engine)
        assert errors(there) == errors(here)
    with Store(tmp_path / "active.sqlite") as active, engine.client.as_current():
        assert make_study(n_runs=1).run(active, progress=False).n_done == 3


@pytest.mark.parametrize("name", ["fusion", "forest", "fuzzy boosting"])
def test_model_files_know_no_engine(name, tmp_path):
    model = fit(name, Hasty(2))
    save(model, tmp_path / "m.emphatic")
    again = load(tmp_path / "m.emphatic")
    assert again.engine is None
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("use", USES)
def test_what_is_no_engine_is_refused_before_any_work(use):
    with pytest.raises(TypeError, match="engine='dask' is not allowed"):
        USES[use]("dask")
    with pytest.raises(TypeError, match="engine='dask' is not allowed"):
        EmphaticClassifier(engine="dask").fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize("use", [*USES, "emphatic"])
def test_processes_of_this_machine_are_an_engine(use):
    uses = {**USES, "emphatic": lambda engine: EmphaticClassifier(random_state=0, engine=engine).fit(X, y).out_of_fold_}
    np.testing.assert_array_equal(uses[use](in_processes(2)), uses[use](None))
