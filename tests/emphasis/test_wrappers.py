"""Emphases that change others: limiting cases in which they change nothing, slow twins, and what they refuse."""

import importlib.util
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from emphatic import ParallelPerceptronClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.base import Emphasis, EmphasisWrapper, Vote
from emphatic.boosting.together import Fit, fit_together
from emphatic.emphasis import (
    Annealed,
    Averaged,
    Capped,
    Controlled,
    DynamicMixed,
    Exponential,
    FuzzyEntropy,
    Guided,
    Mixed,
    Neighbour,
    Oversampled,
    PatternType,
    Undersampled,
    Uniform,
)
from emphatic.margins import cap_distribution, normalise
from emphatic.persistence import load, save

needs_imblearn = pytest.mark.skipif(importlib.util.find_spec("imblearn") is None, reason="imbalanced-learn is missing")

TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
PERCEPTRONS = ParallelPerceptronClassifier(n_epochs=5)
DRAWING = [Undersampled, pytest.param(Oversampled, marks=needs_imblearn)]


class Multiplicative(Emphasis):
    """AdaBoost's own update: the last weights times exp(-alpha m)."""

    def update(self, stage):
        with np.errstate(divide="ignore"):
            return normalise(np.log(stage.weights) - stage.alpha * stage.margin)


class HardTree(ClassifierMixin, BaseEstimator):
    """Votes +-1, and is the same whoever seeds it."""

    def __init__(self, depth=1):
        self.depth = depth

    def fit(self, X, y, sample_weight):
        weights = np.round(sample_weight / np.mean(sample_weight), 9)  # so that rounding decides between no splits
        self.tree_ = DecisionTreeClassifier(max_depth=self.depth, random_state=0).fit(X, y, weights)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class Seen(ClassifierMixin, BaseEstimator):
    """A tree that remembers what it was trained on."""

    def fit(self, X, y, sample_weight=None):
        self.X_, self.y_, self.weights_ = X, y, sample_weight
        self.tree_ = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y, sample_weight)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


def moons():
    return make_moons(120, noise=0.3, random_state=0)


def imbalanced(sizes=(90, 15), seed=0):
    """Classes of these sizes that overlap."""
    centers = np.array([[0.0, 0.0], [1.2, 1.2], [0.0, 1.5]])[: len(sizes)]
    return make_blobs(list(sizes), centers=centers, cluster_std=0.8, random_state=seed)


def boosted(emphasis, learner=TREE, **parameters):
    defaults = {"n_estimators": 6, "keep_weights": True, "random_state": 0}
    return RealAdaBoostClassifier(learner, emphasis, **{**defaults, **parameters})


def assert_equal_fits(one, other, X, y):
    one, other = one.fit(X, y), other.fit(X, y)
    np.testing.assert_array_equal(one.alphas_, other.alphas_)
    np.testing.assert_array_equal(one.sample_weights_, other.sample_weights_)
    np.testing.assert_array_equal(one.candidates_, other.candidates_)
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))


# averaged


def test_around_a_multiplicative_emphasis_it_is_aveboost():
    X, y = moons()
    model = boosted(Averaged(Multiplicative()), HardTree(), n_estimators=10).fit(X, y)
    d = np.full(len(y), 1 / len(y))
    for t in range(1, 11):  # Oza's algorithm, step by step
        np.testing.assert_allclose(model.sample_weights_[t - 1], d, rtol=1e-9)
        wrong = HardTree().fit(X, y, sample_weight=d * len(y)).predict(X) != y
        error = d[wrong].sum()
        assert model.alphas_[t - 1] == pytest.approx(0.5 * np.log((1 - error) / error))
        c = np.where(wrong, d / (2 * error), d / (2 * (1 - error)))
        d = (t * d + c) / (t + 1)


