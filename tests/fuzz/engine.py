"""Cases of a target, one after another, until the time is over; faults are collected, one case per cause."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as use_seed

from tests.fuzz.corpus import name_cause, reduce, run, show
from tests.fuzz.strategies import cases
from tests.fuzz.targets import TARGETS
from tests.fuzz.verdict import Fault


@dataclass
class Tally:
    """What a run saw: calls per target and end, and per cause the smallest case."""

    ends: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: dict[str, tuple[dict[str, Any], str]] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        return sum(self.ends.values())

    def note(self, case: dict[str, Any], fault: Fault) -> None:
        cause = name_cause(case, fault)
        known = self.faults.get(cause)
        if known is None or len(show(case)) < len(show(known[0])):
            self.faults[cause] = case, str(fault)


def fuzz(
    name: str,
    seed: int,
    *,
    calls: int,
    seconds: float,
    tally: Tally,
    before: Callable[[dict[str, Any]], None] = lambda case: None,
) -> None:
    """Try up to `calls` cases of one target for up to `seconds`; `before` is told each case, in case it is the last."""
    until = time.monotonic() + seconds
    target = TARGETS[name]

    @use_seed(seed)
    @settings(
        max_examples=calls,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(target))
    def try_one(case: dict[str, Any]) -> None:
        if time.monotonic() > until:
            return
        before(case)
        try:
            end = run(case)
        except Fault as fault:
            end = "fault"
            tally.note(case, fault)
        tally.ends[name, end] += 1

    try_one()


def reduce_all(tally: Tally) -> None:
    """Make the kept cases smaller."""
    for cause, (case, text) in tally.faults.items():
        tally.faults[cause] = reduce(case, cause), text
