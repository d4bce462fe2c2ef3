"""FusionClassifier: any classifiers on any columns, fused; scikit-learn's contract; errors that name the member."""

import pickle

import numpy as np
import pandas as pd
import polars
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.datasets import load
from emphatic.fusion.classifier import FusionClassifier
from emphatic.fusion.columns import column_positions
from emphatic.fusion.reliability import estimate_accuracies, minimise_log_loss
from emphatic.fusion.rules import RULES, dempster_shafer, mean

X, y = load_iris(return_X_y=True)
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FRAME = pd.DataFrame(X, columns=NAMES)
TWO = [("sepal", GaussianNB(), [0, 1]), ("petal", GaussianNB(), [2, 3])]


def fused(members=TWO, **parameters):
    return FusionClassifier(members, **parameters)


CHECKED = [
    FusionClassifier([("all", GaussianNB(), None), ("other", GaussianNB(), slice(None, None, 2))]),
    FusionClassifier([("first", GaussianNB(), slice(0, 1)), ("all", GaussianNB(), "all")], "product"),
    FusionClassifier([("first", GaussianNB(), slice(0, 1)), ("all", GaussianNB(), "all")], reliability="robust"),
]


def expect_failures(estimator):
    """As of scikit-learn's bagging: tests/test_contract.py shows that it fails the same check."""
    drawn = "rows whose supports are exchanged are drawn: a repeated row is drawn otherwise"
    return {"check_sample_weight_equivalence_on_dense_data": drawn} if estimator.reliability == "robust" else {}


@pytest.mark.contract
@parametrize_with_checks(CHECKED, expected_failed_checks=expect_failures)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


# identities


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("classifier", [GaussianNB(), DecisionTreeClassifier(random_state=0, max_depth=2), LinearSVC()])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_member_is_itself(rule, classifier, n_classes):
    rows = y < n_classes
    alone = clone(classifier).fit(X[rows], y[rows])
    model = fused([("alone", classifier, None)], fusion=rule).fit(X[rows], y[rows])
    np.testing.assert_array_equal(model.predict(X), alone.predict(X))
    if hasattr(alone, "predict_proba"):
        np.testing.assert_array_equal(model.member_probabilities(X)[0], alone.predict_proba(X))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("rule", RULES)
def test_predictions_probabilities_and_scores_agree(rule, n_classes):
    rows = y < n_classes
    model = fused(fusion=rule).fit(X[rows], y[rows])
    far = np.vstack([X, X * 10, -X])
    probabilities, score = model.predict_proba(far), model.decision_function(far)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(far), probabilities.argmax(axis=1))
    assert np.abs(score).max() <= 1
    winner = (score >= 0) if n_classes == 2 else score.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(far), winner)


def test_a_tie_goes_to_the_first_class_also_of_two():
    opposite = [("a", DecisionTreeClassifier(), [0]), ("b", DecisionTreeClassifier(), [1])]
    model = fused(opposite, fusion="mean").fit([[0.0, 0.0], [1.0, 1.0]], [0, 1])
    np.testing.assert_allclose(model.predict_proba([[0.0, 1.0]]), [[0.5, 0.5]])
    assert model.predict([[0.0, 1.0]]) == [0]
    assert model.decision_function([[0.0, 1.0]]) < 0


def test_it_is_what_one_would_do_by_hand():
    model = fused(reliability=[0.9, 0.7]).fit(X, y)
    by_hand = [GaussianNB().fit(X[:, at], y).predict_proba(X[:, at]) for at in ([0, 1], [2, 3])]
    np.testing.assert_array_equal(model.member_probabilities(X), by_hand)
    np.testing.assert_array_equal(model.predict_proba(X), dempster_shafer(by_hand, [0.9, 0.7]))
    np.testing.assert_array_equal(fused(fusion="mean").fit(X, y).predict_proba(X), mean(by_hand))
    np.testing.assert_array_equal(model.reliabilities_, [0.9, 0.7])
    assert list(model.named_members_) == ["sepal", "petal"]
    assert model.named_members_["petal"] is model.members_[1]
    np.testing.assert_array_equal(model.columns_, [[0, 1], [2, 3]])
    assert model.n_features_in_ == 4


