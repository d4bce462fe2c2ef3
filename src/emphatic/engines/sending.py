"""Values that are sent to a Dask cluster once, and copied from worker to worker as tasks need them."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from emphatic.engines.contract import Shared

if TYPE_CHECKING:
    from distributed import Client, Future

_by_client: weakref.WeakKeyDictionary[Client, weakref.WeakKeyDictionary[Shared, Future]] = weakref.WeakKeyDictionary()
"""What each cluster keeps; it forgets a value when the `Shared` of this process is gone."""


class Shipments:
    """The values that the items of one run share, as futures of a client."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._kept = _by_client.setdefault(client, weakref.WeakKeyDictionary())
        self._held: dict[int, tuple[Any, Future]] = {}  # with the value, so that no other takes its id

    def send(self, value: Any) -> Future:
        """The future of a value, which is sent unless the cluster has it.

        It travels as a Dask task of its own: scattered data are lost with the worker that holds them, while a Dask task
        is run again.
        """
        if id(value) not in self._held:
            self._held[id(value)] = value, self._find(value) if isinstance(value, Shared) else self._submit(value)
        return self._held[id(value)][1]

    def _find(self, shared: Shared) -> Future:
        future = self._kept.get(shared)
        if future is None or future.status not in {"pending", "finished"}:
            self._kept[shared] = future = self._submit(shared.value)
        return future

    def _submit(self, value: Any) -> Future:
        return submit(self._client, _return, _Box(value))


def submit(client: Client, function: Callable[..., Any], *arguments: Any) -> Future:
    """The future of a call, however large its arguments are: Dask would warn of large ones."""
    import dask

    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
        return client.submit(function, *arguments, pure=False)


@dataclass(frozen=True)
class _Box:
    """Dask does not look for tasks inside it."""

    value: Any


def _return(box: _Box) -> Any:
    return box.value
