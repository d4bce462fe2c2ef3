"""`EmphaticClassifier`: what it promises whatever it chooses."""

import pickle
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic.auto import EmphaticClassifier
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.networks import Network
from emphatic.auto.candidates.points import IndependentPoints, Points
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.encoding import TableEncoder
from emphatic.auto.searching import attempt as module
from emphatic.auto.searching import blend
from emphatic.auto.searching.lists import QUICKEST, list_candidates
from tests.auto.few import FEW

REPEATS = tuple(f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse"))
ROWS_ARE_DRAWN = dict.fromkeys(
    REPEATS, "folds and bootstraps are drawn from the rows: a repeated row is drawn otherwise"
)


@pytest.fixture
def few_candidates(monkeypatch):
    """One of each family, small: what is tested holds for every list of candidates."""
    monkeypatch.setattr(module, "list_candidates", lambda *size, **how: FEW)


def moons(n=80):
    return make_moons(n, noise=0.25, random_state=0)


def blobs(n=90):
    return make_blobs(n, centers=3, cluster_std=2.5, random_state=0)


def mixed_frame(n=60, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "yes"], n)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n) + (y == "yes"),
            "colour": pd.Categorical(rng.choice(["red", "blue"], n)),
            "shape": np.where(rng.random(n) < 0.8, y, "other").astype(object),
            "flag": rng.random(n) < 0.5,
        }
    )
    frame.loc[::7, "size"] = np.nan
    frame.loc[::5, "shape"] = None
    return frame, y


@pytest.mark.contract
@pytest.mark.usefixtures("few_candidates")
@parametrize_with_checks([EmphaticClassifier()], expected_failed_checks=lambda one: ROWS_ARE_DRAWN)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


# the blend


def test_the_whole_list_of_candidates_beats_chance_by_far_and_is_listed_in_the_results():
    X, y = load_iris(return_X_y=True)
    model = EmphaticClassifier(random_state=0).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9
    results = model.search_results_
    assert len(results) == len(module.list_candidates(75, 4, 3))
    assert results["weight"].sum() == pytest.approx(1)
    assert not results.loc[results["dropped"], "weight"].any()


@pytest.mark.usefixtures("few_candidates")
@pytest.mark.parametrize("problem", [moons, blobs])
def test_weights_sum_to_one_and_the_blend_is_the_calibrated_mean_of_its_members(problem):
    X, y = problem()
    model = EmphaticClassifier(label_noise="ignore", random_state=0).fit(X, y)
    blend = model.best_model_
    assert sum(one.weight for one in blend.members) == pytest.approx(1)
    assert [one.weight for one in blend.members] == sorted((one.weight for one in blend.members), reverse=True)
    inputs = model._encoder.transform(X).astype(np.float32)
    mean = 0.0
    for one in blend.members:
        scores = one.factor * one.model.scores(Points(inputs, blend.centres))
        mean += one.weight * np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    sharpened = mean**blend.factor
    expected = sharpened / sharpened.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-6)


@pytest.mark.usefixtures("few_candidates")
def test_explain_names_every_member_and_its_weight():
    X, y = blobs()
    model = EmphaticClassifier(random_state=0).fit(X, y)
    text = model.explain()
    for one in model.best_model_.members:
        assert str(one) in text
        assert f"{100 * one.weight:.1f}%" in text
    assert f"{model.best_model_.loss:.4f}" in text


@pytest.mark.usefixtures("few_candidates")
@pytest.mark.parametrize("problem", [moons, blobs])
def test_the_same_seed_gives_the_same_model_for_every_number_of_threads(problem):
    X, y = problem()
    one, again, threads = (EmphaticClassifier(random_state=3, n_jobs=n_jobs).fit(X, y) for n_jobs in (None, 1, 3))
    other = EmphaticClassifier(random_state=4).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), again.predict_proba(X))
    np.testing.assert_array_equal(one.predict_proba(X), threads.predict_proba(X))
    # another seed draws other trees and networks; whether they are members of the blend is another matter
    assert sorted(one.search_results_["log_loss"]) != sorted(other.search_results_["log_loss"])


