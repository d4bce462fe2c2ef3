"""Bad input: a clear error that names the parameter and what is allowed, or a documented correct result."""

import warnings
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_moons
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from emphatic import FusionClassifier, RBFNetworkClassifier, RealAdaBoostClassifier, check
from emphatic.base import Emphasis, Learner, MarginLearner
from emphatic.boosting.together import Fit, fit_together
from emphatic.emphasis import (
    Annealed,
    Averaged,
    Capped,
    Controlled,
    DynamicMixed,
    Focal,
    Guided,
    Mixed,
    Neighbour,
    Oversampled,
    Smooth,
    Undersampled,
    Uniform,
)
from emphatic.learners import SampledCentres

STUMP = DecisionTreeClassifier(max_depth=1)
MODELS = {
    "network": RBFNetworkClassifier(random_state=0),
    "network by descent": RBFNetworkClassifier(solver="sgd", n_epochs=5, random_state=0),
    "boosted networks": RealAdaBoostClassifier(n_estimators=4, random_state=0),
    "boosted stumps": RealAdaBoostClassifier(STUMP, n_estimators=4, random_state=0),
    "boosted neighbours": RealAdaBoostClassifier(KNeighborsClassifier(1), n_estimators=4, random_state=0),
    "boosted ensembles": RealAdaBoostClassifier(RealAdaBoostClassifier(n_estimators=2), n_estimators=2, random_state=0),
}
OURS = {name: model for name, model in MODELS.items() if "stumps" not in name and "neighbours" not in name}

every_model = pytest.mark.parametrize("model", list(MODELS), indirect=True)
only_ours = pytest.mark.parametrize("model", list(OURS), indirect=True)
few_samples_are_few = pytest.mark.filterwarnings("ignore:.*the emphasis rests on fewer than:UserWarning")
nothing_to_learn = pytest.mark.filterwarnings("ignore:No learner had an edge:UserWarning")


@pytest.fixture
def model(request):
    return clone(MODELS[request.param])


def moons(n=60):
    return make_moons(n, noise=0.2, random_state=0)


def boosted(estimator=None, emphasis=None, **parameters):
    return RealAdaBoostClassifier(estimator, emphasis, **{"n_estimators": 3, "random_state": 0, **parameters})


def assert_sane(model, X):
    """Everything a fitted model says is finite and consistent."""
    probabilities = model.predict_proba(X)
    assert np.isfinite(probabilities).all()
    assert np.isfinite(model.decision_function(X)).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[probabilities.argmax(axis=1)])


# values of X


@every_model
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_refused(model, value):
    X, y = moons()
    fitted = clone(model).fit(X, y)
    X[3, 1] = value
    with pytest.raises(ValueError, match=r"Input X contains infinity"):
        model.fit(X, y)
    with pytest.raises(ValueError, match=r"Input X contains infinity"):
        fitted.predict(X)


@every_model
def test_nan_is_refused_unless_the_learner_takes_it(model):
    X, y = moons()
    fitted = clone(model).fit(X, y)
    X[3, 1] = np.nan
    if isinstance(getattr(model, "estimator", None), DecisionTreeClassifier):
        assert_sane(model.fit(X, y), X)
        return
    for call in (lambda: model.fit(X, y), lambda: fitted.predict(X)):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            call()


@only_ours
@pytest.mark.parametrize("value", [1e300, -1e300, 1e101, np.finfo(np.float64).max])
def test_values_whose_squares_overflow_are_refused(model, value):
    X, y = moons()
    fitted = clone(model).fit(X, y)
    X[3, 1] = value
    for call in (lambda: model.fit(X, y), lambda: fitted.predict(X)):
        with pytest.raises(ValueError, match=r"X holds values beyond \+-1e\+100.*scale the columns"):
            call()


@only_ours
@pytest.mark.parametrize("scale", [1e-100, 1e-20, 1e20, 1e50, 1e90])
def test_any_scale_that_is_not_refused_works(model, scale):
    X, y = moons()
    model.fit(scale * X, y)
    assert_sane(model, scale * X)
    assert model.score(scale * X, y) > 0.7


@given(exponent=st.integers(-300, 300), shift=st.sampled_from([0.0, 1.0, -1e8]), seed=st.integers(0, 9))
@settings(max_examples=30, deadline=None)
@nothing_to_learn
@few_samples_are_few
def test_any_scale_works_or_is_refused(exponent, shift, seed):
    X, y = moons(20)
    X = 10.0**exponent * (X + shift)
    model = boosted(random_state=seed)
    if np.abs(X).max() > 1e100:
        with pytest.raises(ValueError, match="X holds values beyond"):
            model.fit(X, y)
    else:
        assert_sane(model.fit(X, y), X)


