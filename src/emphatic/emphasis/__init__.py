"""Which samples the next learner should look at: one emphasis per file, none imports another.

For users and for everything that boosts. A new emphasis is a class with an `update`, and a line here.
"""

from emphatic.emphasis.annealed import Annealed
from emphatic.emphasis.averaged import Averaged
from emphatic.emphasis.capped import Capped
from emphatic.emphasis.controlled import Controlled
from emphatic.emphasis.dynamic_mixed import DynamicMixed
from emphatic.emphasis.exponential import Exponential
from emphatic.emphasis.fuzzy_entropy import FuzzyEntropy
from emphatic.emphasis.mixed import Mixed
from emphatic.emphasis.neighbour import Neighbour
from emphatic.emphasis.oversampled import Oversampled
from emphatic.emphasis.pattern_type import PatternType
from emphatic.emphasis.undersampled import Undersampled
from emphatic.emphasis.uniform import Uniform

__all__ = [
    "Annealed",
    "Averaged",
    "Capped",
    "Controlled",
    "DynamicMixed",
    "Exponential",
    "FuzzyEntropy",
    "Mixed",
    "Neighbour",
    "Oversampled",
    "PatternType",
    "Undersampled",
    "Uniform",
]
