"""Times of several things that can be compared: taken in turns, so that a busy moment of the machine meets them all."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any


def interleaved(actions: dict[str, Callable[[], Any]], repeats: int = 5) -> dict[str, float]:
    """Shortest of `repeats` times of each action, in seconds; a first, untimed turn compiles and warms the caches.

    Time of the processor, not of the clock: with one thread they agree on a quiet machine, and on a busy one the turns
    of other processes do not count.
    """
    best = dict.fromkeys(actions, float("inf"))
    for turn in range(repeats + 1):
        for name, action in actions.items():
            start = process_time()
            action()
            if turn > 0:
                best[name] = min(best[name], process_time() - start)
    return best
