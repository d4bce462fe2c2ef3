"""How far the members of a fusion are trusted, and what Dempster's rule makes of their supports then."""

from typing import NamedTuple

from emphatic.check import FloatArray
from emphatic.fusion.correction import correct
from emphatic.fusion.rules import dempster_shafer


class Trust(NamedTuple):
    """What is given or was learnt of the members."""

    reliabilities: FloatArray
    """(members,)"""

    weights: FloatArray | None = None
    """(members,): how many times each counts; None: each once."""

    corrections: FloatArray | None = None
    """(members, K, K), for `correct`; None: nothing is corrected."""

    def fuse(self, supports: FloatArray) -> FloatArray:
        """(n, K) probabilities of supports (members, n, K)."""
        fused = dempster_shafer(supports, self.reliabilities, self.weights)
        return fused if self.corrections is None else correct(fused, supports, self.corrections)