def test_an_emphasis_of_margins_is_averaged_over_the_rounds():
    X, y = moons()
    growing = boosted(Averaged(Mixed(0.3))).fit(X, y)
    score, chosen = np.zeros(len(y)), []
    for alpha, tree, weights in zip(growing.alphas_, growing.estimators_, growing.sample_weights_, strict=True):
        m = (2 * y - 1) * score
        chosen.append(normalise(0.3 * (1 - m) ** 2 - 0.7 * m**2))
        np.testing.assert_allclose(weights, np.mean(chosen, axis=0), rtol=1e-12)
        score = score + alpha * (2 * tree.predict_proba(X)[:, 1] - 1)


def test_the_average_of_equal_weights_is_equal():
    X, y = moons()
    np.testing.assert_allclose(boosted(Averaged(Uniform())).fit(X, y).sample_weights_, 1 / len(y), rtol=1e-12)


def test_one_lambda_offers_one_distribution():
    X, y = moons()
    one, other = boosted(Averaged(DynamicMixed([0.3]))).fit(X, y), boosted(Averaged(Mixed(0.3))).fit(X, y)
    np.testing.assert_array_equal(one.sample_weights_, other.sample_weights_)


# capped


def cap(weights, largest):
    """At most `largest` times the mean weight."""
    return cap_distribution(weights, largest / len(weights))


weights_to_cap = npst.arrays(
    float,
    st.integers(1, 40),
    elements=st.one_of(st.just(0.0), st.floats(0, 1), st.floats(1e-12, 1e-6), st.floats(0, 1e-300)),
).filter(lambda values: values.sum() > 0)


@given(values=weights_to_cap, largest=st.floats(1, 60))
def test_no_weight_is_above_the_cap_and_their_order_stays(values, largest):
    weights = values / values.sum()
    capped = cap(weights, largest)
    assert (capped >= 0).all() and (capped <= max(largest / len(weights), weights.max())).all()
    assert weights.max() <= largest / len(weights) or capped.max() <= largest / len(weights)
    np.testing.assert_allclose(capped.sum(), 1, rtol=1e-9)
    assert (np.diff(capped[np.argsort(weights)]) >= 0).all()


@given(values=npst.arrays(float, st.integers(2, 40), elements=st.floats(1e-6, 1)), largest=st.floats(1.01, 40))
def test_the_projection_is_that_of_bisection(values, largest):
    weights = values / values.sum()
    limit = largest / len(weights)
    low, high = 0.0, 1e12
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(limit, middle * weights).sum() < 1 else (low, middle)
    np.testing.assert_allclose(cap(weights, largest), np.minimum(limit, high * weights), rtol=1e-7)


@given(values=npst.arrays(float, 12, elements=st.floats(1e-3, 1)), seed=st.integers(0, 999))
def test_no_other_capped_distribution_has_less_relative_entropy(values, seed):
    weights = values / values.sum()
    found = cap(weights, 1.5)
    other = cap(np.random.default_rng(seed).dirichlet(np.ones(12)), 1.5)

    def divergence(one):
        return float((one[one > 0] * np.log(one[one > 0] / weights[one > 0])).sum())

    assert divergence(found) <= divergence(other) + 1e-12


def test_others_that_weigh_nothing_share_equally():
    np.testing.assert_allclose(cap(np.array([1.0, 0.0, 0.0, 0.0]), 2.0), [0.5, 1 / 6, 1 / 6, 1 / 6])
    np.testing.assert_allclose(cap(np.array([0.0, 1.0, 5e-324, 5e-324]), 1.0), 0.25)


@pytest.mark.parametrize("base", [Exponential(), Mixed(0.8), DynamicMixed((0.2, 0.8)), Multiplicative()], ids=repr)
def test_a_cap_at_infinity_changes_nothing(base):
    assert_equal_fits(boosted(Capped(base, np.inf)), boosted(base), *moons())


def test_a_cap_of_one_makes_all_weights_equal():
    X, y = moons()
    np.testing.assert_allclose(boosted(Capped(Mixed(0.9), 1)).fit(X, y).sample_weights_, 1 / len(y), rtol=1e-12)