@every_model
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_is_refused(model, kind):
    X, y = moons()
    with pytest.raises(TypeError, match=r"dense.*toarray"):
        model.fit(kind(X), y)
    with pytest.raises(TypeError, match=r"dense.*toarray"):
        model.fit(X, y).predict(kind(X))


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "read-only": read_only,
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "reversed twice": lambda X: X[::-1].copy()[::-1],
    "big-endian": lambda X: X.astype(">f8"),
    "list": lambda X: X.tolist(),
}


@every_model
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_the_layout_in_memory_does_not_matter(model, layout):
    X, y = moons()
    plain = clone(model).fit(X, y).decision_function(X)
    other = model.fit(layout(X), y)
    np.testing.assert_array_equal(other.decision_function(X), plain)
    np.testing.assert_array_equal(other.decision_function(layout(X)), plain)


@every_model
@few_samples_are_few
def test_read_only_labels_and_weights(model):
    X, y = moons()
    weight = np.random.default_rng(0).random(len(y))
    plain = clone(model).fit(X, y, weight).decision_function(X)
    np.testing.assert_array_equal(model.fit(read_only(X), read_only(y), read_only(weight)).decision_function(X), plain)


@every_model
@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_short_floats_are_computed_as_long_ones(model, kind):
    X, y = moons()
    X = X.astype(kind)
    short, long = clone(model).fit(X, y), clone(model).fit(X.astype(np.float64), y)
    np.testing.assert_array_equal(short.decision_function(X), long.decision_function(X.astype(np.float64)))
    assert short.decision_function(X).dtype == np.float64


@every_model
@pytest.mark.parametrize("kind", [int, bool, np.uint8])
def test_integers_and_booleans_are_numbers(model, kind):
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    y = X[:, 0]
    model.fit(X.astype(kind), y)
    np.testing.assert_array_equal(
        model.decision_function(X.astype(kind)), clone(model).fit(X.astype(float), y).decision_function(X.astype(float))
    )


@only_ours
def test_text_is_refused(model):
    with pytest.raises(ValueError, match="could not convert string to float"):
        model.fit(np.array([["a", "b"]] * 6, dtype=object), [0, 1] * 3)


@every_model
def test_a_constant_column_changes_nothing_but_the_draws(model):
    X, y = moons()
    wide = np.column_stack([X, np.full(len(X), 7.0)])
    assert_sane(model.fit(wide, y), wide)
    assert model.score(wide, y) > 0.75


@every_model
@nothing_to_learn
@few_samples_are_few
def test_only_constant_columns_leave_the_more_frequent_class(model):
    X, y = np.full((30, 3), 4.0), np.repeat(["rare", "usual"], [5, 25])
    assert_sane(model.fit(X, y), X)
    assert set(model.predict(X)) == {"usual"}


@every_model
@nothing_to_learn
@few_samples_are_few
def test_equal_rows_with_different_labels(model):
    X, y = moons(20)
    X, y = np.vstack([X, X]), np.concatenate([y, 1 - y])
    assert_sane(model.fit(X, y), X)


@every_model
def test_repeated_rows(model):
    X, y = moons(20)
    X, y = np.repeat(X, 5, axis=0), np.repeat(y, 5)
    assert_sane(model.fit(X, y), X)
    assert model.score(X, y) > 0.7


@every_model
@nothing_to_learn
@few_samples_are_few
@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("features", [1, 2, 30])
def test_a_handful_of_samples(model, n, features):
    X = np.random.default_rng(n).normal(size=(n, features))
    y = np.arange(n) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert_sane(model.fit(X, y), X)


@every_model
@few_samples_are_few
def test_one_sample_of_each_class(model):
    X, y = np.array([[-1.0, 0.0], [1.0, 0.0]]), ["left", "right"]
    model.fit(X, y)
    assert_sane(model, X)
    np.testing.assert_array_equal(model.predict(X), y)


@every_model
def test_one_feature(model):
    X, y = np.r_[np.linspace(-1, -0.2, 40), np.linspace(0.2, 1, 40)][:, None], np.repeat([0, 1], 40)
    assert_sane(model.fit(X, y), X)
    assert model.score(X, y) > 0.9


@every_model
def test_more_features_than_rows(model):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 10)
    X = rng.normal(size=(20, 100)) + 2 * y[:, None]
    assert_sane(model.fit(X, y), X)
    assert model.score(X, y) > 0.9


@every_model
@pytest.mark.parametrize("n", [0, 1])
def test_no_rows_or_one(model, n):
    with pytest.raises(ValueError, match=r"0 sample|0 rows|minimum of 1|only one class|1 class"):
        model.fit(np.zeros((n, 2)), np.zeros(n))


@every_model
def test_no_columns(model):
    with pytest.raises(ValueError, match=r"0 feature"):
        model.fit(np.zeros((4, 0)), [0, 1, 0, 1])


