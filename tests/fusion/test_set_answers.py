"""Answers that are sets of classes: exact utilities, agreement with a search over all sets, ties, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.fusion.evidence import Masses, choose_sets, choose_sets_by, dempster, score_sets
from emphatic.fusion.evidence.utilities import UTILITIES
from tests.reference import evidence as slow

every_utility = pytest.mark.parametrize("utility", UTILITIES)


def worth(utility):
    a, b = {"u65": (1.6, 0.6), "u80": (2.2, 1.2)}[utility]
    return lambda size: a / size - b / size**2


@pytest.mark.parametrize(("utility", "of_two"), [("u65", 0.65), ("u80", 0.8)])
def test_a_set_of_two_is_worth_what_the_name_says(utility, of_two):
    assert score_sets([0], [[True, False]], [0, 1], utility) == pytest.approx(1.0)
    assert score_sets([0], [[True, True]], [0, 1], utility) == pytest.approx(of_two)
    assert score_sets([0], [[False, True]], [0, 1], utility) == 0.0
    # so with two classes both are named if neither has more than that
    share = np.array([[of_two - 0.01, 1.01 - of_two], [of_two + 0.01, 0.99 - of_two]])
    np.testing.assert_array_equal(choose_sets(share, utility), [[True, True], [True, False]])


@every_utility
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(1, 6), sharpness=st.sampled_from([0.2, 1.0, 10.0]))
def test_the_best_set_is_that_of_a_search_over_all_sets(utility, seed, n_classes, sharpness):
    probabilities = np.random.default_rng(seed).dirichlet(np.full(n_classes, sharpness), size=4)
    chosen = choose_sets(probabilities, utility)
    assert chosen.dtype == bool and chosen.shape == probabilities.shape
    for row, found in zip(probabilities, chosen, strict=True):
        expected = slow.best_set(lambda one, row=row: sum(row[one]), n_classes, worth(utility))
        assert np.flatnonzero(found).tolist() == expected


@every_utility
def test_certain_and_uncertain_answers(utility):
    np.testing.assert_array_equal(choose_sets(np.eye(4), utility), np.eye(4, dtype=bool))
    np.testing.assert_array_equal(choose_sets(np.full((1, 4), 0.25), utility), [[True] * 4])
    assert choose_sets(np.zeros((0, 3)), utility).shape == (0, 3)


def test_u80_names_at_least_as_many_classes_as_u65():
    probabilities = np.random.default_rng(0).dirichlet(np.ones(5), size=200)
    careful, bold = (choose_sets(probabilities, utility).sum(axis=1) for utility in ("u80", "u65"))
    assert (careful >= bold).all() and (careful > bold).any()


def test_ties_go_to_the_smallest_set_and_the_first_classes_also_when_rounding_differs():
    np.testing.assert_array_equal(choose_sets([[0.35, 0.65]]), [[False, True]])  # 0.65 alone or both
    three = [[0.45 + 1e-15, 0.1, 0.45]], [[0.45, 0.1, 0.45 + 1e-15]]
    for row in three:
        np.testing.assert_array_equal(choose_sets(row), [[True, False, True]])
    np.testing.assert_array_equal(choose_sets([[0.6, 0.2, 0.2 + 1e-15]], "u80"), [[True, True, False]])


def test_sources_that_contradict_each_other_completely_leave_all_classes_open():
    both = dempster(Masses.of([0b001], [[1.0]], 3), Masses.of([0b010], [[1.0]], 3))
    np.testing.assert_array_equal(choose_sets(both.pignistic()), [[True] * 3])
    np.testing.assert_array_equal(both.conflict, [1.0])


@every_utility
def test_the_mean_utility_of_single_classes_is_the_accuracy(utility):
    y, classes = np.array(["a", "b", "c", "new"]), np.array(["a", "b", "c"])
    chosen = np.array([[True, False, False], [True, False, False], [False, False, True], [True, False, False]])
    assert score_sets(y, chosen, classes, utility) == 0.5
    assert score_sets(y, np.zeros((4, 3), dtype=bool), classes, utility) == 0.0
    assert score_sets(y, np.ones((4, 3), dtype=bool), classes, utility) == pytest.approx(0.75 * worth(utility)(3))


@every_utility
def test_no_choice_is_expected_to_do_better(utility):
    """Labels drawn by the probabilities: the chosen sets are worth more than single classes and than all of them."""
    rng = np.random.default_rng(1)
    probabilities = rng.dirichlet(np.ones(3), size=4000)
    y = (rng.random((4000, 1)) > probabilities.cumsum(axis=1)).sum(axis=1)
    single = np.eye(3, dtype=bool)[probabilities.argmax(axis=1)]
    best = score_sets(y, choose_sets(probabilities, utility), [0, 1, 2], utility)
    for other in (single, np.ones((4000, 3), dtype=bool)):
        assert best > score_sets(y, other, [0, 1, 2], utility) + 0.02


# bad input


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        ([0.5, 0.5], r"shape \(2,\): it must be \(samples, classes\)"),
        (np.zeros((2, 0)), "at least 1 class"),
        ([[0.5, 0.6]], "row 0 sum to 1.1"),
        ([[1.5, -0.5]], "holds -0.5: every probability must be at least 0"),
        ([[np.nan, 1.0]], "holds nan"),
        ([[np.inf, 0.0]], "sum to inf"),
        ([["a", "b"]], "must hold real numbers"),
    ],
)
def test_invalid_probabilities_are_refused(probabilities, message):
    with pytest.raises(ValueError, match=message):
        choose_sets(probabilities)


def draw_masses(seed, n_classes, n_sets=5, n_samples=4):
    rng = np.random.default_rng(seed)
    sets = rng.integers(0, 2**n_classes, (n_samples, n_sets))
    return Masses.of(sets, rng.dirichlet(np.full(n_sets, 0.5), n_samples), n_classes)


@pytest.mark.parametrize("measure", ["belief", "plausibility"])
@every_utility
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(1, 6))
def test_the_best_set_under_masses_is_that_of_a_search_over_all_sets(measure, utility, seed, n_classes):
    masses, value = draw_masses(seed, n_classes), getattr(slow, measure)
    rows = zip(masses.sets, masses.values, choose_sets_by(masses, measure, utility), strict=True)
    for sets, values, found in rows:
        source = slow.of(sets, values, n_classes)
        expected = slow.best_set(lambda one, source=source: value(source, set(one)), n_classes, worth(utility))
        assert np.flatnonzero(found).tolist() == expected


@every_utility
def test_masses_on_single_classes_are_probabilities_for_every_measure(utility):
    probabilities = np.random.default_rng(0).dirichlet(np.ones(4), size=50)
    masses = Masses.of_supports(probabilities)
    for measure in ("belief", "plausibility", "pignistic"):
        np.testing.assert_array_equal(choose_sets_by(masses, measure, utility), choose_sets(probabilities, utility))


def test_ignorance_names_all_classes_to_the_careful_and_one_to_the_bold():
    nothing = Masses.of([0b111], [[1.0]], n_classes=3)
    np.testing.assert_array_equal(choose_sets_by(nothing, "belief"), [[True, True, True]])
    np.testing.assert_array_equal(choose_sets_by(nothing, "plausibility"), [[True, False, False]])


def test_many_classes_and_unknown_measures_are_refused():
    many = Masses.of([1], [[1.0]], n_classes=13)
    with pytest.raises(ValueError, match=r"13 classes: belief tries all sets, of at most 12 classes"):
        choose_sets_by(many)
    assert choose_sets_by(many, "pignistic").sum() == 1
    with pytest.raises(ValueError, match=r"measure='doubt' .*'belief', 'plausibility', 'pignistic'"):
        choose_sets_by(many, "doubt")
    with pytest.raises(TypeError, match=r"masses.*Masses.of_supports"):
        choose_sets_by(np.eye(3))


def test_unknown_utilities_are_refused():
    for unknown in ("u50", "U65", None, 0.65):
        with pytest.raises(ValueError, match=r"utility=.* must be one of 'u65', 'u80'"):
            choose_sets([[0.5, 0.5]], unknown)
        with pytest.raises(ValueError, match=r"utility=.* must be one of 'u65', 'u80'"):
            score_sets([0], [[True, False]], [0, 1], unknown)


@pytest.mark.parametrize(
    ("y", "chosen", "classes", "message"),
    [
        ([0], [[1, 0]], [0, 1], "of bool"),
        ([0], [True, False], [0, 1], r"it must be \(samples, classes\) of bool"),
        ([0, 1], [[True, False]], [0, 1], r"y has shape \(2,\)"),
        ([0], [[True, False]], [0, 1, 2], r"they must be \(1,\) and \(2,\)"),
    ],
)
def test_sets_that_do_not_fit_are_refused(y, chosen, classes, message):
    with pytest.raises(ValueError, match=message):
        score_sets(y, chosen, classes)