def test_conflict_is_larger_where_the_members_are_wrong():
    model = fused(reliability=0.9).fit(X, y)
    conflict, wrong = model.conflict(X), model.predict(X) != y
    assert conflict.shape == (150,)
    assert conflict.min() >= 0 and conflict.max() <= 1
    assert conflict[wrong].mean() > 1.5 * conflict[~wrong].mean()
    same = fused([("a", GaussianNB(), None)], reliability=0.9).fit(X, y)
    np.testing.assert_allclose(same.conflict(X), 0, atol=1e-15)
    np.testing.assert_array_equal(fused(fusion="mean", reliability=0.9).fit(X, y).conflict(X), conflict)


# reliability


def test_a_member_that_is_sure_and_wrong_is_not_believed():
    members = [("sure", GaussianNB(), [0, 1]), ("right", LogisticRegression(), [2, 3])]
    model = fused(members).fit(X, y)
    assert model.reliabilities_[0] <= 0.2 < 0.9 <= model.reliabilities_[1]
    assert model.score(X, y) > 0.95 > fused(members, fusion="mean").fit(X, y).score(X, y)
    accuracy = fused(members, reliability="accuracy").fit(X, y)
    assert 0.7 < accuracy.reliabilities_[0] < 0.9 < accuracy.reliabilities_[1] < 1


def test_equal_members_share_one_reliability():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    supports = rng.dirichlet(np.ones(3), size=(3, 300)) + 2 * np.eye(3)[truth]
    supports /= supports.sum(axis=2, keepdims=True)
    found = minimise_log_loss(supports, truth, np.ones(300)).reliabilities
    assert len(set(found)) == 1
    np.testing.assert_allclose(
        estimate_accuracies(supports, truth, np.ones(300)).reliabilities,
        (supports.argmax(axis=2) == truth).mean(axis=1),
    )


