"""Decisions of `EmphaticClassifier`: class weights, costs, F1 and balanced accuracy, and what is said about them."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.utils.class_weight import compute_sample_weight

from emphatic.auto import EmphaticClassifier
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.trees import BaggedTrees
from emphatic.auto.decisions import decision_weights
from emphatic.auto.decisions.class_weight import weigh_classes
from emphatic.auto.decisions.decision import BY_PROBABILITY, DecisionRule, choose_rule
from emphatic.auto.decisions.decision_weights import Measure, choose_weights, f1, recall
from emphatic.auto.decisions.decision_words import describe_decision
from emphatic.auto.decisions.outcome import Outcome
from emphatic.auto.searching import attempt as module

NAMES = np.array(["ham", "spam"])
MEAN_F1 = Measure(f1, np.full(3, 1 / 3))


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch):
    monkeypatch.setattr(
        module, "list_candidates", lambda *_, **how: (KernelRidge("cityblock", 1.0), BaggedTrees(n_trees=10))
    )


def rare(n=(190, 12), seed=0):
    X, y = make_blobs(n, centers=[[0, 0], [1.2, 0]], random_state=seed)
    return X, NAMES[y]


def three(n=(60, 30, 15), seed=0):
    return make_blobs(n, centers=[[0, 0], [1.5, 0], [0, 1.5]], random_state=seed)


def draw_probabilities(n, n_classes, seed):
    """Rows of which the labels follow the probabilities."""
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.linspace(0.3, 2.0, n_classes), n)
    codes = np.array([rng.choice(n_classes, p=row) for row in probabilities])
    return probabilities, codes


# class weights


@pytest.mark.parametrize("class_weight", ["balanced", {"ham": 2.0, "spam": 0.5}, {"spam": 7}])
def test_class_weights_are_those_of_scikit_learn_up_to_a_factor(class_weight):
    codes = np.repeat([0, 1], [30, 10])
    found = weigh_classes(class_weight, NAMES, codes, np.full(40, 1 / 40))
    whole = class_weight if class_weight == "balanced" else {"ham": 1.0, "spam": 1.0, **class_weight}
    expected = compute_sample_weight(whole, NAMES[codes])
    np.testing.assert_allclose(found / found.sum(), expected / expected.sum())


def test_class_weights_are_sample_weights():
    X, y = rare()
    by_class = EmphaticClassifier(class_weight={"spam": 3.0}, random_state=0).fit(X, y)
    by_row = EmphaticClassifier(decision="f1", random_state=0).fit(X, y, np.where(y == "spam", 3.0, 1.0))
    np.testing.assert_allclose(by_class.predict_proba(X), by_row.predict_proba(X))


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("even", "class_weight='even' is not allowed"),
        (3, 'class_weight=3 is not allowed: it must be None, "balanced" or a dict by label'),
        ({"spam": -1.0}, r"class_weight\['spam'\]=-1.0 is not allowed"),
        ({"spam": 0}, r"class_weight\['spam'\]=0 is not allowed"),
        ({"spam": np.nan}, r"class_weight\['spam'\]=nan is not allowed"),
        ({"spma": 2.0}, "unknown label in class_weight: 'spma'; did you mean 'spam'"),
    ],
)
def test_bad_class_weights(class_weight, message):
    with pytest.raises((ValueError, TypeError), match=message):
        EmphaticClassifier(class_weight=class_weight).fit(*rare())


# costs


@given(st.integers(0, 10_000), st.integers(2, 5))
@settings(max_examples=50, deadline=None)
def test_the_least_expected_cost_is_chosen(seed, n_classes):
    rng = np.random.default_rng(seed)
    probabilities, costs = rng.dirichlet(np.ones(n_classes), 20), rng.random((n_classes, n_classes))
    chosen = DecisionRule("cost", -costs).choose(probabilities)
    for row, place in zip(probabilities, chosen.tolist(), strict=True):
        expected = [sum(row[j] * costs[j, k] for j in range(n_classes)) for k in range(n_classes)]
        assert expected[place] == pytest.approx(min(expected))


def test_costs_of_one_for_every_mistake_predict_the_most_probable_class_and_costs_need_no_decision():
    X, y = three((60, 30, 20))
    plain = EmphaticClassifier(random_state=0).fit(X, y)
    costly = EmphaticClassifier(costs=1 - np.eye(3), random_state=0).fit(X, y)
    np.testing.assert_array_equal(costly.predict(X), plain.predict(X))
    np.testing.assert_array_equal(costly.predict_proba(X), plain.predict_proba(X))
    assert costly.decision_weights_ is None
    assert "least expected cost" in costly.explain()


def test_costs_by_label_are_the_matrix_and_a_dear_mistake_is_avoided():
    X, y = rare()
    by_label = EmphaticClassifier(costs={"spam": {"ham": 50}, "ham": {"spam": 1}}, random_state=0).fit(X, y)
    by_place = EmphaticClassifier(decision="cost", costs=[[0, 1], [50, 0]], random_state=0).fit(X, y)
    np.testing.assert_array_equal(by_label.predict(X), by_place.predict(X))
    expected = by_place.predict_proba(X)[:, 1] * 50 > by_place.predict_proba(X)[:, 0]
    np.testing.assert_array_equal(by_place.predict(X) == "spam", expected)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"costs": [[0, 1, 2], [1, 0, 2]]}, r"costs has the shape \(2, 3\): it must be a square matrix"),
        ({"costs": np.ones((3, 3))}, r"costs has the shape \(3, 3\), and y has 2 classes: it must be \(2, 2\)"),
        ({"costs": [[0, -1], [1, 0]]}, r"costs holds negative values \(least -1\)"),
        ({"costs": [[0, np.nan], [1, 0]]}, "costs holds NaN or infinity"),
        ({"costs": [[0, "dear"], [1, 0]]}, "costs must hold real numbers"),
        ({"costs": {"spam": 3}}, r"costs\['spam'\] must be a dict by predicted label"),
        ({"costs": {"spam": {"ham": -3}}}, r"costs\['spam'\]\['ham'\]=-3 is not allowed"),
        ({"costs": {"spam": {"hat": 3}}}, "unknown label in costs: 'hat'; did you mean 'ham'"),
        ({"costs": pd.DataFrame(np.eye(2))}, r'costs is a DataFrame.*use costs.to_dict\("index"\)'),
        ({"decision": "cost"}, 'decision="cost" needs costs'),
        ({"decision": "f1", "costs": np.eye(2)}, "costs are given, but decision='f1' does not use them"),
        ({"decision": "best"}, "decision='best' is not allowed: decision must be one of 'probability', 'f1'"),
    ],
)
def test_bad_costs_and_decisions(parameters, message):
    with pytest.raises((ValueError, TypeError), match=message):
        EmphaticClassifier(**parameters).fit(*rare())


# weights of classes


def list_thresholds(probabilities):
    """Between all different probabilities of the second class, and beyond."""
    values = np.unique(probabilities[:, 1])
    return np.concatenate([[0.0], (values[1:] + values[:-1]) / 2, [1.0]])


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_all_thresholds_is_found(seed):
    probabilities, codes = draw_probabilities(60, 2, seed)
    weights = choose_weights(probabilities, codes, np.ones(60), Measure(f1, np.array([0.0, 1.0])), trust=1.0)
    rarer_first = np.bincount(codes).argmin() == 1
    found = f1_score(codes, (weights * probabilities).argmax(axis=1))
    best = max(f1_score(codes, probabilities[:, 1] >= one, zero_division=0) for one in list_thresholds(probabilities))
    assert found == pytest.approx(best)
    assert weights[0 if rarer_first else 1] == 1.0


@pytest.mark.parametrize(("measure", "score"), [(MEAN_F1, "f1"), (Measure(recall, np.full(3, 1 / 3)), "recall")])
def test_weights_of_three_classes_are_as_good_as_those_of_a_fine_grid(measure, score):
    probabilities, codes = draw_probabilities(80, 3, 1)

    def judge(weights):
        chosen = (weights * probabilities).argmax(axis=1)
        return balanced_accuracy_score(codes, chosen) if score == "recall" else f1_score(codes, chosen, average="macro")

    found = judge(choose_weights(probabilities, codes, np.ones(80), measure, trust=1.0))
    assert found > judge(np.ones(3))
    grid = np.geomspace(0.1, 10, 12)
    # one class after another may end beside the very best
    assert found >= 0.97 * max(judge(np.array([a, b, 1.0])) for a, b in itertools.product(grid, grid))


def test_of_many_calibrated_rows_balanced_weights_are_one_over_the_shares():
    rng = np.random.default_rng(0)
    second = rng.beta(0.5, 5.0, 40_000)
    codes = (rng.random(40_000) < second).astype(np.intp)
    weights = choose_weights(
        np.column_stack([1 - second, second]), codes, np.ones(40_000), Measure(recall, np.full(2, 0.5))
    )
    assert weights[1] == pytest.approx((1 - codes.mean()) / codes.mean(), rel=0.1)


def test_a_row_of_weight_two_is_two_rows():
    probabilities, codes = draw_probabilities(50, 3, 2)
    weights = np.arange(50) % 3 + 1.0
    rows = np.repeat(np.arange(50), weights.astype(int))
    once = choose_weights(probabilities, codes, weights, MEAN_F1)
    repeated = choose_weights(probabilities[rows], codes[rows], np.ones(len(rows)), MEAN_F1)
    np.testing.assert_allclose(once, repeated)


def test_of_many_rows_some_of_each_class_stand_for_all(monkeypatch):
    probabilities, codes = draw_probabilities(3000, 3, 0)
    whole = choose_weights(probabilities, codes, np.ones(3000), MEAN_F1)
    monkeypatch.setattr(decision_weights, "MOST_ROWS", 1200)
    monkeypatch.setattr(decision_weights, "ENOUGH_PER_CLASS", 10)
    assert np.bincount(codes).max() > 800
    some = choose_weights(probabilities, codes, np.ones(3000), MEAN_F1)

    def judge(weights):
        return f1_score(codes, (weights * probabilities).argmax(axis=1), average="macro")

    assert judge(some) == pytest.approx(judge(whole), abs=0.01)


@pytest.mark.parametrize("problem", [rare, three])
@pytest.mark.parametrize("decision", ["f1", "balanced"])
def test_a_decision_changes_predict_and_nothing_else(problem, decision):
    X, y = problem()
    model = EmphaticClassifier(decision=decision, random_state=0).fit(X, y)
    plain = EmphaticClassifier(class_weight={y[0]: 1.0}, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))
    weighted = model.decision_weights_ * model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X), model.classes_[weighted.argmax(axis=1)])
    assert model.score(X, y) == np.mean(model.predict(X) == y)
    np.testing.assert_array_equal(plain.decision_weights_, np.ones(len(model.classes_)))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert "chosen out of fold" in model.explain()


def test_decide_takes_out_of_fold_probabilities_and_refuses_other_shapes():
    X, y = rare()
    model = EmphaticClassifier(decision="balanced", random_state=0).fit(X, y)
    found = balanced_accuracy_score(y, model.decide(model.out_of_fold_))
    assert found > balanced_accuracy_score(y, model.classes_[model.out_of_fold_.argmax(axis=1)])
    with pytest.raises(ValueError, match=r"probabilities has the shape \(202,\): it must be \(rows, 2\)"):
        model.decide(model.out_of_fold_[:, 0])
    with pytest.raises(ValueError, match="probabilities holds NaN: leave out rows without a prediction"):
        model.decide([[0.5, 0.5], [np.nan, np.nan]])


# what is said


def outcome_of(probabilities, codes, classes, rule=BY_PROBABILITY):
    return Outcome(rule, np.asarray(classes), probabilities, codes, np.ones(len(codes)))


def test_explain_and_a_warning_say_what_would_predict_a_class_that_never_is():
    X, y = rare()
    words = r"Class 'spam' \(5.9% of the rows\) is never predicted out of fold; decision=\"f1\" would predict it for "
    with pytest.warns(UserWarning, match=words):
        model = EmphaticClassifier(random_state=0).fit(X, y)
    assert "Class 'spam' (5.9% of the rows) is never predicted out of fold" in model.explain()
    assert "never" not in EmphaticClassifier(decision="f1", random_state=0).fit(X, y).explain()


def test_the_figures_of_the_advice_are_those_of_the_decision():
    second = np.concatenate([np.full(80, 0.01), np.full(10, 0.1), np.full(10, 0.4)])
    codes = np.repeat([0, 1, 0, 1], [90, 4, 1, 5])
    probabilities = np.column_stack([1 - second, second])
    rule = choose_rule("f1", None, NAMES, probabilities, codes, np.ones(100))
    np.testing.assert_array_equal(rule.choose(probabilities), second == 0.4)
    assert describe_decision(outcome_of(probabilities, codes, NAMES)) == [
        "Class 'spam' (9.0% of the rows) is never predicted out of fold; decision=\"f1\" would predict it for 10.0% of "
        "the rows, with recall 1.00 and precision 0.90 out of fold."
    ]
    assert describe_decision(outcome_of(probabilities, codes, NAMES, rule)) == [
        "Class 'spam' is predicted from a probability of 0.214 on.",
        "That was chosen out of fold: the F1 is 0.947 there, and 0.000 by probability alone.",
    ]


def test_no_decision_is_recommended_for_what_cannot_be_told_apart():
    probabilities = np.tile([0.9, 0.1], (100, 1))
    (sentence,) = describe_decision(outcome_of(probabilities, np.repeat([0, 1], [90, 10]), NAMES))
    assert sentence.endswith("no other decision would change that: its rows cannot be told from the others.")


def test_noise_of_even_classes_is_no_warning():
    rng = np.random.default_rng(0)
    for seed in range(3):
        EmphaticClassifier(random_state=seed).fit(rng.normal(size=(90, 3)), rng.integers(3, size=90))
