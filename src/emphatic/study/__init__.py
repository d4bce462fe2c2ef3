"""Studies: every method with every setting on every split of every problem, each fitted once and kept in a store.

For anyone's own experiments; `emphatic.papers` and `emphatic.comparison` are built on it, and nothing below imports it.
Names are imported when first used, so that the command line answers quickly.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emphatic.engines import EngineError, in_processes, on_dask
    from emphatic.study.dependent import GroupFolds, TimeFolds
    from emphatic.study.findings import Findings
    from emphatic.study.limits import Limits
    from emphatic.study.predictions import Predictions
    from emphatic.study.problem import OwnProblem
    from emphatic.study.protocol import InnerFolds, PredefinedOrPartitions, RepeatedKFold, Split
    from emphatic.study.runner import FailedFitsWarning, MixedVersionsWarning, Study, run_studies
    from emphatic.study.store import Store, StoreError
    from emphatic.study.summary import Summary
    from emphatic.study.tasks import Method, Record, TaskKey

_MODULES = {  # the name of a module of this package, or of another one
    "EngineError": "emphatic.engines",
    "FailedFitsWarning": "runner",
    "Findings": "findings",
    "GroupFolds": "dependent",
    "InnerFolds": "protocol",
    "Limits": "limits",
    "Method": "tasks",
    "MixedVersionsWarning": "runner",
    "OwnProblem": "problem",
    "PredefinedOrPartitions": "protocol",
    "Predictions": "predictions",
    "Record": "tasks",
    "RepeatedKFold": "protocol",
    "Split": "protocol",
    "Store": "store",
    "StoreError": "store",
    "Study": "runner",
    "Summary": "summary",
    "TaskKey": "tasks",
    "TimeFolds": "dependent",
    "in_processes": "emphatic.engines",
    "on_dask": "emphatic.engines",
    "run_studies": "runner",
}

__all__ = [
    "EngineError",
    "FailedFitsWarning",
    "Findings",
    "GroupFolds",
    "InnerFolds",
    "Limits",
    "Method",
    "MixedVersionsWarning",
    "OwnProblem",
    "PredefinedOrPartitions",
    "Predictions",
    "Record",
    "RepeatedKFold",
    "Split",
    "Store",
    "StoreError",
    "Study",
    "Summary",
    "TaskKey",
    "TimeFolds",
    "in_processes",
    "on_dask",
    "run_studies",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULES[name]
    return getattr(importlib.import_module(module if "." in module else f"{__name__}.{module}"), name)
