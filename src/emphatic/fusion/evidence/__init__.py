"""Dempster-Shafer evidence: masses on sets of classes, for many samples at once, and the rules that combine them.

A set of classes is an integer whose bit k says whether class k belongs to it: 0b101 holds the classes 0 and 2, 0 is the
empty set, and 2**K - 1 is Theta, the set of all K classes. Mass on Theta is ignorance.
"""

from emphatic.fusion.evidence.cautious_rule import cautious
from emphatic.fusion.evidence.conjunctive import dempster, orthogonal_sum, smets
from emphatic.fusion.evidence.dubois_prade_rule import dubois_prade
from emphatic.fusion.evidence.masses import Masses
from emphatic.fusion.evidence.redistribution import pcr5, pcr6
from emphatic.fusion.evidence.rules import combine
from emphatic.fusion.evidence.set_decisions import choose_sets_by
from emphatic.fusion.evidence.supports import ROUNDING, broadcast_reliability, simple_masses
from emphatic.fusion.evidence.utilities import choose_sets, score_sets
from emphatic.fusion.evidence.yager_rule import yager

__all__ = [
    "ROUNDING",
    "Masses",
    "broadcast_reliability",
    "cautious",
    "choose_sets",
    "choose_sets_by",
    "combine",
    "dempster",
    "dubois_prade",
    "orthogonal_sum",
    "pcr5",
    "pcr6",
    "score_sets",
    "simple_masses",
    "smets",
    "yager",
]
