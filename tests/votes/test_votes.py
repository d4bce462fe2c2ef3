"""Every vote: exact identities, plain twins, what each guarantees, and bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from emphatic import RealAdaBoostClassifier
from emphatic.base import Ballot
from emphatic.emphasis import Exponential, Mixed, Smooth
from emphatic.margins import margins, normalise
from emphatic.votes import Edge, Equal, LineSearch, MarginMaximising, Samme, Shrunken

STUMP = DecisionTreeClassifier(max_depth=1)
TREE = DecisionTreeClassifier(max_depth=2)
edges = st.floats(-0.999, 0.999)


def ballot_of(output, y, score=None, prior=None, n_classes=None):
    """A ballot whose edge is that under Real AdaBoost's own weights."""
    n = len(y)
    score = np.zeros_like(output) if score is None else score
    prior = np.full(n, 1 / n) if prior is None else prior
    weights = normalise(np.log(prior) - margins(score, y))
    edge = float(weights @ margins(output, y))
    return Ballot(y, n_classes or (2 if output.ndim == 1 else output.shape[1]), prior, weights, output, score, edge)


def ballot_with(edge, n_classes=2):
    """A ballot of which only the edge matters."""
    y = np.arange(4) % 2
    return Ballot(y, n_classes, np.full(4, 0.25), np.full(4, 0.25), np.zeros(4), np.zeros(4), edge)


