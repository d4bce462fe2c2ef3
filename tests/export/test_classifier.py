"""`EmphaticClassifier`: every family of members, every correction, any table."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from emphatic import EmphaticClassifier, datasets
from emphatic.auto.candidates.gradient import GradientTrees
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.networks import Network
from emphatic.auto.candidates.trees import BaggedTrees, BoostedTrees
from emphatic.auto.searching import attempt as auto_attempt
from emphatic.export import to_onnx
from emphatic.inputs import take_rows
from tests.export.agreement import assert_agrees, run_exported

TOLERANCE = 1e-5

FAMILIES = {
    "euclidean": KernelRidge("euclidean", 0.5),
    "cityblock": KernelRidge("cityblock", 2.0),
    "sqeuclidean": KernelRidge("sqeuclidean", 1.0),
    "few units": KernelRidge("euclidean", 0.5, most_units=10),
    "network": Network(dropout=0.3, checkpoints=(20, 40)),
    "bagged trees": BaggedTrees(n_trees=10),
    "boosted trees": BoostedTrees(0.5, rounds=(2, 5)),
    "logistic": Logistic(),
    "gradient trees": GradientTrees((5,)),
}


@pytest.fixture
def fit(monkeypatch):
    """Fit with these candidates only."""

    def run(candidates, X, y, **parameters):
        monkeypatch.setattr(auto_attempt, "list_candidates", lambda *_, **how: candidates)
        return EmphaticClassifier(random_state=0, **parameters).fit(X, y)

    return run


def read_problem(name, n_train=150, n_test=200):
    problem = datasets.load(name)
    rows = np.random.default_rng(0).permutation(len(problem.y))
    return problem.X, problem.y, rows[:n_train], rows[: n_train + n_test]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["credit", "glass"])  # two classes, text and missing cells; six classes
def test_every_family_of_members(fit, family, name):
    X, y, train, rows = read_problem(name)
    model = fit([FAMILIES[family]], take_rows(X, train), y[train])
    assert_agrees(model, take_rows(X, rows), TOLERANCE)


def test_gradient_trees_of_a_fold_that_lacks_a_class(fit):
    y = np.array([0] * 30 + [1] * 30 + [2])
    X = np.random.default_rng(0).normal(size=(61, 3)) + y[:, None]
    model = fit([FAMILIES["gradient trees"]], X, y)
    ensembles = model.best_model_.members[0].model.ensembles
    assert {len(one.classes) for one in ensembles} == {2, 3}
    assert_agrees(model, X, TOLERANCE)


def test_corrections_for_noise_and_for_rare_classes(fit):
    X, y, train, rows = read_problem("diabetes", 300)
    noisy = np.where(np.random.default_rng(0).random(len(y)) < 0.25, np.roll(y, 1), y)
    model = fit([FAMILIES["bagged trees"]], X[train], noisy[train], metric="balanced_accuracy")
    assert model.best_model_.shares is not None
    model.best_model_ = replace(model.best_model_, noise=0.1)
    assert_agrees(model, X[rows], TOLERANCE)


@pytest.mark.parametrize("name", ["diabetes", "glass"])
@pytest.mark.parametrize("decision", ["f1", "balanced", "cost"])
def test_labels_follow_the_decision(fit, name, decision):
    X, y, train, rows = read_problem(name)
    n_classes = len(np.unique(y[train]))
    costs = np.random.default_rng(0).random((n_classes, n_classes)) if decision == "cost" else None
    model = fit([FAMILIES["bagged trees"]], X[train], y[train], decision=decision, costs=costs)
    label, probabilities = run_exported(to_onnx(model), X[rows])
    np.testing.assert_array_equal(label, model.predict(X[rows]))
    np.testing.assert_allclose(probabilities, model.predict_proba(X[rows]), rtol=0, atol=TOLERANCE)
    assert (label != model.classes_[probabilities.argmax(axis=1)]).any()


@pytest.mark.parametrize("n_rows", [1, 63, 64, 65])
def test_any_number_of_rows(fit, n_rows):
    X, y, train, rows = read_problem("iris", 100, 50)
    assert_agrees(fit([FAMILIES["cityblock"]], X[train], y[train]), X[rows[:n_rows]], TOLERANCE)


def test_unseen_categories_and_missing_cells(fit):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "colour": rng.choice(["red", "blue", None], 60),
            "shape": rng.choice(["round", ""], 60),  # the empty text is a category
            "flag": rng.random(60) > 0.5,
            "size": rng.normal(size=60),
            "nothing": np.nan,
            "weight": rng.integers(5, size=60),
        }
    )
    table.loc[::7, "size"] = np.nan
    y = np.where(rng.random(60) < 0.2, "no", np.where((table["colour"] == "red") ^ table["flag"], "yes", "perhaps"))
    model = fit([FAMILIES["cityblock"], FAMILIES["bagged trees"]], table, y)
    new = pd.DataFrame(
        {
            "colour": ["red", "green", None, "", "()", "unknown"],
            "shape": ["round", None, "", "square", "()", "(())"],
            "flag": [True, False, True, False, True, False],
            "size": [0.0, np.nan, 1e300, -1e300, 1.0, 2.0],
            "nothing": [np.nan, 1.0, -5.0, np.nan, 0.0, 0.0],
            "weight": [1, 2, 3, 4, 5, 100],
        }
    )
    for X in (table, new, new[::-1], new.astype({"flag": object})):
        assert_agrees(model, X, TOLERANCE)


def test_a_table_without_a_useful_column(fit):
    table = pd.DataFrame({"name": [f"row {i}" for i in range(40)]})
    model = fit([FAMILIES["logistic"]], table, np.arange(40) % 3 > 0)
    assert_agrees(model, table[:5], TOLERANCE)


QUICK = ("iris", "credit", "labor", "soybean", "vowel")


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in datasets.names()]
)
def test_bundled_problems(name):
    X, y, train, rows = read_problem(name, n_train=min(500, len(datasets.load(name).y) // 2), n_test=1000)
    model = EmphaticClassifier(random_state=0).fit(take_rows(X, train), y[train])
    assert_agrees(model, take_rows(X, rows), TOLERANCE)