@every_model
def test_a_row_alone_is_refused_with_advice(model):
    with pytest.raises(ValueError, match="Reshape your data"):
        model.fit(np.zeros(4), [0, 1, 0, 1])


# labels


@every_model
@pytest.mark.parametrize("y", [np.zeros(60), ["a"] * 60, np.ones(60, dtype=bool)], ids=["0", "a", "True"])
def test_a_single_class_is_refused(model, y):
    message = r"y holds only one class \((0.0|'a'|True)\): a classifier needs .* at least 2 classes"
    with pytest.raises(ValueError, match=message):
        model.fit(moons()[0], y)


BAD_LABELS = {
    "mixed": (np.array([1, "a"] * 30, dtype=object), "y holds labels of mixed type"),
    "some None": (np.array(["a", "b", None] * 20, dtype=object), "y holds labels of mixed type"),
    "None": (np.array([None] * 60, dtype=object), "Unknown label type"),
    "no y": (None, "y"),
    "continuous": (np.linspace(0, 1, 60), "Unknown label type: continuous"),
    "NaN": (np.array([0, 1, np.nan] * 20), "y contains NaN"),
    "infinity": (np.array([0, 1, np.inf] * 20), "y contains NaN or infinity"),
    "two columns": (np.zeros((60, 2)), r"y should be a 1d array"),
    "too few": (np.array([0, 1] * 20), "X has 60 rows but y has 40 labels"),
    "complex": (np.array([0, 1j] * 30), "Complex data not supported"),
}


@every_model
@pytest.mark.parametrize(("y", "message"), BAD_LABELS.values(), ids=list(BAD_LABELS))
def test_bad_labels_are_refused(model, y, message):
    with pytest.raises(ValueError, match=message):
        model.fit(moons()[0], y)


@every_model
def test_missing_labels_of_pandas_are_refused(model):
    X, y = moons()
    for series in (pd.Series(y, dtype="Int64"), pd.Series(y).astype(str), pd.Series(y).astype("category")):
        series[3] = None
        with pytest.raises(ValueError, match=r"mixed type|NaN|missing"):
            model.fit(X, series)


# sample_weight

BAD_WEIGHTS = {
    "negative": (
        lambda n: np.r_[-1.0, np.ones(n - 1)],
        r"sample_weight holds negative values \(least -1\).*at least 0",
    ),
    "zero": (np.zeros, "sample_weight is zero for every sample: at least one weight must be positive"),
    "NaN": (
        lambda n: np.r_[np.nan, np.ones(n - 1)],
        "sample_weight holds NaN or infinity: every weight must be finite",
    ),
    "infinite": (lambda n: np.r_[np.inf, np.ones(n - 1)], "sample_weight holds NaN or infinity"),
    "short": (lambda n: np.ones(n - 1), r"sample_weight has shape \(59,\).*must have shape \(60,\)"),
    "a column": (lambda n: np.ones((n, 1)), r"sample_weight has shape \(60, 1\)"),
    "text": (lambda n: ["heavy"] * n, "sample_weight must hold numbers"),
    "a ragged list": (lambda n: [[1.0]] + [2.0] * (n - 1), "sample_weight"),
    "one class": (lambda n: moons(n)[1].astype(float), "sample_weight leaves samples of only one class"),
}


@every_model
@pytest.mark.parametrize(("weights", "message"), BAD_WEIGHTS.values(), ids=list(BAD_WEIGHTS))
def test_bad_weights_are_refused(model, weights, message):
    X, y = moons()
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, sample_weight=weights(60))


@pytest.mark.parametrize(("weights", "message"), list(BAD_WEIGHTS.values())[:7], ids=list(BAD_WEIGHTS)[:7])
def test_bad_design_weights_are_refused_by_their_name(weights, message):
    X, y = moons()
    with pytest.raises(ValueError, match=message.replace("sample_weight", "design_weight")):
        RBFNetworkClassifier().fit(X, y, design_weight=weights(60))


@pytest.mark.parametrize("name", list(MODELS))
@given(exponents=st.lists(st.integers(-300, 300), min_size=12, max_size=12))
@settings(max_examples=10, deadline=None)
@nothing_to_learn
@few_samples_are_few
def test_weights_of_any_size_work_or_are_refused(name, exponents):
    X, y = moons(12)
    weight = 10.0 ** np.array(exponents)
    heard = weight / weight.max() > 0  # the others weigh nothing beside the largest
    model = clone(MODELS[name])
    if len(set(y[heard])) < 2:
        with pytest.raises(ValueError, match="only one class"):
            model.fit(X, y, sample_weight=weight)
    else:
        assert_sane(model.fit(X, y, sample_weight=weight), X)


# parameters

