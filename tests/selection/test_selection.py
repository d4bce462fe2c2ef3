"""The search of ensembles: scores are those of scikit-learn's own search, the work is less, budgets are named so."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Controlled, Exponential, Mixed
from emphatic.selection import PAPER_001_GRID, EnsembleSearchCV
from tests.boosting.test_together import Counting

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
STUMPS = RealAdaBoostClassifier(DecisionTreeClassifier(max_depth=1), Controlled(), n_estimators=5, random_state=0)
GRID = {"emphasis__alpha": [0.0, 0.5, 1.0], "emphasis__beta": [0.0, 1.0]}


@pytest.fixture(autouse=True)
def _forget():
    Counting.lessons.clear()


def moons(n=90):
    return make_moons(n, noise=0.25, random_state=0)


def agree(ours, theirs):
    assert list(ours.cv_results_["params"]) == list(theirs.cv_results_["params"])
    for column in ("mean_test_score", "std_test_score", *(f"split{k}_test_score" for k in range(ours.n_splits_))):
        np.testing.assert_allclose(ours.cv_results_[column], theirs.cv_results_[column], atol=1e-12)
    np.testing.assert_array_equal(ours.cv_results_["rank_test_score"], theirs.cv_results_["rank_test_score"])
    assert ours.best_params_ == theirs.best_params_
    assert ours.best_score_ == pytest.approx(theirs.best_score_)


def both(estimator, grid, X, y, cv=FOLDS, **parameters):
    return EnsembleSearchCV(estimator, grid, cv=cv, **parameters).fit(X, y), GridSearchCV(estimator, grid, cv=cv).fit(
        X, y
    )


def test_scores_are_those_of_grid_search():
    X, y = moons()
    ours, theirs = both(STUMPS, GRID, X, y)
    agree(ours, theirs)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    assert ours.search_ == "grid: all 6 candidates on 3 folds"


@pytest.mark.parametrize("problem", [moons, lambda: load_iris(return_X_y=True)], ids=["2 classes", "3 classes"])
def test_scores_of_networks_are_those_of_grid_search(problem):
    X, y = problem()
    network = MLPNetworkClassifier(max_epochs=20, step=0.02)
    boosted = RealAdaBoostClassifier(network, Controlled(), n_estimators=3, random_state=0)
    grid = {f"realadaboostclassifier__{name}": values for name, values in GRID.items()}
    grid["realadaboostclassifier__estimator__n_hidden"] = [2, 3]
    agree(*both(make_pipeline(StandardScaler(), boosted), grid, X, y))


def test_the_papers_search_is_a_grid_with_repeated_folds():
    assert [len(values) for values in PAPER_001_GRID.values()] == [11, 11, 11]
    boosted = RealAdaBoostClassifier(MLPNetworkClassifier(), Controlled())
    for name in PAPER_001_GRID:  # every name is a parameter of that ensemble
        assert name in boosted.get_params()
    X, y = moons(60)
    small = {name: values[::10] for name, values in PAPER_001_GRID.items()}
    quick = clone(boosted).set_params(n_estimators=2, random_state=0, estimator__max_epochs=5)
    search = EnsembleSearchCV(quick, small, cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)).fit(
        X, y
    )
    assert search.search_ == "grid: all 8 candidates on 10 folds"
    assert set(search.best_params_) == set(PAPER_001_GRID)


class Scale(TransformerMixin, BaseEstimator):
    fits = 0

    def __init__(self, by=1.0):
        self.by = by

    def fit(self, X, y=None):
        Scale.fits += 1
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):
        return X * self.by


def test_steps_before_the_ensemble_are_fitted_once_a_fold():
    X, y = moons()
    pipeline = make_pipeline(Scale(), STUMPS)
    grid = {f"realadaboostclassifier__{name}": values for name, values in GRID.items()}
    Scale.fits = 0
    ours = EnsembleSearchCV(pipeline, grid, cv=FOLDS).fit(X, y)
    assert Scale.fits == 3 + 1  # and once for the refit
    agree(ours, GridSearchCV(pipeline, grid, cv=FOLDS).fit(X, y))
    Scale.fits = 0
    EnsembleSearchCV(pipeline, {**grid, "scale__by": [1.0, 2.0]}, cv=FOLDS).fit(X, y)
    assert Scale.fits == 2 * 3 + 1


def test_a_step_may_be_searched_and_replaced():
    X, y = moons()
    pipeline = make_pipeline(StandardScaler(), STUMPS)
    agree(*both(pipeline, {"standardscaler": [StandardScaler(), MinMaxScaler(), "passthrough"]}, X, y))
    agree(*both(pipeline, {"realadaboostclassifier": [STUMPS, SVC()]}, X, y))
    agree(*both(STUMPS, {"emphasis": [Exponential(), Mixed(0.2)]}, X, y))


def test_candidates_of_other_lengths_are_one_ensemble():
    X, y = moons()
    counted = RealAdaBoostClassifier(Counting(), Mixed(0.4), random_state=0)
    grid = {"n_estimators": [1, 4, 2], "emphasis__lam": [0.2, 0.9]}
    ours = EnsembleSearchCV(counted, grid, cv=FOLDS).fit(X, y)
    # per fold two ensembles of 4 rounds that share the first; then the refit
    assert len(Counting.lessons) == 3 * 7 + ours.best_params_["n_estimators"]
    agree(ours, GridSearchCV(counted, grid, cv=FOLDS).fit(X, y))


@pytest.mark.parametrize("strategy", ["grid", "random", "halving"])
def test_the_number_of_processes_makes_no_difference(strategy):
    X, y = moons()
    boosted = RealAdaBoostClassifier(
        MLPNetworkClassifier(2, max_epochs=5), Controlled(), n_estimators=2, random_state=0
    )
    parameters = {"strategy": strategy, "n_iter": 4, "random_state": 1}
    one, two = (EnsembleSearchCV(boosted, GRID, cv=FOLDS, n_jobs=n, **parameters).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])
    assert one.best_params_ == two.best_params_


def test_random_tries_some_and_says_so():
    X, y = moons()
    search = EnsembleSearchCV(STUMPS, GRID, cv=FOLDS, strategy="random", n_iter=4, random_state=0).fit(X, y)
    assert search.search_ == "random (a budget): 4 of 6 candidates on 3 folds"
    tried = [tuple(one.values()) for one in search.cv_results_["params"]]
    assert len(set(tried)) == 4
    assert len(EnsembleSearchCV(STUMPS, GRID, cv=FOLDS, strategy="random").fit(X, y).cv_results_["params"]) == 6


def test_halving_spends_more_folds_on_better_candidates():
    X, y = moons(150)
    grid = {"emphasis__alpha": np.linspace(0, 1, 10).tolist()}
    cv = StratifiedKFold(9, shuffle=True, random_state=0)
    search = EnsembleSearchCV(STUMPS, grid, cv=cv, strategy="halving").fit(X, y)
    results = search.cv_results_
    assert search.search_ == "halving (a budget): 10 candidates on 1 fold, the best 4 on 3, the best 2 on 9"
    assert sorted(results["n_folds"]) == [1] * 6 + [3] * 2 + [9] * 2
    full = EnsembleSearchCV(STUMPS, grid, cv=cv).fit(X, y).cv_results_
    for fold in range(9):  # what was tried has the scores of the full search
        tried = results["n_folds"] > fold
        np.testing.assert_array_equal(results[f"split{fold}_test_score"][tried], full[f"split{fold}_test_score"][tried])
    first = full["split0_test_score"]
    assert first[results["n_folds"] > 1].min() >= first[results["n_folds"] == 1].max()  # the worst were dropped
    assert results["n_folds"][search.best_index_] == 9
    assert search.best_score_ == results["mean_test_score"][results["n_folds"] == 9].max()


def test_optuna_proposes():
    pytest.importorskip("optuna", reason="the extra `search`")
    X, y = moons()
    grid = {"emphasis__alpha": np.linspace(0, 1, 6).tolist(), "estimator__max_depth": [1, 2, 3]}
    search = EnsembleSearchCV(STUMPS, grid, cv=FOLDS, strategy="optuna", n_iter=9, random_state=0).fit(X, y)
    assert search.search_ == "optuna (a budget): 9 of 18 candidates on 3 folds"
    again = EnsembleSearchCV(STUMPS, grid, cv=FOLDS, strategy="optuna", n_iter=9, random_state=0).fit(X, y)
    assert search.best_params_ == again.best_params_
    with pytest.raises(ValueError, match="one dict"):
        EnsembleSearchCV(STUMPS, [grid], cv=FOLDS, strategy="optuna").fit(X, y)


def test_a_candidate_that_fails_scores_nan_and_the_others_go_on():
    X, y = moons()
    boosted = RealAdaBoostClassifier(MLPNetworkClassifier(2, max_epochs=5), n_estimators=2, random_state=0)
    search = EnsembleSearchCV(boosted, {"estimator__step": [0.01, 1e308]}, cv=FOLDS)
    with pytest.warns(FitFailedWarning, match="diverge"):
        search.fit(X, y)
    assert search.best_params_ == {"estimator__step": 0.01}
    assert np.isnan(search.cv_results_["mean_test_score"][1])
    assert list(search.cv_results_["rank_test_score"]) == [1, 2]
    with pytest.raises(ValueError, match=r"All candidates failed.*diverge"):
        EnsembleSearchCV(boosted, {"estimator__step": [1e308]}, cv=FOLDS).fit(X, y)


@pytest.mark.parametrize("scoring", [None, "balanced_accuracy"])
def test_sample_weights_count_in_fitting_and_in_scoring(scoring):
    X, y = moons()
    weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    score = check_scoring(STUMPS, scoring)
    for estimator in (STUMPS, make_pipeline(StandardScaler(), STUMPS)):  # trees do not mind the scale
        prefix = "realadaboostclassifier__" if estimator is not STUMPS else ""
        search = EnsembleSearchCV(estimator, {f"{prefix}n_estimators": [2, 3]}, cv=FOLDS, scoring=scoring)
        search.fit(X, y, sample_weight=weights)
        for n, mean in zip([2, 3], search.cv_results_["mean_test_score"]):
            expected = [
                score(
                    clone(STUMPS).set_params(n_estimators=n).fit(X[train], y[train], sample_weight=weights[train]),
                    X[test],
                    y[test],
                    sample_weight=weights[test],
                )
                for train, test in FOLDS.split(X, y)
            ]
            assert mean == pytest.approx(np.mean(expected))
        best = clone(STUMPS).set_params(n_estimators=search.best_params_[f"{prefix}n_estimators"])
        best.fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(search.predict(X), best.predict(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"strategy": "greedy"}, "strategy='greedy' is not allowed"),
        ({"strategy": "random", "n_iter": 0}, "n_iter=0 is not allowed"),
        ({"strategy": "halving", "factor": 1}, "factor=1 is not allowed"),
        ({"param_grid": {"emphasis__gamma": [1]}}, "gamma"),
        ({"param_grid": {"emphasis__alpha": []}}, "emphasis__alpha"),
        ({"scoring": "luck"}, "luck"),
        ({"estimator": RealAdaBoostClassifier()}, "a component named there is None"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    X, y = moons()
    with pytest.raises(ValueError, match=message):
        EnsembleSearchCV(**{"estimator": STUMPS, "param_grid": GRID, **parameters}).fit(X, y)


def test_before_the_fit_there_is_nothing_to_predict():
    X, _ = moons()
    with pytest.raises(NotFittedError):
        EnsembleSearchCV(STUMPS, GRID).predict(X)


@pytest.mark.filterwarnings("ignore:From round")  # half of a tiny table has few samples
@parametrize_with_checks([EnsembleSearchCV(STUMPS, {"n_estimators": [2, 3]}, cv=2)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


class ScoresUndefined:
    """A scorer that returns `value` for one of the candidates, or for all."""

    def __init__(self, value, alpha=None):
        self.value, self.alpha = value, alpha

    def __call__(self, estimator, X, y):
        return self.value if self.alpha in (None, estimator.emphasis.alpha) else estimator.score(X, y)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_score_that_is_no_finite_number_is_a_failure_of_its_candidate(value):
    X, y = moons()
    grid = {"emphasis__alpha": [0.0, 0.5]}
    with pytest.raises(ValueError, match=rf"All candidates failed.*'emphasis__alpha': 0\.0.*scorer returned {value}"):
        EnsembleSearchCV(STUMPS, grid, cv=FOLDS, scoring=ScoresUndefined(value)).fit(X, y)
    search = EnsembleSearchCV(STUMPS, grid, cv=FOLDS, scoring=ScoresUndefined(value, 0.0))
    with pytest.warns(FitFailedWarning, match=rf"3 fits or scores failed.*scorer returned {value}, and not a finite"):
        search.fit(X, y)
    assert search.best_params_ == {"emphasis__alpha": 0.5}
    assert np.isnan(search.cv_results_["mean_test_score"][0])


@pytest.mark.parametrize("value", [None, "0.9", [0.9]])
def test_score_that_is_no_number_is_refused(value):
    X, y = moons()
    with pytest.raises(TypeError, match=r"a scorer must return a number"):
        EnsembleSearchCV(STUMPS, GRID, cv=FOLDS, scoring=ScoresUndefined(value)).fit(X, y)


class Exits(DecisionTreeClassifier):
    def fit(self, X, y, sample_weight=None):
        raise SystemExit(3)


def test_exit_in_a_fit_is_a_failure_of_its_candidate():
    X, y = moons()
    with pytest.warns(FitFailedWarning, match="SystemExit: 3"):
        search = EnsembleSearchCV(STUMPS, {"estimator": [Exits(), DecisionTreeClassifier(max_depth=1)]}).fit(X, y)
    assert search.best_index_ == 1
