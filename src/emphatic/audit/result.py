"""What an audit found, sample by sample, and the ways to look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray

KINDS = ("redundant", "borderline", "noisy")
"""What a sample can be to a learner (paper 002): safely right, near the boundary, safely wrong."""


@dataclass(frozen=True, eq=False)
class AuditResult:
    """Suspicion, kind and suggested label of every sample, in the order in which the samples were given.

    Attributes
    ----------
    suspicion : array (n,)
        Estimated probability that the given label is wrong: 0 for a label beyond doubt, 1 for a certain mistake. All of
        them add up to the number of labels that are expected to be wrong.
    suggested : array (n,)
        Most probable label, out of fold; often the given one.
    kinds : array (n,) of str
        "redundant", "borderline" or "noisy".
    probabilities : array (n, K)
        Of each class, out of fold; a row sums to 1.
    classes : array (K,)
        Sorted labels, the columns of `probabilities`.
    X : DataFrame or array
        The table as it was given.
    y : array (n,)
        The labels as they were given.
    index : array (n,)
        Row labels of a pandas table, else 0 .. n-1.
    neighbours : array (n, k) of int
        Positions of the nearest other rows, nearest first, by the Euclidean distance of the prepared inputs.
    """

    suspicion: FloatArray
    suggested: np.ndarray
    kinds: np.ndarray
    probabilities: FloatArray
    classes: np.ndarray
    X: Any
    y: np.ndarray
    index: np.ndarray
    neighbours: IntArray

    @property
    def order(self) -> IntArray:
        """Positions by falling suspicion; of equal ones the first comes first."""
        return np.argsort(-self.suspicion, kind="stable")

    @property
    def table(self) -> Any:
        """pandas DataFrame with the columns index, label, suggested, kind and suspicion, most suspicious first."""
        import pandas as pd

        columns = {
            "index": self.index,
            "label": self.y,
            "suggested": self.suggested,
            "kind": self.kinds,
            "suspicion": self.suspicion,
        }
        return pd.DataFrame({name: values[self.order] for name, values in columns.items()})

    def summary(self, n_worst: int = 5) -> str:
        """A few lines: how many samples, of which kinds, and which labels (at most `n_worst`) look most wrong."""
        n = len(self.y)
        counts = ", ".join(f"{(self.kinds == kind).sum()} {kind}" for kind in KINDS)
        worst = [
            f"  {self.suspicion[i]:.2f}  row {self.index[i]}: {self.y[i]}, rather {self.suggested[i]}"
            for i in self.order[:n_worst]
            if self.suggested[i] != self.y[i]
        ]
        lines = [
            f"{n} samples, {len(self.classes)} classes: {counts}.",
            f"About {self.suspicion.sum():.0f} labels are expected to be wrong (the sum of all suspicions).",
        ]
        if n_worst > 0:
            lines += ["Most suspicious:", *worst] if worst else ["No label looks wrong."]
        return "\n".join(lines)

    def plot(self) -> Any:
        """A figure of the samples by suspicion and kind."""
        from emphatic.audit.plot import draw

        return draw(self)

    def to_html(self, path: Any) -> None:
        """Write a page, complete in one file, to sort, filter and mark the samples."""
        from emphatic.audit.page import write_page

        write_page(self, path)
