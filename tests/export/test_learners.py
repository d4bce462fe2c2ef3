"""Single learners and ensembles of them: labels and probabilities of the exported model are those of the model."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from emphatic import (
    ClassTreeClassifier,
    FuzzyBoostClassifier,
    MLPNetworkClassifier,
    MultiViewForestClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.emphasis import Mixed
from emphatic.export.fusion import fuse
from emphatic.fusion import FusionClassifier
from emphatic.learners import SampledCentres
from emphatic.learners.random_tree import RandomTree, Shape
from emphatic.persistence import load, save
from tests.export.agreement import assert_agrees

pytestmark = pytest.mark.contract  # on the lowest versions of onnx and onnxruntime as well

VIEWS = {"a": [0, 1], "b": [2, 3]}
SMALL_TREE = DecisionTreeClassifier(max_depth=3, random_state=0)

LEARNERS = {
    "RBF": RBFNetworkClassifier(random_state=0),
    "RBF, pseudo-inverse": RBFNetworkClassifier(solver="pseudo_inverse", random_state=0),
    "RBF, tanh": RBFNetworkClassifier(output_range="tanh", random_state=0),
    "RBF, no range": RBFNetworkClassifier(output_range="none", random_state=0),
    "RBF, indicators": RBFNetworkClassifier(targets="indicators", random_state=0),
    "RBF, narrow units": RBFNetworkClassifier(SampledCentres(0.2, width_floor=1e-9), random_state=0),
    "MLP": MLPNetworkClassifier(max_epochs=20, random_state=0),
    "perceptrons": ParallelPerceptronClassifier(n_epochs=20, random_state=0),
    "random tree": RandomTree(Shape(4), random_state=0),
    "tree": SMALL_TREE,
    "forest": RandomForestClassifier(20, random_state=0),
    "extra trees": ExtraTreesClassifier(20, random_state=0),
}

ENSEMBLES = {
    "AdaBoost of RBF": RealAdaBoostClassifier(emphasis=Mixed(0.3), n_estimators=5, random_state=0),
    "AdaBoost of MLPs": RealAdaBoostClassifier(LEARNERS["MLP"], n_estimators=3, random_state=0),
    "AdaBoost of perceptrons": RealAdaBoostClassifier(LEARNERS["perceptrons"], n_estimators=3, random_state=0),
    "AdaBoost of random trees": RealAdaBoostClassifier(RandomTree(Shape(4)), Mixed(0.5), 20, random_state=0),
    "AdaBoost of trees": RealAdaBoostClassifier(SMALL_TREE, n_estimators=20, random_state=0),
    "AdaBoost of pipelines": RealAdaBoostClassifier(
        make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=1)), n_estimators=3, random_state=0
    ),
    "AdaBoost of forests": RealAdaBoostClassifier(
        RandomForestClassifier(3, max_depth=2), n_estimators=3, random_state=0
    ),
    "AdaBoost of AdaBoost": RealAdaBoostClassifier(
        RealAdaBoostClassifier(SMALL_TREE, n_estimators=2), n_estimators=2, random_state=0
    ),
    "FuzzyBoost": FuzzyBoostClassifier(random_state=0),
    "FuzzyBoost, deflected": FuzzyBoostClassifier(SMALL_TREE, 12, n_deflections=1, samme=True, random_state=0),
    "FuzzyBoost of RBF": FuzzyBoostClassifier(RBFNetworkClassifier(), 4, random_state=0),
    "class tree": ClassTreeClassifier(views=VIEWS, random_state=0),
    "class tree, walk": ClassTreeClassifier(evaluation="walk", random_state=0),
    "class tree, plain": ClassTreeClassifier(masses="plain", random_state=0),
    "class tree, balloon": ClassTreeClassifier(masses="balloon", normalise=True, random_state=0),
    "class tree of trees": ClassTreeClassifier(SMALL_TREE, normalise=True, random_state=0),
    "class tree of AdaBoost": ClassTreeClassifier(RealAdaBoostClassifier(n_estimators=2), random_state=0),
    "multi-view forest": MultiViewForestClassifier(VIEWS, view_sets="all", random_state=0),
    "multi-view forest, walk": MultiViewForestClassifier(
        VIEWS, view_sets="all", fusion="majority", evaluation="walk", random_state=0
    ),
    "pipeline": make_pipeline(MinMaxScaler(clip=True), StandardScaler(with_mean=False), LEARNERS["RBF"]),
}


@pytest.fixture(scope="module", params=["two classes", "three classes"])
def problem(request):
    X, y = load_breast_cancer(return_X_y=True) if request.param == "two classes" else load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X)[:, :8], y


@pytest.mark.parametrize("name", [*LEARNERS, *ENSEMBLES])
def test_the_exported_model_predicts_the_same(problem, name):
    X, y = problem
    assert_agrees({**LEARNERS, **ENSEMBLES}[name].fit(X[::3], y[::3]), X)


@pytest.mark.parametrize("rule", ["majority", "minimum", "maximum", "mean", "product", "dempster_shafer"])
def test_fusion_by_every_rule(problem, rule):
    X, y = problem
    members = [
        ("boosted", RealAdaBoostClassifier(SMALL_TREE, n_estimators=5), [0, 1]),
        ("tree", SMALL_TREE, slice(1, 4)),
        ("perceptrons", LEARNERS["perceptrons"], None),
    ]
    assert_agrees(FusionClassifier(members, fusion=rule, random_state=0).fit(X[::3], y[::3]), X)


def test_robust_fusion(problem):
    X, y = problem
    members = [
        ("network", RBFNetworkClassifier(), [0, 1]),
        ("tree", SMALL_TREE, slice(1, 4)),
        ("all", SMALL_TREE, None),
    ]
    assert_agrees(FusionClassifier(members, reliability="robust", cv=2, random_state=0).fit(X[::3], y[::3]), X)


def test_a_rule_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="fusion 'median' cannot be exported"):
        fuse("median", [], 2)


def test_members_that_contradict_each_other_completely():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]] * 5), np.array(["a", "b"] * 5)
    members = [("first", SMALL_TREE, [0]), ("second", SMALL_TREE, [1])]
    for rule in ("product", "dempster_shafer", "majority"):
        model = FusionClassifier(members, fusion=rule, reliability=1.0, random_state=0).fit(X, y)
        assert_agrees(model, [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def test_an_ensemble_without_learners_predicts_the_class_frequencies():
    X = np.zeros((6, 2))
    for codes in ([0, 1, 2, 0, 1, 2], [0, 1, 0, 1, 0, 1]):
        with pytest.warns(UserWarning, match="class frequencies"):
            model = RealAdaBoostClassifier(SMALL_TREE, n_estimators=3).fit(X, codes)
        assert not model.estimators_
        assert_agrees(model, X[:2])


def test_a_member_that_never_saw_a_class():
    X, y = load_iris(return_X_y=True)
    model = RealAdaBoostClassifier(SMALL_TREE, n_estimators=6, resample=True, random_state=0).fit(X, y)
    few = np.r_[0:30, 50:80]
    model.estimators_[2] = DecisionTreeClassifier(max_depth=2).fit(X[few], y[few])
    assert_agrees(model, X)
    model.estimators_[2] = make_pipeline(StandardScaler(), model.estimators_[2]).fit(X[few], y[few])
    assert_agrees(model, X)


def test_missing_values_take_the_branches_of_scikit_learn():
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    X[rng.random(X.shape) < 0.2] = np.nan
    assert_agrees(RealAdaBoostClassifier(SMALL_TREE, n_estimators=10, random_state=0).fit(X, y), X)
    whole = np.isfinite(X).all(axis=1)
    assert_agrees(DecisionTreeClassifier(random_state=0).fit(X[whole], y[whole]), X)


def test_thresholds_between_two_numbers_of_single_precision():
    # the middle of two neighbours is rounded; a row that lies exactly there must not change sides
    low = np.float32(1.0)
    high = np.nextafter(low, np.float32(2.0))
    X = np.array([[low], [high]], dtype=np.float64)
    tree = DecisionTreeClassifier().fit(X, [0, 1])
    assert_agrees(tree, np.array([[low], [high], [(float(low) + float(high)) / 2], [low - 1e-9], [high + 1e-9]]))


def test_units_far_from_the_origin():
    X, y = load_iris(return_X_y=True)
    assert_agrees(RBFNetworkClassifier(random_state=0).fit(X + 1e4, y), X + 1e4, atol=1e-6)


def test_a_model_from_a_file_is_exported_like_the_one_that_was_saved(tmp_path, problem):
    X, y = problem
    for model in (ENSEMBLES["AdaBoost of trees"], ENSEMBLES["FuzzyBoost"], LEARNERS["forest"]):
        save(model.fit(X[::3], y[::3]), tmp_path / "model.emphatic")
        loaded = load(tmp_path / "model.emphatic")
        assert assert_agrees(loaded, X).graph == assert_agrees(model, X).graph
