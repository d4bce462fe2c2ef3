"""Tasks of a fit: on the engine that was asked for, on the active Dask client, or by joblib."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import joblib
from sklearn import config_context, get_config
from sklearn.utils.parallel import Parallel, delayed

from emphatic.cluster import EngineError
from emphatic.engines.connection import find_client, is_inside_worker
from emphatic.engines.contract import Engine, Item, Lost
from emphatic.engines.dask import DaskEngine
from emphatic.hush import keep_filters
from emphatic.threads import one_thread
from emphatic.workers import tie

_STOPPED = "the engine stopped before all tasks were done"


def check_engine(engine: Any) -> None:
    """Raise TypeError unless `engine` is None or an engine, which is a function."""
    if engine is not None and (not callable(engine) or isinstance(engine, type)):
        raise TypeError(
            f"engine={engine!r} is not allowed: engine must be None, in_processes(4), on_dask(address) or "
            "on_dask(client), of emphatic.engines."
        )


def find_engine(engine: Any = None) -> Engine | None:
    """The engine to use: the given one, otherwise the active Dask client, if there is one; None for joblib.

    Inside a Dask worker there is none: what runs there has got its share of the cluster.
    """
    check_engine(engine)
    if is_inside_worker():
        return None
    if engine is not None:
        chosen: Engine = engine
        return chosen
    client = find_client()
    return None if client is None else DaskEngine(client)


def count_jobs(n_jobs: int | None, engine: Any = None) -> int:
    """How many tasks `run_tasks` would run at a time, as far as that is known.

    >>> count_jobs(2), count_jobs(2, engine=lambda function, items: ())
    (2, 1)
    """
    chosen = find_engine(engine)
    if chosen is None:
        return int(joblib.effective_n_jobs(n_jobs))
    return max(1, chosen.count_threads()) if hasattr(chosen, "count_threads") else 1


def run_tasks(
    function: Callable[..., Any],
    items: Iterable[Item],
    *,
    n_jobs: int | None = None,
    engine: Any = None,
    prefer: str | None = None,
) -> list[Any]:
    """`function(*item.values, *item.own)` of each item, in their order.

    Parameters
    ----------
    function : callable
        For engines that are other processes, one that can be imported there.
    items : iterable of Item
    n_jobs : int, default=None
        For joblib, which runs the tasks where there is no engine.
    engine : Engine, default=None
        See `find_engine`.
    prefer : {"threads", None}, default=None
        Of joblib: threads, with linear algebra on one thread each, or processes.

    >>> from emphatic.engines import Item, in_turn, run_tasks
    >>> run_tasks(pow, [Item((3,), shared=(2,)), Item((2,), shared=(5,))])
    [8, 25]
    >>> run_tasks(pow, [Item((2, 3))], engine=in_turn)
    [8]
    """
    return list(iterate_tasks(function, items, n_jobs=n_jobs, engine=engine, prefer=prefer, return_as="list"))


def iterate_tasks(
    function: Callable[..., Any],
    items: Iterable[Item],
    *,
    n_jobs: int | None = None,
    engine: Any = None,
    prefer: str | None = None,
    return_as: str = "generator",
) -> Iterator[Any]:
    """As `run_tasks`, but each result is there as soon as those before it are.

    An engine takes items as it needs them.

    >>> from emphatic.engines import Item, iterate_tasks
    >>> next(iterate_tasks(pow, [Item((2, 3)), Item((3, 3))]))
    8
    """
    chosen = find_engine(engine)
    if chosen is not None:
        return _on_engine(chosen, function, items)
    if prefer == "threads":
        return _in_threads(function, items, n_jobs, return_as)
    processes = Parallel(n_jobs=n_jobs, return_as=return_as)
    return iter(processes(delayed(tie(function))(*item.values, *item.own) for item in items))


def _in_threads(
    function: Callable[..., Any], items: Iterable[Item], n_jobs: int | None, return_as: str
) -> Iterator[Any]:
    threads = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as=return_as)
    call = joblib.delayed(SettledCall(function, get_config()))
    # a BLAS has one number of threads for the process, which is set from here; and scikit-learn checks a table under
    # filters of warnings of its own
    with one_thread(), keep_filters():
        yield from threads(call(*item.values, *item.own) for item in items)


def _on_engine(engine: Engine, function: Callable[..., Any], items: Iterable[Item]) -> Iterator[Any]:
    n_asked = 0

    def number_items() -> Iterator[Item]:  # as the engine asks for them: there may be more than fit in memory
        nonlocal n_asked
        for item in items:
            n_asked += 1
            yield Item((n_asked - 1, *item.own), item.shared)

    numbered = number_items()
    early: dict[int, Any] = {}
    due = 0
    with closing(begin(engine, function, numbered)) as results:
        for result in results:
            number, value = _raise_lost(result)
            early[number] = value
            while due in early:
                yield early.pop(due)
                due += 1
    if due < n_asked or next(numbered, None) is not None:
        raise EngineError(_STOPPED)


def begin(engine: Engine, function: Callable[..., Any], items: Iterable[Item]) -> Generator[Any, None, None]:
    """The results of an engine, for `take`: each is the first part of what is its item's own, and the function's."""
    try:
        results = engine(NumberedCall(SettledCall(function, get_config())), items)
    except TypeError as error:
        raise TypeError(f"engine={engine!r} is not allowed: it must take a function and items ({error}).") from error
    if not isinstance(results, Generator):
        raise TypeError(f"engine={engine!r} is not allowed: it must return a generator of results, not {results!r}.")
    return results


def take(results: Generator[Any, None, None]) -> Any:
    """The next result of an engine; what was raised elsewhere is raised here."""
    result = next(results, None)
    if result is None:
        raise EngineError(_STOPPED)
    return _raise_lost(result)


def _raise_lost(result: Any) -> Any:
    if not isinstance(result, Lost):
        return result
    if type(result.error).__name__ == "KilledWorker":  # of Dask, which may not be imported for its name
        raise EngineError(
            "a task was given up after several workers died of it, perhaps for lack of memory: use fewer threads per "
            "worker, or workers with more memory"
        ) from result.error
    raise result.error


@dataclass(frozen=True)
class SettledCall:
    """A function under scikit-learn's settings of the caller, which belong to a thread."""

    function: Callable[..., Any]
    settings: dict[str, Any]

    def __call__(self, *arguments: Any) -> Any:
        known = get_config()
        with config_context(**{name: value for name, value in self.settings.items() if name in known}):
            return self.function(*arguments)


@dataclass(frozen=True)
class NumberedCall:
    """A call on an engine; its results have the number of the item."""

    call: SettledCall

    def __call__(self, item: Item) -> tuple[Any, Any]:
        number, *own = item.own
        return number, self.call(*item.values, *own)
