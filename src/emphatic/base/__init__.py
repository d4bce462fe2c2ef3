"""The contract: a `Learner` learns a `Lesson` and gives soft scores, an `Emphasis` turns a `Stage` into weights, and a
`Vote` turns a `Ballot` into a vote.

Everything in the package is a composition of these: read the files of this folder first.
"""

from emphatic.base.drawing import DrawingWrapper
from emphatic.base.emphasis import DrawnRows, Emphasis, take_single
from emphatic.base.learner import Learner, Lesson, MarginLearner, ProbabilityLearner
from emphatic.base.members import (
    check_saved_member,
    check_saved_names,
    choose_classes,
    n_outputs,
    output_of,
    outputs_of,
)
from emphatic.base.pair import EmphasisPair
from emphatic.base.stage import Stage
from emphatic.base.vote import LARGEST_EDGE, Ballot, Vote
from emphatic.base.voting import VotingEmphasis
from emphatic.base.wrapper import EmphasisWrapper

__all__ = [
    "LARGEST_EDGE",
    "Ballot",
    "DrawingWrapper",
    "DrawnRows",
    "Emphasis",
    "EmphasisPair",
    "EmphasisWrapper",
    "Learner",
    "Lesson",
    "MarginLearner",
    "ProbabilityLearner",
    "Stage",
    "Vote",
    "VotingEmphasis",
    "check_saved_member",
    "check_saved_names",
    "choose_classes",
    "n_outputs",
    "output_of",
    "outputs_of",
    "take_single",
]
