"""What a boosted ensemble records of its growth, when it stops, and what it says when nothing could be learnt."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Exponential, FuzzyEntropy, Mixed
from emphatic.learners import SampledCentres
from emphatic.margins import margins

STUMP = DecisionTreeClassifier(max_depth=1)


def moons(n=120):
    return make_moons(n, noise=0.3, random_state=0)


def boosted(learner=STUMP, n_estimators=60, **parameters):
    return RealAdaBoostClassifier(learner, n_estimators=n_estimators, **{"random_state": 0, **parameters})


@pytest.mark.parametrize("ratio", [0.1, 0.25, 0.4])
def test_growth_stops_with_the_first_round_from_20_on_whose_last_ten_votes_are_a_small_share(ratio):
    X, y = moons()
    votes = np.abs(boosted().fit(X, y).alphas_)
    shares = {t: votes[t - 10 : t].sum() / votes[:t].sum() for t in range(20, 61)}
    expected = next((t for t, share in shares.items() if share < ratio), 60)
    stopped = boosted(stop_ratio=ratio).fit(X, y)
    assert len(stopped.alphas_) == expected
    assert stopped.stop_reason_ == ("ratio" if min(shares.values()) < ratio else "rounds")


def test_before_round_20_no_share_of_the_votes_stops_the_growth():
    X, y = moons()
    assert len(boosted(stop_ratio=1.0).fit(X, y).alphas_) == 20
    assert boosted(n_estimators=19, stop_ratio=1.0).fit(X, y).stop_reason_ == "rounds"


def test_growth_stops_before_the_first_round_that_rests_on_fewer_samples_than_min_ess():
    X, y = moons()
    sizes = boosted().fit(X, y).effective_sample_sizes_
    for min_ess in (sizes[10], sizes.min(), np.sort(sizes)[5]):  # of this size itself is enough
        stopped = boosted(min_ess=float(min_ess)).fit(X, y)
        below = np.flatnonzero(sizes < min_ess)
        assert len(stopped.alphas_) == (below[0] if len(below) else 60)
        assert stopped.stop_reason_ == ("ess" if len(below) else "rounds")


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_round_is_recorded_as_it_was(n_classes):
    X, y = make_blobs(90, centers=n_classes, cluster_std=4.0, random_state=0)
    model = boosted(emphasis=Mixed(0.4), n_estimators=8, keep_weights=True).fit(X, y)
    weights = model.sample_weights_
    assert weights.shape == (8, 90)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    np.testing.assert_allclose(model.effective_sample_sizes_, 1 / (weights**2).sum(axis=1))
    np.testing.assert_allclose(model.alphas_, np.arctanh(model.edges_))
    np.testing.assert_array_equal(model.candidates_, 0)
    assert model.margin_ == pytest.approx(margins(model.output(X), y).min())
    np.testing.assert_array_equal(model.initial_score_, np.zeros(() if n_classes == 2 else 3))
    np.testing.assert_allclose(model.output(X), model.decision_function(X) / np.abs(model.alphas_).sum())


@pytest.mark.parametrize("counts", [(30, 10), (20, 12, 8)])
@pytest.mark.parametrize("weighted", [False, True])
def test_where_no_learner_has_an_edge_the_shares_of_the_classes_are_predicted(counts, weighted):
    y = np.repeat(np.arange(len(counts)), counts)
    X, weights = np.zeros((len(y), 1)), np.ones(len(y))
    if weighted:
        weights[y == 1] = 5.0
    shares = np.bincount(y, weights) / weights.sum()
    opposite = DummyClassifier(strategy="constant", constant=int(shares.argmin()))  # wrong about most of the samples
    with pytest.warns(UserWarning, match="No learner had an edge .*stop_reason_='edge'.*class frequencies"):
        model = boosted(opposite).fit(X, y, sample_weight=weights)
    assert model.estimators_ == [] and len(model.alphas_) == 0
    np.testing.assert_allclose(model.predict_proba(X), np.tile(shares, (len(y), 1)))
    assert (model.predict(X) == shares.argmax()).all()


@pytest.mark.parametrize(("emphasis", "depth"), [(Mixed(1.0), 1), (Mixed(0.0), 2)])
def test_few_samples_that_carry_the_emphasis_are_warned_of_with_the_first_such_round(emphasis, depth):
    """One mislabelled sample among safe ones: it alone is far wrong, and with it the nearest lie at the boundary."""
    X = np.arange(40.0)[:, None]
    y = (X.ravel() >= 20).astype(int)
    y[5] = 1
    with pytest.warns(UserWarning, match="the emphasis rests on fewer than") as caught:
        model = boosted(DecisionTreeClassifier(max_depth=depth), 10, emphasis=emphasis).fit(X, y)
    sizes = model.effective_sample_sizes_
    limit = int(str(caught[0].message).split("fewer than ")[1].split()[0])
    assert f"From round {1 + int(np.argmax(sizes < limit))} on" in str(caught[0].message)
    assert f"effective sample size {sizes.min():.1f})" in str(caught[0].message)


def test_another_fit_forgets_what_the_first_one_kept():
    X, y = moons()
    model = boosted(DecisionTreeClassifier(max_depth=2), emphasis=FuzzyEntropy(), n_estimators=3, keep_weights=True)
    model.fit(X, y)
    assert model.entropies_.shape == model.sample_weights_.shape == (3, 120)
    model.set_params(emphasis=Exponential(), keep_weights=False).fit(X, y)
    assert not hasattr(model, "entropies_") and not hasattr(model, "sample_weights_")


def test_the_model_without_parameters_is_real_adaboost_of_fifty_networks():
    X, y = moons()
    plain = RealAdaBoostClassifier(random_state=0).fit(X, y)
    spelt_out = RealAdaBoostClassifier(RBFNetworkClassifier(), Exponential(), 50, random_state=0).fit(X, y)
    assert len(plain.estimators_) == 50
    np.testing.assert_array_equal(plain.decision_function(X), spelt_out.decision_function(X))


def test_any_number_of_jobs_grows_the_same_ensemble_to_the_last_bit():
    X, y = make_moons(10_000, noise=0.3, random_state=0)
    network = RBFNetworkClassifier(SampledCentres(n_centres=10))
    first, *others = (
        RealAdaBoostClassifier(network, n_estimators=3, n_jobs=n_jobs, random_state=0).fit(X, y)
        for n_jobs in (None, 2, 3, -1)
    )
    for other in others:
        np.testing.assert_array_equal(other.alphas_, first.alphas_)
        np.testing.assert_array_equal(other.decision_function(X[:50]), first.decision_function(X[:50]))


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two"])
def test_a_number_of_jobs_that_is_none_is_refused(n_jobs):
    with pytest.raises(ValueError, match="n_jobs must be None or an integer other than 0"):
        RealAdaBoostClassifier(n_jobs=n_jobs).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