BAD_PARAMETERS = [
    (
        boosted(n_estimators=0),
        ValueError,
        "n_estimators=0 is not allowed: n_estimators must be an integer of at least 1",
    ),
    (boosted(n_estimators=-1), ValueError, "n_estimators=-1 is not allowed"),
    (boosted(n_estimators=1.5), ValueError, "n_estimators=1.5 is not allowed"),
    (boosted(n_estimators=True), ValueError, "n_estimators=True is not allowed"),
    (boosted(n_estimators="10"), ValueError, "n_estimators='10' is not allowed"),
    (boosted(n_estimators=None), ValueError, "n_estimators=None is not allowed"),
    (boosted(vote="loud"), ValueError, "vote='loud' is not allowed: vote must be one of 'auto', 'bound', 'emphasis'"),
    (
        boosted(resample="maybe"),
        ValueError,
        "resample='maybe' is not allowed: resample must be one of 'auto', True, False",
    ),
    (boosted(resample=1), ValueError, "resample=1 is not allowed"),
    (boosted(negative="keep"), ValueError, "negative='keep' is not allowed: negative must be one of 'stop', 'flip'"),
    (boosted(patience=-1), ValueError, "patience=-1 is not allowed"),
    (boosted(min_ess=0.5), ValueError, r"min_ess=0.5 is not allowed: min_ess must be a finite number in \[1"),
    (boosted(min_ess="5"), ValueError, "min_ess='5' is not allowed"),
    (boosted(stop_ratio=1.5), ValueError, r"stop_ratio=1.5 is not allowed: .* in \[0, 1\]"),
    (boosted(random_state="abc"), ValueError, "random_state='abc' is not allowed"),
    (boosted(random_state=-1), ValueError, "random_state=-1 is not allowed"),
    (boosted(emphasis=Mixed), TypeError, r"emphasis=.*Mixed.* must be an Emphasis, such as Mixed\(0.3\)"),
    (boosted(emphasis="mixed"), TypeError, r"emphasis='mixed' is not allowed: emphasis must be an Emphasis"),
    (boosted(design_emphasis="mixed"), TypeError, "design_emphasis='mixed' is not allowed"),
    (boosted(emphasis=Mixed(-0.1)), ValueError, r"lam=-0.1 is not allowed: lam must be a finite number in \[0, 1\]"),
    (boosted(emphasis=Mixed(1.1)), ValueError, "lam=1.1 is not allowed"),
    (boosted(emphasis=Mixed(np.nan)), ValueError, "lam=nan is not allowed"),
    (boosted(emphasis=Mixed("0.5")), ValueError, "lam='0.5' is not allowed"),
    (boosted(emphasis=Mixed(None)), ValueError, "lam=None is not allowed"),
    (boosted(emphasis=Mixed(True)), ValueError, "lam=True is not allowed"),
    (
        boosted(emphasis=Mixed(f_scale="big")),
        ValueError,
        "f_scale='big' is not allowed: f_scale must be one of 'raw', 'sum'",
    ),
    (boosted(design_emphasis=Mixed(2)), ValueError, "lam=2 is not allowed"),
    (
        boosted(KNeighborsClassifier(), resample=False),
        ValueError,
        "resample=False needs .* sample_weight.*KNeighborsClassifier",
    ),
    (
        boosted(STUMP, design_emphasis=Uniform()),
        ValueError,
        r"design_emphasis=Uniform\(\) needs .*DecisionTreeClassifier does not",
    ),
    (boosted(DecisionTreeClassifier), TypeError, "estimator"),
    (boosted("tree"), TypeError, "estimator"),
    (boosted(LinearRegression()), TypeError, "estimator"),
    (
        RBFNetworkClassifier(solver="newton"),
        ValueError,
        "solver='newton' is not allowed: solver must be one of 'ridge', 'sgd'",
    ),
    (
        RBFNetworkClassifier(output_range="sign"),
        ValueError,
        "output_range='sign' is not allowed: .* 'clip', 'tanh', 'none'",
    ),
    (RBFNetworkClassifier(regularisation=-1), ValueError, "regularisation=-1 is not allowed"),
    (RBFNetworkClassifier(regularisation=np.inf), ValueError, "regularisation=inf is not allowed"),
    (RBFNetworkClassifier(solver="sgd", step=0), ValueError, "step=0 is not allowed"),
    (RBFNetworkClassifier(solver="sgd", n_epochs=0), ValueError, "n_epochs=0 is not allowed"),
    (RBFNetworkClassifier(solver="sgd", step_scale="min"), ValueError, "step_scale='min' is not allowed"),
    (RBFNetworkClassifier(random_state="abc"), ValueError, "random_state='abc' is not allowed"),
    (RBFNetworkClassifier(SampledCentres), TypeError, "design=.* must be a"),
    (
        RBFNetworkClassifier(0.1),
        TypeError,
        r"design=0.1 is not allowed: design must be a.* Design, such as SampledCentres",
    ),
    (RBFNetworkClassifier(SampledCentres(0)), ValueError, r"fraction=0 is not allowed: .* in \(0, 1\]"),
    (RBFNetworkClassifier(SampledCentres(1.5)), ValueError, "fraction=1.5 is not allowed"),
    (RBFNetworkClassifier(SampledCentres(np.nan)), ValueError, "fraction=nan is not allowed"),
    (
        RBFNetworkClassifier(SampledCentres(n_centres=61)),
        ValueError,
        "n_centres=61 is not allowed: there are only 60 samples",
    ),
    (RBFNetworkClassifier(SampledCentres(n_centres=0)), ValueError, "n_centres=0 is not allowed"),
    (RBFNetworkClassifier(SampledCentres(max_centres=0)), ValueError, "max_centres=0 is not allowed"),
    (RBFNetworkClassifier(SampledCentres(replace="yes")), ValueError, "replace='yes' is not allowed"),
    (
        RBFNetworkClassifier(SampledCentres(assign="nearest")),
        ValueError,
        "assign='nearest' is not allowed: .* 'any_class', 'same_class'",
    ),
    (RBFNetworkClassifier(SampledCentres(width_floor=0)), ValueError, "width_floor=0 is not allowed"),
    (boosted(RBFNetworkClassifier(SampledCentres(n_centres=61))), ValueError, "n_centres=61 is not allowed"),
    (boosted(boosted(emphasis=Mixed(7))), ValueError, "lam=7 is not allowed"),
]


