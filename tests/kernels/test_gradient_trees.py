"""Gradient-boosted trees: exact identities, then the slow twin."""

import numpy as np
import pytest

from emphatic.kernels.gradient_trees import Rules, boost, make_room
from tests.reference import gradient_trees as slow

PLAIN = Rules(rate=0.3, leaves=5, ridge=1.0, least=0.5, row_share=1.0, column_share=1.0)


def table(n=80, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    bins = rng.integers([9, 4, 2, 1], size=(n, 4), endpoint=True).astype(np.uint8)
    codes = (bins[:, 0] > 4).astype(np.intp) + (n_classes > 2) * (bins[:, 1] > 2)
    codes = np.where(rng.random(n) < 0.2, rng.integers(n_classes, size=n), codes)
    return bins, codes, rng.random(n) + 0.5


def run(bins, codes, weights, rules=PLAIN, n_rounds=3, n_outputs=1, seed=1):
    score, forest = np.zeros((n_outputs, len(codes))), make_room(n_rounds * n_outputs, rules.leaves)
    n_bins, exclusive = np.array([10, 5, 3, 2])[: bins.shape[1]], np.zeros(bins.shape[1], bool)
    boost(bins, n_bins, exclusive, codes, weights, n_rounds, rules, score, np.array([seed], np.uint64), forest)
    return score, forest


def test_a_stump_of_one_input_takes_the_newton_step_of_each_side():
    codes, weights = np.array([0, 0, 0, 1, 1, 1, 1, 0]), np.ones(8)
    bins = np.array([[0]] * 3 + [[1]] * 5, dtype=np.uint8)
    score, forest = run(bins, codes, weights, PLAIN._replace(leaves=2), n_rounds=1)
    # probabilities start at 1/2: gradients are 1/2 - y, second derivatives 1/4
    first, second = -0.3 * 1.5 / (0.75 + 1.0), -0.3 * (0.5 - 2.0) / (1.25 + 1.0)
    np.testing.assert_allclose(score[0], [first] * 3 + [second] * 5, rtol=1e-12)
    assert forest.sizes.tolist() == [3]
    assert forest.child[:3].tolist() == [1, 0, 0]


def test_the_order_of_the_rows_does_not_matter_to_the_last_bit():
    bins, codes, weights = table()
    order = np.random.default_rng(3).permutation(len(codes))
    score, _ = run(bins, codes, weights)
    shuffled, _ = run(bins[order], codes[order], weights[order])
    np.testing.assert_array_equal(shuffled, score[:, order])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("rules", [PLAIN, PLAIN._replace(leaves=12, ridge=0.1, least=0.0), PLAIN._replace(least=6.0)])
def test_scores_are_those_of_the_slow_twin(n_classes, rules):
    bins, codes, weights = table(n_classes=n_classes)
    n_outputs = 1 if n_classes == 2 else n_classes
    score, _ = run(bins, codes, weights, rules, n_outputs=n_outputs)
    expected = slow.boost(bins, codes, weights, 3, rules, np.zeros((n_outputs, len(codes))))
    np.testing.assert_allclose(score, expected, rtol=1e-10)


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_a_bundle_of_indicators_grows_the_trees_of_its_indicators(n_outputs):
    bins, codes, weights = table(n_classes=n_outputs + (n_outputs == 1))
    bundled = bins[:, :2]  # ten bins of a number, and five of which the last four are taken for indicators
    apart = np.column_stack([bins[:, 0], *(bins[:, 1] == k for k in range(1, 5))]).astype(np.uint8)
    scores = []
    for columns, n_bins, exclusive in (
        (bundled, [10, 5], [False, True]),
        (apart, [10, 2, 2, 2, 2], [False] * 5),
    ):
        score, forest = np.zeros((n_outputs, len(codes))), make_room(4 * n_outputs, PLAIN.leaves)
        state = np.array([1], np.uint64)
        boost(columns, np.array(n_bins), np.array(exclusive), codes, weights, 4, PLAIN, score, state, forest)
        scores.append(score)
        assert (forest.feature > 0).any()
    np.testing.assert_array_equal(*scores)


def test_leaves_have_at_least_the_second_derivatives_asked_for():
    bins, codes, weights = table()
    _, forest = run(bins, codes, weights, PLAIN._replace(least=2.0, leaves=30), n_rounds=1)
    _, reached = np.unique(_find_leaves(bins, forest), return_inverse=True)
    assert reached.max() > 1
    assert np.bincount(reached, 0.25 * weights).min() >= 2.0 - 1e-3  # up to the steps of rounding


def _find_leaves(bins, forest):
    leaves = []
    for row in bins:
        node = 0
        while forest.child[node] > 0:
            node = forest.child[node] + (row[forest.feature[node]] > forest.low[node])
        leaves.append(node)
    return leaves


def test_a_tree_sees_a_part_of_the_rows_and_inputs():
    bins, codes, weights = table()
    rules = PLAIN._replace(row_share=0.3, column_share=0.25)
    score, forest = run(bins, codes, weights, rules, n_rounds=1)
    asked = forest.feature[: forest.sizes[0]][forest.child[: forest.sizes[0]] > 0]
    assert len(set(asked.tolist())) == 1
    assert not np.array_equal(run(bins, codes, weights, rules, n_rounds=1, seed=2)[0], score)
    np.testing.assert_array_equal(run(bins, codes, weights, rules, n_rounds=1)[0], score)


def test_the_loss_of_the_training_rows_falls_with_every_round():
    bins, codes, weights = table()
    losses = []
    for n_rounds in (1, 2, 4, 8):
        score, _ = run(bins, codes, weights, n_rounds=n_rounds)
        losses.append(weights @ np.logaddexp(0.0, np.where(codes == 1, -score[0], score[0])))
    assert np.all(np.diff(losses) < 0)