def test_the_base_goes_on_from_its_own_weights_not_from_the_capped_ones():
    X, y = moons()
    model = boosted(Capped(Multiplicative(), 1.5), n_estimators=10).fit(X, y)
    d = np.full(len(y), 1 / len(y))
    for alpha, tree, weights in zip(model.alphas_, model.estimators_, model.sample_weights_, strict=True):
        np.testing.assert_allclose(weights, cap(d, 1.5), rtol=1e-9)
        d = normalise(np.log(d) - alpha * (2 * y - 1) * (2 * tree.predict_proba(X)[:, 1] - 1))
    assert d.max() > 1.5 / len(y)  # it did cap


# annealed

ALIKE = [
    *(Uniform(), Exponential(), Mixed(0.8), Controlled(), Multiplicative(), FuzzyEntropy(), DynamicMixed([0.3])),
    *(Neighbour(Mixed(0.3)), Capped(Multiplicative(), 2.0), Averaged(Multiplicative())),
]


@pytest.mark.parametrize("rounds", [1, 2, 4, 50])
@pytest.mark.parametrize("emphasis", ALIKE, ids=repr)
def test_between_two_equal_emphases_it_is_that_emphasis(emphasis, rounds):
    assert_equal_fits(boosted(Annealed(emphasis, emphasis, rounds)), boosted(emphasis), *moons())


@pytest.mark.parametrize("emphasis", [PatternType(), Neighbour(PatternType())], ids=repr)
def test_that_holds_for_an_emphasis_that_observes_too(emphasis):
    X, y = moons()
    one, other = boosted(Annealed(emphasis, emphasis), PERCEPTRONS), boosted(emphasis, PERCEPTRONS)
    assert_equal_fits(one, other, X, y)
    np.testing.assert_array_equal(one.pattern_types_, other.pattern_types_)


def test_the_share_of_the_last_emphasis_grows_from_0_to_1():
    X, y = moons()
    model = boosted(Annealed(Mixed(0.2), Mixed(0.8), rounds=4)).fit(X, y)
    score = np.zeros(len(y))
    for share, alpha, tree, weights in zip(
        [0, 1 / 3, 2 / 3, 1, 1, 1], model.alphas_, model.estimators_, model.sample_weights_, strict=True
    ):
        m = (2 * y - 1) * score
        first, last = normalise(0.2 * (1 - m) ** 2 - 0.8 * m**2), normalise(0.8 * (1 - m) ** 2 - 0.2 * m**2)
        np.testing.assert_allclose(weights, (1 - share) * first + share * last, rtol=1e-10)
        score = score + alpha * (2 * tree.predict_proba(X)[:, 1] - 1)


def test_one_round_is_the_last_emphasis_from_the_beginning():
    assert_equal_fits(boosted(Annealed(Mixed(0.2), Mixed(0.8), 1)), boosted(Mixed(0.8)), *moons())


def test_each_goes_on_from_its_own_weights():
    X, y = moons()
    model = boosted(Annealed(Multiplicative(), Uniform(), rounds=5)).fit(X, y)
    own = np.full(len(y), 1 / len(y))
    for t, (alpha, tree) in enumerate(zip(model.alphas_, model.estimators_, strict=True)):
        share = min(1, t / 4)
        np.testing.assert_allclose(model.sample_weights_[t], (1 - share) * own + share / len(y), rtol=1e-9)
        own = normalise(np.log(own) - alpha * (2 * y - 1) * (2 * tree.predict_proba(X)[:, 1] - 1))


class OwnVote(Emphasis, Vote):
    """An emphasis that chooses its votes itself."""

    @property
    def vote(self):
        return self

    def update(self, stage):
        return stage.weights

    def choose(self, ballot):
        return 1.0


class NeedsTree(Uniform):
    learner_type = DecisionTreeClassifier


