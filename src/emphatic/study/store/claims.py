"""Claims on tasks, and which of the processes that made them are alive."""

import os
import sqlite3
import uuid
from collections.abc import Iterable
from enum import Enum
from pathlib import Path


class Claim(Enum):
    """The answer to a claim."""

    MINE = "no other process will do it"
    TAKEN = "another process is doing it"
    FINISHED = "it is done"


class Owner:
    """A process that works on the store at `path`: alive as long as it holds a lock on its own file beside the store.

    The operating system releases the lock when the process ends, in whatever way, so neither clocks nor process
    numbers are needed to find dead processes. SQLite does the locking, on all systems.
    """

    def __init__(self, path: Path) -> None:
        self.name = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._file = _lock_file(path, self.name)
        self._connection = sqlite3.connect(self._file, timeout=0, isolation_level=None, check_same_thread=False)
        _lock(self._connection)

    def leave(self) -> None:
        """Release the lock and remove its file."""
        self._connection.close()
        self._file.unlink(missing_ok=True)


def is_alive(path: Path, owner: str) -> bool:
    """Whether the process with this name works on the store at `path`."""
    file = _lock_file(path, owner)
    if not file.exists():
        return False
    connection = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        _lock(connection)
    except sqlite3.Error:  # locked; or we may not open it, and then nobody can say that it is dead
        return True
    finally:
        connection.close()
    return False


def remove_dead(path: Path, owners: Iterable[str]) -> set[str]:
    """The names of dead processes, among `owners` and those with a file beside the store; removes their files."""
    prefix = _lock_file(path, "").name
    known = {name.removeprefix(prefix) for name in os.listdir(path.parent) if name.startswith(prefix)}.union(owners)
    dead = {name for name in known if not is_alive(path, name)}
    for name in dead:
        _lock_file(path, name).unlink(missing_ok=True)
    return dead


def _lock(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = MEMORY")  # otherwise SQLite would create a second file for the journal
    connection.execute("BEGIN EXCLUSIVE")


def _lock_file(path: Path, owner: str) -> Path:
    return path.with_name(f"{path.name}-run-{owner}")