def random_ballot(seed, n_classes, lean=0.3, hard=False, n=40):
    """Learners that are rather right than wrong, in an ensemble that is neither."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    shape = n if n_classes == 2 else (n, n_classes)
    truth = 2 * y - 1 if n_classes == 2 else 2.0 * (y[:, None] == np.arange(n_classes)) - 1
    output = np.clip(lean * truth + rng.uniform(-1, 1, shape), -1, 1)
    if hard:
        output = np.where(output < 0, -1.0, 1.0)
    return ballot_of(output, y, rng.normal(size=shape), rng.dirichlet(np.ones(n)))


def boosted(estimator=STUMP, emphasis=None, **parameters):
    return RealAdaBoostClassifier(estimator, emphasis, **{"n_estimators": 10, "random_state": 0, **parameters})


def moons(n=100, noise=0.25):
    return make_moons(n, noise=noise, random_state=0)


# Edge, Samme, Equal


@given(edge=edges)
def test_edge_is_half_the_log_of_the_odds(edge):
    assert Edge().choose(ballot_with(edge)) == pytest.approx(0.5 * np.log((1 + edge) / (1 - edge)), abs=1e-12)


@pytest.mark.parametrize("under", ["emphasis", "bound"])
@pytest.mark.parametrize("emphasis", [Exponential(), Mixed(0.3)], ids=repr)
def test_the_short_names_are_edges(under, emphasis):
    one, other = (boosted(TREE, emphasis, vote=vote).fit(*moons()) for vote in (under, Edge(under)))
    np.testing.assert_array_equal(one.alphas_, other.alphas_)
    np.testing.assert_allclose(np.tanh(one.alphas_), one.edges_, rtol=1e-12)


@given(edge=edges)
def test_samme_is_edge_for_two_classes(edge):
    assert Samme().choose(ballot_with(edge, 2)) == Edge().choose(ballot_with(edge, 2))


@given(edge=edges, n_classes=st.integers(2, 20))
def test_samme_is_half_of_the_vote_of_its_paper(edge, n_classes):
    error = (1 - edge) / 2
    expected = np.log((1 - error) / error) + np.log(n_classes - 1)
    assert Samme().choose(ballot_with(edge, n_classes)) == pytest.approx(expected / 2, abs=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_samme_is_positive_for_learners_that_are_better_than_chance(n_classes):
    chance = 2 / n_classes - 1  # the edge of an error of 1 - 1/K
    assert (
        Samme().choose(ballot_with(chance - 0.01, n_classes))
        < 0
        < Samme().choose(ballot_with(chance + 0.01, n_classes))
    )


def gentle_adaboost(X, d, tree, rounds):
    """Gentle AdaBoost as Friedman, Hastie and Tibshirani (2000) have it: regression of the labels, added as it is."""
    f = np.zeros(len(d))
    for _ in range(rounds):
        weights = np.exp(-d * f)
        f = f + tree.fit(X, d, sample_weight=weights / weights.sum()).predict(X)
    return f


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_equal_votes_of_trees_with_probabilities_are_gentle_adaboost(depth):
    """Gini on two classes and the squared error of +-1 choose the same splits; 2p - 1 is the mean of the labels."""
    X, y = moons(200, noise=0.35)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    model = boosted(tree, Exponential(), vote=Equal(), n_estimators=15).fit(X, y)
    expected = gentle_adaboost(X, 2 * y - 1, DecisionTreeRegressor(max_depth=depth, random_state=0), 15)
    np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-8, atol=1e-10)
    assert (model.alphas_ == 1).all()


# LineSearch


@pytest.mark.parametrize("seed", range(8))
def test_line_search_is_edge_for_outputs_of_plus_and_minus_1(seed):
    ballot = random_ballot(seed, 2, lean=0.6, hard=True)
    assert ballot.edge > 0
    assert LineSearch().choose(ballot) == pytest.approx(Edge("bound").choose(ballot), rel=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(8))
def test_no_vote_lowers_the_bound_more_than_line_search(seed, n_classes):
    ballot = random_ballot(seed, n_classes)

    def bound(vote):
        return ballot.prior @ np.exp(-margins(ballot.score + vote * ballot.output, ballot.y))

    found = LineSearch().choose(ballot)
    grid = np.linspace(0, 6, 601)
    if found > 0:
        assert bound(found) <= min(bound(vote) for vote in grid) + 1e-12
    else:
        assert bound(0.0) <= min(bound(vote) for vote in grid) + 1e-12, "no vote above 0 lowers it"


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_bound_falls_in_every_round_with_line_search(n_classes):
    X, y = moons() if n_classes == 2 else load_iris(return_X_y=True)
    model = boosted(TREE, vote=LineSearch()).fit(X, y)
    bounds = [1.0, *[np.exp(-margins(score, y)).mean() for score in model.staged_decision_function(X)]]
    assert len(bounds) == 11 and (np.diff(bounds) < 0).all()


def test_line_search_gives_a_perfect_learner_a_finite_vote():
    y = np.arange(10) % 2
    assert LineSearch().choose(ballot_of(2.0 * y - 1, y)) == pytest.approx(np.arctanh(1 - 1e-10))


def test_line_search_has_no_vote_for_a_learner_without_an_edge():
    y = np.arange(10) % 2
    assert LineSearch().choose(ballot_of(1.0 - 2 * y, y)) < 0


def test_line_search_counts_the_samples_as_the_user_does():
    y = np.array([0, 1, 1, 0])
    output = np.array([-1.0, 1.0, -1.0, -1.0])
    prior = np.array([0.5, 0.25, 0.25, 0.0])
    with np.errstate(divide="ignore"):
        found = LineSearch().choose(ballot_of(output, y, prior=prior))
    assert found == pytest.approx(np.arctanh(0.5))


# Shrunken


@pytest.mark.parametrize("base", [None, Edge("bound"), Samme(), LineSearch(), MarginMaximising(), Equal()], ids=repr)
def test_a_rate_of_1_is_the_other_vote(base):
    X, y = load_iris(return_X_y=True)
    one = boosted(TREE, vote=Shrunken(1.0, base)).fit(X, y)
    other = boosted(TREE, vote=Edge() if base is None else base).fit(X, y)
    np.testing.assert_array_equal(one.alphas_, other.alphas_)
    np.testing.assert_array_equal(one.edges_, other.edges_)


@pytest.mark.parametrize("rate", [0.01, 0.3])
@pytest.mark.parametrize("base", [Edge(), Edge("bound"), Samme(), LineSearch(), MarginMaximising(), Equal()], ids=repr)
def test_a_rate_multiplies_the_first_vote(base, rate):
    X, y = moons()
    one, other = (boosted(vote=vote, n_estimators=3).fit(X, y) for vote in (Shrunken(rate, base), base))
    assert one.alphas_[0] == pytest.approx(rate * other.alphas_[0], rel=1e-12)
    assert one.edges_[0] == other.edges_[0]


def test_a_shrunken_vote_is_measured_and_kept_as_its_base():
    assert Shrunken(0.1, Edge("bound")).under == "bound" and Shrunken().under == "emphasis"
    assert Shrunken(0.1, Equal()).keeps_all and not Shrunken().keeps_all


# MarginMaximising


class BestStump(ClassifierMixin, BaseEstimator):
    """The stump with the largest edge of all, by trying all; it answers with labels 0 and 1."""

    def fit(self, X, y, sample_weight):
        stumps = all_stumps(X)
        values = np.array([self._say(X, stump) for stump in stumps]) @ (sample_weight * (2 * y - 1))
        self.stump_ = stumps[int(values.argmax())]
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return (self._say(X, self.stump_) > 0).astype(int)

    @staticmethod
    def _say(X, stump):
        column, threshold, sign = stump
        return sign * np.where(X[:, column] > threshold, 1, -1)


def all_stumps(X):
    cuts = [(column, value) for column in range(X.shape[1]) for value in (-np.inf, *np.unique(X[:, column]))]
    return [(column, value, sign) for column, value in cuts for sign in (1, -1)]


def largest_margin(X, y):
    """The largest smallest margin of any weighted mean of stumps, by linear programming."""
    says = np.array([BestStump._say(X, stump) for stump in all_stumps(X)]).T * (2 * y - 1)[:, None]  # (n, stumps)
    n, count = says.shape
    found = linprog(
        np.r_[np.zeros(count), -1.0],  # maximise the margin, the last variable
        A_ub=np.column_stack([-says, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(count), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
    )
    return -found.fun


@pytest.mark.parametrize("accuracy", [0.3, 0.15])
def test_margin_maximising_comes_as_near_to_the_largest_margin_as_it_promises(accuracy):
    X, y = make_blobs(16, centers=2, cluster_std=2.0, random_state=5)
    best = largest_margin(X, y)
    assert best > 0, "or the table cannot be separated"
    rounds = int(np.ceil(2 * np.log(len(y)) / accuracy**2))
    model = boosted(BestStump(), vote=MarginMaximising(accuracy), n_estimators=rounds).fit(X, y)
    assert len(model.alphas_) == rounds
    assert best - accuracy <= model.margin_ <= best + 1e-9


def adaboost_star(X, d, accuracy, rounds, learner):
    """AdaBoost* of Raetsch and Warmuth (2005), Algorithm 2, written plainly."""
    D, seen, votes = np.full(len(d), 1 / len(d)), [], []
    for _ in range(rounds):
        h = 2 * learner.fit(X, (d > 0).astype(int), sample_weight=D).predict(X) - 1
        edge = (D * d * h).sum()
        seen.append(edge)
        rho = min(seen) - accuracy
        votes.append(0.5 * np.log((1 + edge) / (1 - edge)) - 0.5 * np.log((1 + rho) / (1 - rho)))
        D = D * np.exp(-votes[-1] * d * h)
        D = D / D.sum()
    return votes, seen


def test_margin_maximising_is_adaboost_star():
    X, y = moons(60)
    votes, seen = adaboost_star(X, 2 * y - 1, 0.05, 40, BestStump())
    model = boosted(BestStump(), Exponential(), vote=MarginMaximising(0.05), n_estimators=40).fit(X, y)
    np.testing.assert_allclose(model.alphas_, votes, rtol=1e-6)
    np.testing.assert_allclose(model.edges_, seen, rtol=1e-6)


def test_a_vote_begins_anew_with_every_fit():
    X, y = moons()
    model = boosted(vote=MarginMaximising(0.05))
    first = model.fit(X, y).alphas_
    np.testing.assert_array_equal(model.fit(X, y).alphas_, first)
    assert not hasattr(model.vote, "least_edge_"), "the fit works on a clone"


# bad input

BAD = [
    (Edge("mean"), ValueError, "under='mean' is not allowed: under must be one of 'emphasis', 'bound'"),
    (Shrunken(0), ValueError, r"rate=0 is not allowed: rate must be a finite number in \(0, 1\]"),
    (Shrunken(1.01), ValueError, "rate=1.01 is not allowed"),
    (Shrunken(np.nan), ValueError, "rate=nan is not allowed"),
    (Shrunken("0.1"), ValueError, "rate='0.1' is not allowed"),
    (Shrunken(0.1, Shrunken()), ValueError, "a Shrunken cannot shrink another Shrunken; multiply the rates"),
    (Shrunken(0.1, Edge("mean")), ValueError, "under='mean' is not allowed"),
    (Shrunken(0.1, 0.5), TypeError, r"base=0.5 is not allowed: base must be a Vote, such as Edge\(\)"),
    (Shrunken(0.1, "equal"), TypeError, "base='equal' is not allowed"),
    (Shrunken(0.1, Edge), TypeError, "base=.*Edge.* is not allowed"),
    (MarginMaximising(0), ValueError, r"accuracy=0 is not allowed: accuracy must be a finite number in \(0, 1\)"),
    (MarginMaximising(1.0), ValueError, "accuracy=1.0 is not allowed"),
    (MarginMaximising(None), ValueError, "accuracy=None is not allowed"),
    ("loud", ValueError, "vote='loud' is not allowed: vote must be one of 'auto', 'bound', 'emphasis', 'equal'"),
    (0.5, ValueError, "vote=0.5 is not allowed: vote must be one of 'auto', .*, or a vote of emphatic.votes"),
    (None, ValueError, "vote=None is not allowed"),
    (Edge, ValueError, "vote=.*Edge.* is not allowed"),
    (Exponential(), ValueError, r"vote=Exponential\(\) is not allowed"),
    (Smooth(), ValueError, r"vote=Smooth\(\) is not allowed"),
]


@pytest.mark.parametrize(("vote", "error", "message"), BAD, ids=[one[2][:40] for one in BAD])
def test_a_bad_vote_is_named(vote, error, message):
    with pytest.raises(error, match=message):
        boosted(vote=vote).fit(*moons())
