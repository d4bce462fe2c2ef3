"""From table ids to reproduced tables, with all runs or with as many as a given time allows."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from emphatic.datasets.stored import check_installed
from emphatic.engines import Engine
from emphatic.names import UnknownName, unknown
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.registry import load_table
from emphatic.papers.table import PublishedTable
from emphatic.study.runner import run_studies
from emphatic.study.store import Store
from emphatic.study.summary import Summary

if TYPE_CHECKING:
    from emphatic.study.limits import Limits


@dataclass(frozen=True)
class Reproduction:
    """A table with its measured lines, and a summary of the fits that were done for them.

    `options` are those that the lines were measured with: when time is limited there may be fewer runs than were asked
    for. `stopped` says that the time was up before all of these were done.
    """

    table: PublishedTable
    lines: list[Line]
    summary: Summary
    options: Options
    stopped: bool = False

    @property
    def caption(self) -> str:
        return self.table.caption(self.options)


@dataclass(frozen=True)
class Runner:
    """Runs the steps of tables: into which store, on which engine, with or without a progress bar, in which limits."""

    store: Store
    engine: Engine
    progress: bool = True
    limits: Limits | None = None

    def run_steps(self, table: PublishedTable, options: Options) -> Iterator[Summary]:
        """Run what the store lacks of a table, step by step."""
        for step in table.steps(options):
            yield run_studies(step.studies(self.store), self.store, self.engine, self.progress, self.limits)


def choose_tables(table_ids: Sequence[str], options: Options) -> list[PublishedTable]:
    """The tables with these ids; unknown ids and problems, and data that are missing, are errors before any work."""
    tables = [load_table(table_id) for table_id in dict.fromkeys(table_ids)]
    for table in tables:
        if options.quick and not table.problems(quick=True):
            raise UnknownName(f"table {table.id} has no quick form; run it without --quick, or with few --runs")
    known = [name for table in tables for name in table.problems(options.quick)]
    for name in options.problems:
        if name not in known:
            raise unknown("problem", name, known)
    for name in dict.fromkeys(name for table in tables for name in table.chosen_problems(options)):
        check_installed(name)
    return tables


def reproduce(table: PublishedTable, options: Options, runner: Runner) -> Reproduction:
    """Run what the store lacks of a table, then read its lines."""
    summary = sum(runner.run_steps(table, options), Summary())
    return Reproduction(table, table.lines(options, runner.store), summary, options)


@dataclass
class _Progress:
    """How far a table has come: the options still to be run, and the last ones that are finished."""

    table: PublishedTable
    pending: list[Options]
    finished: Options | None = None
    summary: Summary = field(default_factory=Summary)


def reproduce_within(
    seconds: float,
    tables: Sequence[PublishedTable],
    options: Options,
    runner: Runner,
    clock: Callable[[], float] = time.monotonic,
) -> list[Reproduction]:
    """Reproduce the tables with as many runs as `seconds` allow, up to those of `options`.

    Runs are nested: those of 5 runs are among those of 50. So each table is run with one run per row, then with 2, 5,
    10, 20 and all, and when the time is up it shows the last of these that was finished. The same call with the same
    store continues from there.

    Each table gets an equal share of the time, and what other tables leave over: a slow one does not starve the rest.
    Fits that have begun are finished, and may take a little longer.
    """
    end = clock() + seconds
    every = [_Progress(table, options.list_fewer()) for table in tables]
    while clock() < end and (waiting := [one for one in every if one.pending]):
        for number, one in enumerate(waiting):
            share = (end - clock()) / (len(waiting) - number)
            _advance(one, runner, clock() + share, clock)
    found = []
    for one in every:
        shown = one.finished or one.pending[0]
        lines = one.table.lines(shown, runner.store)
        found.append(Reproduction(one.table, lines, one.summary, shown, stopped=bool(one.pending)))
    return found


def _advance(one: _Progress, runner: Runner, deadline: float, clock: Callable[[], float]) -> None:
    """Run a table with more and more runs until the deadline."""
    engine = _EngineUntil(deadline, runner.engine, clock)
    while one.pending:
        for summary in replace(runner, engine=engine).run_steps(one.table, one.pending[0]):
            one.summary += summary
            if engine.is_late:  # the next step would build on an unfinished one
                return
        one.finished = one.pending.pop(0)


class _EngineUntil:
    """An engine that begins nothing after `deadline`; if there was more to do then, it `is_late`."""

    def __init__(self, deadline: float, engine: Engine, clock: Callable[[], float]) -> None:
        self.deadline, self.engine, self.clock = deadline, engine, clock
        self.is_late = False

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        yield from self.engine(function, self._take_in_time(items))

    def _take_in_time(self, items: Iterable[Any]) -> Generator[Any, None, None]:
        for item in items:
            if self.clock() >= self.deadline:
                self.is_late = True
                return
            yield item
