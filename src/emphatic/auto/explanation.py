"""What was chosen and why, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emphatic.auto.blend import Blend
from emphatic.auto.combination import LEAST_NOISE
from emphatic.auto.search import Trial


def results_columns(trials: Sequence[Trial], blend: Blend) -> dict[str, list[Any]]:
    """What is known of each candidate, the best first, column by column."""
    shares = {one.candidate: one.weight for one in blend.members}
    ranked = sorted(trials, key=lambda one: (one.dropped, one.loss))
    return {
        "family": [one.candidate.family for one in ranked],
        "candidate": [one.candidate.describe(one.variant) for one in ranked],
        "log_loss": [one.loss for one in ranked],
        "error": [one.error for one in ranked],
        "weight": [shares.get(one.candidate, 0.0) for one in ranked],
        "dropped": [one.dropped for one in ranked],
        "seconds": [one.seconds for one in ranked],
    }


def table_of(columns: dict[str, list[Any]]) -> Any:
    """A DataFrame where pandas is there, else the columns as they are."""
    try:
        from pandas import DataFrame
    except ImportError:
        return columns
    return DataFrame(columns)


def account(trials: Sequence[Trial], blend: Blend, metric: str, wrong: float, notes: Sequence[str]) -> str:
    """A few sentences for the one who has to answer for the model."""
    n_dropped = sum(one.dropped for one in trials)
    best = min((one for one in trials if not one.dropped), key=lambda one: one.loss)
    lines = [
        f"{len(trials)} candidates were judged on rows that they were not trained on; {n_dropped} were dropped after "
        "one fold.",
        f"Best alone: {best.candidate.family} ({best.candidate.describe(best.variant)}), log loss {best.loss:.4f}, "
        f"error {100 * best.error:.1f}%.",
        f"The blend of {len(blend.members)} has log loss {blend.loss:.4f}, error {100 * blend.error:.1f}%. Members "
        f"are weighted by their {metric.replace('_', ' ')}:",
    ]
    lines += [
        f"  {100 * one.weight:5.1f}%  {one}: log loss {one.loss:.4f}, error {100 * one.error:.1f}%"
        for one in blend.members
    ]
    change = "sharpened" if blend.factor > 1 else "softened"
    lines.append(f"Probabilities are {change} by the factor {blend.factor:.2f}, which calibrates them out of fold.")
    if blend.shares is not None:
        lines.append("They are those of a world in which all classes are equally frequent.")
    lines.append(_on_noise(wrong, blend.noise))
    return "\n".join([*lines, *notes])


def _on_noise(wrong: float, corrected: float) -> str:
    if wrong <= LEAST_NOISE:
        return "There is no clear sign of wrong labels."
    suspected = f"At least {100 * wrong:.0f}% of the labels look wrong"
    if corrected:
        return f"{suspected}: probabilities are corrected for that, and hold only where labels are clean."
    return f"{suspected} (emphatic.audit tells which); probabilities are those of such labels, not corrected."