@pytest.mark.usefixtures("few_candidates")
def test_it_survives_pickle():
    X, y = blobs()
    model = EmphaticClassifier(random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("n_classes", [2, 12])
@pytest.mark.parametrize("candidate", [*FEW, KernelRidge("euclidean", 0.5), KernelRidge("sqeuclidean", 1.0)], ids=str)
def test_every_member_scores_a_row_alike_in_any_company(candidate, n_classes):
    X, y = make_blobs(150, 7, centers=n_classes, cluster_std=2.0, random_state=0)
    data = TrainingData.draw(X / 10, y, n_classes, np.ones(len(y)), np.random.default_rng(0))
    folds = range(1 if candidate.fits_once else 5)
    model = candidate.merge([candidate.fit(data, fold, np.random.default_rng(fold))[1] for fold in folds], -1)
    rows, centres = data.singles, data.points.centres.astype(np.float32)
    whole = model.scores(IndependentPoints(rows, centres))
    for size in (1, 7, 64):
        parts = [model.scores(IndependentPoints(rows[k : k + size], centres)) for k in range(0, len(rows), size)]
        np.testing.assert_array_equal(np.vstack(parts), whole)
    # and as it does in training, up to rounding
    np.testing.assert_allclose(whole, model.scores(Points(rows, centres)), atol=2e-3)


def test_blocks_of_rows_do_not_show(monkeypatch):
    X, y = blobs()
    model = EmphaticClassifier(random_state=0).fit(X, y)
    whole = model.predict_proba(X)
    monkeypatch.setattr(blend, "BLOCK", 7 * len(y))
    np.testing.assert_array_equal(model.predict_proba(X), whole)


@pytest.mark.usefixtures("few_candidates")
def test_without_pandas_the_results_are_a_dict(monkeypatch):
    model = EmphaticClassifier(random_state=0).fit(*moons())
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pandas", None)  # importing it raises
        results = model.search_results_
    assert isinstance(results, dict)
    assert len(results["family"]) == len(FEW)


# options


@pytest.mark.usefixtures("few_candidates")
def test_balanced_accuracy_predicts_the_rare_class_more_often():
    X, y = make_blobs([120, 15], centers=[[0, 0], [1.2, 0]], random_state=0)
    with pytest.warns(UserWarning, match=r"Class 1 \(11.1% of the rows\) is never predicted out of fold"):
        plain = EmphaticClassifier(random_state=0).fit(X, y)
    balanced = EmphaticClassifier(metric="balanced_accuracy", random_state=0).fit(X, y)
    assert (balanced.predict(X) == 1).sum() > (plain.predict(X) == 1).sum()
    np.testing.assert_array_equal(balanced.predict(X), balanced.predict_proba(X).argmax(axis=1))
    assert "equally frequent" in balanced.explain()


@pytest.mark.usefixtures("few_candidates")
def test_noise_is_corrected_as_asked_for_and_never_silently():
    X, y = make_blobs(400, centers=[[-4, 0], [4, 0]], random_state=0)
    given = np.where(np.random.default_rng(0).random(400) < 0.2, 1 - y, y)
    ignoring, correcting, hedging = (
        EmphaticClassifier(label_noise=how, random_state=0).fit(X, given) for how in ("ignore", "correct", "auto")
    )
    np.testing.assert_allclose(
        hedging.predict_proba(X), (ignoring.predict_proba(X) + correcting.predict_proba(X)) / 2, atol=1e-12
    )
    np.testing.assert_array_equal(ignoring.predict(X), hedging.predict(X))
    assert "mean of those for either case" in hedging.explain()
    assert ignoring.predict_proba(X).max() < 0.9
    assert correcting.predict_proba(X).max() > 0.95
    assert "labels look wrong" in ignoring.explain() and "not corrected" in ignoring.explain()
    assert "Probabilities are corrected" in correcting.explain()
    np.testing.assert_array_equal(ignoring.predict(X), correcting.predict(X))


@pytest.mark.usefixtures("few_candidates")
def test_labels_without_a_sign_of_noise_leave_probabilities_as_they_are():
    X, y = make_blobs(200, centers=[[-4, 0], [4, 0]], random_state=0)
    one, two = (EmphaticClassifier(label_noise=how, random_state=0).fit(X, y) for how in ("ignore", "auto"))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    assert "no clear sign of wrong labels" in two.explain()


@pytest.mark.usefixtures("few_candidates")
def test_a_time_budget_too_small_for_all_gives_the_cheapest_candidate_and_a_warning():
    X, y = moons()
    with pytest.warns(UserWarning, match=r"time_budget=1e-06 s was too short for 6 of 7 candidates"):
        model = EmphaticClassifier(time_budget=1e-6, random_state=0).fit(X, y)
    assert [one.candidate for one in model.best_model_.members] == [QUICKEST]
    assert model.score(X, y) > 0.8


@pytest.mark.usefixtures("few_candidates")
def test_an_ample_time_budget_leaves_nothing_out():
    X, y = moons()
    ample = EmphaticClassifier(time_budget=1e6, random_state=0).fit(X, y)
    assert len(ample.search_results_) == 2 + len(FEW)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("time_budget", 0), ("time_budget", "1 s"), ("metric", "auc"), ("label_noise", True), ("progress", 1)],
)
def test_parameters_are_checked(parameter, value):
    with pytest.raises(ValueError, match=f"{parameter}={value!r} is not allowed"):
        EmphaticClassifier(**{parameter: value}).fit(*moons(20))