def test_separate_reliabilities_need_a_gain_of_two_standard_errors():
    """Each row counted k times multiplies the gain in standard errors by the root of k: from some k on it convinces."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 40)
    good, overconfident = rng.dirichlet([3.0, 2.0], 40), rng.dirichlet([1.0, 0.7], 40)
    supports = np.array([np.where(truth[:, None] == 0, one, one[:, ::-1]) for one in (good, overconfident)])

    def reliabilities(k):
        return minimise_log_loss(supports, truth, np.full(40, float(k))).reliabilities

    def losses(reliability):
        return -np.log(dempster_shafer(supports, reliability)[np.arange(40), truth])

    shared, separate = reliabilities(1), reliabilities(1000)
    assert shared[0] == shared[1]
    assert separate[0] > separate[1]
    gain = losses(shared) - losses(separate)
    enough = int((2 * gain.std() / gain.mean()) ** 2 / 40) + 1
    assert enough > 1
    np.testing.assert_array_equal(reliabilities(enough - 1), shared)
    np.testing.assert_array_equal(reliabilities(enough), separate)


def test_the_shared_reliability_has_the_least_log_loss_of_the_candidates():
    rng = np.random.default_rng(2)
    truth, counts = rng.integers(0, 3, 80), rng.integers(1, 4, 80).astype(float)
    supports = rng.dirichlet(np.full(3, 0.3), size=(3, 80)) + 0.1 * np.eye(3)[truth]
    supports /= supports.sum(axis=2, keepdims=True)
    found = minimise_log_loss(supports, truth, counts).reliabilities
    losses = {
        one: np.average(-np.log(dempster_shafer(supports, one)[np.arange(80), truth]), weights=counts)
        for one in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
    }
    best = min(losses, key=losses.get)
    assert 0 < best < 1
    np.testing.assert_array_equal(found, best)


def test_reliability_of_a_row_of_weight_2_is_that_of_two_rows():
    rng = np.random.default_rng(1)
    truth, counts = rng.integers(0, 2, 60), rng.integers(0, 3, 60).astype(float)
    supports = rng.dirichlet(np.ones(2), size=(2, 60))
    rows = np.repeat(np.arange(60), counts.astype(int))
    for learn in (estimate_accuracies, minimise_log_loss):
        weighted, repeated = learn(supports, truth, counts), learn(supports[:, rows], truth[rows], np.ones(len(rows)))
        np.testing.assert_allclose(weighted.reliabilities, repeated.reliabilities)


@pytest.mark.parametrize("cv", [3, StratifiedKFold(3), list(StratifiedKFold(3).split(X, y))])
def test_folds_of_any_kind(cv):
    by_number = fused(cv=3).fit(X, y)
    np.testing.assert_array_equal(fused(cv=cv).fit(X, y).reliabilities_, by_number.reliabilities_)


def test_folds_by_groups():
    groups = np.arange(150) % 7
    model = fused(cv=list(GroupKFold(4).split(X, y, groups))).fit(X, y)
    assert model.score(X, y) > 0.9


def test_other_rules_train_each_member_once():
    class Counted(GaussianNB):
        fits = 0

        def fit(self, *arguments, **more):
            type(self).fits += 1
            return super().fit(*arguments, **more)

    fused([("a", Counted(), None)], fusion="product").fit(X, y)
    assert Counted.fits == 1
    fused([("a", Counted(), None)], cv=4).fit(X, y)
    assert Counted.fits == 6


def test_a_rare_class_limits_the_folds_and_a_single_sample_forbids_them():
    rare = np.r_[0:50, 50:100, 100:102]
    assert fused(cv=5).fit(X[rare], y[rare]).predict(X).shape == (150,)
    with pytest.raises(ValueError, match=r"needs at least 2 samples per class.*reliability=0.9"):
        fused().fit(X[:101], y[:101])
    assert fused(reliability=0.9).fit(X[:101], y[:101]).score(X, y) > 0.6


# columns


@pytest.mark.parametrize(
    "columns",
    [
        ["petal_length", "petal_width"],
        [2, 3],
        [-2, -1],
        slice(2, None),
        slice("petal_length", "petal_width"),
        np.array([False, False, True, True]),
        [False, False, True, True],
        pd.Index(["petal_length", "petal_width"]),
        make_column_selector(pattern="petal"),
        lambda table: [name for name in table.columns if name.startswith("petal")],
    ],
)
def test_columns_of_a_frame_in_every_way(columns):
    np.testing.assert_array_equal(column_positions("view", columns, FRAME), [2, 3])
    model = fused([("petal", GaussianNB(), columns)], reliability=0.9).fit(FRAME, y)
    np.testing.assert_array_equal(model.members_[0].feature_names_in_, NAMES[2:])
    np.testing.assert_array_equal(model.feature_names_in_, NAMES)
    assert model.score(FRAME, y) > 0.9


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (slice("sepal_width", "petal_length"), [1, 2]),
        (slice("sepal_length", "sepal_length"), [0]),
        (slice(None, "sepal_width"), [0, 1]),
        (slice("petal_length", None), [2, 3]),
        (slice(1, 3), [1, 2]),
        (slice(None, None, 2), [0, 2]),
    ],
)
def test_a_slice_of_names_includes_both_ends_and_one_of_positions_does_not(columns, expected):
    np.testing.assert_array_equal(column_positions("view", columns, FRAME), expected)


def test_one_column_and_all():
    for one in ("petal_width", 3, -1, [3], np.int64(3)):
        np.testing.assert_array_equal(column_positions("view", one, FRAME), [3])
    for every in (None, "all", slice(None), [True] * 4):
        np.testing.assert_array_equal(column_positions("view", every, FRAME), range(4))
    assert fused([("one", GaussianNB(), "petal_width")]).fit(FRAME, y).score(FRAME, y) > 0.9


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (["petal"], ValueError, r"'petal' asks for column 'petal', .* no such column; it has sepal_length"),
        ([], ValueError, "has no columns"),
        ([False] * 4, ValueError, "has no columns"),
        (slice(2, 2), ValueError, "has no columns"),
        (lambda table: [], ValueError, "has no columns"),
        ([True, False], ValueError, "mask of 2 columns, but the table has 4"),
        ([4], ValueError, "asks for column 4, but the table has 4"),
        ([-5], ValueError, "asks for column -5"),
        (slice(2, 5), ValueError, "up to 5, but the table has 4"),
        (slice("petal_length", "width"), ValueError, "no such column"),
        ([1.5], TypeError, "a name or an integer"),
        (1.5, TypeError, "columns must be names, positions"),
    ],
)
def test_columns_that_are_not_there_are_refused(columns, error, message):
    members = [("good", GaussianNB(), None), ("petal", GaussianNB(), columns)]
    with pytest.raises(error, match=f"member 'petal'.*{message}" if not message.startswith("'petal'") else message):
        fused(members).fit(FRAME, y)


def test_names_need_a_frame():
    with pytest.raises(ValueError, match="'petal_width', but the table has no column names"):
        fused([("one", GaussianNB(), "petal_width")]).fit(X, y)


@pytest.mark.parametrize(("n_columns", "end"), [(10, "c8, c9."), (12, "c8, c9 and 2 more.")])
def test_a_name_that_is_not_there_is_answered_with_at_most_ten_that_are(n_columns, end):
    wide = pd.DataFrame(np.zeros((3, n_columns)), columns=[f"c{k}" for k in range(n_columns)])
    with pytest.raises(ValueError, match="no such column; it has c0, c1, ") as caught:
        column_positions("view", "wheel", wide)
    assert str(caught.value).endswith(end)


def test_a_name_that_occurs_twice_is_refused():
    twice = pd.DataFrame(X, columns=["a", "b", "b", "c"])
    with pytest.raises(ValueError, match="several such columns"):
        column_positions("view", ["b"], twice)


def test_frames_of_polars_and_views_that_overlap():
    table = polars.DataFrame(FRAME.to_dict("list"))
    members = [("a", GaussianNB(), NAMES[:3]), ("b", GaussianNB(), NAMES[1:])]
    model = fused(members).fit(table, y)
    by_pandas = fused(members).fit(FRAME, y)
    np.testing.assert_array_equal(model.predict_proba(table), by_pandas.predict_proba(FRAME))


def test_members_get_their_columns_as_they_are():
    """Text and holes are the members' business."""
    mixed = FRAME.assign(kind=pd.Categorical(np.where(X[:, 0] > 5.8, "long", "short")))
    mixed.loc[::7, "sepal_length"] = np.nan
    trees = HistGradientBoostingClassifier(max_iter=5, categorical_features="from_dtype")
    members = [("trees", trees, ["sepal_length", "kind"]), ("bayes", GaussianNB(), slice(1, 4))]
    assert fused(members).fit(mixed, y).score(mixed, y) > 0.9