@pytest.mark.parametrize(("model", "error", "message"), BAD_PARAMETERS, ids=[one[2][:30] for one in BAD_PARAMETERS])
def test_a_bad_parameter_is_named_with_what_is_allowed(model, error, message):
    with pytest.raises(error, match=message):
        model.fit(*moons())


class ReadsHiddenMargins(Emphasis):
    """A toy emphasis that needs what only a MarginLearner has."""

    learner_type = MarginLearner

    def update(self, stage):
        return np.abs(stage.learner.hidden_margins(stage.X, stage.y)).sum(axis=1)


@pytest.mark.parametrize(
    "learner", [STUMP, RBFNetworkClassifier(), RealAdaBoostClassifier()], ids=lambda one: type(one).__name__
)
@pytest.mark.parametrize("role", ["emphasis", "design_emphasis"])
def test_an_emphasis_whose_needs_the_learner_does_not_meet(learner, role):
    message = (
        rf"{role}=ReadsHiddenMargins\(\) needs a learner that is a MarginLearner, and {type(learner).__name__} is not"
    )
    with pytest.raises(ValueError, match=message):
        boosted(learner, **{role: ReadsHiddenMargins()}).fit(*moons())


# predict


@every_model
@pytest.mark.parametrize("columns", [1, 3])
def test_another_number_of_columns_is_refused(model, columns):
    model.fit(*moons())
    with pytest.raises(
        ValueError, match=f"X has {columns} features, but {type(model).__name__} is expecting 2 features"
    ):
        model.predict(np.zeros((3, columns)))


@every_model
def test_other_feature_names_are_refused(model):
    X, y = moons()
    model.fit(pd.DataFrame(X, columns=["a", "b"]), y)
    for names in (["a", "c"], ["b", "a"]):
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(pd.DataFrame(X, columns=names))


@every_model
def test_no_rows_to_predict_is_refused(model):
    model.fit(*moons())
    with pytest.raises(ValueError, match=r"0 sample|0 rows"):
        model.predict(np.zeros((0, 2)))


@every_model
def test_predict_before_fit(model):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        clone(model).predict([[0.0, 0.0]])


def test_a_failed_fit_can_be_followed_by_a_good_one():
    X, y = moons()
    model = boosted(n_estimators=0)
    with pytest.raises(ValueError, match="n_estimators=0"):
        model.fit(X, y)
    assert model.set_params(n_estimators=3).fit(X, y).score(X, y) > 0.7


# learners that are never, or always, right


class Memory(ClassifierMixin, BaseEstimator):
    """Knows the training labels by heart and says them, shifted by `shift` classes."""

    def __init__(self, shift=0):
        self.shift = shift

    def fit(self, X, y, sample_weight=None):
        self.classes_, codes = np.unique(y, return_inverse=True)
        shifted = self.classes_[(codes + self.shift) % len(self.classes_)]
        self.known_ = dict(zip(map(tuple, np.asarray(X).tolist()), shifted, strict=True))
        return self

    def predict(self, X):
        return np.array([self.known_[tuple(row)] for row in np.asarray(X).tolist()])


