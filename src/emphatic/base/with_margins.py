"""The margins of a learner and of the ensemble, as a stage and a ballot know them."""

from __future__ import annotations

from functools import cached_property

from emphatic.check import FloatArray, IntArray
from emphatic.margins import margins


class WithMargins:
    """A record of a learner's `output` and an ensemble's `score` on samples of the classes `y`."""

    y: IntArray
    output: FloatArray
    score: FloatArray

    @cached_property
    def margin(self) -> FloatArray:
        """Margins of the learner."""
        return margins(self.output, self.y)

    @cached_property
    def ensemble_margin(self) -> FloatArray:
        """Margins of the ensemble whose `score` is in this record."""
        return margins(self.score, self.y)
