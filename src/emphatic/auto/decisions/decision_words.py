"""Sentences about decisions: how classes are chosen, and which are never or hardly predicted."""

from collections.abc import Iterator

import numpy as np

from emphatic.auto.decisions.decision import choose_measure
from emphatic.auto.decisions.outcome import Outcome
from emphatic.inputs import find_rarer
from emphatic.user_warning import warn_user

ENOUGH_ROWS, RARE_PART = 10, 0.5
"""A class is worth a warning with so many rows, and less than this part of an even share of all. A more frequent one
that is never predicted can hardly be told from the others, and another decision would only guess."""

HARDLY = 0.1
"""A class is hardly ever predicted if it is for fewer rows than this part of its own."""

BEYOND_CHANCE = 3.0
"""Standard errors by which a decision must find more rows of a class than if it predicted the class at random."""

MOST_NAMED = 5


def describe_decision(outcome: Outcome) -> list[str]:
    """Sentences for `explain`."""
    return [*_describe_rule(outcome), *(_describe_class(outcome, place) for place in _find_missed(outcome))]


def warn_of_unpredicted(outcome: Outcome) -> None:
    """Warn if a rare class is never predicted, and say what would change it."""
    n_rows = np.bincount(outcome.codes, minlength=len(outcome.classes))
    for place in _find_missed(outcome):
        rare = outcome.shares[place] < RARE_PART / len(outcome.classes) - 1e-9  # exactly that part is not rare
        if rare and n_rows[place] >= ENOUGH_ROWS and not outcome.predicted[place]:
            warn_user(_describe_class(outcome, place))


def _find_missed(outcome: Outcome) -> list[int]:
    """Places of the classes that are predicted for no row or few, the largest first."""
    missed = (outcome.shares > 0) & (outcome.predicted < HARDLY * outcome.shares)
    return [place for place in np.argsort(-outcome.shares, kind="stable").tolist() if missed[place]][:MOST_NAMED]


def _describe_class(outcome: Outcome, place: int) -> str:
    how_often = "hardly ever" if outcome.predicted[place] else "never"
    name = f"{outcome.quote(place)} ({_percent(outcome.shares[place])} of the rows)"
    return f"Class {name} is {how_often} predicted out of fold; {_advise(outcome, place)}."


def _advise(outcome: Outcome, place: int) -> str:
    for other in outcome.remedies:
        right, predicted, share = other.right[place], other.predicted[place], other.shares[place]
        spread = np.sqrt(predicted * share * (1.0 - share) / len(other.codes))
        if right > predicted * share + BEYOND_CHANCE * spread:
            return (
                f'decision="{other.rule.name}" would predict it for {_percent(predicted)} of the rows, with recall '
                f"{right / share:.2f} and precision {right / predicted:.2f} out of fold"
            )
    return "no other decision would change that: its rows cannot be told from the others"


def _describe_rule(outcome: Outcome) -> Iterator[str]:
    rule, plain = outcome.rule, outcome.by("probability")
    if rule.gains is None:
        return
    if rule.name == "cost":
        cost, of_plain = (-float((rule.gains * one.confusion).sum()) for one in (outcome, plain))
        yield (
            f"The class with the least expected cost is predicted: it costs {cost:.4g} per row out of fold, and the "
            f"most probable class {of_plain:.4g}."
        )
        return
    weights = np.diag(rule.gains)
    if len(weights) == 2:
        rare = find_rarer(outcome.shares.tolist())
        threshold = weights[1 - rare] / weights.sum()
        yield f"Class {outcome.quote(rare)} is predicted from a probability of {threshold:.3g} on."
    else:
        named = ", ".join(f"{outcome.quote(place)} {weight:.3g}" for place, weight in enumerate(weights.tolist()))
        yield f"Probabilities are multiplied by weights per class before the largest is predicted: {named}."
    measure = choose_measure(rule.name, outcome.shares)
    found, of_plain = (measure.judge(one.right, one.predicted, one.shares) for one in (outcome, plain))
    what = "balanced accuracy" if rule.name == "balanced" else "F1" if len(weights) == 2 else "mean F1 of the classes"
    yield f"That was chosen out of fold: the {what} is {found:.3f} there, and {of_plain:.3f} by probability alone."


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
