"""One emphasis a file, none imports another. A new one is a class with an `update` and a line here."""

from emphatic.emphasis.controlled import Controlled
from emphatic.emphasis.dynamic_mixed import DynamicMixed
from emphatic.emphasis.exponential import Exponential
from emphatic.emphasis.fuzzy_entropy import FuzzyEntropy
from emphatic.emphasis.mixed import Mixed
from emphatic.emphasis.neighbour import Neighbour
from emphatic.emphasis.pattern_type import PatternType
from emphatic.emphasis.uniform import Uniform

__all__ = ["Controlled", "DynamicMixed", "Exponential", "FuzzyEntropy", "Mixed", "Neighbour", "PatternType", "Uniform"]
