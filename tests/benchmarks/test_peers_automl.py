"""Contenders that search for a minute: they are optional, and Optuna searches the spaces of the random search."""

import numpy as np
import pytest
from scipy.stats import loguniform, randint, uniform
from sklearn.datasets import make_blobs

from benchmarks import peers, peers_automl
from benchmarks.peers_automl import TunedByOptuna, list_automl, list_installed_automl, suggest
from benchmarks.peers_tuning import SPACES
from emphatic.comparison.contenders import list_contenders


def test_all_that_were_asked_for_are_known():
    assert list(list_automl()) == [
        *("AutoGluon, 10 s", "AutoGluon, 60 s", "FLAML, 60 s", "RealMLP", "TabM"),
        *("LightGBM, Optuna 60 s", "CatBoost, Optuna 60 s"),
    ]


def test_they_take_part_only_if_they_are_installed_and_named(monkeypatch):
    monkeypatch.setattr(peers_automl, "_is_installed", lambda package: package == "flaml")
    assert list(list_installed_automl()) == ["FLAML, 60 s"]
    assert "FLAML, 60 s" not in [one.name for one in peers.choose([])]
    assert [one.name for one in peers.choose(["FLAML, 60 s"])] == ["FLAML, 60 s"]
    with pytest.raises(ValueError, match="RealMLP"):
        peers.choose(["RealMLP"])


class Asked:
    """What was asked of a trial."""

    def __getattr__(self, kind):
        return lambda *arguments, **options: (kind, *arguments[1:], *options.values())


def test_distributions_are_asked_for_with_their_bounds():
    space = {"a": [1, 2], "b": randint(3, 8), "c": uniform(0.5, 0.25), "d": loguniform(0.01, 10)}
    assert suggest(Asked(), space) == {
        "a": ("suggest_categorical", [1, 2]),
        "b": ("suggest_int", 3, 7),
        "c": ("suggest_float", 0.5, 0.75, False),
        "d": ("suggest_float", 0.01, 10, True),
    }


def test_without_time_optuna_keeps_the_defaults_and_with_time_it_finds_better_ones(monkeypatch):
    pytest.importorskip("optuna")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = (X[:, 0] + 0.01 * X[:, 1] > 0).astype(int)  # calls for a weak penalty
    idle = TunedByOptuna("LogisticRegression", seconds=-1.0).fit(X, y)
    assert idle.n_candidates_ == 0
    np.testing.assert_array_equal(
        idle.predict_proba(X), list_contenders()["LogisticRegression"].build({}, 0).fit(X, y).predict_proba(X)
    )
    ticks = iter(range(10**6))
    monkeypatch.setattr(peers_automl.time, "process_time", lambda: next(ticks))  # a fold takes a second
    busy = TunedByOptuna("LogisticRegression", seconds=100.0).fit(X, y)
    assert busy.n_candidates_ == 20
    assert busy.estimator_["model"].C > 10
    assert set(SPACES["LogisticRegression"]) == {"C"}


def test_networks_get_no_missing_values():
    pytest.importorskip("pandas")
    import pandas as pd

    network = peers_automl.TabularNetwork()
    network._means, network._marked = pd.Series({"a": 2.0, "b": 0.0}), ["a"]
    X = pd.DataFrame({"a": [1.0, np.nan], "b": [np.nan, 3.0], "c": pd.Categorical(["x", None])})
    filled = network._fill(X)
    assert not filled.isna().any().any()
    assert filled["a"].tolist() == [1.0, 2.0] and filled["a is missing"].tolist() == [0.0, 1.0]
    assert filled["c"].tolist() == ["x", "missing"] and filled["c"].dtype == "category"


@pytest.mark.slow
@pytest.mark.parametrize("name", list_installed_automl())
def test_those_that_are_installed_answer_with_probabilities(name):
    X, y = make_blobs(60, centers=3, random_state=0)
    recipe = list_automl()[name]
    setting = {"seconds": 5.0} if "seconds" in recipe.parameters else {}
    model = recipe.build(setting, 0).fit(X, np.array(list("abc"))[y])
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-5)
    assert np.mean(model.predict(X) == np.array(list("abc"))[y]) > 0.8
