"""Who is alive among the processes that work on a store."""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterator
from enum import Enum
from pathlib import Path


class Claim(Enum):
    """What became of a wish to do some work."""

    MINE = "nobody else will do it"
    TAKEN = "another process is doing it"
    FINISHED = "it is done"


class Owner:
    """A process at work on the store at `path`: alive as long as it holds a lock on a file of its own beside the store.

    The lock is the operating system's and ends with the process, however that ends: no clock and no process number is
    needed to tell the living from the dead. SQLite does the locking, on all systems.
    """

    def __init__(self, path: Path) -> None:
        self.name = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._file = _lock_file(path, self.name)
        self._connection = sqlite3.connect(self._file, timeout=0, isolation_level=None, check_same_thread=False)
        _lock(self._connection)

    def leave(self) -> None:
        """End the lock."""
        self._connection.close()
        self._file.unlink(missing_ok=True)


def is_alive(path: Path, owner: str) -> bool:
    """Whether the process of this name is at work on the store at `path`."""
    file = _lock_file(path, owner)
    if not file.exists():
        return False
    connection = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        _lock(connection)
    except sqlite3.Error:  # locked; or not ours to open, and then we cannot say that it is dead
        return True
    finally:
        connection.close()
    return False


def bury(path: Path, owner: str) -> None:
    """Remove the file of a process that is not alive."""
    _lock_file(path, owner).unlink(missing_ok=True)


def owners(path: Path) -> Iterator[str]:
    """Names of all processes, alive or dead, that left a file beside the store at `path`."""
    prefix = _lock_file(path, "").name
    return (name.removeprefix(prefix) for name in os.listdir(path.parent) if name.startswith(prefix))


def _lock(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = MEMORY")  # else it would make a second file for the journal
    connection.execute("BEGIN EXCLUSIVE")


def _lock_file(path: Path, owner: str) -> Path:
    return path.with_name(f"{path.name}-run-{owner}")