@pytest.mark.usefixtures("few_candidates")
@pytest.mark.parametrize("fitted_before", [False, True])
def test_an_interrupted_fit_leaves_nothing_behind(monkeypatch, fitted_before):
    X, y = moons()
    model = EmphaticClassifier(random_state=0)
    if fitted_before:
        model.fit(X, y)
    before = dict(vars(model))

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Network, "fit", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*blobs())
    assert vars(model) == before
    if fitted_before:
        assert model.predict(X).shape == y.shape
    else:
        with pytest.raises(NotFittedError):
            model.predict(X)


@pytest.mark.usefixtures("few_candidates")
def test_candidates_far_behind_are_dropped_after_one_fold(monkeypatch):
    X, y = make_moons(400, noise=0.1, random_state=0)
    X = X * [1, -1]
    hopeless = Network(n_units=1, checkpoints=(1, 2))
    monkeypatch.setattr(module, "list_candidates", lambda *size, **how: (KernelRidge("cityblock", 2.0), hopeless))
    model = EmphaticClassifier(random_state=0).fit(X, y)
    assert model.search_results_["dropped"].tolist() == [False, True]
    assert "(dropped early: 1)" in model.explain()


# tables


@pytest.mark.usefixtures("few_candidates")
def test_pandas_polars_arrays_and_lists_give_the_same_model():
    frame, y = mixed_frame()
    expected = EmphaticClassifier(random_state=0).fit(frame, y).predict_proba(frame)
    objects = frame.astype(object).where(frame.notna(), None)
    polars = pl.DataFrame({name: objects[name].tolist() for name in objects})
    for table in (polars, objects.to_numpy(), objects.to_numpy().tolist()):
        model = EmphaticClassifier(random_state=0).fit(table, y)
        np.testing.assert_array_equal(model.predict_proba(table), expected)


@pytest.mark.usefixtures("few_candidates")
def test_an_identifier_is_left_out_with_a_remark():
    frame, y = mixed_frame()
    frame.insert(0, "name", [f"row {i}" for i in range(len(frame))])
    model = EmphaticClassifier(random_state=0).fit(frame, y)
    assert "Column 'name': ignored: almost every value is unique (60 of 60)." in model.explain()
    renamed = frame.assign(name="somebody else")
    np.testing.assert_array_equal(model.predict_proba(renamed), model.predict_proba(frame))
    np.testing.assert_array_equal(
        model.predict_proba(frame),
        EmphaticClassifier(random_state=0).fit(frame.drop(columns="name"), y).predict_proba(frame.drop(columns="name")),
    )


@pytest.mark.usefixtures("few_candidates")
def test_nothing_but_an_identifier_leaves_the_class_frequencies():
    frame = pd.DataFrame({"name": [f"row {i}" for i in range(40)]})
    y = np.repeat([0, 1], [10, 30])
    probabilities = EmphaticClassifier(random_state=0).fit(frame, y).predict_proba(frame)
    np.testing.assert_allclose(probabilities, [[0.25, 0.75]] * 40, atol=0.08)


@pytest.mark.usefixtures("few_candidates")
def test_ten_thousand_categories_make_few_inputs():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"code": [f"c{one}" for one in rng.integers(10_000, size=20_000)]})
    model = EmphaticClassifier(random_state=0)
    encoder = TableEncoder().fit(frame)
    assert encoder.transform(frame.head()).shape[1] <= 90
    assert "the most frequent have indicators" in encoder.notes[0]
    small = frame.head(200).assign(size=np.arange(200.0) / 2)
    assert model.fit(small, np.arange(200) > 99).score(small, np.arange(200) > 99) > 0.9


@pytest.mark.usefixtures("few_candidates")
def test_a_weekday_is_learnt_from_dates():
    days = pd.date_range("2020-01-01", periods=200)
    model = EmphaticClassifier(random_state=0).fit(pd.DataFrame({"day": days}), days.day_of_week > 4)
    assert [str(one) for one in model.columns_] == ["day: date"]
    later = pd.date_range("2020-08-01", periods=50)
    assert model.score(pd.DataFrame({"day": later}), later.day_of_week > 4) == 1.0


