"""The engine for a Dask cluster: many machines, or the cores of this one. Needs the extra `dask`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from joblib import cpu_count, parallel_config

from emphatic.cluster import EngineError
from emphatic.engines.connection import LOST, connect, explain_loss
from emphatic.engines.contract import Item, Lost
from emphatic.engines.sending import Shipments, submit
from emphatic.engines.versions import check_version, check_workers
from emphatic.threads import one_thread_each
from emphatic.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

_LOOK_SECONDS = 5.0  # between two looks at how many workers there are
_LOG_LENGTH = 10  # messages that each connection keeps for developers, with the rows in them: of 1000, up to a gigabyte
_ITEMS_PER_THREAD = 2  # by default: the one that it runs, and one that is there when it ends


def on_dask(address: str | Client | None = None) -> DaskEngine:
    """An engine on the Dask cluster whose scheduler is at `address`; None: on a new one with one process per core.

    It connects at once, and is closed by `with` or `close`, or when the process ends. In place of an address there may
    be a client, which stays open. Start the workers of a cluster with one thread each
    (`dask worker ADDRESS --nthreads 1 --nworkers CORES`): a worker runs one fit at a time. If a worker dies, Dask
    starts another and repeats its tasks. Workers must have this version of the package.
    """
    try:
        import dask
        import distributed
    except ImportError:
        raise EngineError('Dask is not installed: pip install "emphatic[dask]"') from None
    if isinstance(address, distributed.Client):
        return DaskEngine(address)
    with dask.config.set({"distributed.admin.low-level-log-length": _LOG_LENGTH}):
        if address is not None:
            return DaskEngine(connect(address), is_own=True)
        cluster = distributed.LocalCluster(
            n_workers=cpu_count(),
            threads_per_worker=1,
            memory_limit=None,  # as with joblib; see `Limits` of a study
            dashboard_address="127.0.0.1:0",  # any port: another cluster may have the usual one
            silence_logs=logging.CRITICAL,  # a worker that dies is part of the plan
        )
        return DaskEngine(distributed.Client(cluster, set_as_default=False), cluster, is_own=True)


class DaskEngine:
    """Runs items on a cluster. See `on_dask`."""

    def __init__(
        self,
        client: Client,
        cluster: Any = None,
        *,
        is_own: bool = False,
        items_per_thread: int = _ITEMS_PER_THREAD,
        keeps_order: bool = False,
    ) -> None:
        self.client, self.items_per_thread, self.keeps_order = client, items_per_thread, keeps_order
        self._cluster, self._is_own = cluster, is_own
        self._n_threads, self._looked_at = 0, -float("inf")

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        from distributed import as_completed

        check_workers(self.client)
        asked, running = iter(items), as_completed(loop=self.client.loop)
        sent: dict[Future, Any] = {}
        shipments = Shipments(self.client)
        try:
            while True:
                while len(sent) < self._count_room():
                    item = next(asked, None)
                    if item is None:
                        break
                    with explain_loss(self.client):
                        future = self._send(function, item, shipments)
                    sent[future] = item
                    if not self.keeps_order:
                        running.add(future)
                if not sent:
                    return
                if self.keeps_order:
                    running.add(next(iter(sent)))
                future = next(running)
                yield _read_result(future, sent.pop(future))
        finally:
            if sent and self.client.status == "running":
                with suppress(OSError, TimeoutError):  # there is nobody left to be told
                    self.client.cancel(list(sent))

    def without_queue(self) -> DaskEngine:
        """The same cluster for items that are better chosen late: none waits for a worker."""
        return DaskEngine(self.client, items_per_thread=1)

    def in_order(self) -> DaskEngine:
        """The same cluster with results in the order of the items, for more of them than fit in memory.

        A result that waits for those before it still counts as being on the cluster, so that a slow item cannot make
        the others pile up.
        """
        return DaskEngine(self.client, keeps_order=True)

    def close(self) -> None:
        """Disconnect from the cluster, and shut it down, as far as `on_dask` connected to it or started it."""
        if self._is_own:
            self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"on_dask({self.client.scheduler.address!r})" if self.client.scheduler else "on_dask(closed)"

    def __deepcopy__(self, memo: Any) -> DaskEngine:
        return self  # a connection cannot be copied, and an estimator that is cloned goes on using it

    def __reduce__(self) -> Any:
        return _leave_behind, ()  # nor can it travel: inside a worker or a file there is no engine

    def _count_room(self) -> int:
        """How many items may be on the cluster: bounded, so that it does not claim the whole study at once."""
        return self.items_per_thread * max(self.count_threads(), 1)

    def count_threads(self) -> int:
        """Of all workers of the cluster."""
        if time.monotonic() - self._looked_at > _LOOK_SECONDS:
            with explain_loss(self.client):
                self._n_threads = sum(self.client.nthreads().values())
            self._looked_at = time.monotonic()
        return self._n_threads

    def _send(self, function: Callable[[Any], Any], item: Any, shipments: Shipments) -> Future:
        own, shared = item if isinstance(item, Item) else (item, None)
        futures = None if shared is None else [shipments.send(value) for value in shared]
        return submit(self.client, _run, _Parcel(function, own, __version__), futures)


@dataclass(frozen=True)
class _Parcel:
    """What is sent for one item; Dask does not look for tasks inside it."""

    function: Callable[[Any], Any]
    own: Any
    version: str


def _run(parcel: _Parcel, shared: list[Any] | None) -> Any:
    check_version(parcel.version)
    # The worker is this item's share of the cluster.
    with one_thread_each(), parallel_config(backend="sequential"):
        return parcel.function(parcel.own if shared is None else Item(parcel.own, tuple(shared)))


def _leave_behind() -> None:
    """What becomes of an engine that is pickled."""


def _read_result(future: Future, item: Any) -> Any:
    if future.status == "finished":
        with explain_loss(future.client):
            return future.result()
    if future.status == "error":
        return Lost(item, future.exception())
    raise EngineError(LOST)
