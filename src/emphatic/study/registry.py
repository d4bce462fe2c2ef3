"""All tables that can be reproduced, by id.

To add a paper, write `paper_00x.py` with objects that offer what `Table` asks for, and name them in `TABLES`. They
are imported only when asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from emphatic.names import unknown
from emphatic.study.options import Options
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.tables import Line

TABLES = {
    "000-II": "emphatic.study.paper_000:TABLE_II",
    "000-III": "emphatic.study.paper_000:TABLE_III",
    "000-IV": "emphatic.study.paper_000:TABLE_IV",
    "000-defaults": "emphatic.study.paper_000_defaults:DEFAULTS",
    "001": "emphatic.study.paper_001:MODERATION",
    "001-K": "emphatic.study.paper_001_classes:CLASSES",
    "002-2": "emphatic.study.paper_002:TABLE_2",
    "002-3": "emphatic.study.paper_002:TABLE_3",
    "002-4": "emphatic.study.paper_002:TABLE_4",
    "002-own": "emphatic.study.paper_002:OWN",
    "002-readings": "emphatic.study.paper_002_readings:READINGS_TABLE",
    "003-2": "emphatic.study.paper_003:TABLE_2",
    "003-3": "emphatic.study.paper_003:TABLE_3",
    "004": "emphatic.study.paper_004:WINS",
    "004-C45": "emphatic.study.paper_004:WINS_C45",
    "004-parameters": "emphatic.study.paper_004_parameters:CHOICE",
    "004-reward": "emphatic.study.paper_004_parameters:REWARD",
    "004-deflections": "emphatic.study.paper_004_parameters:DEFLECTION",
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
