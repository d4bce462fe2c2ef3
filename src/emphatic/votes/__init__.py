"""Votes: how much the learner of a round counts in the score."""

from emphatic.votes.edge import Edge
from emphatic.votes.equal import Equal
from emphatic.votes.line_search import LineSearch
from emphatic.votes.margin_maximising import MarginMaximising
from emphatic.votes.samme import Samme
from emphatic.votes.shrunken import Shrunken

__all__ = ["Edge", "Equal", "LineSearch", "MarginMaximising", "Samme", "Shrunken"]
