"""How long an audit will take: from what its members cost, and from the pace of the machine at hand."""

from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.ensemble import ExtraTreesClassifier

from emphatic.audit.costs import Size, cost_neighbours, cost_preparation
from emphatic.audit.panel import Panel

REFERENCE_SECONDS = 0.053
"""What `measure_pace` takes on the machine on which the costs of the members were measured."""

BLENDED = 6e-7
"""Seconds per row, class and member to calibrate and blend scores."""

N_TRIALS = 3


def measure_pace() -> float:
    """How many times longer the machine takes now than the one on which costs were measured, by a short trial."""
    rng = np.random.default_rng(0)
    X, y = rng.random((2000, 20)), rng.integers(2, size=2000)
    seconds = []
    for _ in range(N_TRIALS):
        start = perf_counter()
        activations = np.exp(-cdist(X, X[:500], "cityblock"))
        activations.T @ activations
        ExtraTreesClassifier(10, random_state=0).fit(X, y)
        seconds.append(perf_counter() - start)
    return median(seconds) / REFERENCE_SECONDS


@dataclass(frozen=True)
class Forecast:
    """Seconds that the parts of an audit take.

    Attributes
    ----------
    size : of the table, all of whose rows are learnt from and scored
    n_folds, n_jobs : of the audit
    pace : of the machine, as `measure_pace` finds it
    """

    size: Size
    n_folds: int
    n_jobs: int
    pace: float = 1.0

    def pass_seconds(self, panel: Panel) -> float:
        """Of one pass of these members over the table."""
        n_scored = -(-self.size.n_scored // self.n_folds)
        n_training = min(self.size.n_training - n_scored, panel.most_rows or self.size.n_training)
        fold = self.size._replace(n_training=n_training, n_scored=n_scored)
        tasks = [member.cost(self.size) for member in panel.at_once]
        if panel.by_folds:
            tasks += self.n_folds * [cost_preparation(fold) + sum(member.cost(fold) for member in panel.by_folds)]
        blended = BLENDED * len(panel.members) * self.size.n_scored * self.size.n_classes
        return self.pace * (max(sum(tasks) / self.n_jobs, max(tasks)) + blended)

    def total_seconds(self, panel: Panel, n_passes: int) -> float:
        """Of an audit of so many passes, similar rows included."""
        return n_passes * self.pass_seconds(panel) + self.pace * cost_neighbours(self.size)
