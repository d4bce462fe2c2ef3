"""Where to ask once more, and whom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from emphatic.audit.annotators.gain import ANYONE_ELSE, choose_questions, expect_information, share_of_information

RIGHT, GUESS = np.eye(2), np.full((2, 2), 0.5)
GOOD, FAIR = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[0.7, 0.3], [0.3, 0.7]])


@given(st.integers(0, 10_000))
def test_information_is_the_expected_fall_of_the_entropy(seed):
    rng = np.random.default_rng(seed)
    p, theta = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3)
    joint = p[:, None] * theta
    after = sum(joint[:, l].sum() * entropy(joint[:, l], base=2) for l in range(3))
    assert expect_information(p[None], theta)[0] == pytest.approx(entropy(p, base=2) - after, abs=1e-12)


def test_who_is_always_right_tells_all_and_who_guesses_nothing():
    p = np.array([[0.3, 0.7]])
    assert expect_information(p, RIGHT)[0] == pytest.approx(entropy([0.3, 0.7], base=2))
    assert expect_information(p, GUESS)[0] == 0.0
    assert expect_information(np.array([[1.0, 0.0]]), GOOD)[0] == 0.0
    assert share_of_information(p[0], RIGHT) == pytest.approx(1.0)
    always_yes = np.array([[0.0, 1.0], [0.0, 1.0]])
    assert share_of_information(p[0], always_yes) == share_of_information(np.array([0.0, 1.0]), GOOD) == 0.0


def test_the_best_annotator_without_a_label_is_asked():
    confusion = np.stack([FAIR, GOOD, GOOD, RIGHT])
    codes = np.array([[-1, -1, -1, -1], [-1, 1, -1, -1], [-1, 1, 1, -1], [0, 1, 0, -1], [0, -1, 0, -1]])
    asked = choose_questions(np.full((5, 2), 0.5), confusion, codes)
    # the last one, of whom there is no label, is not asked; of two equal ones, the first
    assert asked.annotator.tolist() == [1, 2, 0, ANYONE_ELSE, 1]
    good, fair = (expect_information(np.array([[0.5, 0.5]]), one)[0] for one in (GOOD, FAIR))
    mean = expect_information(np.array([[0.5, 0.5]]), confusion[:3].mean(axis=0))[0]
    np.testing.assert_allclose(asked.gain, [good, good, fair, mean, good], atol=1e-8)


def test_doubtful_rows_come_first():
    p = np.array([[0.99, 0.01], [0.5, 0.5], [0.8, 0.2]])
    codes = np.array([[0, -1], [-1, 0], [0, -1]])
    assert np.argsort(-choose_questions(p, np.stack([GOOD, GOOD]), codes).gain).tolist() == [1, 2, 0]