@pytest.mark.parametrize(
    ("first", "last", "difference"),
    [
        (
            Mixed(),
            Exponential(),
            r"first=Mixed\(\) and last=Exponential\(\) .* different votes, 'bound' and 'emphasis'",
        ),
        (Uniform(), Undersampled(Uniform()), "do not both train on all rows: wrap the whole"),
        (PatternType(), NeedsTree(), "need learners of the types MarginLearner and DecisionTreeClassifier"),
        (OwnVote(), OwnVote(), "choose votes by their own weights"),
        (Mixed(), DynamicMixed(), r"Annealed needs one distribution per round, and DynamicMixed\(\) offers 11"),
        (FuzzyEntropy("hard", 0.3), FuzzyEntropy("hard", 0.9), "observe different things under one name, entropies_"),
    ],
    ids=lambda one: repr(one)[:30],
)
def test_what_does_not_go_together_is_refused(first, last, difference):
    with pytest.raises(ValueError, match=difference):
        boosted(Annealed(first, last), PERCEPTRONS).fit(*moons())


def test_needs_are_joined():
    both = Annealed(Controlled(), PatternType())
    assert both.learner_type is PatternType.learner_type and not both.multi_class
    assert Annealed(PatternType(), Controlled()).learner_type is PatternType.learner_type
    assert both.largest_edge(10) == PatternType().largest_edge(10) < Controlled().largest_edge(10)
    assert Annealed(Mixed(), Mixed()).vote == "bound" and Annealed(Mixed(), Mixed()).multi_class
    assert boosted(both, PERCEPTRONS).fit(*moons()).pattern_types_.shape == (6, 120)
    X, y = imbalanced((40, 40, 40))
    with pytest.raises(ValueError, match="defined for 2 classes"):
        boosted(both, PERCEPTRONS).fit(X, y)
    assert boosted(Annealed(Uniform(), Exponential(), 3)).fit(X, y).score(X, y) > 0.6


def test_a_design_may_be_annealed_and_not_by_several_lambdas():
    network = RBFNetworkClassifier()
    assert boosted(Mixed(0.3), network, design_emphasis=Annealed(Uniform(), Controlled())).fit(*moons())
    with pytest.raises(ValueError, match="which only emphasis can do"):
        boosted(Mixed(0.3), network, design_emphasis=Annealed(Mixed(), DynamicMixed())).fit(*moons())


# drawing rows


def rows_seen(model):
    """The rows that each learner was trained on, as sorted first columns."""
    return [np.sort(np.asarray(one.X_)[:, 0]) for one in model.estimators_]


@pytest.mark.parametrize("base", [Exponential(), Mixed(0.8), DynamicMixed((0.2, 0.8))], ids=repr)
@pytest.mark.parametrize("wrapper", DRAWING)
def test_of_equal_classes_all_rows_are_drawn(wrapper, base):
    assert_equal_fits(boosted(wrapper(base)), boosted(base), *moons())


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [(1, [15, 15, 15]), (2.0, [30, 30, 15]), (4, [60, 40, 15]), (0.5, [8, 8, 15]), (1e-9, [2, 2, 15])],
)
def test_larger_classes_are_drawn_from_and_the_smallest_is_complete(ratio, expected):
    X, y = imbalanced((90, 40, 15))
    model = boosted(Undersampled(Exponential(), ratio), Seen()).fit(X, y)
    for learner, weights in zip(model.estimators_, model.sample_weights_, strict=True):
        assert np.bincount(learner.y_).tolist() == expected
        rows = [int(np.flatnonzero((X == row).all(axis=1))[0]) for row in learner.X_]
        assert len(set(rows)) == len(rows) and set(np.flatnonzero(y == 2)) <= set(rows)
        np.testing.assert_array_equal(learner.y_, y[rows])
        share = weights[rows] / weights[rows].sum()
        np.testing.assert_allclose(learner.weights_, share * len(rows), rtol=1e-12)