# bad input


def test_an_error_about_missing_values_names_the_member():
    holes = X.copy()
    holes[3, 2] = np.nan
    with pytest.raises(ValueError, match=r"member 'petal' \(GaussianNB\): Input X contains NaN"):
        fused().fit(holes, y)
    model = fused().fit(X, y)
    with pytest.raises(ValueError, match=r"member 'petal' \(GaussianNB\): Input X contains NaN"):
        model.predict(holes)
    assert fused([("sepal", GaussianNB(), [0, 1])]).fit(holes, y).score(holes, y) > 0.5  # not its column


@pytest.mark.parametrize(
    ("members", "error", "message"),
    [
        (None, ValueError, "members=None is not allowed"),
        ([], ValueError, "at least 1 of them"),
        ([("a", GaussianNB())], ValueError, r"a list of \(name, classifier, columns\)"),
        ([(1, GaussianNB(), None)], ValueError, r"a list of \(name, classifier, columns\)"),
        ([("a", GaussianNB(), None), ("a", GaussianNB(), None)], ValueError, "names a, a: each"),
        ([("a__b", GaussianNB(), None)], ValueError, "'a__b'"),
        ([("cv", GaussianNB(), None)], ValueError, "'cv': it must not be the name of a parameter"),
        ([("a", GaussianNB, None)], TypeError, "member 'a'=.*must be a classifier"),
        ([("a", Ridge(), None)], TypeError, "member 'a'=.*must be a classifier"),
        ([("a", "drop", None)], TypeError, "member 'a'='drop'"),
    ],
)
def test_invalid_members_are_refused(members, error, message):
    with pytest.raises(error, match=message):
        fused(members).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fusion": "median"}, r"fusion='median' .*'dempster_shafer'"),
        ({"reliability": "good"}, "reliability='good'"),
        ({"reliability": 1.5}, r"reliability=1.5 .*\[0, 1\]"),
        ({"reliability": [0.5]}, r"reliability has shape \(1,\)"),
        ({"cv": 1}, "cv=1"),
        ({"cv": []}, "no fold has both training and test samples"),
    ],
)
def test_invalid_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        fused(**parameters).fit(X, y)


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "decision_function", "conflict", "member_probabilities"]
)
def test_unfitted_says_so(method):
    with pytest.raises(NotFittedError):
        getattr(fused(), method)(X)


# weights, seeds, jobs


