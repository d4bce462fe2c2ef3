"""Where finished fits are kept: one SQLite file, one row a fit.

Every fit, or batch of fits that were done in step, is a transaction of its own in write-ahead mode. Killing the process
at any moment therefore loses only the fits it was in, and several processes may read and write the same file.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from emphatic.study.engines.limits import NO_LIMITS, Limits
from emphatic.study.store.claims import Claim, Owner, bury, is_alive, owners
from emphatic.study.store.schema import KEY, SCHEMA_VERSION, StoreError, open_file
from emphatic.study.work import Record, Work

__all__ = ["SCHEMA_VERSION", "Store", "StoreError"]

_VALUES = "metrics, seconds, versions, status, fit_cpu_seconds, predict_cpu_seconds, exceeded"
_THIS = " AND ".join(f"{column} = ?" for column in KEY.split(", "))
_MARKS = ", ".join("?" for _ in KEY.split(", "))
_SETTLED = "(status = 'done' OR status = 'timeout' AND exceeded >= ? OR status = 'memory' AND exceeded >= ?)"
_INSERT = (
    f"INSERT INTO records ({KEY}, {_VALUES}) VALUES ({_MARKS}, ?, ?, ?, ?, ?, ?, ?) "
    f"ON CONFLICT ({KEY}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _VALUES.split(', '))} "
    "WHERE records.status != 'done'"
)


class Store:
    """Records of finished fits in the SQLite file at `path`, made if missing.

    >>> import tempfile, os
    >>> from emphatic.study.work import Record, Work
    >>> work = Work("000-II", "ripley", "mixed", "{}", "predefined", 0)
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "study.sqlite")) as store:
    ...     store.append(Record(work, "done", {"error": 0.09}))
    ...     store.holds(work), len(store)
    (True, 1)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()  # joblib asks for the next task from a thread of its own
        self._owner: Owner | None = None
        self._connection = open_file(self.path)

    def append(self, *records: Record) -> None:
        """Keep records, all of them or none. A finished one is never replaced; any other is, when tried again.

        What was claimed of their work is free again.
        """
        with self._transaction() as connection:
            connection.executemany(_INSERT, [_row(one) for one in records])
            connection.executemany(f"DELETE FROM claims WHERE {_THIS}", [one.work for one in records])

    def claim(self, works: Sequence[Work], limits: Limits = NO_LIMITS) -> Claim:
        """Keep other processes that share the store from doing this work, unless it is done, or in other hands.

        It is theirs again after `append`, after `release`, and when this process ends, in whatever way.
        """
        with self._transaction() as connection:
            open_works = [work for work in works if not self._settled(work, limits)]
            if not open_works:
                return Claim.FINISHED
            if self._owner is None:
                self._owner = Owner(self._home)
            search = f"SELECT 1 FROM claims WHERE {_THIS} AND owner != ?"
            if any(connection.execute(search, (*work, self._owner.name)).fetchone() for work in open_works):
                return Claim.TAKEN
            rows = [(*work, self._owner.name) for work in open_works]
            connection.executemany(f"INSERT OR REPLACE INTO claims VALUES ({_MARKS}, ?)", rows)
            return Claim.MINE

    def release(self) -> None:
        """Free all work that this process has claimed."""
        if self._owner is not None:
            owner, self._owner = self._owner, None
            owner.leave()
            with self._transaction() as connection:
                connection.execute("DELETE FROM claims WHERE owner = ?", (owner.name,))

    def release_dead(self) -> None:
        """Free the work that was claimed by processes which are no more."""
        # Within a transaction, as is the birth of an owner: nobody is found between his file and its lock.
        with self._transaction() as connection:
            claimed = {name for (name,) in connection.execute("SELECT DISTINCT owner FROM claims")}
            for name in claimed.union(owners(self._home)):
                if not is_alive(self._home, name):
                    connection.execute("DELETE FROM claims WHERE owner = ?", (name,))
                    bury(self._home, name)

    def holds(self, work: Work, limits: Limits = NO_LIMITS) -> bool:
        """Whether this fit is finished: done, or ended for running over limits that were not tighter than these."""
        with self._lock:
            return self._settled(work, limits)

    def finished(self, table_ids: Iterable[str], limits: Limits = NO_LIMITS) -> set[Work]:
        """All finished work of these tables."""
        # All but the few that are not: thus indices give the answer, and the records need not be read.
        all_of_it = f"SELECT {KEY} FROM records WHERE table_id = ?"
        not_finished = f"{all_of_it} AND status != 'done' AND {_SETTLED} IS NOT TRUE"
        found: set[Work] = set()
        with self._lock:
            for name in table_ids:
                found.update(map(Work._make, self._connection.execute(all_of_it, (name,))))
                values = name, limits.seconds, limits.megabytes
                found.difference_update(map(Work._make, self._connection.execute(not_finished, values)))
        return found

    def records(
        self,
        table_id: str | None = None,
        status: str = "done",
        problem: str | None = None,
        method: str | None = None,
    ) -> Iterator[Record]:
        """Records with this status, of one table, problem and method or of all, in the order they were finished."""
        wanted = {"status": status, "table_id": table_id, "problem": problem, "method": method}
        named = {name: value for name, value in wanted.items() if value is not None}
        command = (
            f"SELECT {KEY}, {_VALUES} FROM records WHERE {' AND '.join(f'{name} = ?' for name in named)} ORDER BY id"
        )
        with self._lock:
            rows = self._connection.execute(command, tuple(named.values())).fetchall()
        return map(_record, rows)

    def versions(self, table_ids: Iterable[str]) -> list[tuple[dict[str, str], int]]:
        """The versions that the finished fits of these tables were made with, and how many fits each."""
        names = list(table_ids)
        command = (
            f"SELECT versions, count(*) FROM records WHERE table_id IN ({', '.join('?' for _ in names)}) "
            "AND status = 'done' GROUP BY versions ORDER BY min(id)"
        )
        with self._lock:
            return [(json.loads(text), count) for text, count in self._connection.execute(command, names)]

    def __len__(self) -> int:
        with self._lock:
            return int(self._connection.execute("SELECT count(*) FROM records").fetchone()[0])

    def close(self) -> None:
        try:
            self.release()
        finally:
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _home(self) -> Path:
        """One name for one file: processes may know it by different links."""
        return self.path.resolve()

    def _settled(self, work: Work, limits: Limits) -> bool:
        command = f"SELECT 1 FROM records WHERE {_THIS} AND {_SETTLED}"
        return self._connection.execute(command, (*work, limits.seconds, limits.megabytes)).fetchone() is not None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, and nobody else writes meanwhile."""
        try:
            with self._lock:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to the store {self.path}: {error}") from error


def _row(record: Record) -> tuple[Any, ...]:
    metrics, versions = json.dumps(record.metrics), json.dumps(record.versions)
    seconds = record.fit_cpu_seconds, record.predict_cpu_seconds
    return (*record.work, metrics, record.seconds, versions, record.status, *seconds, record.exceeded)


def _record(row: tuple[Any, ...]) -> Record:
    work, (metrics, seconds, versions, status, *rest) = Work._make(row[:7]), row[7:]
    return Record(work, status, json.loads(metrics), seconds, dict(_versions(versions)), *rest)


@lru_cache(maxsize=64)
def _versions(text: str) -> dict[str, str]:
    # A store holds the same few texts a hundred thousand times.
    found: dict[str, str] = json.loads(text)
    return found
