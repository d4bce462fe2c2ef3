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
    "000-II-stop": "emphatic.papers.p000.tables:TABLE_II_STOP",
    "000-III-stop": "emphatic.papers.p000.tables:TABLE_III_STOP",
    "000-III-sgd-max": "emphatic.papers.p000.tables:TABLE_III_SGD_MAX",
    "000-III-sgd-mean": "emphatic.papers.p000.tables:TABLE_III_SGD_MEAN",
    "000-III-sgd-resample": "emphatic.papers.p000.tables:TABLE_III_SGD_RESAMPLE",
    "000-IV-sgd-max": "emphatic.papers.p000.tables:TABLE_IV_SGD_MAX",
    "000-IV-sgd-mean": "emphatic.papers.p000.tables:TABLE_IV_SGD_MEAN",
    "000-IV-sgd-resample": "emphatic.papers.p000.tables:TABLE_IV_SGD_RESAMPLE",
    "000-figure-1": "emphatic.papers.p000.figure_1:FIGURE_1",
    "000-schedule": "emphatic.papers.p000.schedule:SCHEDULE",
    "000-abalone": "emphatic.papers.p000.abalone:ABALONE",
    "001": "emphatic.papers.p001.moderation:MODERATION",
    "001-K": "emphatic.papers.p001.classes:CLASSES",
    "001-guide": "emphatic.papers.p001.guide:GUIDE",
    "002-2": "emphatic.papers.p002.networks_table:TABLE_2",
    "002-3": "emphatic.papers.p002.tables:TABLE_3",
    "002-4": "emphatic.papers.p002.tables:TABLE_4",
    "002-noise": "emphatic.papers.p002.noise:NOISE",
    "003-2": "emphatic.papers.p003.tables:TABLE_2",
    "003-3": "emphatic.papers.p003.tables:TABLE_3",
    "003-masses": "emphatic.papers.p003.tables:MASSES",
    "004": "emphatic.papers.p004.tables:WINS",
    "004-chains": "emphatic.papers.p004.tables:CHAINS",
    "004-control": "emphatic.papers.p004.tables:CONTROL",
    "004-reward": "emphatic.papers.p004.tables:REWARD",
    "004-deflections": "emphatic.papers.p004.tables:DEFLECTION",
}
"""Of the five papers."""

STUDIES = {
    "000-defaults": "emphatic.papers.p000.defaults:DEFAULTS",
    "001-full": "emphatic.papers.p001.full_search:FULL_SEARCH",
    "002-readings": "emphatic.papers.p002.readings_table:READINGS_TABLE",
    "003-masses-choice": "emphatic.papers.p003.tables:MASSES_CHOICE",
    "003-svc": "emphatic.papers.p003.tables:MACHINES",
    "004-C45": "emphatic.papers.p004.tables:WINS_C45",
    "004-parameters": "emphatic.papers.p004.tables:PARAMETER_CHOICE",
    "emphases": "emphatic.papers.emphases.table:EMPHASES",
}
"""Of our own, or very long: run by name, not by `--all`."""

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
