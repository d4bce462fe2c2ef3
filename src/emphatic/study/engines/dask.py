"""The engine for a Dask cluster: many machines, or the cores of this one. Needs the extra `dask`."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from joblib import cpu_count

from emphatic.study.engines.processes import EngineError
from emphatic.study.fit import failed
from emphatic.study.work import Record, Task

if TYPE_CHECKING:
    from types import TracebackType

    from distributed import Client, Future

_CONNECT_SECONDS = 5.0
_GIVE_UP_SECONDS = 8.0  # Dask does not keep to its own limit if something that is no scheduler listens there
_LOOK_SECONDS = 5.0  # between two looks at how many workers there are
_TASKS_A_THREAD = 2  # the one that it runs, and one that is there when it ends


def on_dask(address: str | None = None) -> DaskEngine:
    """An engine on the Dask cluster whose scheduler is at `address`; None: on a new one, of one process a core.

    It connects at once, and is closed by `with` or `close`, else when the process ends. Start the workers of a cluster
    with one thread (`dask worker ADDRESS --nthreads 1 --nworkers CORES`): a worker fits one thing at a time. If one
    dies, Dask starts another, and its work is done again; a fit that several workers have died of, recorded as failed.
    """
    try:
        import distributed
    except ImportError:
        raise EngineError('Dask is not installed: pip install "emphatic[dask]"') from None
    if address is None:
        cluster = distributed.LocalCluster(
            n_workers=cpu_count(),
            threads_per_worker=1,
            memory_limit=None,  # as with joblib; see `Limits`
            dashboard_address="127.0.0.1:0",  # any port: another cluster may have the usual one
            silence_logs=logging.CRITICAL,  # a worker that dies is part of the plan
        )
        return DaskEngine(distributed.Client(cluster, set_as_default=False), cluster)
    try:
        distributed.comm.get_address_host_port(address)
        return DaskEngine(_in_time(lambda: distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)))
    except Exception as error:  # of what answers there, and of how it does so, nothing is known
        raise EngineError(f"no Dask scheduler answers at {address!r}: {error}") from error


class DaskEngine:
    """Runs batches of tasks on a cluster. See `on_dask`."""

    def __init__(self, client: Client, cluster: Any = None) -> None:
        self.client = client
        self._cluster = cluster
        self._n_threads, self._looked_at = 0, -float("inf")

    def __call__(
        self, function: Callable[[Sequence[Task]], list[Record]], items: Iterable[Sequence[Task]]
    ) -> Generator[list[Record], None, None]:
        from distributed import as_completed

        batches, running = iter(items), as_completed(loop=self.client.loop)
        sent: dict[Future, Sequence[Task]] = {}
        problems: dict[int, tuple[Any, Future]] = {}  # by id, and with the problem, so that no other takes its id
        try:
            while True:
                while len(sent) < self._room():
                    batch = next(batches, None)
                    if batch is None:
                        break
                    future = self._send(function, batch, problems)
                    sent[future] = batch
                    running.add(future)
                if not sent:
                    return
                future = next(running)
                yield _records(future, sent.pop(future))
        finally:
            self.client.cancel(list(sent))

    def close(self) -> None:
        """Leave the cluster; end it, if it was started for this."""
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _room(self) -> int:
        """How many batches may be on their way: bounded, so that the queue is not emptied into the cluster at once."""
        if time.monotonic() - self._looked_at > _LOOK_SECONDS:
            self._n_threads, self._looked_at = sum(self.client.nthreads().values()), time.monotonic()
        return _TASKS_A_THREAD * max(self._n_threads, 1)

    def _send(
        self, function: Callable[..., Any], batch: Sequence[Task], problems: dict[int, tuple[Any, Future]]
    ) -> Future:
        """A problem is sent once and copied from worker to worker.

        By a task of its own: what is scattered is lost with the worker that has it, while a task is done again.
        """
        for task in batch:
            if id(task.problem) not in problems:
                problems[id(task.problem)] = task.problem, self._send_problem(task.problem)
        futures = [problems[id(task.problem)][1] for task in batch]
        bare = [replace(task, problem=cast(Any, None)) for task in batch]
        return self.client.submit(_run, function, bare, futures, pure=False)

    def _send_problem(self, problem: Any) -> Future:
        import dask

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
            return self.client.submit(_itself, problem, pure=False)


def _run(function: Callable[..., Any], bare: Sequence[Task], problems: Sequence[Any]) -> Any:
    return function([replace(task, problem=problem) for task, problem in zip(bare, problems, strict=True)])


def _itself(problem: Any) -> Any:
    return problem


def _records(future: Future, batch: Sequence[Task]) -> list[Record]:
    if future.status == "finished":
        records: list[Record] = future.result()
        return records
    if future.status == "error":  # exceptions of a fit are records: this is of Dask, and about this batch
        error = future.exception()
        return [failed(task, error) for task in batch]
    raise EngineError("the connection to the Dask scheduler is lost. What is finished is kept: run again")


def _in_time(connect: Callable[[], Client]) -> Client:
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(connect())
        except Exception as error:
            answers.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=_GIVE_UP_SECONDS)
    except queue.Empty:
        raise TimeoutError(f"something listens there, but did not answer in {_GIVE_UP_SECONDS:g} seconds") from None
    if isinstance(answer, Exception):
        raise answer
    return answer
