"""From table ids to finished tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emphatic.names import UnknownName, unknown
from emphatic.study.execute import Engine
from emphatic.study.options import Options
from emphatic.study.registry import Table, table
from emphatic.study.runner import Summary, run_studies
from emphatic.study.store import Store
from emphatic.study.tables import Line


@dataclass(frozen=True)
class Reproduced:
    """A table with its measured lines, and what the run did to get them."""

    id: str
    title: str
    caption: str
    lines: list[Line]
    summary: Summary


def chosen_tables(table_ids: Sequence[str], options: Options) -> list[Table]:
    """The tables with these ids, after checking that they and the chosen problems exist: errors come before work."""
    tables = [table(table_id) for table_id in table_ids]
    for each in tables:
        if options.quick and not each.problems(quick=True):
            raise UnknownName(f"table {each.id} has no quick form; run it without --quick, or with few --runs")
    known = [name for each in tables for name in each.problems(options.quick)]
    for name in options.problems:
        if name not in known:
            raise unknown("problem", name, known)
    return tables


def reproduce(each: Table, options: Options, store: Store, engine: Engine, progress: bool = True) -> Reproduced:
    """Run what is missing of one table, then read its lines from the store."""
    summary = Summary()
    for studies in each.stages(options, store):
        summary += run_studies(studies, store, engine, progress)
    return Reproduced(each.id, each.title, each.caption(options), each.lines(options, store), summary)
