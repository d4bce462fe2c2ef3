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
from emphatic.study.fit import record_failure
from emphatic.study.tasks import Record, Task

if TYPE_CHECKING:
    from distributed import Client, Future

_CONNECT_SECONDS = 5.0
_GIVE_UP_SECONDS = 8.0  # Dask does not keep to its own limit if something that is no scheduler listens there
_LOOK_SECONDS = 5.0  # between two looks at how many workers there are
_BATCHES_PER_THREAD = 2  # the one that it runs, and one that is there when it ends


def on_dask(address: str | None = None) -> DaskEngine:
    """An engine on the Dask cluster whose scheduler is at `address`; None: on a new one with one process per core.

    It connects at once, and is closed by `with` or `close`, or when the process ends. Start the workers of a cluster
    with one thread each (`dask worker ADDRESS --nthreads 1 --nworkers CORES`): a worker runs one fit at a time. If a
    worker dies, Dask starts another and repeats its tasks; a fit that kills several workers is recorded as failed.
    """
    try:
        import distributed
    except ImportError:
        raise EngineError('Dask is not installed: pip install "emphatic[dask]"') from None
    if address is not None:
        return DaskEngine(_connect(address))
    cluster = distributed.LocalCluster(
        n_workers=cpu_count(),
        threads_per_worker=1,
        memory_limit=None,  # as with joblib; see `Limits`
        dashboard_address="127.0.0.1:0",  # any port: another cluster may have the usual one
        silence_logs=logging.CRITICAL,  # a worker that dies is part of the plan
    )
    return DaskEngine(distributed.Client(cluster, set_as_default=False), cluster)


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
                while len(sent) < self._count_room():
                    batch = next(batches, None)
                    if batch is None:
                        break
                    future = self._send(function, batch, problems)
                    sent[future] = batch
                    running.add(future)
                if not sent:
                    return
                future = next(running)
                yield _read_records(future, sent.pop(future))
        finally:
            self.client.cancel(list(sent))

    def close(self) -> None:
        """Disconnect from the cluster; shut it down if `on_dask` started it."""
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _count_room(self) -> int:
        """How many batches may be on the cluster: bounded, so that it does not claim the whole study at once."""
        if time.monotonic() - self._looked_at > _LOOK_SECONDS:
            self._n_threads, self._looked_at = sum(self.client.nthreads().values()), time.monotonic()
        return _BATCHES_PER_THREAD * max(self._n_threads, 1)

    def _send(
        self, function: Callable[..., Any], batch: Sequence[Task], problems: dict[int, tuple[Any, Future]]
    ) -> Future:
        """Send a batch; each problem is sent once and copied from worker to worker.

        A problem travels as a Dask task of its own: scattered data are lost with the worker that holds them, while a
        Dask task is run again.
        """
        import dask

        for task in batch:
            if id(task.problem) not in problems:
                with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
                    future = self.client.submit(_return, task.problem, pure=False)
                problems[id(task.problem)] = task.problem, future
        futures = [problems[id(task.problem)][1] for task in batch]
        bare = [replace(task, problem=cast(Any, None)) for task in batch]
        return self.client.submit(_run, function, bare, futures, pure=False)


def _run(function: Callable[..., Any], bare: Sequence[Task], problems: Sequence[Any]) -> Any:
    return function([replace(task, problem=problem) for task, problem in zip(bare, problems, strict=True)])


def _return(problem: Any) -> Any:
    return problem


def _read_records(future: Future, batch: Sequence[Task]) -> list[Record]:
    if future.status == "finished":
        records: list[Record] = future.result()
        return records
    if future.status == "error":  # exceptions of a fit are records: this one is Dask's, and about this batch
        error = future.exception()
        return [record_failure(task, error) for task in batch]
    raise EngineError("the connection to the Dask scheduler is lost. What is finished is kept: run again")


def _connect(address: str) -> Client:
    import distributed

    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def connect() -> None:
        try:
            distributed.comm.get_address_host_port(address)
            answers.put(distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False))
        except Exception as error:  # what answers there, and how, is unknown
            answers.put(error)

    threading.Thread(target=connect, daemon=True).start()
    try:
        answer = answers.get(timeout=_GIVE_UP_SECONDS)
    except queue.Empty:
        answer = TimeoutError(f"something listens there, but did not answer within {_GIVE_UP_SECONDS:g} seconds")
    if isinstance(answer, Exception):
        raise EngineError(f"no Dask scheduler answers at {address!r}: {answer}") from answer
    return answer
