"""A limit on the time of an audit: which members and passes there is time for, and a note of what there is none for."""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from emphatic.audit.panel import Panel
from emphatic.progress import format_seconds

ORDER = (
    "boosted trees", "logistic regression", "MLPs", "Gaussian kernel", "forest", "wide Laplacian kernel",
    "narrow Laplacian kernel", "RBF networks",
)  # fmt: skip
"""Of members in which they are given time: by what they find for what they cost, on the tables for tuning."""

RESERVE = 0.1
"""Share of the time that is kept for what comes after the models, and for errors of the forecast."""


class Budget:
    """Seconds of the clock from now on, or no limit; `notes` says in sentences what was left out."""

    def __init__(self, seconds: float | None = None) -> None:
        self.limit = np.inf if seconds is None else seconds
        self.notes: list[str] = []
        self._start = perf_counter()

    def left(self) -> float:
        """Seconds that may still be spent, the reserve aside."""
        return (1.0 - RESERVE) * self.limit - (perf_counter() - self._start)

    def allows(self, what: str, seconds: float) -> bool:
        """Whether there is time for this; if not, a note says so."""
        if seconds <= self.left():
            return True
        self.note(what)
        return False

    def note(self, what: str) -> None:
        """Take note of what was left out."""
        self.notes.append(f"Left out to keep to the time budget of {format_seconds(self.limit)}: {what}.")


def keep_to_budget(
    panel: Panel, n_passes: int, budget: Budget, forecast: Callable[[Panel, int], float]
) -> tuple[Panel, int]:
    """The members and the passes that there is time for, by a forecast of the seconds that they take.

    Members come first, in `ORDER`, then further passes. If there is no time for any member, the cheapest is kept.
    """
    members = sorted(panel.members, key=lambda one: ORDER.index(one.name) if one.name in ORDER else -1)
    kept: list[str] = []
    for member in members:
        if forecast(panel.keep([*kept, member.name]), 1) <= budget.left():
            kept.append(member.name)
    if not kept:
        kept = [min(members, key=lambda one: forecast(panel.keep([one.name]), 1)).name]
    missing = [member.name for member in members if member.name not in kept]
    if missing:
        budget.note(", ".join(missing))
    panel = panel.keep(kept)
    fits = budget.allows("the second pass", forecast(panel, n_passes))
    return panel, n_passes if fits else 1
