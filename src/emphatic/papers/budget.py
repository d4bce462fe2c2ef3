"""As much of many tables as a given time allows.

The runs of a table are nested: those of 5 runs are among those of 50. So a table is run with one run a row, then with
2, 5, 10, 20 and all, and when its time is up it is as good as the last step it finished. A later start with the same
store takes up where this one ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from emphatic.papers.options import Options
from emphatic.papers.registry import Table
from emphatic.papers.reproduce import Means, Reproduced, finished
from emphatic.study.engines.processes import Engine
from emphatic.study.runner import Summary

STEPS = (1, 2, 5, 10, 20)


@dataclass
class _Progress:
    """How far a table is: the steps to come, and the options of the last one that is finished."""

    table: Table
    to_come: list[Options]
    done: Options | None = None
    summary: Summary = field(default_factory=Summary)


def within(
    seconds: float,
    tables: Sequence[Table],
    options: Options,
    means: Means,
    clock: Callable[[], float] = time.monotonic,
) -> list[Reproduced]:
    """The tables with as many runs as `seconds` allow, up to those of `options`.

    Each table gets an equal share of the time, and those that come later, or that are not finished at the end, what
    the others leave over: a slow one does not starve the rest. Fits that have begun are finished, and may take a little
    longer.
    """
    end = clock() + seconds
    steps = [replace(options, runs=runs) for runs in (*(step for step in STEPS if step < options.runs), options.runs)]
    everyone = [_Progress(each, list(steps)) for each in tables]
    while clock() < end and (waiting := [one for one in everyone if one.to_come]):
        for place, one in enumerate(waiting):
            share = (end - clock()) / (len(waiting) - place)
            _advance(one, means, clock() + share, clock)
    return [
        finished(one.table, one.done or one.to_come[0], means.store, one.summary, bool(one.to_come)) for one in everyone
    ]


def _advance(one: _Progress, means: Means, until: float, clock: Callable[[], float]) -> None:
    """Run the next steps of a table, so far as they can be done until then."""
    engine = _Until(until, means.engine, clock)
    while one.to_come:
        for summary in replace(means, engine=engine).stages(one.table, one.to_come[0]):
            one.summary += summary
            if engine.late:  # the next stage would rest on half of this one
                return
        one.done = one.to_come.pop(0)


class _Until:
    """An engine that begins nothing after `moment`; then, if there was more to do, it is `late`."""

    def __init__(self, moment: float, engine: Engine, clock: Callable[[], float]) -> None:
        self.moment, self.engine, self.clock = moment, engine, clock
        self.late = False

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        yield from self.engine(function, self._in_time(items))

    def _in_time(self, items: Iterable[Any]) -> Generator[Any, None, None]:
        for item in items:
            if self.clock() >= self.moment:
                self.late = True
                return
            yield item
