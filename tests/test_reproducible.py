"""The same seed gives the same model: whoever runs it, in however many processes and threads, as far as it gets."""

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Exponential, Mixed, Uniform
from emphatic.learners import SampledCentres
from emphatic.randomness import seed_clone

RANDOM_TREE = DecisionTreeClassifier(max_depth=2, splitter="random")
MODELS = {
    "network": RBFNetworkClassifier(),
    "network by descent": RBFNetworkClassifier(solver="sgd", n_epochs=5),
    "network by pseudo-inverse": RBFNetworkClassifier(solver="pseudo_inverse"),
    "network that resamples": RBFNetworkClassifier(solver="sgd", n_epochs=5, step_scale="resample"),
    "boosted networks": RealAdaBoostClassifier(emphasis=Mixed(0.3), n_estimators=10),
    "boosted networks, other design": RealAdaBoostClassifier(design_emphasis=Uniform(), n_estimators=10),
    "boosted random trees": RealAdaBoostClassifier(RANDOM_TREE, n_estimators=10),
    "boosted neighbours": RealAdaBoostClassifier(KNeighborsClassifier(), n_estimators=10),
    "boosted ensembles": RealAdaBoostClassifier(RealAdaBoostClassifier(RANDOM_TREE, n_estimators=2), n_estimators=10),
}
ENSEMBLES = {name: model for name, model in MODELS.items() if name.startswith("boosted")}

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
every_ensemble = pytest.mark.parametrize("model", ENSEMBLES.values(), ids=list(ENSEMBLES))


def problem(n=120, features=8, n_classes=2):
    return make_classification(
        n, features, n_informative=4, n_classes=n_classes, flip_y=0.1, class_sep=0.7, random_state=0
    )


def with_seed(model, seed=0, **parameters):
    return clone(model).set_params(random_state=seed, **parameters)


def score(model, X, y, **weights):
    return model.fit(X, y, **weights).decision_function(X)


@every_model
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_same_seed_gives_the_same_bits(model, n_classes):
    X, y = problem(n_classes=n_classes)
    np.testing.assert_array_equal(score(with_seed(model), X, y), score(with_seed(model), X, y))


@every_model
def test_a_second_fit_of_the_same_object_is_the_first(model):
    X, y = problem()
    model = with_seed(model)
    np.testing.assert_array_equal(score(model, X, y), score(model, X, y))


@every_model
def test_another_seed_gives_another_model(model):
    X, y = problem()
    assert (score(with_seed(model, 0), X, y) != score(with_seed(model, 1), X, y)).any()


@every_model
def test_no_seed_gives_another_model_each_time(model):
    X, y = problem()
    assert (score(with_seed(model, None), X, y) != score(with_seed(model, None), X, y)).any()


@every_model
def test_the_global_generator_neither_matters_nor_moves(model):
    X, y = problem()
    np.random.seed(0)  # noqa: NPY002
    first = score(with_seed(model), X, y)
    np.random.seed(1)  # noqa: NPY002
    before = pickle.dumps(np.random.get_state())  # noqa: NPY002
    np.testing.assert_array_equal(score(with_seed(model), X, y), first)
    assert pickle.dumps(np.random.get_state()) == before  # noqa: NPY002


