"""Views that break or are missing: weights and corrections of members, how they are learnt, rejection by conflict."""

import numpy as np
import pandas as pd
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.naive_bayes import GaussianNB

from emphatic.fusion import FusionClassifier
from emphatic.fusion.correction import correct, learn_corrections
from emphatic.fusion.cross_validation import cross_validate_members
from emphatic.fusion.disagreement import member_conflict
from emphatic.fusion.evidence import Masses, orthogonal_sum
from emphatic.fusion.members import MemberTraining
from emphatic.fusion.missing import find_missing
from emphatic.fusion.robust import break_members, learn_trust
from emphatic.fusion.rules import RULES, conflict, dempster_shafer, product
from emphatic.persistence import load, save

X, y = load_iris(return_X_y=True)
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FRAME = pd.DataFrame(X, columns=NAMES)
TWO = [("sepal", GaussianNB(), [0, 1]), ("petal", GaussianNB(), [2, 3])]
THREE = [*TWO, ("lengths", GaussianNB(), [0, 2])]
OPTIONS = [{"fusion": rule, "reliability": 0.9} for rule in RULES] + [{"reliability": "robust"}]


def draw_supports(n_members=3, n_rows=20, n_classes=4, seed=0):
    return np.random.default_rng(seed).dirichlet(np.full(n_classes, 0.5), size=(n_members, n_rows))


# weights of members


@given(st.floats(0.0, 1.0), st.integers(0, 10))
def test_weights_of_one_are_dempsters_rule(reliability, seed):
    supports = draw_supports(seed=seed)
    weighted = dempster_shafer(supports, reliability, weights=np.ones(3))
    np.testing.assert_allclose(weighted, dempster_shafer(supports, reliability), atol=1e-12)


def test_full_reliability_is_the_product():
    supports = draw_supports()
    np.testing.assert_allclose(dempster_shafer(supports, 1.0, np.ones(3)), product(supports), atol=1e-9)


@given(st.lists(st.integers(0, 3), min_size=3, max_size=3), st.floats(0.05, 1.0))
def test_a_whole_weight_counts_a_member_that_many_times(weights, reliability):
    supports = draw_supports()
    repeated = np.repeat(supports, weights, axis=0)
    expected = dempster_shafer(repeated, reliability) if sum(weights) else np.full((20, 4), 0.25)
    np.testing.assert_allclose(dempster_shafer(supports, reliability, weights), expected, atol=1e-12)


def test_two_halves_are_a_whole():
    supports = draw_supports()
    halves = dempster_shafer(np.repeat(supports, 2, axis=0), 0.9, np.full(6, 0.5))
    np.testing.assert_allclose(halves, dempster_shafer(supports, 0.9), atol=1e-12)


def test_complete_contradiction_leaves_every_class_alike():
    certain = [[[1.0, 0.0]], [[0.0, 1.0]]]
    np.testing.assert_array_equal(dempster_shafer(certain, 1.0, [0.5, 2.0]), [[0.5, 0.5]])
    np.testing.assert_array_equal(dempster_shafer(certain, 1.0, [0.0, 2.0]), [[0.0, 1.0]])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"weights has shape \(1,\): it must be \(3,\)"),
        ([1.0, -1.0, 1.0], "at least 0"),
        ([1.0, np.nan, 1.0], "at least 0"),
        ([1.0, np.inf, 1.0], "finite"),
        (["a", "b", "c"], "weights must hold real numbers"),
    ],
)
def test_invalid_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        dempster_shafer(draw_supports(), 0.9, weights)


# conflict of one member


def test_conflict_of_a_member_is_that_of_its_masses_with_the_sum_of_the_others():
    supports, trust = draw_supports(), [0.9, 0.7, 1.0]
    found = member_conflict(supports, trust)
    sources = [Masses.of_supports(one, r) for one, r in zip(supports, trust, strict=True)]
    for member, source in enumerate(sources):
        others = orthogonal_sum(*(one for one in sources if one is not source))
        left = 1.0 - orthogonal_sum(source, others).conflict
        np.testing.assert_allclose(found[member], 1.0 - left / (1.0 - others.conflict), atol=1e-10)


def test_of_two_members_each_has_all_the_conflict_and_one_alone_has_none():
    supports = draw_supports(2)
    np.testing.assert_allclose(member_conflict(supports, 0.9), [conflict(supports, 0.9)] * 2, atol=1e-12)
    np.testing.assert_array_equal(member_conflict(supports[:1]), np.zeros((1, 20)))


# what is learnt