@pytest.mark.parametrize("frequencies", [(10, 30), (30, 10), (10, 20, 15)])
def test_a_learner_that_is_never_right_leaves_the_class_frequencies(frequencies):
    y = np.repeat(np.array(["a", "b", "c"])[: len(frequencies)], frequencies)
    X = np.arange(len(y), dtype=float)[:, None]
    model = boosted(Memory(1))
    with pytest.warns(UserWarning, match="No learner had an edge"):
        model.fit(X, y)
    assert model.stop_reason_ == "edge"
    assert model.estimators_ == []
    assert model.alphas_.shape == model.edges_.shape == (0,)
    expected = np.array(frequencies) / sum(frequencies)
    np.testing.assert_allclose(model.predict_proba(X), np.tile(expected, (len(X), 1)))
    assert set(model.predict(X)) == {model.classes_[expected.argmax()]}
    assert list(model.staged_predict(X)) == []
    assert np.abs(model.output(X)).max() <= 1


@pytest.mark.parametrize(
    "fit",
    [
        lambda model, X, y: model.fit(X, y),
        lambda model, X, y: make_pipeline(StandardScaler(), model).fit(X, y),
        lambda model, X, y: GridSearchCV(model, {"n_estimators": [2]}, cv=2).fit(X, y),
        lambda model, X, y: cross_val_score(model, X, y, cv=2),
        lambda model, X, y: FusionClassifier([("a", model, None), ("b", GaussianNB(), None)]).fit(X, y),
        lambda model, X, y: fit_together([Fit(model, X, y), Fit(clone(model), X, y)]),
    ],
    ids=["fit", "pipeline", "search", "cross-validation", "fusion", "together"],
)
def test_a_warning_points_at_the_line_of_the_user(fit):
    X = np.arange(40.0)[:, None]
    with pytest.warns(UserWarning, match="No learner had an edge") as caught:
        fit(boosted(Memory(1)), X, np.repeat([0, 1], 20))
    assert {one.filename for one in caught} == {__file__}
    # the line itself, not the file alone
    assert {one.lineno for one in caught} == {fit.__code__.co_firstlineno}


@pytest.mark.parametrize("edge", [1e-34, 1e-17, 1e-13, -1e-34, 0.0])
@pytest.mark.parametrize("negative", ["stop", "flip"])
def test_an_edge_within_rounding_of_zero_is_no_edge(edge, negative):
    class Nearly(Learner):
        def learn(self, lesson):
            return edge * (2.0 * lesson.y - 1.0)  # every margin is the edge

        def respond(self, X):
            return np.zeros(len(X))

    X, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
    model = boosted(Nearly(), negative=negative)
    with pytest.warns(UserWarning, match="No learner had an edge"):
        model.fit(X, y)
    assert model.stop_reason_ == "edge" and model.estimators_ == []


def test_of_candidates_whose_edges_differ_by_rounding_the_first_is_kept():
    class Rounded(Learner):
        """A learner whose edge grows by rounding with every training."""

        trainings: ClassVar[list] = []

        def learn(self, lesson):
            Rounded.trainings.append(self)
            return (0.5 + 1e-15 * len(Rounded.trainings)) * (2.0 * lesson.y - 1.0)

        def respond(self, X):
            return np.zeros(len(X))

    X, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
    model = boosted(Rounded(), DynamicMixed((0.2, 0.5, 0.8)), n_estimators=3).fit(X, y)
    assert model.candidates_.tolist() == [0, 0, 0]


def test_the_frequencies_are_those_of_the_weights():
    y = np.repeat([0, 1], [30, 10])
    X = np.arange(40.0)[:, None]
    model = boosted(Memory(1), keep_weights=True)
    with pytest.warns(UserWarning, match="No learner had an edge"):
        model.fit(X, y, sample_weight=np.where(y == 1, 9.0, 1.0))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 0.75)
    assert (model.predict(X) == 1).all()
    assert model.sample_weights_.shape == (0, 40)


def test_the_votes_of_a_learner_that_is_never_right_can_be_flipped():
    y = np.repeat([0, 1], [30, 10])
    X = np.arange(40.0)[:, None]
    model = boosted(Memory(1), negative="flip").fit(X, y)
    assert (model.alphas_ < 0).all()
    assert model.score(X, y) == 1


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("emphasis", [None, Mixed(0.0), Mixed(1.0), Uniform()], ids=repr)
def test_the_vote_of_a_perfect_learner_is_finite(n_classes, emphasis):
    y = np.arange(30) % n_classes
    X = np.arange(30.0)[:, None]
    model = boosted(Memory(), emphasis, n_estimators=20).fit(X, y)
    assert model.score(X, y) == 1
    assert (model.alphas_ <= 11.86).all()
    assert model.alphas_[0] > 11.85
    assert model.margin_ == pytest.approx(1)
    assert_sane(model, X)


