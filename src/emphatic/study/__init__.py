"""Studies: published tables rerun from data, resumable, with published beside measured.

Names are imported when first used, because the command line must answer quickly.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emphatic.study.dask_engine import on_dask
    from emphatic.study.execute import EngineError, in_processes
    from emphatic.study.limits import Limits
    from emphatic.study.options import Options
    from emphatic.study.own import OwnProblem
    from emphatic.study.protocol import InnerFolds, PredefinedOrPartitions, RepeatedKFold, Split
    from emphatic.study.runner import Study, Summary, run_studies
    from emphatic.study.store import Store, StoreError
    from emphatic.study.tables import Line
    from emphatic.study.versions import MixedVersionsWarning
    from emphatic.study.work import Method, Record, Work

__all__ = [
    "EngineError",
    "InnerFolds",
    "Limits",
    "Line",
    "Method",
    "MixedVersionsWarning",
    "Options",
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
    "dask_engine": ("on_dask",),
    "execute": ("EngineError", "in_processes"),
    "limits": ("Limits",),
    "options": ("Options",),
    "own": ("OwnProblem",),
    "protocol": ("InnerFolds", "PredefinedOrPartitions", "RepeatedKFold", "Split"),
    "runner": ("Study", "Summary", "run_studies"),
    "store": ("Store", "StoreError"),
    "tables": ("Line",),
    "versions": ("MixedVersionsWarning",),
    "work": ("Method", "Record", "Work"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
