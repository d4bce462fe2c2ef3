"""Studies: methods x settings x problems x splits, each fitted once and kept in a store; for anyone's own experiments.

`emphatic.papers` and `emphatic.comparison` are built on it. Names are imported when first used, because the command
line must answer quickly.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emphatic.study.engines.dask import on_dask
    from emphatic.study.engines.limits import Limits
    from emphatic.study.engines.processes import EngineError, in_processes
    from emphatic.study.problem import OwnProblem
    from emphatic.study.protocol import InnerFolds, PredefinedOrPartitions, RepeatedKFold, Split
    from emphatic.study.runner import Study, Summary, run_studies
    from emphatic.study.store import Store, StoreError
    from emphatic.study.versions import MixedVersionsWarning
    from emphatic.study.work import Method, Record, Work

__all__ = [
    "EngineError",
    "InnerFolds",
    "Limits",
    "Method",
    "MixedVersionsWarning",
    "OwnProblem",
    "PredefinedOrPartitions",
    "Record",
    "RepeatedKFold",
    "Split",
    "Store",
    "StoreError",
    "Study",
    "Summary",
    "Work",
    "in_processes",
    "on_dask",
    "run_studies",
]

_HOMES = {
    "engines.dask": ("on_dask",),
    "engines.limits": ("Limits",),
    "engines.processes": ("EngineError", "in_processes"),
    "problem": ("OwnProblem",),
    "protocol": ("InnerFolds", "PredefinedOrPartitions", "RepeatedKFold", "Split"),
    "runner": ("Study", "Summary", "run_studies"),
    "store": ("Store", "StoreError"),
    "versions": ("MixedVersionsWarning",),
    "work": ("Method", "Record", "Work"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