def test_growth_that_min_ess_ends_at_once_says_so():
    X, y = make_moons(60, random_state=0)
    with pytest.warns(UserWarning, match="No round was kept.*'ess'"):
        RealAdaBoostClassifier(n_estimators=2, min_ess=len(y) + 1).fit(X, y)


def test_keep_weights_is_true_or_false():
    X, y = make_moons(60, random_state=0)
    with pytest.raises(ValueError, match="keep_weights='yes'"):
        RealAdaBoostClassifier(keep_weights="yes").fit(X, y)


# emphases of paper 001, and of the literature

BAD_EMPHASES = [
    (Controlled(alpha=1.1), ValueError, r"alpha=1.1 is not allowed: alpha must be a finite number in \[0, 1\]"),
    (Controlled(alpha=-0.1), ValueError, "alpha=-0.1 is not allowed"),
    (Controlled(beta=2), ValueError, r"beta=2 is not allowed: beta must be a finite number in \[0, 1\]"),
    (Controlled(beta=np.nan), ValueError, "beta=nan is not allowed"),
    (Controlled(f_scale="raw"), ValueError, "f_scale='raw' is not allowed: .* one of 'sum', 'tanh', 'clip'"),
    (Neighbour(), TypeError, r"base=None is not allowed: base must be an Emphasis, such as Mixed\(0.3\)"),
    (Neighbour(Mixed), TypeError, "base=.*Mixed.* is not allowed: base must be an Emphasis"),
    (Neighbour(Mixed(7)), ValueError, "lam=7 is not allowed"),
    (Neighbour(Mixed(), n_neighbors=0), ValueError, "n_neighbors=0 is not allowed: .* an integer of at least 1"),
    (Neighbour(Mixed(), n_neighbors=2.5), ValueError, "n_neighbors=2.5 is not allowed"),
    (Neighbour(Mixed(), n_neighbors=60), ValueError, "n_neighbors=60 is not allowed: there are 60 samples.* less than"),
    (
        Neighbour(Mixed(), n_neighbors=30, same_class=True),
        ValueError,
        "n_neighbors=30 is not allowed: there are 30 samples in the smallest class",
    ),
    (Neighbour(Mixed(), share=1.5), ValueError, r"share=1.5 is not allowed: share must be a finite number in \[0, 1\]"),
    (Neighbour(Mixed(), share=-1), ValueError, "share=-1 is not allowed"),
    (Neighbour(Mixed(), same_class="yes"), ValueError, "same_class='yes' is not allowed: .* one of True, False"),
    (Neighbour(ReadsHiddenMargins()), ValueError, "needs a learner that is a MarginLearner"),
    (Guided(), TypeError, r"base=None is not allowed: base must be an Emphasis, such as Mixed\(0.3\)"),
    (Guided(Mixed(), guide=Mixed()), TypeError, r"guide=Mixed\(\) is not allowed: guide must be a classifier, such as"),
    (Guided(Mixed(), guide=GaussianNB), TypeError, "guide=<class .*GaussianNB.*> is not allowed"),
    (Guided(Mixed(), n_folds=1), ValueError, "n_folds=1 is not allowed: n_folds must be an integer of at least 2"),
    (DynamicMixed([]), ValueError, r"lams=\[\] is not allowed: lams must be a list of at least one finite number"),
    (DynamicMixed(0.5), ValueError, "lams=0.5 is not allowed: lams must be a list"),
    (DynamicMixed(None), ValueError, "lams=None is not allowed: lams must be a list"),
    (DynamicMixed([0.2, 1.5]), ValueError, r"lams\[1\]=1.5 is not allowed: .* a finite number in \[0, 1\]"),
    (DynamicMixed("0.5"), ValueError, r"lams\[0\]='0' is not allowed"),
    (DynamicMixed(f_scale="big"), ValueError, "f_scale='big' is not allowed: .* 'raw', 'sum', 'tanh', 'clip'"),
    (Smooth(0), ValueError, r"gamma=0 is not allowed: gamma must be a finite number in \(0, 0.5\)"),
    (Smooth(0.5), ValueError, "gamma=0.5 is not allowed"),
    (Smooth(None), ValueError, "gamma=None is not allowed"),
    (Focal(-0.1), ValueError, r"gamma=-0.1 is not allowed: gamma must be a finite number in \[0, 100\]"),
    (Focal(101), ValueError, "gamma=101 is not allowed"),
    (Focal("2"), ValueError, "gamma='2' is not allowed"),
    (Averaged(), TypeError, r"base=None is not allowed: base must be an Emphasis, such as Mixed\(0.3\)"),
    (Averaged(DynamicMixed()), ValueError, r"Averaged needs one distribution .* DynamicMixed\(\) offers 11: use an"),
    (Capped(Mixed(), 0.9), ValueError, r"largest=0.9 is not allowed: largest must be a finite number in \[1, inf\]"),
    (Capped(Mixed(), np.nan), ValueError, "largest=nan is not allowed"),
    (Undersampled(Mixed(), 0), ValueError, r"ratio=0 is not allowed: ratio must be a finite number in \(0, inf\]"),
    (Oversampled(Mixed(), 1.1), ValueError, r"ratio=1.1 is not allowed: ratio must be a finite number in \(0, 1\]"),
    (Oversampled(Mixed(), n_neighbors=0), ValueError, "n_neighbors=0 is not allowed"),
    (Annealed(Mixed()), TypeError, "last=None is not allowed: last must be an Emphasis"),
    (Annealed(Mixed(7), Mixed()), ValueError, "lam=7 is not allowed"),
    (Annealed(Mixed(), Mixed(), 0), ValueError, "rounds=0 is not allowed: rounds must be an integer of at least 1"),
    (Capped(Neighbour(Capped(Mixed()))), ValueError, "base is not allowed: it holds a Capped"),
]


