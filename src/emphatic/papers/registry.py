"""All tables that can be reproduced, by id.

To add one, write a subclass of `PublishedTable` in the package of its paper and name an instance in `TABLES`. A table
is imported only when it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from emphatic.names import unknown

if TYPE_CHECKING:
    from emphatic.papers.table import PublishedTable

TABLES = {
    "000-II": "emphatic.papers.p000.tables:TABLE_II",
    "000-III": "emphatic.papers.p000.tables:TABLE_III",
    "000-IV": "emphatic.papers.p000.tables:TABLE_IV",
    "000-defaults": "emphatic.papers.p000.defaults:DEFAULTS",
    "001": "emphatic.papers.p001.tables:MODERATION",
    "001-K": "emphatic.papers.p001.tables:CLASSES",
    "002-2": "emphatic.papers.p002.networks_table:TABLE_2",
    "002-3": "emphatic.papers.p002.tables:TABLE_3",
    "002-4": "emphatic.papers.p002.tables:TABLE_4",
    "002-noise": "emphatic.papers.p002.noise:NOISE",
    "003-2": "emphatic.papers.p003.tables:TABLE_2",
    "003-3": "emphatic.papers.p003.tables:TABLE_3",
    "004": "emphatic.papers.p004.tables:WINS",
    "004-C45": "emphatic.papers.p004.tables:WINS_C45",
    "004-parameters": "emphatic.papers.p004.tables:PARAMETER_CHOICE",
    "004-reward": "emphatic.papers.p004.tables:REWARD",
    "004-deflections": "emphatic.papers.p004.tables:DEFLECTION",
}
"""Of the five papers."""

STUDIES = {
    "002-readings": "emphatic.papers.p002.readings_table:READINGS_TABLE",
    "emphases": "emphatic.papers.emphases.table:EMPHASES",
}
"""Of our own: run by name, not by `--all`."""

QUICK_TABLES = ("000-II", "001", "002-3", "003-3", "004")
"""One per paper: what `--quick` runs when no table is named."""


def load_table(table_id: str) -> PublishedTable:
    """The table with this id, in upper or lower case.

    >>> load_table("000-ii").id
    '000-II'
    """
    every = {**TABLES, **STUDIES}
    by_lower_case = {name.lower(): place for name, place in every.items()}
    if table_id.lower() not in by_lower_case:
        raise unknown("table", table_id, every)
    module, _, name = by_lower_case[table_id.lower()].partition(":")
    table: PublishedTable = getattr(importlib.import_module(module), name)
    return table
