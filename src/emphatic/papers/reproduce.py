"""From table ids to finished tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emphatic.names import UnknownName, unknown
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.registry import Table, table
from emphatic.study.engines.processes import Engine
from emphatic.study.runner import Summary, run_studies
from emphatic.study.store import Store

if TYPE_CHECKING:
    from emphatic.study.engines.limits import Limits


@dataclass(frozen=True)
class Reproduced:
    """A table with its measured lines, and what the run did to get them.

    `options` are those that the lines were measured with: a budget may have allowed fewer runs than were asked for.
    `stopped` says that the budget ended before these were finished.
    """

    id: str
    title: str
    caption: str
    lines: list[Line]
    summary: Summary
    options: Options
    stopped: bool = False


@dataclass(frozen=True)
class Means:
    """What fits are done with: where they are kept, by which engine, in sight or not, and within which limits."""

    store: Store
    engine: Engine
    progress: bool = True
    limits: Limits | None = None

    def stages(self, each: Table, options: Options) -> Iterator[Summary]:
        """Do what the store does not hold yet of a table, stage by stage."""
        for studies in each.stages(options, self.store):
            yield run_studies(studies, self.store, self.engine, self.progress, self.limits)


def chosen_tables(table_ids: Sequence[str], options: Options) -> list[Table]:
    """The tables with these ids, after checking that they and the chosen problems exist: errors come before work."""
    tables = [table(table_id) for table_id in dict.fromkeys(table_ids)]
    for each in tables:
        if options.quick and not each.problems(quick=True):
            raise UnknownName(f"table {each.id} has no quick form; run it without --quick, or with few --runs")
    known = [name for each in tables for name in each.problems(options.quick)]
    for name in options.problems:
        if name not in known:
            raise unknown("problem", name, known)
    return tables


def reproduce(each: Table, options: Options, means: Means) -> Reproduced:
    """Run what is missing of one table, then read its lines from the store."""
    return finished(each, options, means.store, sum(means.stages(each, options), Summary()))


def finished(each: Table, options: Options, store: Store, summary: Summary, stopped: bool = False) -> Reproduced:
    """The lines of a table, as far as the store holds them."""
    lines = each.lines(options, store)
    return Reproduced(each.id, each.title, each.caption(options), lines, summary, options, stopped)