@pytest.mark.parametrize(("emphasis", "error", "message"), BAD_EMPHASES, ids=[one[2][:30] for one in BAD_EMPHASES])
def test_a_bad_parameter_of_an_emphasis_is_named(emphasis, error, message):
    with pytest.raises(error, match=message):
        boosted(emphasis=emphasis).fit(*moons())


@pytest.mark.parametrize("emphasis", [DynamicMixed(), Neighbour(DynamicMixed())], ids=repr)
def test_a_lambda_is_not_chosen_under_unbounded_weights_of_its_own(emphasis):
    with pytest.raises(ValueError, match=r"f_scale='raw' is not allowed with vote=Edge\(\).*'sum', 'tanh' or"):
        boosted(emphasis=emphasis, vote="emphasis").fit(*moons())
    bounded = boosted(emphasis=DynamicMixed(f_scale="sum"), vote="emphasis").fit(*moons())
    assert bounded.score(*moons()) > 0.8


@pytest.mark.parametrize("emphasis", [DynamicMixed(), Neighbour(DynamicMixed())], ids=repr)
def test_a_design_has_no_candidates(emphasis):
    with pytest.raises(ValueError, match=r"design_emphasis=DynamicMixed\(\) is not allowed.*such as Mixed\(0.3\)"):
        boosted(design_emphasis=emphasis).fit(*moons())


def test_neighbours_need_numbers():
    X, y = moons()
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"Neighbour measures distances, so X must hold finite numbers only: .*NaN"):
        boosted(STUMP, Neighbour(Mixed())).fit(X, y)
    words = make_pipeline(OrdinalEncoder(), STUMP)
    table = pd.DataFrame({"side": np.where(y, "left", "right")})
    with pytest.raises(ValueError, match=r"Neighbour measures distances, so X must hold finite numbers only: .*float"):
        boosted(words, Neighbour(Mixed())).fit(table, y)


@pytest.mark.parametrize("same_class", [False, True])
def test_neighbours_among_repeated_and_constant_rows(same_class):
    X, y = moons(20)
    X, y = np.repeat(X, 8, axis=0), np.repeat(y, 8)
    assert_sane(boosted(emphasis=Neighbour(Mixed(0.3), same_class=same_class)).fit(X, y), X)
    X[:] = 4.0
    with pytest.warns(UserWarning, match="No learner had an edge"):
        boosted(emphasis=Neighbour(Mixed(0.3), same_class=same_class)).fit(X, y)


@pytest.mark.parametrize("estimator", [RBFNetworkClassifier(), RealAdaBoostClassifier()], ids=repr)
def test_a_table_with_text_is_refused_with_the_remedy(estimator):
    table = pd.DataFrame({"colour": ["red", "blue"] * 5, "size": range(10)})
    with pytest.raises(ValueError, match=r"X holds text.*TableTransformer.*'red'"):
        estimator.fit(table, [0, 1] * 5)


def test_a_number_for_a_design_is_refused_in_good_english():
    X, y = make_moons(20, random_state=0)
    with pytest.raises(TypeError, match=r"design=0.1 is not allowed: design must be a Design, such as SampledCentres"):
        RBFNetworkClassifier(0.1).fit(X, y)


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", [1], True])
def test_a_number_of_jobs_that_is_none_is_refused(n_jobs):
    with pytest.raises(ValueError, match=r"n_jobs=.* is not allowed: n_jobs must be None or an integer other than 0"):
        check.jobs(n_jobs)


def test_a_limit_beyond_single_precision_is_no_overflow():
    assert check.real("x", np.float32(0.5), -1e300, 1e300) == 0.5
