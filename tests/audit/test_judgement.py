"""One judgement per sample: suspicion, suggestion and kind agree for any probabilities, and suspicion is calibrated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.audit.judgement import assign_kinds, find_safe_margin, judge_labels, suggest_classes
from emphatic.audit.noise_model import spread_evenly
from tests.audit.test_noise_model import draw_labels


@st.composite
def judged_tables(draw):
    """Probabilities, also of 0 and 1, and labels, also of classes that no model knows."""
    n, n_classes = draw(st.integers(1, 40)), draw(st.integers(2, 5))
    supports = draw(
        st.lists(st.lists(st.sampled_from([0.0, 1e-6, 0.1, 0.5, 1.0]), min_size=5, max_size=5), min_size=n, max_size=n)
    )
    table = np.array(supports)[:, :n_classes] + 1e-12
    codes = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    return table / table.sum(axis=1, keepdims=True), codes


@given(judged_tables())
@settings(deadline=None, max_examples=200)
def test_suspicion_suggestion_and_kind_agree(table):
    probabilities, codes = table
    rows = np.arange(len(codes))
    posterior, suspicion, suggested, kinds = judge_labels(probabilities, codes)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    assert ((suspicion >= 0) & (suspicion <= 1 + 1e-12)).all()
    np.testing.assert_allclose(suspicion, 1 - posterior[rows, codes], atol=1e-12)
    assert ((suggested != codes) == (suspicion > 0.5)).all()
    others = np.where(np.arange(probabilities.shape[1]) == codes[:, None], 0.0, posterior)
    wrong = suggested != codes
    assert (posterior[rows, suggested][wrong] == others.max(axis=1)[wrong]).all()
    assert (suspicion[kinds == "noisy"] > 0.5).all() and (suggested != codes)[kinds == "noisy"].all()
    assert (suspicion[kinds == "redundant"] <= 0.5).all() and (suggested == codes)[kinds == "redundant"].all()


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.integers(0, 1)), min_size=2, max_size=50))
@settings(deadline=None)
def test_of_two_classes_a_less_probable_label_is_the_more_suspicious(samples):
    p, codes = np.array([one for one, _ in samples]), np.array([code for _, code in samples])
    probabilities = np.column_stack([1 - p, p])
    suspicion = judge_labels(probabilities, codes).suspicion
    for code in (0, 1):
        own, found = probabilities[codes == code, code], suspicion[codes == code]
        assert (np.diff(found[np.argsort(own, kind="stable")]) <= 1e-15).all()


def test_of_three_classes_a_label_that_is_probably_wrong_is_never_suggested():
    posterior = np.array([[0.4, 0.35, 0.25], [0.5, 0.5, 0.0]])
    assert suggest_classes(posterior, np.zeros(2, dtype=int), np.array([0.6, 0.5])).tolist() == [1, 0]


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("share", [0.03, 0.15])
def test_of_samples_with_a_suspicion_near_s_a_share_s_is_wrong(n_classes, share):
    probabilities, codes, wrong = draw_labels(spread_evenly(share, n_classes), sharpness=1.5, n=20_000)
    suspicion = judge_labels(probabilities, codes).suspicion
    assert suspicion.sum() == pytest.approx(wrong.sum(), rel=0.1)
    for low in np.arange(0.0, 1.0, 0.1):
        near = (suspicion >= low) & (suspicion < low + 0.1)
        if near.sum() > 100:
            assert suspicion[near].mean() == pytest.approx(wrong[near].mean(), abs=0.1)


def test_the_safe_margin_has_a_quarter_of_the_right_samples_inside_and_ignores_the_wrong_ones():
    margin = np.random.default_rng(6).uniform(-0.2, 0.4, 4001)
    gamma = find_safe_margin(margin)
    right = margin[margin > 0]
    assert (right < gamma).mean() == pytest.approx(0.25, abs=1e-3)
    assert find_safe_margin(np.where(margin > 0, margin, -1.0)) == gamma
    assert find_safe_margin(np.ones(5)) == find_safe_margin(-np.ones(5)) == 0.5


def test_kinds_are_safely_right_safely_wrong_and_the_rest():
    p = np.array([0.99, 0.95, 0.9, 0.85, 0.6, 0.45, 0.02])  # of the given label
    probabilities, codes = np.column_stack([p, 1 - p]), np.zeros(7, dtype=int)
    assert assign_kinds(probabilities, codes, 1 - p).tolist() == [
        *["redundant"] * 4, "borderline", "borderline", "noisy",
    ]  # fmt: skip
    assert assign_kinds(probabilities, codes, p)[[0, 6]].tolist() == ["borderline"] * 2  # margin and suspicion disagree
