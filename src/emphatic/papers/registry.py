"""All tables that can be reproduced, by id.

To add a paper, write `paper_00x.py` with objects that offer what `Table` asks for, and name them in `TABLES`. They
are imported only when asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from emphatic.names import unknown
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.study.runner import Study
from emphatic.study.store import Store

TABLES = {
    "000-II": "emphatic.papers.p000.tables:TABLE_II",
    "000-III": "emphatic.papers.p000.tables:TABLE_III",
    "000-IV": "emphatic.papers.p000.tables:TABLE_IV",
    "000-defaults": "emphatic.papers.p000.defaults:DEFAULTS",
    "001": "emphatic.papers.p001.moderation:MODERATION",
    "001-K": "emphatic.papers.p001.classes:CLASSES",
    "002-2": "emphatic.papers.p002.tables:TABLE_2",
    "002-3": "emphatic.papers.p002.tables:TABLE_3",
    "002-4": "emphatic.papers.p002.tables:TABLE_4",
    "002-own": "emphatic.papers.p002.tables:OWN",
    "002-readings": "emphatic.papers.p002.readings:READINGS_TABLE",
    "003-2": "emphatic.papers.p003.tables:TABLE_2",
    "003-3": "emphatic.papers.p003.tables:TABLE_3",
    "004": "emphatic.papers.p004.wins:WINS",
    "004-C45": "emphatic.papers.p004.wins:WINS_C45",
    "004-parameters": "emphatic.papers.p004.parameters:CHOICE",
    "004-reward": "emphatic.papers.p004.parameters:REWARD",
    "004-deflections": "emphatic.papers.p004.parameters:DEFLECTION",
}

QUICK_TABLES = ("000-II", "001", "002-3", "003-3", "004")
"""One of each paper: what the quick form runs unless told otherwise."""


class Table(Protocol):
    """A published table, as work to be done and as lines to be printed."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...

    def problems(self, quick: bool = False) -> Sequence[str]:
        """Names that `Options.problems` may hold; empty when the table has no quick form and `quick` is asked for."""

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        """Studies to run, stage by stage; the next stage is asked for when the store holds the one before."""

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Published beside measured, from what the store holds."""

    def caption(self, options: Options) -> str:
        """How to read the lines: the reading of the paper that was used, and what was chosen on test data."""


def table(table_id: str) -> Table:
    """The table with this id, in upper or lower case.

    >>> table("000-ii").id
    '000-II'
    """
    by_lower_case = {name.lower(): place for name, place in TABLES.items()}
    if table_id.lower() not in by_lower_case:
        raise unknown("table", table_id, TABLES)
    module, _, name = by_lower_case[table_id.lower()].partition(":")
    found: Table = getattr(importlib.import_module(module), name)
    return found
