"""Which samples the next learner should look at: one emphasis per file, none imports another.

For users and for everything that boosts. A new emphasis is a class with an `update`, and a line here.
"""

from emphatic.emphasis.brown import Brown
from emphatic.emphasis.controlled import Controlled
from emphatic.emphasis.cost_sensitive import CostSensitive
from emphatic.emphasis.dynamic_mixed import DynamicMixed
from emphatic.emphasis.exponential import Exponential
from emphatic.emphasis.fuzzy_entropy import FuzzyEntropy
from emphatic.emphasis.mixed import Mixed
from emphatic.emphasis.neighbour import Neighbour
from emphatic.emphasis.pattern_type import PatternType
from emphatic.emphasis.robust import Robust
from emphatic.emphasis.soft_margin import SoftMargin
from emphatic.emphasis.uniform import Uniform

__all__ = [
    "Brown",
    "Controlled",
    "CostSensitive",
    "DynamicMixed",
    "Exponential",
    "FuzzyEntropy",
    "Mixed",
    "Neighbour",
    "PatternType",
    "Robust",
    "SoftMargin",
    "Uniform",
]