def test_broken_members_have_the_supports_of_other_rows():
    supports = draw_supports(4, 50)
    np.testing.assert_array_equal(break_members(supports, 0, np.random.default_rng(0)), supports)
    broken = break_members(supports, 2, np.random.default_rng(0))
    differs = (broken != supports).any(axis=2)
    np.testing.assert_array_equal(differs.sum(axis=0), 2)  # of every row two, never by itself
    assert all((broken[j, i] == supports[j]).all(axis=1).any() for j, i in zip(*np.nonzero(differs), strict=True))


def test_corrections_are_where_the_gradient_vanishes():
    supports, labels = draw_supports(2, 60, 3), np.random.default_rng(1).integers(0, 3, 60)
    start, sizes = dempster_shafer(supports, 0.9), np.full(60, 1 / 60)

    def loss(flat):
        found = correct(start, supports, flat.reshape(2, 3, 3))
        return log_loss(labels, found, labels=[0, 1, 2]) + (flat**2).sum() / 60

    found = learn_corrections(start, supports, labels, sizes, 1 / 60).ravel()
    assert loss(found) < loss(np.zeros(18)) - 0.01
    np.testing.assert_allclose(approx_fprime(found, loss, 1e-6), 0, atol=1e-4)


def test_weights_have_the_least_loss_on_rows_of_which_some_are_broken():
    supports, labels = draw_supports(3, 200, 3), np.tile([0, 1, 2, 0], 50)
    supports[:2] = 0.4 * supports[:2] + 0.6 * np.eye(3)[labels]
    trust = learn_trust(supports, labels, np.ones(200), np.random.default_rng(3))
    rng = np.random.default_rng(3)
    stacked = np.concatenate([break_members(supports, number, rng) for number in (0, 1)], axis=1)

    def loss(weights, reliability=trust.reliabilities):
        found = dempster_shafer(stacked, reliability, weights)
        return log_loss(np.tile(labels, 2), found, labels=[0, 1, 2]) + ((weights - 1) ** 2).sum() / 200

    assert trust.weights[2] < 0.2 < trust.weights[:2].min()
    for step in np.vstack([np.eye(3), -np.eye(3)]) * 0.05:
        assert loss(trust.weights) < loss(np.maximum(trust.weights + step, 0)) + 1e-9
    assert loss(trust.weights) < min(loss(np.ones(3)), loss(trust.weights, 0.5))


def test_one_member_cannot_be_judged_by_others_and_is_not_broken():
    supports, labels = draw_supports(1, 100, 2), np.tile([0, 1], 50)
    supports = 0.5 * supports + 0.5 * np.eye(2)[labels]
    trust = learn_trust(supports, labels, np.ones(100), np.random.default_rng(0))
    assert trust.weights[0] > 1  # it is too modest
    assert log_loss(labels, trust.fuse(supports)) < 0.9 * log_loss(labels, supports[0])


def views_of_digits():
    table, labels = load_digits(return_X_y=True)
    return table / 16, labels, {f"part{number}": slice(16 * number, 16 * number + 16) for number in range(4)}


def test_robust_fusion_holds_when_a_view_is_of_another_row_and_says_which():
    table, labels, views = views_of_digits()
    train, test = np.arange(0, 900), np.arange(900, 1797)
    members = [(name, LogisticRegression(max_iter=200), view) for name, view in views.items()]
    robust, auto, mean = (
        FusionClassifier(members, cv=3, random_state=0, **way).fit(table[train], labels[train])
        for way in ({"reliability": "robust"}, {}, {"fusion": "mean"})
    )
    broken = table[test].copy()
    which = np.arange(len(test)) % 4
    for number, view in enumerate(views.values()):
        broken[which == number, view] = np.roll(table[test], 100, axis=0)[which == number, view]

    def losses(part):
        return [log_loss(labels[test], one.predict_proba(part)) for one in (robust, auto, mean)]

    assert losses(broken)[0] < 0.8 * min(losses(broken)[1:])
    assert losses(table[test])[0] < 1.1 * min(losses(table[test])[1:])
    assert robust.score(broken, labels[test]) > max(auto.score(broken, labels[test]), mean.score(broken, labels[test]))
    told = np.r_[robust.conflict(table[test]), robust.conflict(broken)]
    assert roc_auc_score(np.repeat([0, 1], len(test)), told) > 0.7
    assert (robust.member_conflict(broken).argmax(axis=0) == which).mean() > 0.65
    rejected = robust.rejects(table[test], 0.9).mean()
    assert abs(rejected - 0.1) < 0.04  # what the quantile says
    assert robust.rejects(broken, 0.9).mean() > 2 * rejected