@every_model
@pytest.mark.parametrize("kind", [np.random.default_rng, np.random.RandomState])
def test_a_generator_may_be_passed(model, kind):
    X, y = problem()
    first, second = (score(with_seed(model, kind(3)), X, y) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert (first != score(with_seed(model, kind(4)), X, y)).any()


@pytest.mark.parametrize("kind", [np.random.default_rng, np.random.RandomState])
def test_a_generator_moves_on_from_fit_to_fit(kind):
    X, y = problem()
    model = RealAdaBoostClassifier(n_estimators=3).set_params(random_state=kind(3))
    assert (score(model, X, y) != score(model, X, y)).any()


def test_an_integer_of_numpy_is_an_integer():
    X, y = problem()
    model = MODELS["boosted networks"]
    np.testing.assert_array_equal(score(with_seed(model, np.int32(5)), X, y), score(with_seed(model, 5), X, y))


def test_a_seed_that_was_set_on_the_learner_is_respected():
    X, y = problem()
    trees = RealAdaBoostClassifier(clone(RANDOM_TREE).set_params(random_state=99), n_estimators=4, random_state=0)
    assert {tree.random_state for tree in trees.fit(X, y).estimators_} == {99}
    open_seeds = RealAdaBoostClassifier(RANDOM_TREE, n_estimators=4, random_state=0).fit(X, y)
    assert len({tree.random_state for tree in open_seeds.estimators_}) == 4
    network = RBFNetworkClassifier(random_state=5)
    for seed in (0, 1):  # the first round has equal weights, as a fit without sample_weight has
        boosted = RealAdaBoostClassifier(network, n_estimators=1, random_state=seed).fit(X, y)
        np.testing.assert_array_equal(boosted.estimators_[0].centres_, clone(network).fit(X, y).centres_)
        resampled = RealAdaBoostClassifier(network, n_estimators=3, resample=True, random_state=seed).fit(X, y)
        assert len({one.centres_.tobytes() for one in resampled.estimators_}) == 3  # bootstraps still differ


def test_an_ensemble_with_an_open_seed_inside_a_fusion_or_audit_draws_anew_in_every_round():
    boosted = seed_clone(RealAdaBoostClassifier(RBFNetworkClassifier(), n_estimators=3), np.random.default_rng(0))
    assert boosted.random_state is not None and boosted.estimator.random_state is None
    X, y = problem()
    assert len({one.centres_.tobytes() for one in boosted.fit(X, y).estimators_}) == 3


@every_ensemble
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_first_rounds_do_not_depend_on_how_many_follow(model, n_classes):
    X, y = problem(n_classes=n_classes)
    long, short = with_seed(model).fit(X, y), with_seed(model, n_estimators=5).fit(X, y)
    assert len(short.estimators_) == 5 < len(long.estimators_)
    np.testing.assert_array_equal(long.alphas_[:5], short.alphas_)
    np.testing.assert_array_equal(long.edges_[:5], short.edges_)
    np.testing.assert_array_equal(list(long.staged_decision_function(X))[4], short.decision_function(X))


@every_ensemble
def test_rounds_differ_from_each_other(model):
    X, y = problem()
    model = with_seed(model, emphasis=Uniform(), design_emphasis=None).fit(X, y)
    assert len(set(model.alphas_)) > 1  # the emphasis stands still: only the draws differ


@pytest.mark.parametrize("keep", [True, False])
def test_keeping_the_weights_changes_nothing(keep):
    X, y = problem()
    model = MODELS["boosted networks"]
    np.testing.assert_array_equal(score(with_seed(model, keep_weights=keep), X, y), score(with_seed(model), X, y))


# processes and threads


def test_the_number_of_jobs_does_not_matter():
    X, y = problem()
    model = RealAdaBoostClassifier(RBFNetworkClassifier(SampledCentres()), Mixed(), 8, random_state=0)
    grid = {"emphasis__lam": [0.2, 0.7], "estimator__solver": ["ridge", "sgd"]}
    one, two = (
        GridSearchCV(model, grid, cv=3, scoring="neg_log_loss", n_jobs=n_jobs, return_train_score=True).fit(X, y)
        for n_jobs in (1, 2)
    )
    for name in one.cv_results_:
        if name.endswith("_score"):
            np.testing.assert_allclose(two.cv_results_[name], one.cv_results_[name], rtol=1e-10, err_msg=name)
    np.testing.assert_allclose(two.decision_function(X), one.decision_function(X), rtol=1e-10)
    assert one.best_params_ == two.best_params_


@pytest.mark.parametrize("emphasis", [Exponential(), Mixed(0.3), Mixed(0.8)], ids=repr)
def test_the_number_of_blas_threads_does_not_matter(emphasis):
    X, y = problem(500)
    model = RealAdaBoostClassifier(RBFNetworkClassifier(SampledCentres(0.1)), emphasis, 60, random_state=0)
    scores = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            scores.append(clone(model).fit(X, y).decision_function(X))
    assert np.abs(scores[0]).max() > 0.1
    np.testing.assert_allclose(scores[1], scores[0], rtol=0, atol=1e-10)


def test_another_process_gives_the_same_model():
    program = """
import numpy as np
from sklearn.datasets import load_iris
from emphatic import RealAdaBoostClassifier
X, y = load_iris(return_X_y=True)
labels = np.array(["a", "b", "c"])[y]  # no result may depend on the hash of a string
print(RealAdaBoostClassifier(n_estimators=3, random_state=0).fit(X, labels).decision_function(X).sum().hex())
"""
    path = os.pathsep.join(filter(None, sys.path))
    runs = []
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program]
        runs.append(subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout)
    assert runs[0] == runs[1] != ""


# nothing that is passed is changed


@every_model
def test_fit_and_predict_leave_their_arguments_alone(model):
    X, y = problem()
    weight = np.random.default_rng(0).random(len(y))
    weight[:5] = 0
    given = (X, y, weight)
    before = copy.deepcopy(given)
    fitted = with_seed(model).fit(X, y, sample_weight=weight)
    fitted.predict_proba(X)
    for now, then in zip(given, before, strict=True):
        np.testing.assert_array_equal(now, then)


@every_ensemble
def test_fit_leaves_the_parts_it_was_given_alone(model):
    X, y = problem()
    model = with_seed(model)
    parts = {name: part for name, part in model.get_params().items() if hasattr(part, "get_params")}
    before = {name: copy.deepcopy(vars(part)) for name, part in parts.items()}
    model.fit(X, y)
    for name, part in parts.items():
        assert model.get_params()[name] is part
        assert repr(vars(part)) == repr(before[name])


@every_model
def test_a_fitted_model_does_not_lean_on_the_training_data(model):
    X, y = problem()
    rows = X.copy()
    model = with_seed(model).fit(X, y)
    before = model.decision_function(rows)
    X[:], y[:] = 0, 0
    np.testing.assert_array_equal(model.decision_function(rows), before)


@every_model
def test_two_models_do_not_share_memory(model):
    X, y = problem()
    first = with_seed(model, 0).fit(X, y)
    before = first.decision_function(X).copy()
    said = first.decision_function(X)
    with_seed(model, 1).fit(X[::-1], y[::-1]).decision_function(X)
    np.testing.assert_array_equal(said, before)
    np.testing.assert_array_equal(first.decision_function(X), before)


@every_model
def test_one_row_is_predicted_as_among_many(model):
    X, y = problem()
    model = with_seed(model).fit(X, y)
    alone = np.concatenate([model.decision_function(row[None]) for row in X[:10]])
    np.testing.assert_allclose(alone, model.decision_function(X)[:10], rtol=1e-9, atol=1e-12)
