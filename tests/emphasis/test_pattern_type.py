"""Emphasis by the type of a sample (identities 6, 7, 11 and 12): types, weights, and what the ensemble keeps."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.tree import DecisionTreeClassifier

from emphatic import MLPNetworkClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.base import MarginLearner, Stage
from emphatic.boosting.growth import grow
from emphatic.emphasis import Exponential, Neighbour
from emphatic.emphasis.pattern_type import FACTORS, TYPES, PatternType, types_of
from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier
from emphatic.margins import normalise
from emphatic.metrics import class_accuracies

POLICIES = ["standard", "negative", "positive", "balanced"]
all_and_majority = pytest.mark.parametrize("near_noisy", ["all", "majority"])
every_policy = pytest.mark.parametrize("policy", POLICIES)
hidden_arrays = npst.arrays(float, st.tuples(st.integers(2, 30), st.just(3)), elements=st.floats(-3, 3))


class Puppet(MarginLearner):
    """A learner that says what it is told."""

    def __init__(self, hidden=None):
        self.hidden = hidden

    def learn(self, table, y, weights, rng, design_weights=None):
        return self.respond(table)

    def respond(self, X):
        return np.where((self.hidden > 0).sum(axis=1) > 1, 1.0, -1.0)

    def hidden_margins(self, X, y):
        return self.hidden


def stage_of(hidden, y, alpha=0.7, weights=None):
    """A stage of a learner with these hidden margins, whose majority decides."""
    learner = Puppet(hidden)
    learner.classes_ = np.array(["no", "yes"])
    d = 2 * y - 1
    output = d * learner.respond(None)
    weights = np.full(len(y), 1 / len(y)) if weights is None else weights
    return Stage(None, y, weights, weights, learner, output, alpha, np.tanh(alpha), alpha * output, alpha)


def next_weights(policy, stage, near_noisy="all"):
    """As `grow` would ask for them."""
    emphasis = PatternType(policy, near_noisy)
    emphasis.check_parameters()
    emphasis.start(stage.X, stage.y)
    emphasis.observe(stage)
    return emphasis.update(stage)


def labels_of(n, seed=0):
    """Class 1 is the smaller."""
    y = (np.random.default_rng(seed).random(n) < 0.3).astype(np.intp)
    y[: n // 2 + 1] = 0
    return y


def problem(n=200, std=0.2):
    return make_blobs([n - 50, 50], centers=[[0.3, 0.3], [0.7, 0.6]], cluster_std=std, random_state=0)


def boosted(policy, near_noisy="all", **parameters):
    emphasis = PatternType(policy, near_noisy)
    return RealAdaBoostClassifier(
        ParallelPerceptronClassifier(), emphasis, **{"n_estimators": 10, "random_state": 0, **parameters}
    )


# types


def sort_slowly(margins, negative, near_noisy):
    """The type of one sample, by the definitions; noisy goes before near noisy."""
    n_wrong = sum(margin < 0 for margin in margins)
    if all(margin > 1 for margin in margins):
        return "redundant"
    if all(margin < -1 for margin in margins):
        return "noisy"
    enough = n_wrong == len(margins) if near_noisy == "all" else n_wrong > len(margins) - n_wrong
    return "near_noisy" if negative and enough else "borderline"


@all_and_majority
@given(hidden=hidden_arrays)
def test_every_sample_has_the_type_that_its_definition_gives(near_noisy, hidden):
    negative = labels_of(len(hidden)) == 0
    expected = [sort_slowly(margins, own, near_noisy) for margins, own in zip(hidden, negative, strict=True)]
    assert [TYPES[code] for code in types_of(hidden, negative, near_noisy)] == expected


@given(hidden=hidden_arrays)
def test_the_majority_only_makes_borderline_samples_near_noisy(hidden):
    """Redundant and noisy samples stay so, and what all units get wrong the majority does too."""
    negative = labels_of(len(hidden)) == 0
    by_all, by_majority = (np.array(TYPES)[types_of(hidden, negative, how)] for how in ("all", "majority"))
    changed = by_all != by_majority
    assert set(by_all[changed]) <= {"borderline"} and set(by_majority[changed]) <= {"near_noisy"}


@given(hidden=hidden_arrays)
def test_of_a_single_unit_the_majority_is_all(hidden):
    negative = labels_of(len(hidden)) == 0
    one = hidden[:, :1]
    np.testing.assert_array_equal(types_of(one, negative, "majority"), types_of(one, negative, "all"))


@given(hidden=hidden_arrays)
def test_by_majority_every_negative_that_the_machine_gets_wrong_is_noisy_or_nearly_so(hidden):
    hidden = np.where(hidden == 0, 0.5, hidden)  # an activation of 0 is a vote for the second class, right or wrong
    y = labels_of(len(hidden))
    stage = stage_of(hidden, y)
    types = np.array(TYPES)[types_of(hidden, y == 0, "majority")]
    wrong_negatives = (y == 0) & (stage.margin < 0)
    np.testing.assert_array_equal(np.isin(types, ["noisy", "near_noisy"]) & (y == 0), wrong_negatives)


def test_a_margin_of_exactly_1_or_0_is_on_the_border():
    hidden = np.array([[1.0, 2.0], [-1.0, -2.0], [0.0, -0.5], [-1e-9, -0.5]])
    assert [TYPES[code] for code in types_of(hidden, np.ones(4, dtype=bool))] == [
        "borderline",
        "near_noisy",
        "borderline",
        "near_noisy",
    ]


@pytest.mark.parametrize(("y", "negative"), [([0, 0, 1], 0), ([1, 1, 0], 1), ([0, 1], 0)])
def test_the_positive_class_is_the_smaller_one_and_of_equal_ones_the_second(y, negative):
    y = np.array(y)
    stage = stage_of(np.full((len(y), 3), -0.5), y)
    emphasis = PatternType()
    emphasis.start(None, y)
    near_noisy = emphasis.observe(stage)["pattern_types_"] == "near_noisy"
    np.testing.assert_array_equal(near_noisy, y == negative)


# weights


@every_policy
@all_and_majority
@given(hidden=hidden_arrays, alpha=st.floats(0.01, 11.8), seed=st.integers(0, 99))
def test_the_weights_are_the_papers(policy, near_noisy, hidden, alpha, seed):
    y = labels_of(len(hidden))
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(y)))
    stage = stage_of(hidden, y, alpha, weights)
    factors = np.array(FACTORS[policy])[types_of(hidden, y == 0, near_noisy)]
    expected = weights * np.exp(-alpha * factors * stage.margin)
    found = next_weights(policy, stage, near_noisy)
    np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-9, atol=1e-300)
    assert (found >= 0).all() and found.sum() == pytest.approx(1)


def test_the_factors_are_those_of_table_1():
    table = {name: dict(zip(TYPES, FACTORS[name], strict=True)) for name in POLICIES}
    for policy in POLICIES:
        assert table[policy]["redundant"] == table[policy]["borderline"] == 1
        assert table[policy]["noisy"] == (1 if policy == "standard" else -1)
    assert [table[policy]["near_noisy"] for policy in POLICIES] == [1, 1, -1, 0]


def test_r_of_minus_1_lowers_the_weight_of_a_wrong_sample_and_0_keeps_it():
    hidden = np.array([[2.0] * 3, [-2.0] * 3, [-0.5] * 3, [0.5] * 3])  # one a type, all negative
    y = np.array([0, 0, 0, 0])
    change = {policy: next_weights(policy, stage_of(hidden, y)) for policy in POLICIES}
    for policy, weights in change.items():
        relative = weights / weights[3]  # borderline and right: by exp(-alpha) less
        up, even, down = np.exp(1.4), np.exp(0.7), 1.0
        expected = {
            "standard": [1, up, up, 1],
            "negative": [1, down, up, 1],
            "positive": [1, down, down, 1],
            "balanced": [1, down, even, 1],
        }
        np.testing.assert_allclose(relative, expected[policy])


@given(hidden=hidden_arrays)
def test_negative_is_standard_where_nothing_is_noisy(hidden):
    stage = stage_of(np.maximum(hidden, -0.99), labels_of(len(hidden)))
    np.testing.assert_array_equal(next_weights("negative", stage), next_weights("standard", stage))


@given(hidden=hidden_arrays)
def test_all_policies_are_one_where_nothing_is_noisy_or_nearly_so(hidden):
    hidden[:, 0] = np.abs(hidden[:, 0])
    stage = stage_of(hidden, labels_of(len(hidden)))
    for policy in POLICIES:
        np.testing.assert_array_equal(next_weights(policy, stage), next_weights("standard", stage))


@all_and_majority
@given(hidden=hidden_arrays)
def test_standard_and_negative_do_not_ask_what_is_near_noisy(near_noisy, hidden):
    stage = stage_of(hidden, labels_of(len(hidden)))
    for policy in ("standard", "negative"):
        np.testing.assert_array_equal(next_weights(policy, stage, near_noisy), next_weights(policy, stage))


@every_policy
@given(hidden=hidden_arrays, seed=st.integers(0, 99))
def test_the_order_of_the_samples_does_not_matter(policy, hidden, seed):
    y = labels_of(len(hidden))
    order = np.random.default_rng(seed).permutation(len(y))
    expected = next_weights(policy, stage_of(hidden, y))[order]
    np.testing.assert_allclose(next_weights(policy, stage_of(hidden[order], y[order])), expected, rtol=1e-12)


def test_weights_that_have_vanished_stay_so_and_the_rest_is_a_distribution():
    weights = np.array([0.0, 1e-300, 0.5, 0.5])
    stage = stage_of(np.array([[2.0] * 3, [2.0] * 3, [-2.0] * 3, [2.0] * 3]), np.array([0, 0, 0, 1]), 11.8, weights)
    found = next_weights("standard", stage)
    assert found[0] == 0 and found[1] > 0 and np.isfinite(found).all()
    assert found.sum() == pytest.approx(1)


@every_policy
def test_the_first_round_is_uniform_and_a_clone_the_same(policy):
    emphasis = clone(PatternType(policy, "majority"))
    np.testing.assert_array_equal(emphasis.start(None, labels_of(9)), np.full(9, 1 / 9))
    assert (emphasis.policy, emphasis.near_noisy) == (policy, "majority")


# growth


def test_standard_is_real_adaboost():
    """Identity 11, over a whole growth: weights, votes and scores."""
    X, y = problem()
    classes = np.array([0, 1])

    def stages(emphasis):
        grown = grow(
            X, y, classes, learner=ParallelPerceptronClassifier(), emphasis=emphasis, rng=np.random.default_rng(0)
        )
        return list(islice(grown, 8))

    standard, exponential = stages(PatternType("standard")), stages(Exponential())
    assert len(standard) == len(exponential) == 8
    for a, b in zip(standard, exponential, strict=True):
        np.testing.assert_allclose(a.weights, b.weights, rtol=1e-9)
        assert a.alpha == pytest.approx(b.alpha, rel=1e-9)
        np.testing.assert_allclose(a.score, b.score, rtol=1e-9, atol=1e-9)


@every_policy
@all_and_majority
def test_an_ensemble_keeps_the_types_of_every_round(policy, near_noisy):
    X, y = problem()
    model = boosted(policy, near_noisy, keep_weights=True).fit(X, y)
    assert model.pattern_types_.shape == (len(model.estimators_), len(y)) == (10, 200)
    for round_types, learner in zip(model.pattern_types_, model.estimators_, strict=True):
        codes = types_of(learner.hidden_margins(X, y), y == 0, near_noisy)
        np.testing.assert_array_equal(round_types, np.array(TYPES)[codes])
    for number in range(9):
        factors = np.array(FACTORS[policy])[[TYPES.index(name) for name in model.pattern_types_[number]]]
        margins = (2 * y - 1) * model.estimators_[number].output(X)
        log_weights = np.log(model.sample_weights_[number]) - model.alphas_[number] * factors * margins
        np.testing.assert_allclose(model.sample_weights_[number + 1], normalise(log_weights), rtol=1e-9)


def test_positive_finds_more_of_the_smaller_class_than_balanced_than_standard():
    X, y = problem(400, std=0.25)
    found = {policy: class_accuracies(y, boosted(policy).fit(X, y).predict(X)) for policy in POLICIES}
    assert found["positive"][1] > found["balanced"][1] > found["standard"][1]
    assert found["positive"][0] < found["balanced"][0] < found["standard"][0]


def test_it_works_on_tables_with_names_and_inside_a_neighbour():
    X, y = problem()
    table = pd.DataFrame(X, columns=["height", "width"])
    labels = np.where(y == 1, "ill", "well")
    model = boosted("balanced").fit(table, labels)
    np.testing.assert_array_equal(model.pattern_types_.shape, (10, 200))
    smoothed = RealAdaBoostClassifier(
        ParallelPerceptronClassifier(), Neighbour(PatternType("balanced")), n_estimators=5, random_state=0
    )
    assert smoothed.fit(table, labels).pattern_types_.shape == (5, 200)


def test_the_smaller_class_is_positive_whatever_its_label():
    X, y = problem()
    for labels in (y, 1 - y):
        types = boosted("balanced").fit(X, labels).pattern_types_
        assert (types[:, y == 0] == "near_noisy").any()
        assert not (types[:, y == 1] == "near_noisy").any()


def test_a_perfect_learner_counts_as_one_with_half_an_error():
    X, y = make_blobs([30, 10], centers=[[0.0, 0.0], [1.0, 1.0]], cluster_std=0.05, random_state=0)
    model = boosted("balanced", n_estimators=3).fit(X, y)
    assert model.score(X, y) == 1
    assert model.edges_[0] == 1 - 1 / 40
    assert model.alphas_[0] == pytest.approx(0.5 * np.log((1 - 1 / 80) * 80))
    assert len(model.estimators_) == 3  # the paper goes on


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.filterwarnings("ignore:No learner had an edge:UserWarning")
@pytest.mark.filterwarnings("ignore:From round .* on the emphasis rests on fewer than:UserWarning")
def test_tiny_tables(n):
    X, y = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    model = boosted("balanced", n_estimators=3).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.pattern_types_.shape == (len(model.estimators_), n)


class NeverRight(ParallelPerceptronClassifier):
    def learn(self, lesson):
        super().learn(lesson)
        return 1.0 - 2.0 * lesson.y


def test_a_learner_that_is_never_right_ends_growth_with_a_warning():
    X, y = problem()
    model = RealAdaBoostClassifier(NeverRight(n_epochs=5), PatternType(), n_estimators=3, random_state=0)
    with pytest.warns(UserWarning, match="No learner had an edge"):
        model.fit(X, y)
    assert model.stop_reason_ == "edge" and not hasattr(model, "pattern_types_")  # no round, nothing to observe
    assert set(model.predict(X)) == {0}


# bad input


@pytest.mark.parametrize("policy", ["Balanced", "", None, 1])
def test_an_unknown_policy_is_refused(policy):
    X, y = problem()
    with pytest.raises(ValueError, match=r"policy=.* is not allowed: policy must be one of 'standard', 'negative'"):
        boosted(policy).fit(X, y)


@pytest.mark.parametrize("near_noisy", ["most", None, True])
def test_an_unknown_way_to_be_near_noisy_is_refused(near_noisy):
    message = r"near_noisy=.* is not allowed: near_noisy must be one of 'all', 'majority'"
    with pytest.raises(ValueError, match=message):
        boosted("balanced", near_noisy).fit(*problem())


@pytest.mark.parametrize("learner", [RBFNetworkClassifier(), MLPNetworkClassifier(), DecisionTreeClassifier()])
def test_a_learner_without_hidden_margins_is_refused_by_name(learner):
    X, y = problem()
    name = type(learner).__name__
    with pytest.raises(ValueError, match=rf"PatternType.* needs a learner that is a MarginLearner, and {name} is not"):
        RealAdaBoostClassifier(learner, PatternType()).fit(X, y)


def test_more_than_two_classes_are_refused_by_name():
    with pytest.raises(ValueError, match="PatternType"):
        boosted("balanced").fit(*load_iris(return_X_y=True))


def test_a_round_that_is_dropped_and_samples_of_weight_0_leave_no_types():
    X, y = problem()
    weights = np.ones(len(y))
    weights[::5] = 0.0
    options = {"n_estimators": 6, "random_state": 0}
    full = RealAdaBoostClassifier(ParallelPerceptronClassifier(n_epochs=20), PatternType(), **options)
    full.fit(X, y, sample_weight=weights)
    assert full.pattern_types_.shape == (len(full.alphas_), len(y))
    np.testing.assert_array_equal(full.pattern_types_ == "", np.broadcast_to(weights == 0, full.pattern_types_.shape))
    sizes = full.effective_sample_sizes_
    assert sizes[-1] < sizes[0]
    stopped = clone(full).set_params(min_ess=float(sizes[-1] + sizes[0]) / 2).fit(X, y, sample_weight=weights)
    assert stopped.stop_reason_ == "ess"
    assert stopped.pattern_types_.shape == (len(stopped.alphas_), len(y))
    other = full.set_params(emphasis=None).fit(X, y)
    assert not hasattr(other, "pattern_types_")