@pytest.mark.usefixtures("few_candidates")
def test_columns_are_what_the_user_says():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"zip": rng.integers(1, 9, 200), "size": rng.normal(size=200)})
    y = frame["zip"] % 2 == 0
    model = EmphaticClassifier(random_state=0, columns={"zip": "category", "size": "ignore"}).fit(frame, y)
    assert [one.kind for one in model.columns_] == ["category", "ignore"]
    assert model.score(frame, y) == 1.0
    with pytest.raises(ValueError, match="unknown column zap; did you mean zip"):
        EmphaticClassifier(columns={"zap": "category"}).fit(frame, y)
    with pytest.raises(ValueError, match=r"columns\['zip'\].*categories.*'number', 'category'"):
        EmphaticClassifier(columns={"zip": "categories"}).fit(frame, y)


@pytest.mark.usefixtures("few_candidates")
def test_probabilities_out_of_fold_are_those_of_the_blend():
    frame, y = mixed_frame()
    model = EmphaticClassifier(random_state=0).fit(frame, y)
    assert model.out_of_fold_.shape == (len(y), len(model.classes_))
    wrong = model.classes_[model.out_of_fold_.argmax(axis=1)] != y
    assert wrong.mean() == pytest.approx(model.best_model_.error)


@pytest.mark.usefixtures("few_candidates")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_class_with_one_member(n_classes):
    X, y = make_blobs(40, centers=n_classes - 1, random_state=0) if n_classes > 2 else (moons(40)[0], np.zeros(40, int))
    y[0] = n_classes - 1
    model = EmphaticClassifier(random_state=0).fit(X, y)
    assert model.predict_proba(X).shape == (40, n_classes)
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.usefixtures("few_candidates")
@pytest.mark.parametrize(("n", "features"), [(2, 1), (3, 2), (10, 3), (10, 200)])
def test_a_handful_of_rows_and_more_columns_than_rows(n, features):
    X = np.random.default_rng(0).normal(size=(n, features))
    y = np.arange(n) % 2
    probabilities = EmphaticClassifier(random_state=0).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


@pytest.mark.usefixtures("few_candidates")
def test_values_of_any_size_and_rows_far_away():
    X, y = moons()
    model = EmphaticClassifier(random_state=0).fit(X * 1e200, y)
    assert np.isfinite(model.predict_proba(X * 1e300)).all()
    assert model.score(X * 1e200, y) > 0.8


@pytest.mark.usefixtures("few_candidates")
def test_rows_of_weight_zero_are_not_there():
    X, y = blobs()
    weight = np.ones(len(y))
    weight[::3] = 0
    kept = weight > 0
    weighted = EmphaticClassifier(random_state=0).fit(X, y, weight)
    without = EmphaticClassifier(random_state=0).fit(X[kept], y[kept])
    np.testing.assert_allclose(weighted.predict_proba(X), without.predict_proba(X))


def columns_of(n):
    numbers = st.lists(st.floats(-1e6, 1e6) | st.just(float("nan")), min_size=n, max_size=n)
    names = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=n, max_size=n)
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    anything = st.lists(st.sampled_from(["x", 1, 2.5, True, None]), min_size=n, max_size=n)
    return st.one_of(numbers, names, flags, anything)


@st.composite
def labelled_frames(draw):
    n = draw(st.integers(4, 14))
    columns = draw(st.lists(columns_of(n), min_size=1, max_size=4))
    y = draw(st.lists(st.sampled_from(["p", "q", "r"]), min_size=n, max_size=n).filter(lambda y: len(set(y)) > 1))
    return pd.DataFrame({f"c{j}": pd.Series(column, dtype=object) for j, column in enumerate(columns)}), y


@pytest.mark.usefixtures("few_candidates")
@given(labelled_frames())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_mixed_frame_gives_probabilities(case):
    frame, y = case
    model = EmphaticClassifier(random_state=0).fit(frame, y)
    probabilities = model.predict_proba(frame)
    assert np.isfinite(probabilities).all()
    assert probabilities.min() >= 0
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(frame), model.classes_[probabilities.argmax(axis=1)])
    assert clone(model).get_params() == model.get_params()


def test_a_table_with_many_more_columns_than_rows_is_learnt_without_boosting():
    names = {one.family for one in list_candidates(100, 501, 2)}
    assert names == {"kernel network", "bagged trees", "logistic regression", "network"}
    assert "boosted trees" in {one.family for one in list_candidates(100, 500, 2)}


@pytest.mark.parametrize("n", [1, 7000])
def test_every_block_of_rows_is_bounded_alike(n):
    X = 1e3 * np.random.default_rng(0).standard_cauchy((7000, 11))
    encoder = TableEncoder().fit(X)
    z = np.clip(encoder.transformer.transform(X[:n]), -1e6, 1e6)
    np.testing.assert_array_equal(encoder.transform(X[:n]), z / np.sqrt((z / 4.0) * (z / 4.0) + 1.0))
