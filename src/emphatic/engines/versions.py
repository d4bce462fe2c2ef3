"""Workers must have this version of the package: another one may compute something else."""

from __future__ import annotations

import weakref
from importlib import import_module
from typing import TYPE_CHECKING

from emphatic.cluster import EngineError
from emphatic.engines.connection import explain_loss, require_connection
from emphatic.version import __version__
from emphatic.wording import count

if TYPE_CHECKING:
    from distributed import Client

_checked: weakref.WeakSet[Client] = weakref.WeakSet()


def check_workers(client: Client) -> None:
    """Raise EngineError if a worker of the cluster has another version of this package, or none.

    Each client is asked about once, when it is first used; workers that join later are checked by their tasks.
    """

    # Inside a function, so that it travels as code: a worker with another version could not import it from here.
    def read_version() -> str | None:
        try:
            return str(import_module("emphatic").__version__)
        except ImportError:
            return None

    require_connection(client)
    if client in _checked:
        return
    with explain_loss(client):
        found = client.run(read_version)
    others = {address: version for address, version in found.items() if version != __version__}
    if others:
        address, version = next(iter(others.items()))
        raise EngineError(_describe(f"{count(len(others), 'worker')}, the first at {address},", version, __version__))
    _checked.add(client)


def check_version(of_client: str) -> None:
    """On a worker: raise EngineError unless this is the version that sent the task."""
    if of_client != __version__:
        raise EngineError(_describe("a worker", __version__, of_client))


def _describe(who: str, version: str | None, of_client: str) -> str:
    has = "cannot import emphatic" if version is None else f"has emphatic {version}"
    return f"{who} of the Dask cluster {has}, and this process has version {of_client}: install the same everywhere"