def test_a_row_of_weight_2_is_two_rows_and_one_of_0_none():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, 150)
    regressions = [("a", LogisticRegression(tol=1e-10), [0, 1]), ("b", LogisticRegression(tol=1e-10), [2, 3])]
    rows = np.repeat(np.arange(150), counts)
    weighted = fused(regressions, fusion="product").fit(X, y, sample_weight=counts)
    repeated = fused(regressions, fusion="product").fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-6)
    present = counts > 0
    left_out = fused(regressions).fit(X[present], y[present])
    zeros = fused(regressions).fit(X, y, sample_weight=present.astype(float))
    np.testing.assert_array_equal(zeros.predict_proba(X), left_out.predict_proba(X))


def test_members_that_take_no_weights_see_a_bootstrap():
    neighbours = [("near", KNeighborsClassifier(1), None)]
    equal = fused(neighbours, reliability=0.9).fit(X, y, sample_weight=np.full(150, 2.0))
    assert equal.score(X, y) == 1.0  # all alike: no need to draw
    heavy = np.where(y == 0, 1.0, 1e-9)
    model = fused(neighbours, reliability=0.9, random_state=0).fit(X, y, sample_weight=heavy)
    assert model.members_[0].n_samples_fit_ == 150
    assert model.score(X[y > 0], y[y > 0]) < 0.9
    again = fused(neighbours, reliability=0.9, random_state=0).fit(X, y, sample_weight=heavy)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_weights_that_leave_one_class_are_refused():
    with pytest.raises(ValueError, match="only one class"):
        fused().fit(X, y, sample_weight=(y == 0).astype(float))


def test_seeds_that_are_set_stay_and_open_ones_are_drawn():
    members = [("set", RandomForestClassifier(5, random_state=7), None), ("open", RandomForestClassifier(5), None)]
    first, second = (fused(members, reliability=0.9, random_state=3).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))
    assert first.members_[0].random_state == 7
    by_hand = RandomForestClassifier(5, random_state=7).fit(X, y)
    np.testing.assert_array_equal(first.member_probabilities(X)[0], by_hand.predict_proba(X))
    other = fused(members, reliability=0.9, random_state=4).fit(X, y)
    assert not np.array_equal(other.member_probabilities(X)[1], first.member_probabilities(X)[1])


def test_jobs_do_not_change_the_result():
    cancer, labels = load_breast_cancer(return_X_y=True)
    members = [
        ("forest", RandomForestClassifier(5), slice(0, 15)),
        ("line", make_pipeline(StandardScaler(), LogisticRegression()), slice(10, 30)),
        ("near", KNeighborsClassifier(), None),
    ]
    weights = np.random.default_rng(0).random(len(labels))
    one, two = (
        fused(members, cv=3, n_jobs=jobs, random_state=0).fit(cancer, labels, sample_weight=weights) for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.reliabilities_, two.reliabilities_)
    np.testing.assert_array_equal(one.predict_proba(cancer), two.predict_proba(cancer))


# one of scikit-learn's


def test_parameters_of_members_by_name():
    model = fused([("svc", SVC(C=3.0), [0, 1]), ("tree", make_pipeline(DecisionTreeClassifier()), None)])
    parameters = model.get_params()
    assert parameters["svc__C"] == 3.0
    assert parameters["tree__decisiontreeclassifier__max_depth"] is None
    assert set(model.get_params(deep=False)) == {
        "members",
        "fusion",
        "reliability",
        "cv",
        "n_jobs",
        "engine",
        "random_state",
    }
    given = model.members
    model.set_params(svc__C=7.0, fusion="mean", tree=GaussianNB())
    assert model.members[0][1].C == 7.0
    assert model.fusion == "mean"
    assert isinstance(model.members[1][1], GaussianNB)
    assert isinstance(given[1][1], BaseEstimator) and not isinstance(given[1][1], GaussianNB)  # the user's list stays
    model.set_params(members=TWO, petal__var_smoothing=0.1)
    assert model.members[1][1].var_smoothing == 0.1
    TWO[1][1].set_params(var_smoothing=1e-9)
    with pytest.raises(ValueError, match="Invalid parameter 'wheel'"):
        model.set_params(wheel=1)


def test_clone_pickle_and_search():
    model = fused()
    twin = clone(model)
    assert twin.members is not model.members and twin.members[0][1] is not model.members[0][1]
    fitted = clone(model).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    grid = {"sepal__var_smoothing": [1e-9, 1e9], "reliability": [0.5, 1.0], "fusion": ["dempster_shafer", "mean"]}
    assert GridSearchCV(model, grid, cv=3).fit(X, y).best_score_ > 0.9


