"""One emphasis a file, none imports another. A new one is a class with an `update` and a line here."""

from emphatic.emphasis.exponential import Exponential
from emphatic.emphasis.mixed import Mixed
from emphatic.emphasis.uniform import Uniform

__all__ = ["Exponential", "Mixed", "Uniform"]