def test_jobs_and_weights_of_zero_do_not_change_what_is_learnt():
    one, two = (FusionClassifier(THREE, reliability="robust", n_jobs=jobs, random_state=0).fit(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    present = np.arange(150) % 3 > 0
    zeros = FusionClassifier(THREE, reliability="robust", random_state=0).fit(X, y, sample_weight=present.astype(float))
    left_out = FusionClassifier(THREE, reliability="robust", random_state=0).fit(X[present], y[present])
    np.testing.assert_array_equal(zeros.predict_proba(X), left_out.predict_proba(X))


def test_a_saved_model_answers_the_same(tmp_path):
    model = FusionClassifier(THREE, reliability="robust", random_state=0).fit(X, y)
    save(model, tmp_path / "model.emphatic")
    again = load(tmp_path / "model.emphatic")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.rejects(X), model.rejects(X))


# missing views


@pytest.mark.parametrize("options", OPTIONS, ids=lambda one: one.get("fusion", "robust"))
def test_a_missing_view_is_the_fusion_of_the_others(options):
    model = FusionClassifier(THREE, random_state=0, **options).fit(X, y)
    holes = X.copy()
    holes[::2] = np.nan
    found = model.predict_proba(holes)
    np.testing.assert_array_equal(found[::2], np.full((75, 3), 1 / 3))  # all of them are missing
    np.testing.assert_array_equal(found[1::2], model.predict_proba(X[1::2]))
    np.testing.assert_array_equal(model.conflict(holes)[::2], 0)
    pair = FusionClassifier(TWO, random_state=0, **options).fit(X, y)
    holes = X.copy()
    holes[:, [2, 3]] = np.nan
    supports = pair.member_probabilities(holes)
    assert not supports[1].any()
    alone = {**vars(pair), "members_": pair.members_[:1], "columns_": pair.columns_[:1]}
    alone |= {name: None if alone[name] is None else alone[name][:1] for name in ("weights_", "corrections_")}
    alone |= {"named_members_": {"sepal": pair.members_[0]}, "reliabilities_": pair.reliabilities_[:1]}
    sepal = FusionClassifier(TWO[:1])
    sepal.__dict__.update(alone)
    np.testing.assert_allclose(pair.predict_proba(holes), sepal.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(pair.conflict(holes), 0, atol=1e-12)


@pytest.mark.parametrize("frame", [FRAME, polars.DataFrame(FRAME.to_dict("list"))], ids=["pandas", "polars"])
def test_a_frame_may_lack_the_columns_of_a_view(frame):
    members = [("sepal", GaussianNB(), NAMES[:2]), ("petal", GaussianNB(), NAMES[2:])]
    model = FusionClassifier(members, reliability=0.9).fit(frame, y)
    holes = FRAME.assign(petal_length=np.nan, petal_width=np.nan)
    np.testing.assert_array_equal(model.predict_proba(frame[NAMES[:2]]), model.predict_proba(type(frame)(dict(holes))))
    petal = model.members_[1].predict(frame[NAMES[2:]])
    np.testing.assert_array_equal(model.predict(frame[NAMES[2:]]), petal)
    with pytest.raises(ValueError, match=r"(?s)seen at fit time, yet now missing.*petal_width"):
        model.predict(frame[NAMES[:3]])


def test_members_that_take_missing_values_answer_themselves():
    holes = X.copy()
    holes[::3, :2] = np.nan
    members = [("sepal", HistGradientBoostingClassifier(max_iter=5), [0, 1]), ("petal", GaussianNB(), [2, 3])]
    model = FusionClassifier(members, reliability=0.9).fit(holes, y)
    np.testing.assert_array_equal(model.member_probabilities(holes)[0], model.members_[0].predict_proba(holes[:, :2]))


def test_rows_of_any_kind_are_found_missing():
    table = pd.DataFrame({"a": ["x", None, None], "b": [1.0, np.nan, 2.0], "c": pd.array([1, pd.NA, 3], dtype="Int64")})
    np.testing.assert_array_equal(find_missing(table), [False, True, False])
    np.testing.assert_array_equal(find_missing(table.to_numpy(dtype=object)), [False, True, False])
    np.testing.assert_array_equal(find_missing(np.ones((2, 3), dtype=int)), [False, False])


# views that are missing at training time


def leave_holes():
    """Iris with the petals of every third row missing."""
    holes = X.copy()
    holes[::3, 2:] = np.nan
    return holes


def test_a_member_learns_from_the_rows_in_which_its_view_is():
    model = FusionClassifier(TWO, reliability=0.9).fit(leave_holes(), y)
    there = np.arange(150) % 3 > 0
    expected = [GaussianNB().fit(X[:, :2], y), GaussianNB().fit(X[there, 2:], y[there])]
    for member, own, columns in zip(model.members_, expected, ([0, 1], [2, 3]), strict=True):
        np.testing.assert_array_equal(member.predict_proba(X[:, columns]), own.predict_proba(X[:, columns]))


@pytest.mark.parametrize("reliability", ["auto", "accuracy", "robust"])
def test_rows_without_any_view_teach_nothing(reliability):
    fold_of = np.arange(150) % 5
    folds = [(np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)) for fold in range(5)]
    plain = FusionClassifier(TWO, reliability=reliability, cv=folds, random_state=0).fit(X, y)
    longer, labels = np.vstack([X, np.full((30, 4), np.nan)]), np.r_[y, np.tile([0, 1, 2], 10)]
    tested = [(np.r_[train, 150:180], test) for train, test in folds]
    model = FusionClassifier(TWO, reliability=reliability, cv=tested, random_state=0).fit(longer, labels)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_accuracy_counts_the_rows_of_which_a_member_knows_something():
    holes, there = leave_holes(), np.arange(150) % 3 > 0
    model = FusionClassifier(TWO, reliability="accuracy", cv=5).fit(holes, y)
    supports, tested = cross_validate_members(
        [MemberTraining("petal", GaussianNB(), holes[:, 2:], y, np.arange(3), np.ones(150), 0, 1)], np.arange(150), 5, 1
    )
    right = supports[0].argmax(axis=1) == y[tested]
    assert model.reliabilities_[1] == pytest.approx(right[there[tested]].mean())


@pytest.mark.parametrize("reliability", ["auto", "accuracy", "robust"])
def test_what_is_learnt_from_rows_with_holes_is_not_far_from_what_whole_rows_teach(reliability):
    model = FusionClassifier(TWO, reliability=reliability, random_state=0).fit(leave_holes(), y)
    assert model.score(X, y) > 0.94
    assert model.score(leave_holes(), y) > 0.88


def test_a_view_that_is_missing_in_all_rows_or_in_all_of_a_class_is_refused():
    holes = X.copy()
    holes[:, 2:] = np.nan
    with pytest.raises(ValueError, match=r"member 'petal': all values .* missing.*leave the member out"):
        FusionClassifier(TWO).fit(holes, y)
    holes[:100] = X[:100]
    with pytest.raises(ValueError, match=r"member 'petal': .* every training row of class 2"):
        FusionClassifier(TWO, reliability=0.9).fit(holes, y)


def test_values_missing_in_part_of_a_view_are_refused_by_the_member():
    holes = leave_holes()
    holes[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"member 'petal' \(GaussianNB\): Input X contains NaN"):
        FusionClassifier(TWO, reliability=0.9).fit(holes, y)


def test_a_row_with_part_of_a_view_is_refused_as_before():
    holes = X.copy()
    holes[0, :2], holes[1, 2] = np.nan, np.nan
    model = FusionClassifier(TWO, reliability=0.9).fit(X, y)
    with pytest.raises(ValueError, match=r"member 'petal' \(GaussianNB\): Input X contains NaN"):
        model.predict(holes)


# rejection


def test_rejects_by_the_conflict_of_the_training_rows():
    model = FusionClassifier(TWO, reliability="robust", random_state=0).fit(X, y)
    limits = model.conflict_percentiles_
    assert limits.shape == (101,) and (np.diff(limits) >= 0).all()
    for quantile in (0.5, 0.9, 0.99):
        largest = model.member_conflict(X).max(axis=0)
        np.testing.assert_array_equal(model.rejects(X, quantile), largest > limits[round(100 * quantile)])
    holes = X.copy()
    holes[0] = np.nan
    assert model.rejects(holes)[0]  # nothing is known of it


def test_rejection_needs_a_quantile_and_conflicts_to_compare_with():
    model = FusionClassifier(TWO).fit(X, y)
    for quantile in (0, 1, -1, "much"):
        with pytest.raises((ValueError, TypeError), match="quantile"):
            model.rejects(X, quantile)
    for options in ({"reliability": 0.9}, {"fusion": "mean"}):
        with pytest.raises(ValueError, match='takes cross-validation: fit it with fusion="dempster_shafer"'):
            FusionClassifier(TWO, **options).fit(X, y).rejects(X)