@pytest.mark.parametrize("wrapper", DRAWING)
def test_draws_differ_between_rounds_and_not_between_fits(wrapper):
    X, y = imbalanced()
    model = boosted(wrapper(Exponential()), Seen()).fit(X, y)
    again = boosted(wrapper(Exponential()), Seen()).fit(X, y)
    other = boosted(wrapper(Exponential()), Seen(), random_state=1).fit(X, y)
    for one, same in zip(rows_seen(model), rows_seen(again), strict=True):
        np.testing.assert_array_equal(one, same)
    assert all(not np.array_equal(one, following) for one, following in pairwise(rows_seen(model)))
    assert not np.array_equal(rows_seen(model)[0], rows_seen(other)[0])


def test_edges_are_of_all_rows():
    X, y = imbalanced()
    model = boosted(Undersampled(Exponential()), HardTree()).fit(X, y)
    for alpha, learner, weights in zip(model.alphas_, model.estimators_, model.sample_weights_, strict=True):
        right = np.where(learner.predict(X) == y, 1.0, -1.0)
        assert alpha == pytest.approx(np.arctanh(weights @ right))


@pytest.mark.parametrize("sizes", [(60, 12), (60, 25, 12)])
@pytest.mark.parametrize("learner", [TREE, RBFNetworkClassifier(), KNeighborsClassifier(3)], ids=repr)
@pytest.mark.parametrize("wrapper", DRAWING)
def test_every_kind_of_learner_learns_from_drawn_rows(wrapper, learner, sizes):
    X, y = imbalanced(sizes)
    model = boosted(wrapper(Controlled()), learner).fit(X, y)
    assert balanced_accuracy_score(y, model.predict(X)) > 1.4 / len(sizes)  # chance is 1
    [together, _] = fit_together([Fit(boosted(wrapper(Controlled()), learner), X, y), Fit(boosted(Mixed()), X, y)])
    np.testing.assert_array_equal(together.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(together.sample_weights_, model.sample_weights_)


@pytest.mark.parametrize("wrapper", DRAWING)
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_table_with_names_stays_one(frame, wrapper):
    X, y = imbalanced()
    X = X.round(1) * 10  # whole numbers: what SMOTE makes between them must not be cut off
    table = frame(X, **{"columns" if frame is pd.DataFrame else "schema": ["east", "north"]})
    of_array = boosted(wrapper(Exponential()), Seen()).fit(X, y)
    of_table = boosted(wrapper(Exponential()), Seen()).fit(table, y)
    np.testing.assert_array_equal(of_table.decision_function(table), of_array.decision_function(X))
    seen = of_table.estimators_[0].X_
    assert isinstance(seen, frame) and list(seen.columns) == ["east", "north"]
    boosted(wrapper(Exponential())).fit(table, y).predict(table)  # without a warning about names


@pytest.mark.parametrize("wrapper", DRAWING)
def test_a_class_of_one_row_is_refused(wrapper):
    X, y = imbalanced((30, 2))
    assert len(boosted(wrapper(Uniform())).fit(X, y).estimators_) > 0
    X, y = imbalanced((30, 1))
    with pytest.raises(
        ValueError, match=f"{wrapper.__name__} needs at least 2 rows of each class, and one .* single row"
    ):
        boosted(wrapper(Exponential())).fit(X, y)


def test_a_design_emphasis_and_drawn_rows_do_not_go_together():
    X, y = imbalanced()
    with pytest.raises(ValueError, match="whose learners see other rows than those of the table: leave it out"):
        boosted(Undersampled(Mixed()), RBFNetworkClassifier(), design_emphasis=Uniform()).fit(X, y)
    with pytest.raises(
        ValueError, match=r"design_emphasis=Undersampled.* is not allowed: it draws the rows of a round"
    ):
        boosted(Mixed(), RBFNetworkClassifier(), design_emphasis=Undersampled(Uniform())).fit(X, y)


class Unlucky(ClassifierMixin, BaseEstimator):
    """Has no edge unless the first row of the larger class is among those that it sees."""

    def fit(self, X, y, sample_weight=None):
        self.classes_, self.lucky_ = np.unique(y), bool((X[:, 0] == 0).any())
        return self

    def predict(self, X):
        return (X[:, 0] < 0).astype(int) if self.lucky_ else np.zeros(len(X), dtype=int)


def test_a_learner_without_an_edge_is_trained_again_on_other_rows():
    X = np.concatenate([np.arange(20.0), -np.arange(1.0, 15.0)])[:, None]
    y = (X[:, 0] < 0).astype(int)
    weights = np.where(y, 1 / 14, 1 / 20)  # so that a learner of one class has no edge
    counts = {}
    for seed in range(20):
        model = boosted(Undersampled(Uniform()), Unlucky(), n_estimators=1, patience=30, random_state=seed)
        counts[seed] = len(model.fit(X, y, sample_weight=weights).estimators_)
    assert set(counts.values()) == {1}


@needs_imblearn
def test_rusboost_with_the_same_draws_is_that_of_imbalanced_learn():
    from imblearn.ensemble import RUSBoostClassifier

    X, y = imbalanced((200, 30))
    theirs = RUSBoostClassifier(HardTree(4), n_estimators=8, random_state=0).fit(X, y)
    drawn = [one.sample_indices_ for one in theirs.samplers_]
    assert len(drawn) >= 5

    class Replayed(Undersampled):
        def redraw(self, rows, rng):
            self.round_ = getattr(self, "round_", -1) + 1
            chosen = drawn[self.round_]
            return type(rows)(rows.X[chosen], rows.y[chosen], rows.weights[chosen] / rows.weights[chosen].sum())

    ours = boosted(Replayed(Exponential()), HardTree(4), n_estimators=len(drawn)).fit(X, y)
    np.testing.assert_allclose(2 * ours.alphas_, theirs.estimator_weights_[: len(drawn)], rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    for draw in drawn:  # they draw as many rows of each class as we do
        assert np.bincount(y[draw]).tolist() == [30, 30]


# synthetic rows


@needs_imblearn
@pytest.mark.parametrize(
    ("ratio", "expected"), [(1.0, [90, 90, 90]), (0.5, [90, 45, 45]), (0.3, [90, 40, 27]), (0.1, [90, 40, 15])]
)
def test_synthetic_rows_are_of_the_smaller_classes(ratio, expected):
    X, y = imbalanced((90, 40, 15))
    model = boosted(Oversampled(Exponential(), ratio), Seen()).fit(X, y)
    for learner, weights in zip(model.estimators_, model.sample_weights_, strict=True):
        assert np.bincount(learner.y_).tolist() == expected
        np.testing.assert_array_equal(learner.X_[: len(y)], X)
        added = learner.y_[len(y) :]
        shares = np.concatenate([weights, [weights[y == code].mean() for code in added]])
        np.testing.assert_allclose(learner.weights_, shares / shares.sum() * len(shares), rtol=1e-12)
        for code in np.unique(added):  # between rows of their class
            made = learner.X_[len(y) :][added == code]
            assert (made >= X[y == code].min(axis=0)).all() and (made <= X[y == code].max(axis=0)).all()


@needs_imblearn
def test_a_class_with_few_rows_has_fewer_neighbours():
    X, y = imbalanced((40, 20, 3))
    model = boosted(Oversampled(Exponential(), n_neighbors=10), Seen()).fit(X, y)
    assert np.bincount(model.estimators_[0].y_).tolist() == [40, 40, 40]


@needs_imblearn
def test_synthetic_rows_can_be_undersampled():
    X, y = imbalanced((90, 10))
    model = boosted(Undersampled(Oversampled(Exponential(), 0.5)), Seen()).fit(X, y)
    assert np.bincount(model.estimators_[0].y_).tolist() == [45, 45]


@needs_imblearn
def test_synthetic_rows_need_numbers():
    X, y = imbalanced()
    with_gap = X.copy()
    with_gap[3, 0] = np.nan
    with pytest.raises(ValueError, match=r"Oversampled makes new rows .* finite numbers only: .*NaN"):
        boosted(Oversampled(Exponential())).fit(with_gap, y)
    with pytest.raises(ValueError, match=r"Oversampled makes new rows .* finite numbers only: .*float"):
        boosted(Oversampled(Exponential())).fit(pd.DataFrame({"side": np.where(y, "left", "right")}), y)
    with pytest.raises(ValueError, match=r"no values beyond \+-1e\+100: scale"):
        boosted(Oversampled(Exponential())).fit(X * 1e200, y)


def test_what_makes_synthetic_rows_is_named_when_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "imblearn.over_sampling", None)
    with pytest.raises(ImportError, match=r'Oversampled needs imbalanced-learn: pip install "emphatic\[imbalance\]"'):
        boosted(Oversampled(Exponential())).fit(*imbalanced())


# wrappers in wrappers


@pytest.mark.parametrize("wrapper", [Averaged, Capped, Guided, Neighbour, Undersampled, Oversampled])
def test_a_wrapper_does_not_wrap_its_own_kind(wrapper):
    name = wrapper.__name__
    twice, between, itself = wrapper(wrapper(Mixed())), wrapper(Annealed(Mixed(), wrapper(Mixed()))), wrapper()
    itself.base = itself
    for emphasis in (twice, between, itself):
        with pytest.raises(ValueError, match=f"it holds a {name}, and a {name} cannot wrap another {name}"):
            emphasis.check_parameters()
        with pytest.raises(ValueError, match=f"it holds a {name}"):
            boosted(emphasis).fit(*moons())


def test_cycles_are_refused():
    capped, neighbour, pair = Capped(), Neighbour(), Annealed(Mixed())
    capped.base, neighbour.base, pair.last = neighbour, capped, pair
    for emphasis in (Averaged(capped), capped):
        with pytest.raises(ValueError, match="cannot wrap another"):
            boosted(emphasis).fit(*moons())
    for emphasis in (pair, Capped(pair), Annealed(Mixed(), pair)):
        with pytest.raises(ValueError, match="An emphasis cannot hold itself, and this Annealed does"):
            boosted(emphasis).fit(*moons())


def test_three_emphases_one_after_another():
    X, y = moons()
    three = Annealed(Annealed(Mixed(0.2), Mixed(0.5), 3), Mixed(0.8), 6)
    assert boosted(three).fit(X, y).score(X, y) > 0.8


def test_different_wrappers_combine():
    X, y = imbalanced((60, 20))
    model = boosted(Undersampled(Capped(Averaged(Neighbour(Annealed(Mixed(0.8), Mixed(0.3)))), 3.0))).fit(X, y)
    assert (model.sample_weights_ <= 3 / 80 + 1e-15).all()
    assert balanced_accuracy_score(y, model.predict(X)) > 0.8


def test_a_wrapper_that_changes_nothing_is_its_base():
    class Plain(EmphasisWrapper):
        def __init__(self, base=None):
            self.base = base

    for base in (Multiplicative(), DynamicMixed((0.2, 0.8))):
        assert_equal_fits(boosted(Plain(base)), boosted(base), *moons())
    X, y = moons()
    one, other = boosted(Plain(PatternType()), PERCEPTRONS).fit(X, y), boosted(PatternType(), PERCEPTRONS).fit(X, y)
    np.testing.assert_array_equal(one.pattern_types_, other.pattern_types_)


@pytest.mark.parametrize(
    "emphasis",
    [
        *(Averaged(Mixed(0.3)), Capped(Mixed(0.3), np.inf), Capped(Averaged(Mixed(0.3)), 2.0)),
        *(Annealed(Uniform(), Controlled(), rounds=2), Undersampled(Mixed(0.3), 2.0)),
        pytest.param(Oversampled(Mixed(0.3), 0.5, n_neighbors=3), marks=needs_imblearn),
    ],
    ids=repr,
)
def test_a_model_with_a_wrapper_is_saved_with_it(emphasis, tmp_path):
    X, y = imbalanced()
    model = boosted(emphasis).fit(X, y)
    save(model, tmp_path / "model.emphatic")
    loaded = load(tmp_path / "model.emphatic")
    assert repr(loaded.emphasis) == repr(emphasis)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