def test_labels_of_text_and_members_that_vote():
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    members = [("line", LinearSVC(), None), ("plane", LinearDiscriminantAnalysis(), [2, 3])]
    model = fused(members).fit(X, names)
    assert set(np.unique(model.member_probabilities(X)[0])) == {0.0, 1.0}
    assert model.score(X, names) > 0.9
    two = fused(members).fit(X[:100], names[:100])
    np.testing.assert_array_equal(two.member_probabilities(X[:100])[0].sum(axis=1), 1)
    assert two.score(X[:100], names[:100]) == 1


def test_a_class_that_a_member_never_saw_gets_nothing_from_it():
    class Half(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.inner_ = GaussianNB().fit(X[y < 2], y[y < 2])
            self.classes_ = self.inner_.classes_
            return self

        def predict(self, X):
            return self.inner_.predict(X)

        def predict_proba(self, X):
            return self.inner_.predict_proba(X)

    model = fused([("half", Half(), None), ("whole", GaussianNB(), None)], fusion="mean").fit(X, y)
    assert not model.member_probabilities(X)[0, :, 2].any()
    assert model.score(X, y) > 0.5


def test_small_probabilities_of_a_member_are_not_rounded_away():
    """They decide products of many members; 2p - 1, the output of a classifier, would lose them."""

    class Sure(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

        def predict_proba(self, X):
            return np.tile([1.0, 1e-20, 1e-30], (len(X), 1))

    model = fused([("sure", Sure(), None)], reliability=1.0).fit(X, y)
    np.testing.assert_array_equal(model.member_probabilities(X)[0], Sure().fit(X, y).predict_proba(X))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1:], np.tile([1e-20, 1e-30], (len(X), 1)), rtol=1e-12)


def test_it_nests():
    boosted = RealAdaBoostClassifier(fused(reliability=0.9), n_estimators=3, random_state=0).fit(X, y)
    assert boosted.score(X, y) > 0.9
    members = [("fused", fused(), None), ("network", RBFNetworkClassifier(), [2, 3])]
    assert fused(members, random_state=0).fit(X, y).score(X, y) > 0.9


def views_of_digits():
    """Pixels, their upper and lower halves, differences along columns and along rows, side by side."""
    digits, labels = load_digits(return_X_y=True)
    images = digits.reshape(-1, 8, 8)
    parts = [images, images[:, :4], images[:, 4:], np.diff(images, axis=1), np.diff(images, axis=2)]
    parts = [part.reshape(len(images), -1) for part in parts]
    ends = np.cumsum([part.shape[1] for part in parts])
    views = {f"view{j}": slice(end - part.shape[1], end) for j, (part, end) in enumerate(zip(parts, ends, strict=True))}
    return np.hstack(parts), labels, views


def views_of_mfeat():
    problem = load("mfeat")
    return problem.X, problem.y, problem.views


@pytest.mark.slow
@pytest.mark.parametrize("views_of", [views_of_digits, views_of_mfeat])
def test_evidence_of_calibrated_svcs_is_not_below_their_mean(views_of):
    """Where the two disagree, evidence is right at least as often, but for what chance explains (a sign test)."""
    table, labels, views = views_of()
    svc = make_pipeline(StandardScaler(), CalibratedClassifierCV(SVC(C=10), ensemble=False))
    better = worse = 0
    for seed in range(3):
        train, test = train_test_split(np.arange(len(labels)), train_size=400, stratify=labels, random_state=seed)
        model = fused([(name, svc, at) for name, at in views.items()]).fit(table[train], labels[train])
        average = model.classes_[mean(model.member_probabilities(table[test])).argmax(axis=1)] == labels[test]
        evidence = model.predict(table[test]) == labels[test]
        better, worse = better + (evidence & ~average).sum(), worse + (average & ~evidence).sum()
    assert worse - better <= 2 * np.sqrt(worse + better)


def test_an_ensemble_of_fusions_passes_on_a_table_that_holds_text():
    frame = pd.DataFrame({"size": X[:, 2], "shape": np.where(X[:, 3] > 1, "wide", "narrow")})
    encoded = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    members = [("size", GaussianNB(), ["size"]), ("shape", encoded, ["shape"])]
    model = RealAdaBoostClassifier(fused(members, fusion="mean"), n_estimators=2, random_state=0).fit(frame, y)
    assert model.score(frame, y) > 0.8
