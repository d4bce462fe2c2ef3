"""Waiting for results of a Dask cluster: for as long as it lives, and no longer."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

PATIENCE_SECONDS = 30.0
"""For how long a cluster may be without a worker, or without its scheduler: Dask starts killed workers again."""

LOOK_SECONDS = 1.0
"""Between two looks at the cluster while results are awaited."""

REMEDY = "A fit with checkpoint=folder can be run again, and goes on after its last finished round."


class EngineError(RuntimeError):
    """Work cannot be run, or cannot go on. The message is for the user."""


def find_client() -> Any:
    """The Dask client that this process uses for its collections; None where Dask computes in this process.

    >>> find_client() is None
    True
    """
    if "distributed" not in sys.modules:  # no client without it, and importing it takes a second
        return None
    import dask
    import distributed

    if dask.config.get("scheduler", None) not in (None, "dask.distributed", "distributed"):
        return None
    try:
        return distributed.Client.current()  # that of `as_current`, otherwise the default one
    except ValueError:
        return None


def gather(client: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """The values of collections, computed on the cluster of `client`; EngineError once the cluster is gone."""
    import distributed

    try:
        futures = client.compute(list(values))
        _wait(client, [one for one in futures if isinstance(one, distributed.Future)])
        return tuple(client.gather(futures))
    except distributed.KilledWorker as error:
        raise EngineError(
            f"The workers of the Dask cluster died one after another at the same task: {error} Give them more memory, "
            f"or the collection smaller partitions. {REMEDY}"
        ) from error
    except (distributed.CancelledError, distributed.comm.CommClosedError) as error:
        raise EngineError(f"The connection to the Dask scheduler is lost. {REMEDY}") from error


def _wait(client: Any, futures: Sequence[Any]) -> None:
    """Return when all are done; EngineError when there has been no scheduler, or no worker, for too long."""
    import distributed

    well = time.monotonic()
    while True:
        try:
            distributed.wait(futures, timeout=LOOK_SECONDS)
            return
        except distributed.TimeoutError:
            pass
        trouble = _find_trouble(client)
        if not trouble:
            well = time.monotonic()
        elif time.monotonic() - well > PATIENCE_SECONDS:
            raise EngineError(f"{trouble} for {PATIENCE_SECONDS:g} seconds. {REMEDY}")


def _find_trouble(client: Any) -> str:
    if client.status != "running":
        return "The Dask scheduler has not answered"
    return "" if client.nthreads() else "The Dask cluster has had no workers"


def is_kept(collection: Any) -> bool:
    """Whether partitions of a collection are kept on a cluster; EngineError if they are there no longer."""
    if "distributed" not in sys.modules:
        return False
    import distributed

    try:
        kept = bool(distributed.futures_of(collection))
    except distributed.CancelledError:
        kept, client = True, None
    else:
        client = find_client()
    if kept and client is None:
        raise EngineError(
            "The collection is kept on a Dask cluster to which this process has no open client, or none that is the "
            "default: connect with distributed.Client(address) and make the collection again."
        )
    return kept
