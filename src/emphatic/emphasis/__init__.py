"""Which samples the next learner should look at: one emphasis per file, none imports another.

For users and for everything that boosts. A new emphasis is a class with an `update`, and a line here.
"""

from emphatic.emphasis.annealed import Annealed
from emphatic.emphasis.averaged import Averaged
from emphatic.emphasis.brown import Brown
from emphatic.emphasis.capped import Capped
from emphatic.emphasis.controlled import Controlled
from emphatic.emphasis.cost_sensitive import CostSensitive
from emphatic.emphasis.dynamic_mixed import DynamicMixed
from emphatic.emphasis.exponential import Exponential
from emphatic.emphasis.focal import Focal
from emphatic.emphasis.fuzzy_entropy import FuzzyEntropy
from emphatic.emphasis.guided import Guided
from emphatic.emphasis.logistic import Logistic
from emphatic.emphasis.mada import Mada
from emphatic.emphasis.mixed import Mixed
from emphatic.emphasis.multiplicative import Multiplicative
from emphatic.emphasis.neighbour import Neighbour
from emphatic.emphasis.oversampled import Oversampled
from emphatic.emphasis.pattern_type import PatternType
from emphatic.emphasis.robust import Robust
from emphatic.emphasis.savage import Savage
from emphatic.emphasis.smooth import Smooth
from emphatic.emphasis.soft_margin import SoftMargin
from emphatic.emphasis.tangent import Tangent
from emphatic.emphasis.undersampled import Undersampled
from emphatic.emphasis.uniform import Uniform

__all__ = [
    "Annealed",
    "Averaged",
    "Brown",
    "Capped",
    "Controlled",
    "CostSensitive",
    "DynamicMixed",
    "Exponential",
    "Focal",
    "FuzzyEntropy",
    "Guided",
    "Logistic",
    "Mada",
    "Mixed",
    "Multiplicative",
    "Neighbour",
    "Oversampled",
    "PatternType",
    "Robust",
    "Savage",
    "Smooth",
    "SoftMargin",
    "Tangent",
    "Undersampled",
    "Uniform",
]
