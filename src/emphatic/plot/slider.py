"""A slider over the rounds of a fit."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from emphatic import check
from emphatic.wording import count

MOST_STEPS = 20
"""Of a slider: each is a picture of its own in the file."""


def choose_rounds(n_rounds: int, given: int | None) -> list[int]:
    """The round that is asked for, or some from the first to the last.

    >>> choose_rounds(3, None), choose_rounds(100, 7), len(choose_rounds(100, None))
    ([1, 2, 3], [7], 20)
    """
    if given is None:
        return [int(number) for number in np.unique(np.linspace(1, n_rounds, MOST_STEPS).astype(int))]
    if check.integer("round", given, at_least=1) > n_rounds:
        raise ValueError(
            f"round={given!r} is not allowed: the model has {count(n_rounds, 'round')}, so round must be an integer "
            f"from 1 to {n_rounds}."
        )
    return [int(given)]


def make_slider(chosen: Sequence[int]) -> dict[str, Any]:
    """A slider that shows the frames named after these rounds, and stands at the last."""
    at_once = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    steps = [{"label": str(one), "method": "animate", "args": [[str(one)], at_once]} for one in chosen]
    return {"active": len(steps) - 1, "steps": steps, "currentvalue": {"prefix": "round "}, "pad": {"t": 45}}
