"""The noise model: Bayes' rule by hand, plain twins, and noise of known form that it must find again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from emphatic.audit import noise_model
from emphatic.audit.noise_model import NoiseModel, find_posterior, find_transitions, fit_noise_models, spread_evenly

PROBABILITIES = arrays.arrays(np.float64, (6, 3), elements=st.floats(0.0, 1.0)).map(
    lambda table: (table + 1e-12) / (table + 1e-12).sum(axis=1, keepdims=True)
)
CODES = arrays.arrays(np.intp, 6, elements=st.integers(0, 2))


def draw_labels(transitions, sharpness=1.0, n=6000, seed=0):
    """Probabilities of labels, as models that know all would give them, and labels that are wrong by `transitions`."""
    rng = np.random.default_rng(seed)
    n_classes = len(transitions)
    true = rng.dirichlet(np.full(n_classes, 0.15), n)
    classes = (true.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(max=n_classes - 1)
    codes = (transitions[classes].cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(max=n_classes - 1)
    flat = np.maximum(true, 1e-9) ** (1 / sharpness)
    return flat / flat.sum(axis=1, keepdims=True), codes, codes != classes


# Bayes' rule


def test_labels_that_are_never_wrong_decide():
    codes = np.array([1, 0, 2])
    posterior = NoiseModel(1.0, np.eye(3)).find_posterior(np.full((3, 3), 1 / 3), codes)
    assert (posterior == np.eye(3)[codes]).all()


@given(PROBABILITIES, CODES)
def test_labels_that_say_nothing_leave_the_probabilities_as_they_are(probabilities, codes):
    chance = NoiseModel(1.0, np.tile([0.5, 0.3, 0.2], (3, 1)))
    np.testing.assert_allclose(chance.find_posterior(probabilities, codes), probabilities, atol=1e-8)


@given(PROBABILITIES, CODES, st.floats(0.5, 3.0), st.integers(0, 100))
@settings(deadline=None)
def test_the_posterior_is_bayes_rule(probabilities, codes, sharpness, seed):
    transitions = np.random.default_rng(seed).dirichlet(np.ones(3), 3)
    posterior = NoiseModel(sharpness, transitions).find_posterior(probabilities, codes)
    for p, label, found in zip(np.maximum(probabilities, 1e-9), codes, posterior):
        prior = p**sharpness / (p**sharpness).sum()
        joint = [prior[k] * transitions[k, label] for k in range(3)]
        np.testing.assert_allclose(found, np.array(joint) / sum(joint), atol=1e-12)


# Twins


def test_candidates_are_weighed_by_prior_and_tempered_likelihood():
    probabilities, codes, _ = draw_labels(spread_evenly(0.2, 3), n=40)
    total = np.zeros(3)
    best = -np.inf
    found = []
    for sharpness in noise_model.SHARPNESSES:
        powers = np.maximum(probabilities, 1e-9) ** sharpness
        right = (powers / powers.sum(axis=1, keepdims=True))[np.arange(40), codes]
        for share in noise_model.SHARES:
            likelihood = np.log((1 - share) * right + share * (1 - right) / 2).sum()
            score = np.log(share) + 9 * np.log(1 - share) + 0.3 * likelihood  # Beta(2, 10)
            found.append((score, sharpness, share))
            best = max(best, score)
    for score, sharpness, share in found:
        total += np.exp(score - best) * np.array([1.0, sharpness, share])
    even, _ = fit_noise_models(probabilities, codes)
    np.testing.assert_allclose([even.sharpness, even.transitions[0, 1] * 2], total[1:] / total[0], rtol=1e-9)


def test_transitions_are_those_of_plain_em():
    true, codes, _ = draw_labels(spread_evenly(0.2, 3), n=30)
    prior = spread_evenly(0.1, 3)
    transitions = prior.copy()
    for _ in range(25):
        counts = 20 * prior
        for i in range(30):
            joint = true[i] * transitions[:, codes[i]]
            counts[:, codes[i]] += joint / joint.sum()
        transitions = counts / counts.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(find_transitions(true, codes, prior), transitions, rtol=1e-9)


# Noise of known form


@pytest.mark.parametrize("share", [0.02, 0.1, 0.25])
@pytest.mark.parametrize("sharpness", [1.0, 2.0])
def test_the_share_of_wrong_labels_and_the_sharpness_are_found_again(share, sharpness):
    probabilities, codes, wrong = draw_labels(spread_evenly(share, 3), sharpness)
    for model in fit_noise_models(probabilities, codes):
        assert model.sharpness == pytest.approx(sharpness, rel=0.1)
        np.testing.assert_allclose(1 - np.diag(model.transitions), share, atol=0.03)
    expected = 1 - find_posterior(probabilities, codes)[np.arange(len(codes)), codes].mean()
    assert expected == pytest.approx(wrong.mean(), abs=0.015)


def test_mistakes_that_depend_on_the_class_are_found_again():
    one_way = np.array([[0.75, 0.25, 0.0], [0.0, 1.0, 0.0], [0.0, 0.1, 0.9]])
    probabilities, codes, _ = draw_labels(one_way)
    _, model = fit_noise_models(probabilities, codes)
    np.testing.assert_allclose(model.transitions, one_way, atol=0.04)
    np.testing.assert_allclose(find_posterior(probabilities, codes), model.find_posterior(probabilities, codes))


def test_few_labels_do_not_make_mistakes_depend_on_the_class():
    probabilities, codes, _ = draw_labels(spread_evenly(0.2, 4), n=200)
    even, by_class = (model.find_posterior(probabilities, codes) for model in fit_noise_models(probabilities, codes))
    found = find_posterior(probabilities, codes)
    assert np.abs(found - even).max() < 0.1 * np.abs(by_class - even).max()


def test_a_model_of_more_likely_labels_counts_more():
    """The odds of the two models are those of their tempered likelihoods, less a penalty of 1 for each class."""
    probabilities, codes, _ = draw_labels(np.array([[0.85, 0.15], [0.0, 1.0]]), n=400)
    even, by_class = fit_noise_models(probabilities, codes)
    gain = by_class.log_likelihood(probabilities, codes) - even.log_likelihood(probabilities, codes)
    chance = 1 / (1 + np.exp(2 - 0.3 * gain))
    assert 0.05 < chance < 0.95
    one, other = (model.find_posterior(probabilities, codes) for model in (even, by_class))
    np.testing.assert_allclose(find_posterior(probabilities, codes), (1 - chance) * one + chance * other, atol=1e-12)


def test_many_rows_are_fitted_by_some_of_them(monkeypatch):
    probabilities, codes, _ = draw_labels(spread_evenly(0.1, 2), n=600)
    rows = np.linspace(0, 599, 200).astype(int)
    alone = find_posterior(probabilities[rows], codes[rows])
    monkeypatch.setattr(noise_model, "MOST_ROWS", 200)
    np.testing.assert_allclose(find_posterior(probabilities, codes)[rows], alone, atol=1e-12)
