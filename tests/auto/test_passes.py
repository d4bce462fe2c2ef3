"""A second pass: candidates are fitted again on other folds and weights, and are the mean of both."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from emphatic import EmphaticClassifier
from emphatic.auto.candidates.contract import LEAST_LOG
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import MANY_ROWS, TrainingData
from emphatic.auto.candidates.trees import BaggedTrees
from emphatic.auto.searching import attempt as module
from emphatic.auto.searching.attempt import MOST_PASSES, USUAL_PASSES
from emphatic.auto.searching.budget import RESERVE, NoBudget, WorkBudget
from emphatic.auto.searching.search import Search
from emphatic.randomness import child_generator
from tests.auto.few import FEW
from tests.engines.fakes import Hasty


def draw(n_classes=2, n=80):
    X, y = make_blobs(n, 3, centers=n_classes, cluster_std=3.0, random_state=0)
    return TrainingData.draw(X / 5, y, n_classes, np.ones(n), np.random.default_rng(0))


@pytest.fixture(params=[2, 3])
def data(request):
    return draw(request.param)


def again(data, seed=1):
    rng = np.random.default_rng(seed)
    return data.draw_again(rng.uniform(0.5, 2.0, len(data.codes)), rng)


def search(data, *others, engine=None, n_jobs=1, budget=None, candidates=FEW):
    found = Search(data, 1, n_jobs, budget or NoBudget(), engine)
    for _ in found.run(FEW):
        pass
    for number, other in enumerate(others, start=2):
        for _ in found.run_again(other, number, candidates):
            pass
    return found.results


def test_other_folds_and_weights_share_what_depends_on_the_inputs_alone(data):
    before = data.singles, data.binned, data.points
    other = again(data)
    assert all(one is two for one, two in zip(before, (other.singles, other.binned, other.points), strict=True))
    assert other.weights.mean() == pytest.approx(1.0)
    np.testing.assert_array_equal(np.sort(np.concatenate(other.folds)), np.arange(len(data.codes)))
    assert any(set(one) != set(two) for one, two in zip(data.folds, other.folds, strict=True))


def score_alone(one, data, entropy, number):
    """Out of fold, of all variants of a candidate: a pass by itself."""
    scores: list[np.ndarray] = []
    for fold, rows in enumerate([slice(None)] if one.candidate.fits_once else data.folds):
        found, _ = one.candidate.fit(data, fold, child_generator(entropy, number, fold))
        scores = scores or [np.zeros(one.scores.shape) for _ in found]
        for total, each in zip(scores, found, strict=True):
            total[rows] = each
    return scores


def test_scores_are_the_mean_of_the_passes(data):
    others = again(data, 1), again(data, 2)
    for number, (before, after) in enumerate(zip(search(data), search(data, *others), strict=True)):
        assert after.variant == before.variant
        later = [score_alone(before, one, k, number)[before.variant] for k, one in enumerate(others, start=2)]
        np.testing.assert_allclose(after.scores, np.mean([before.scores, *later], axis=0), rtol=1e-12, atol=1e-12)


def test_the_model_of_two_passes_scores_any_row_with_their_mean(data):
    for one in search(data, again(data)):
        points = Points(data.singles + np.float32(0.1), data.points.centres.astype(np.float32))
        passes = [one.candidate.merge(each.learnt, one.variant).scores(points) for each in one.passes]
        found = one.merge_fits().scores(points)
        if isinstance(one.candidate, BaggedTrees):  # probabilities, of which the logarithms are bounded
            np.testing.assert_allclose(np.exp(found), np.mean(np.exp(passes), axis=0), atol=np.exp(LEAST_LOG))
        else:
            np.testing.assert_allclose(found, np.mean(passes, axis=0), rtol=1e-4, atol=1e-4)


def test_unchanged_rows_have_the_scores_of_the_search(data):
    for one in search(data, again(data)):
        places = np.arange(len(data.examples))
        found = one.leave_out().scores(Points(data.inputs[data.examples], data.points.centres), places)
        np.testing.assert_allclose(found, one.scores[data.examples], rtol=1e-4, atol=1e-4)


def test_a_kernel_that_is_fitted_again_with_the_same_weights_is_the_same(data):
    same = data.draw_again(data.weights, np.random.default_rng(1))
    assert isinstance(FEW[0], KernelRidge)
    one, other = search(data)[0], search(data, same)[0]
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.merge_fits().coefficients, other.merge_fits().coefficients)


@pytest.mark.parametrize("where", [{"engine": Hasty(3)}, {"n_jobs": 3}], ids=["engine", "threads"])
def test_fits_are_the_same_wherever_they_run(where):
    data = draw()
    for one, other in zip(search(data, again(data)), search(data, again(data), **where), strict=True):
        assert len(other.passes) == 2
        np.testing.assert_array_equal(one.scores, other.scores)


def test_what_is_not_a_member_or_has_no_time_stays_as_it_is():
    data = draw()
    first = search(data)
    one_pass = sum(one.work(data.size) for one in FEW) / (1.0 - RESERVE)
    no_members = search(data, again(data), candidates=())
    no_time = search(data, again(data), budget=WorkBudget(1.02 * one_pass))
    for other in (no_members, no_time):
        for before, after in zip(first, other, strict=True):
            assert len(after.passes) == 1
            np.testing.assert_array_equal(before.scores, after.scores)


@pytest.fixture
def few_candidates(monkeypatch):
    monkeypatch.setattr(module, "list_candidates", lambda *size, **how: FEW)


def flip(y, share=0.2):
    return np.where(np.random.default_rng(0).random(len(y)) < share, 1 - y, y)


@pytest.mark.usefixtures("few_candidates")
def test_doubted_labels_lead_to_a_second_pass_in_which_they_weigh_less(monkeypatch):
    weights = []
    draw_again = TrainingData.draw_again
    monkeypatch.setattr(TrainingData, "draw_again", lambda *rest: weights.append(rest[1]) or draw_again(*rest))
    X, y = make_blobs(400, centers=[[-4, 0], [4, 0]], random_state=0)
    given = flip(y)
    model = EmphaticClassifier(random_state=0).fit(X, given)
    [seen] = weights
    assert seen[given != y].max() < 0.75
    assert seen[given == y].min() > 0.85
    assert "Members were fitted again with less weight on these" in model.explain()
    assert model.score(X, y) == 1.0


def count_passes(n, **limits):
    """The largest number of fits per fold of any member, of a table with doubted labels."""
    X, y = make_blobs(n, centers=[[-4, 0], [4, 0]], random_state=0)
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "list_candidates", lambda *size, **how: (Logistic(),))
        patch.setattr(module, "Search", lambda *rest: found.append(Search(*rest)) or found[-1])
        EmphaticClassifier(random_state=0, **limits).fit(X, flip(y))
    return max(len(one.passes) for one in found[-1].results)


@pytest.mark.parametrize(("n", "limits", "n_passes"), [
    (300, {}, USUAL_PASSES),
    (MANY_ROWS, {}, 1),
    (300, {"work_budget": 1e6}, MOST_PASSES),
    (MANY_ROWS, {"work_budget": 1e6}, MOST_PASSES),
])  # fmt: skip
def test_few_rows_have_two_passes_and_a_budget_has_more(n, limits, n_passes):
    assert count_passes(n, **limits) == n_passes


@pytest.mark.usefixtures("few_candidates")
def test_there_is_no_second_pass_without_doubt(monkeypatch):
    monkeypatch.setattr(TrainingData, "draw_again", None)
    X, y = make_blobs(400, centers=[[-4, 0], [4, 0]], random_state=0)
    model = EmphaticClassifier(random_state=0).fit(X, y)
    assert "fitted again" not in model.explain()
