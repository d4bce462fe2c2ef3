"""Engines, which say where the tasks of a fit, a search or a study run: here, in threads, in processes, on Dask.

Whatever has many independent parts calls `run_tasks`; users choose an engine by `engine=`, or by making a Dask client.
"""

from emphatic.cluster import EngineError
from emphatic.engines.contract import Engine, Item, Lost, Shared, in_turn
from emphatic.engines.dask import DaskEngine, on_dask
from emphatic.engines.processes import in_processes
from emphatic.engines.tasks import check_engine, count_jobs, find_engine, iterate_tasks, run_tasks
from emphatic.engines.threads import in_threads
from emphatic.engines.versions import check_workers

__all__ = [
    "DaskEngine",
    "Engine",
    "EngineError",
    "Item",
    "Lost",
    "Shared",
    "check_engine",
    "check_workers",
    "count_jobs",
    "find_engine",
    "in_processes",
    "in_threads",
    "in_turn",
    "iterate_tasks",
    "on_dask",
    "run_tasks",
]
