"""Any classifier is a learner: with weights or by bootstrap, any labels, any table, any number of classes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_blobs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.boosting.training import takes_sample_weight, weighted_bootstrap
from emphatic.emphasis import Exponential, Mixed, Uniform

STUMP = DecisionTreeClassifier(max_depth=1)
LEARNERS = {
    "stump": STUMP,
    "neighbours": KNeighborsClassifier(3),
    "discriminant": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(),
    "logistic": LogisticRegression(),
    "vectors": SVC(),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
    "search": GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2),
    "network": RBFNetworkClassifier(),
    "ensemble of networks": RealAdaBoostClassifier(n_estimators=3),
    "ensemble of stumps": RealAdaBoostClassifier(STUMP, n_estimators=3),
    "ensemble of ensembles": RealAdaBoostClassifier(RealAdaBoostClassifier(STUMP, n_estimators=2), n_estimators=2),
}
BY_BOOTSTRAP = {"neighbours", "discriminant", "pipeline", "search"}
LABELS = {
    "strings": np.array(["no", "yes", "who knows"]),
    "-1 and 1": np.array([-1, 1, 2]),
    "integers with gaps": np.array([5, 7, 9]),
    "unsorted": np.array([30, 10, 20]),
    "floats": np.array([0.0, 1.0, 2.0]),
    "objects": np.array(["b", "a", "c"], dtype=object),
}

every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=list(LEARNERS))
two_and_three_classes = pytest.mark.parametrize("n_classes", [2, 3])


def blobs(n_classes, n=120, features=3):
    """Classes that overlap: no learner is perfect, so every weight matters."""
    return make_blobs(n, features, centers=n_classes, cluster_std=4.5, random_state=1)


def boosted(learner, **parameters):
    return RealAdaBoostClassifier(learner, **{"n_estimators": 4, "random_state": 0, **parameters})


class Recorder(ClassifierMixin, BaseEstimator):
    """A classifier that keeps what it saw, and votes as a stump does."""

    def fit(self, X, y, sample_weight=None):
        self.kind_, self.columns_, self.y_ = type(X), list(getattr(X, "columns", [])), y
        self.sample_weight_ = sample_weight
        self.stump_ = DecisionTreeClassifier(max_depth=1).fit(np.asarray(X, dtype=float), y, sample_weight)
        self.classes_ = self.stump_.classes_
        return self

    def predict(self, X):
        self.predicted_kind_ = type(X)
        return self.stump_.predict(np.asarray(X, dtype=float))


class RecordingScaler(TransformerMixin, BaseEstimator):
    """Does nothing, and keeps the weights it was given."""

    def fit(self, X, y=None, sample_weight=None):
        self.sample_weight_ = sample_weight
        return self

    def transform(self, X):
        return X


# every learner


@every_learner
@two_and_three_classes
@pytest.mark.parametrize("labels", LABELS.values(), ids=list(LABELS))
def test_labels_come_back_as_they_were_given(learner, n_classes, labels):
    X, y = blobs(n_classes)
    model = boosted(learner).fit(X, labels[y])
    np.testing.assert_array_equal(model.classes_, np.unique(labels[:n_classes]))
    said = model.predict(X)
    assert said.dtype == model.classes_.dtype
    assert (said == labels[y]).mean() > 0.6  # three stumps of three classes; chance is 0.33


@every_learner
def test_boolean_labels_stay_boolean(learner):
    X, y = blobs(2)
    model = boosted(learner).fit(X, y == 1)
    assert model.predict(X).dtype == bool
    assert model.score(X, y == 1) > 0.8


@every_learner
@pytest.mark.parametrize("emphasis", [Uniform(), Exponential(), Mixed(0.2)], ids=repr)
def test_the_names_of_the_labels_do_not_matter(learner, emphasis):
    X, y = blobs(3)
    codes = boosted(learner, emphasis=emphasis).fit(X, y)
    names = boosted(learner, emphasis=emphasis).fit(X, np.array(["a", "b", "c"])[y])
    np.testing.assert_array_equal(names.decision_function(X), codes.decision_function(X))


@pytest.mark.parametrize(("name", "learner"), LEARNERS.items(), ids=list(LEARNERS))
def test_who_takes_weights_is_weighted_and_who_does_not_is_resampled(name, learner):
    assert takes_sample_weight(learner) == (name not in BY_BOOTSTRAP)


@two_and_three_classes
def test_missing_values_reach_a_learner_that_takes_them(n_classes):
    X, y = blobs(n_classes, n=120)
    X[::7, 0] = np.nan
    model = boosted(HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)).fit(X, y)
    assert model.score(X, y) > 0.8
    assert sklearn.utils.get_tags(model).input_tags.allow_nan


@pytest.mark.parametrize("learner", [KNeighborsClassifier(), RBFNetworkClassifier()], ids=repr)
def test_missing_values_are_refused_by_a_learner_that_does_not(learner):
    X, y = blobs(2)
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        boosted(learner).fit(X, y)


def test_a_classifier_without_probabilities_votes_crisply():
    X, y = blobs(3)
    model = boosted(SVC()).fit(X, y)
    votes = model.decision_function(X) / model.alphas_.sum()
    assert np.isin(np.round(votes @ np.ones(3), 9), [-1.0]).all()  # each learner says +1 once and -1 twice


def test_probabilities_speak_softly():
    X, y = blobs(2)
    model = boosted(LogisticRegression(), n_estimators=1).fit(X, y)
    p = model.estimators_[0].predict_proba(X)[:, 1]
    np.testing.assert_allclose(model.decision_function(X), model.alphas_[0] * (2 * p - 1))


@every_learner
def test_the_learner_that_was_passed_is_left_alone(learner):
    X, y = blobs(2)
    before = repr(clone(learner).get_params())
    model = boosted(learner).fit(X, y)
    assert all(fitted is not learner for fitted in model.estimators_)
    assert not [name for name in vars(learner) if name.endswith("_") and not name.startswith("_")]
    assert repr(learner.get_params()) == before


# bootstraps


def test_a_bootstrap_that_misses_a_class_still_works():
    X, y = blobs(3, n=200)
    y[y == 2] = 0
    y[7] = 2  # one sample in 200: most bootstraps miss it
    model = boosted(KNeighborsClassifier(1), n_estimators=8).fit(X, y)
    assert all(len(one.classes_) == 3 for one in model.estimators_)
    assert np.isfinite(model.decision_function(X)).all()


def test_a_learner_that_never_saw_a_class_says_that_it_is_not_that_one():
    X, y = blobs(3)
    weight = (y != 2).astype(float)
    model = boosted(GaussianNB()).fit(X, y, sample_weight=weight)
    assert list(model.estimators_[0].classes_) == [0, 1]
    assert model.predict_proba(X).shape == (len(X), 3)
    assert not (model.predict(X) == 2).any()


@given(
    sizes=st.lists(st.integers(1, 20), min_size=2, max_size=4),
    power=st.integers(0, 300),
    seed=st.integers(0, 2**32 - 1),
)
@example(sizes=[7, 1, 9], power=15, seed=260766)  # a class that is put in must not push out another's only draw
@settings(max_examples=100, deadline=None)
def test_every_class_is_in_every_bootstrap(sizes, power, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    weights = 10.0 ** -(power * rng.random(len(y)))
    rows = weighted_bootstrap(y, weights / weights.sum(), rng)
    assert rows.shape == y.shape
    assert set(y[rows]) == set(y)


def test_a_bootstrap_follows_the_weights():
    y = np.repeat([0, 1], 500)
    weights = np.where(np.arange(1000) % 2, 3.0, 1.0) / 2000
    weights[::10] = 0
    rows = np.concatenate([weighted_bootstrap(y, weights, np.random.default_rng(seed)) for seed in range(30)])
    counts = np.bincount(rows, minlength=1000)
    assert not counts[::10].any()
    assert counts[1::2].sum() / counts.sum() == pytest.approx(weights[1::2].sum() / weights.sum(), abs=0.01)


def test_resampling_can_be_asked_for():
    X, y = blobs(2)
    drawn = boosted(Recorder(), resample=True).fit(X, y)
    assert all(one.sample_weight_ is None for one in drawn.estimators_)
    assert all((one.y_ != y).any() for one in drawn.estimators_)


def test_weights_have_mean_1_so_that_regularisation_means_what_it_says():
    X, y = blobs(2)
    weighed = boosted(Recorder()).fit(X, y)
    for one in weighed.estimators_:
        assert one.sample_weight_.mean() == pytest.approx(1)
        np.testing.assert_array_equal(one.y_, y)


# sample_weight


@every_learner
@two_and_three_classes
def test_weight_zero_is_removal(learner, n_classes):
    X, y = blobs(n_classes)
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    kept = weight > 0
    zeroed = boosted(learner).fit(X, y, sample_weight=weight)
    removed = boosted(learner).fit(X[kept], y[kept], sample_weight=weight[kept])
    np.testing.assert_array_equal(zeroed.decision_function(X), removed.decision_function(X))
    plain = boosted(learner).fit(X, y)
    assert (zeroed.decision_function(X) != plain.decision_function(X)).any()


def test_weight_zero_is_removal_for_a_network():
    X, y = blobs(3)
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    kept = weight > 0
    zeroed = RBFNetworkClassifier(random_state=0).fit(X, y, weight)
    removed = RBFNetworkClassifier(random_state=0).fit(X[kept], y[kept], weight[kept])
    np.testing.assert_array_equal(zeroed.output(X), removed.output(X))


@every_learner
@pytest.mark.parametrize("factor", [2.0**-40, 8.0, 2.0**900])
def test_the_unit_of_the_weights_does_not_matter(learner, factor):
    X, y = blobs(3)
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    once = boosted(learner).fit(X, y, sample_weight=weight)
    scaled = boosted(learner).fit(X, y, sample_weight=factor * weight)
    np.testing.assert_array_equal(scaled.decision_function(X), once.decision_function(X))


@given(factor=st.floats(1e-200, 1e200))
@settings(max_examples=15, deadline=None)
def test_nor_does_any_other_unit(factor):
    X, y = blobs(3)
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    once = boosted(None).fit(X, y, sample_weight=weight)
    scaled = boosted(None).fit(X, y, sample_weight=factor * weight)
    np.testing.assert_allclose(scaled.decision_function(X), once.decision_function(X), rtol=1e-7, atol=1e-9)


@every_learner
def test_equal_weights_are_no_weights(learner):
    X, y = blobs(3, n=64)
    once = boosted(learner).fit(X, y)
    np.testing.assert_array_equal(
        boosted(learner).fit(X, y, sample_weight=np.full(64, 4)).decision_function(X), once.decision_function(X)
    )


def test_weights_as_list_series_and_array_are_the_same():
    X, y = blobs(2)
    weight = np.random.default_rng(0).random(len(y))
    first = boosted(STUMP, keep_weights=True).fit(X, y, sample_weight=weight)
    for other in (list(weight), pd.Series(weight, index=range(100, 220)), pl.Series(weight)):
        model = boosted(STUMP, keep_weights=True).fit(X, y, sample_weight=other)
        np.testing.assert_array_equal(model.sample_weights_, first.sample_weights_)


# tables


def frame(n_classes=2, **options):
    X, y = blobs(n_classes)
    return pd.DataFrame(X, columns=["x", "y", "z"], **options), y


def test_a_learner_sees_the_table_that_was_given():
    table, y = frame()
    model = boosted(Recorder()).fit(table, y)
    model.predict(table)
    for one in model.estimators_:
        assert one.kind_ is one.predicted_kind_ is pd.DataFrame
        assert one.columns_ == ["x", "y", "z"]


def test_a_bootstrap_of_a_table_is_a_table_whatever_its_index():
    table, y = frame(index=[0] * 120)
    model = boosted(Recorder(), resample=True).fit(table, y)
    assert all(one.kind_ is pd.DataFrame and one.columns_ == ["x", "y", "z"] for one in model.estimators_)
    plain = boosted(Recorder(), resample=True).fit(table.to_numpy(), y)
    np.testing.assert_array_equal(model.decision_function(table), plain.decision_function(table.to_numpy()))


@pytest.mark.parametrize("learner", [STUMP, KNeighborsClassifier(), LEARNERS["pipeline"], LEARNERS["search"]], ids=repr)
def test_feature_names_are_known_to_ensemble_and_learners(learner):
    table, y = frame()
    model = boosted(learner).fit(table, y)
    for one in (model, *model.estimators_):
        assert list(one.feature_names_in_) == ["x", "y", "z"]


@every_learner
@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_numeric_table_is_its_array(learner, kind):
    X, y = blobs(3)
    table = kind({name: X[:, column] for column, name in enumerate("abc")})
    weight = np.arange(len(y)) % 4
    model = boosted(learner).fit(table, y, sample_weight=weight)
    plain = boosted(learner).fit(X, y, sample_weight=weight)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    # columns lie otherwise in memory, so sums over rows may round otherwise
    np.testing.assert_allclose(model.decision_function(table), plain.decision_function(X), rtol=1e-9, atol=1e-9)


def test_labels_may_be_a_series():
    table, y = frame()
    plain = boosted(STUMP).fit(table, y).decision_function(table)
    for series in (pd.Series(y, index=range(120, 0, -1)), pl.Series(y), pd.Series(y, dtype="Int64")):
        np.testing.assert_array_equal(boosted(STUMP).fit(table, series).decision_function(table), plain)
    named = pd.Series(np.array(["no", "yes"])[y])
    for series in (named, named.astype("category")):
        model = boosted(STUMP).fit(table, series)
        np.testing.assert_array_equal(model.decision_function(table), plain)
        assert set(model.predict(table)) == {"no", "yes"}


def mixed_table(n=90):
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], n)
    size = rng.normal(size=n)
    return pd.DataFrame({"colour": colour, "size": size}), np.where((colour == "red") ^ (size > 0), "in", "out")


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=2), KNeighborsClassifier(5)], ids=repr)
def test_a_table_of_mixed_types_goes_to_a_pipeline_that_encodes(learner):
    table, y = mixed_table()
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["colour"]), remainder="passthrough")
    model = boosted(make_pipeline(encode, learner), n_estimators=10).fit(table, y)
    assert model.score(table, y) > 0.9
    assert model.predict(table.assign(colour="yellow")).shape == (90,)


def test_a_table_of_mixed_types_also_reaches_an_ensemble_in_an_ensemble():
    table, y = mixed_table()
    encode = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
    inner = boosted(make_pipeline(encode, DecisionTreeClassifier(max_depth=2)), n_estimators=3)
    assert boosted(inner).fit(table, y).score(table, y) > 0.9


def test_an_array_of_objects_is_passed_on():
    table, y = mixed_table()
    encode = make_column_transformer((OneHotEncoder(), [0]), remainder="passthrough")
    rows = table.to_numpy()
    assert boosted(make_pipeline(encode, DecisionTreeClassifier(max_depth=2))).fit(rows, y).score(rows, y) > 0.8


# metadata routing


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_cross_validation_routes_the_weights():
    X, y = blobs(2, n=80)
    weight = np.random.default_rng(0).random(80)
    half = np.arange(40)
    cv = [(half, half + 40)]
    model = boosted(STUMP).set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
    found = cross_validate(model, X, y, cv=cv, params={"sample_weight": weight}, return_estimator=True)["estimator"][0]
    weighed = boosted(STUMP).fit(X[:40], y[:40], weight[:40]).decision_function(X)
    np.testing.assert_array_equal(found.decision_function(X), weighed)
    assert (weighed != boosted(STUMP).fit(X[:40], y[:40]).decision_function(X)).any()


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("wanted", [True, False])
def test_grid_search_routes_the_weights_to_whom_wants_them(wanted):
    X, y = blobs(2, n=80)
    weight = np.random.default_rng(0).random(80)
    model = boosted(None, emphasis=Mixed()).set_fit_request(sample_weight=wanted)
    model.set_score_request(sample_weight=wanted)
    search = GridSearchCV(model, {"emphasis__lam": [0.2]}, cv=2).fit(
        X, y, **({"sample_weight": weight} if wanted else {})
    )
    direct = boosted(None, emphasis=Mixed(0.2)).fit(X, y, weight if wanted else None)
    np.testing.assert_array_equal(search.best_estimator_.decision_function(X), direct.decision_function(X))


@pytest.mark.usefixtures("routing")
def test_a_pipeline_that_asks_for_weights_gets_them_instead_of_a_bootstrap():
    X, y = blobs(2)
    scaler = RecordingScaler().set_fit_request(sample_weight=True)
    learner = Pipeline([("scale", scaler), ("classify", Recorder().set_fit_request(sample_weight=True))])
    model = boosted(learner, keep_weights=True).fit(X, y)
    for kept, one in zip(model.sample_weights_, model.estimators_, strict=True):
        np.testing.assert_array_equal(one.named_steps["classify"].y_, y)
        for _, step in one.steps:
            np.testing.assert_allclose(step.sample_weight_, kept * len(y))


@pytest.mark.usefixtures("routing")
def test_a_pipeline_that_does_not_ask_gets_a_bootstrap():
    X, y = blobs(2)
    quiet = Recorder().set_fit_request(sample_weight=False)
    learner = Pipeline([("scale", RecordingScaler().set_fit_request(sample_weight=False)), ("classify", quiet)])
    model = boosted(learner).fit(X, y)
    for one in model.estimators_:
        assert one.named_steps["classify"].sample_weight_ is None
        assert (one.named_steps["classify"].y_ != y).any()


def test_a_request_counts_only_while_routing_is_enabled():
    X, y = blobs(2)
    with sklearn.config_context(enable_metadata_routing=True):
        learner = Pipeline([("classify", Recorder().set_fit_request(sample_weight=True))])
    model = boosted(learner).fit(X, y)
    assert all(one.named_steps["classify"].sample_weight_ is None for one in model.estimators_)


def test_our_own_learners_know_the_feature_names_too():
    X, y = blobs(2)
    table = pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])
    inner = RealAdaBoostClassifier(RBFNetworkClassifier(), n_estimators=2)
    for learner in (RBFNetworkClassifier(), inner):
        model = RealAdaBoostClassifier(learner, n_estimators=2, random_state=0).fit(table, y)
        member = model.estimators_[0]
        np.testing.assert_array_equal(member.feature_names_in_, table.columns)
        assert member.predict(table).shape == y.shape  # a warning about names would be an error
    np.testing.assert_array_equal(member.estimators_[0].feature_names_in_, table.columns)
