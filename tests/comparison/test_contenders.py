"""Every contender takes the same raw table, and is measured in the same way."""

import pickle

import numpy as np
import polars as pl
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.metrics import log_loss as reference_log_loss

from emphatic.comparison.contenders import list_contenders, list_installed
from emphatic.comparison.measures import log_loss, measure
from emphatic.metrics import geometric_mean_score
from emphatic.recipes import RECIPES
from tests.recipes.tables import make_mixed_table

FEW = {"n_estimators": 5}
QUICK = {
    "CatBoost": {"iterations": 20},
    "EasyEnsemble": {"n_estimators": 2},
    "HistGradientBoosting": {"max_iter": 5},
    "MLP": {"max_iter": 20},
    "BalancedRandomForest": FEW,
    "ExtraTrees": FEW,
    "RandomForest": FEW,
    "RealAdaBoost of MLPs": FEW,
    "RealAdaBoost of trees": FEW,
}
"""Settings that save time where the defaults would take some."""


needs_time = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # the price of 20 iterations


@pytest.mark.parametrize("name", list_installed())
@needs_time
def test_a_contender_takes_a_raw_table(name, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    contender = pickle.loads(pickle.dumps(list_contenders()[name]))
    X, y = make_mixed_table(n_classes=2 if contender.two_classes else 3)
    model = contender.build(QUICK.get(name, {}), 0).fit(X[:48], y[:48])
    unseen = X[48:].copy()
    unseen["shape"] = unseen["shape"].replace({"flat": "never seen"})
    found = measure(model, unseen, y[48:])
    assert all(0 <= value <= 1 for value in found.pop("class_accuracies").values())
    assert all(np.isfinite(value) for value in found.values())
    assert found["error"] < 0.5
    assert model.predict(unseen).shape == (24,)
    np.testing.assert_allclose(model.predict_proba(unseen).sum(axis=1), 1, atol=1e-6)
    assert list(model.classes_) == sorted(set(y))
    assert capfd.readouterr() == ("", ""), "contenders are silent"
    assert not list(tmp_path.iterdir()), "contenders leave no files"


@pytest.mark.parametrize("name", list_installed())
@needs_time
def test_the_same_seed_gives_the_same_model(name):
    contender = list_contenders()[name]
    X, y = make_mixed_table(n_classes=2)
    first, second = (contender.build(QUICK.get(name, {}), 3).fit(X, y).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", ["LightGBM", "CatBoost", "SVC"])
def test_frames_and_arrays_of_objects_are_the_same_table(name):
    if name not in list_installed():
        pytest.skip(f"{name} is not installed")
    X, y = make_mixed_table()
    rows = X.astype(object).where(X.notna(), None)
    tables = [X, rows.to_numpy(), pl.DataFrame({column: list(rows[column]) for column in rows})]
    recipe = list_contenders()[name]
    given = [recipe.build(QUICK.get(name, {}), 0).fit(table, y).predict_proba(table) for table in tables]
    np.testing.assert_array_equal(given[0], given[1])
    np.testing.assert_array_equal(given[0], given[2])


def test_names_and_families():
    everyone = list_contenders()
    assert {"EmphaticClassifier", "CatBoost", "SVC", "RUSBoost"} <= set(everyone)
    assert all(contender.name == name for name, contender in everyone.items())
    assert {contender.family for contender in everyone.values()} == {"ours", "peer"}
    assert set(list_installed()) <= set(everyone)
    assert set(RECIPES) <= set(list_installed()), "they need no other package"
    assert list(everyone)[: len(RECIPES)] == list(RECIPES)


def test_a_setting_changes_what_it_names():
    for name, setting in {"SVC": {"C": 7.0}, "RealAdaBoost of RBF networks": {"emphasis__lam": 0.9}}.items():
        model = list_contenders()[name].build(setting, 0)["model"]
        assert setting.items() <= model.get_params().items()
    with pytest.raises(ValueError, match="depth"):
        list_contenders()["SVC"].build({"depth": 3}, 0)


# measures


class Oracle:
    """Says what it was told to say."""

    def __init__(self, classes, probabilities):
        self.classes_ = np.array(classes)
        self.probabilities = np.array(probabilities)

    def predict_proba(self, X):
        return self.probabilities[: len(X)]

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_measures_agree_with_scikit_learn():
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=50)
    oracle = Oracle([0, 1, 2], rng.dirichlet(np.ones(3), size=50))
    X, probabilities = np.zeros((50, 1)), oracle.probabilities
    found = measure(oracle, X, y)
    predicted = oracle.predict(X)
    assert found["error"] == np.mean(predicted != y)
    assert found["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(y, predicted))
    assert found["g"] == pytest.approx(geometric_mean_score(y, predicted))
    assert found["roc_auc"] == pytest.approx(roc_auc_score(y, probabilities, multi_class="ovr"))
    assert found["log_loss"] == pytest.approx(reference_log_loss(y, probabilities)) == log_loss(oracle, X, y)


def test_two_classes_have_the_usual_roc_auc():
    rng = np.random.default_rng(2)
    y, p = np.array(["no", "yes"] * 10), rng.random(20)
    assert measure(Oracle(["no", "yes"], np.c_[1 - p, p]), p, y)["roc_auc"] == pytest.approx(roc_auc_score(y, p))


def test_classes_missing_on_either_side():
    """A class that only the test rows have is never right; one that they lack is not averaged over."""
    oracle = Oracle([0, 1, 2], [[0.7, 0.2, 0.1], [0.2, 0.7, 0.1]])
    found = measure(oracle, [[0], [0]], [0, 9])
    assert found["error"] == found["balanced_accuracy"] == 0.5 and found["g"] == 0.0
    assert found["roc_auc"] == np.mean([1.0, 0.5])
    assert found["log_loss"] == pytest.approx(-(np.log(0.7) + np.log(np.finfo(float).eps)) / 2)


def test_one_class_has_no_roc_auc():
    dummy = DummyClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="only one class"):
        measure(dummy, [[0], [1]], [1, 1])
    assert log_loss(dummy, [[0], [1]], [1, 1]) == pytest.approx(np.log(2))
