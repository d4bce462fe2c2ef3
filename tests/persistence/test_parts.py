"""The emphasis and the vote of an ensemble, which only training needs, come back out of its file as well."""

import pytest
from sklearn.datasets import make_moons
from sklearn.tree import DecisionTreeClassifier

import emphatic.emphasis
import emphatic.votes
from emphatic import RealAdaBoostClassifier
from emphatic.auto.candidates.logistic import Logistic as LogisticCandidate
from emphatic.base import Vote
from emphatic.emphasis import (
    Brown,
    CostSensitive,
    Exponential,
    Focal,
    Guided,
    Logistic,
    Mada,
    Multiplicative,
    Neighbour,
    Robust,
    Savage,
    Smooth,
    SoftMargin,
    Tangent,
)
from emphatic.persistence import ModelFileError, load, save
from emphatic.persistence.classes import CLASSES, FOREIGN, OURS, name_in_files
from emphatic.votes import Edge, Equal, LineSearch, MarginMaximising, Samme, Shrunken

EMPHASES = [
    *(Logistic(), Mada(), Smooth(0.25), Savage(), Tangent(), Focal(0.5), Multiplicative()),
    *(Neighbour(Logistic(), n_neighbors=2), Exponential(), Brown(3.0), Robust(0.2, 0.1, 0.5), SoftMargin(0.4, 0.1)),
    *(CostSensitive("adac2"), CostSensitive("csb2", [1.0, 2.5], rounds=7)),
    *(Guided(Logistic()), Guided(Exponential(), DecisionTreeClassifier(max_depth=1), n_folds=3)),
]
VOTES = [
    *(Edge("bound"), Equal(), LineSearch(), MarginMaximising(0.2), Samme(), Shrunken(0.5)),
    *(Shrunken(0.5, MarginMaximising(0.3)), "equal"),
]


def boosted(emphasis=None, vote="auto"):
    X, y = make_moons(60, noise=0.2, random_state=0)
    stump = DecisionTreeClassifier(max_depth=1)
    return RealAdaBoostClassifier(stump, emphasis, vote=vote, n_estimators=3, random_state=0).fit(X, y)


@pytest.mark.parametrize("emphasis", EMPHASES, ids=repr)
def test_an_emphasis_comes_back(emphasis, tmp_path):
    save(boosted(emphasis), tmp_path / "model")
    again = load(tmp_path / "model").emphasis
    assert type(again) is type(emphasis)
    assert repr(again) == repr(emphasis)


@pytest.mark.parametrize("vote", VOTES, ids=repr)
def test_a_vote_comes_back(vote, tmp_path):
    save(boosted(vote=vote), tmp_path / "model")
    again = load(tmp_path / "model")
    assert type(again.vote) is type(vote)
    assert repr(again.vote) == repr(vote)
    X, y = make_moons(60, noise=0.2, random_state=0)
    votes = again.alphas_
    assert again.fit(X, y).alphas_.tolist() == votes.tolist()


def test_all_emphases_and_votes_can_be_saved():
    for place in (emphatic.emphasis, emphatic.votes):
        assert {getattr(place, name) for name in place.__all__} <= set(OURS)


def test_no_two_classes_have_one_name_in_files():
    assert len(CLASSES) == len(OURS) + len(FOREIGN)
    assert name_in_files(LogisticCandidate) == "Logistic" != name_in_files(Logistic), "older files hold the candidate"


class OwnVote(Vote):
    def choose(self, ballot):
        return 0.5


def test_a_vote_of_the_users_own_is_refused_with_the_remedy(tmp_path):
    model = boosted(vote=OwnVote())
    with pytest.raises(ModelFileError, match=r"vote is of the class OwnVote, .* in which this parameter is 'auto'"):
        save(model, tmp_path / "model")
    save(model.set_params(vote="auto"), tmp_path / "model")
