"""The connection to a Dask cluster: which client there is, whether it is alive, and what to say when it is not."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from emphatic import cluster
from emphatic.cluster import EngineError

if TYPE_CHECKING:
    from typing import Any

    from distributed import Client

CONNECT_SECONDS = 5.0
GIVE_UP_SECONDS = 8.0
"""Dask does not keep to its own limit if something that is no scheduler listens there."""

LOST = "the connection to the Dask scheduler is lost. What a study has finished is kept: run again"


def find_client() -> Client | None:
    """The active Dask client of this process, if there is one; none inside a Dask worker.

    Active is what Dask itself would use for a collection: the last client that was made as default, or that of
    `client.as_current()`.
    """
    client: Client | None = None if is_inside_worker() else cluster.find_client()
    return None if client is None or client.asynchronous else client


def is_inside_worker() -> bool:
    """Whether this is a task of a Dask worker, where whatever runs has got its share of the cluster already."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return False
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True


def require_connection(client: Client) -> None:
    """Raise EngineError if the client was closed, or has lost its scheduler."""
    if client.asynchronous:
        raise EngineError("the Dask client is asynchronous, and fits are not: make one with asynchronous=False")
    if client.status != "running":
        raise EngineError(
            f"the Dask client is not connected (its status is {client.status!r}): it was closed, or the scheduler is "
            "gone. Make a new one"
        )


@contextmanager
def explain_loss(client: Client) -> Iterator[None]:
    """Raise EngineError if the scheduler cannot be asked."""
    try:
        yield
    except (OSError, TimeoutError) as error:  # those of Dask's connections are OSErrors
        raise EngineError(f"{LOST} ({error})") from error
    except Exception as error:
        if client.status == "running":
            raise
        raise EngineError(LOST) from error


def connect(address: str) -> Client:
    """A client of the scheduler at `address`, which does not become the active one."""
    import distributed

    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def ask() -> None:
        try:
            distributed.comm.get_address_host_port(address)
            answers.put(distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False))
        except Exception as error:  # what answers there, and how, is unknown
            answers.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=GIVE_UP_SECONDS)
    except queue.Empty:
        answer = TimeoutError(f"something listens there, but did not answer within {GIVE_UP_SECONDS:g} seconds")
    if isinstance(answer, Exception):
        raise EngineError(f"no Dask scheduler answers at {address!r}: {answer}") from answer
    return answer
