"""Where finished tasks are kept: one SQLite file, one row per task.

Every task, or batch of tasks that were fitted in step, is a transaction of its own in write-ahead mode. Killing the
process at any moment therefore loses only the fits in progress, and several processes may read and write the same file.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from emphatic.study.limits import NO_LIMITS, Limits
from emphatic.study.predictions import Predictions
from emphatic.study.store import kept
from emphatic.study.store.claims import Claim, Owner, remove_dead
from emphatic.study.store.schema import IS_KEY, KEY, open_file, report_errors
from emphatic.study.tasks import Record, TaskKey

_VALUES = "metrics, seconds, versions, status, fit_cpu_seconds, predict_cpu_seconds, exceeded"
_KEY_VALUES = ", ".join("?" for _ in KEY.split(", "))
_IS_FINISHED = "(status = 'done' OR status = 'timeout' AND exceeded >= ? OR status = 'memory' AND exceeded >= ?)"
_INSERT = (
    f"INSERT INTO records ({KEY}, {_VALUES}) VALUES ({_KEY_VALUES}, ?, ?, ?, ?, ?, ?, ?) "
    f"ON CONFLICT ({KEY}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _VALUES.split(', '))} "
    f"WHERE records.status != 'done' OR (? AND excluded.status = 'done' AND NOT {kept.HAS_PREDICTIONS})"
)


class Store:
    """Records of finished tasks in the SQLite file at `path`, created if missing.

    >>> import tempfile, os
    >>> from emphatic.study.tasks import Record, TaskKey
    >>> key = TaskKey("000-II", "ripley", "mixed", "{}", "predefined", 0)
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "study.sqlite")) as store:
    ...     store.append(Record(key, "done", {"error": 0.09}))
    ...     store.holds(key), len(store)
    (True, 1)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()  # joblib asks for the next task from a thread of its own
        self._owner: Owner | None = None
        self._connection = open_file(self.path)

    def append(self, *records: Record) -> None:
        """Keep records, all of them or none, and release the claims on their tasks.

        A record that is done is replaced only by one that is done and brings the predictions that the first lacks, so
        that both are of one fit; any other is replaced when the task is tried again.
        """
        with self._transaction() as connection:
            connection.executemany(_INSERT, [_encode(record) for record in records])
            kept.insert(connection, records)
            connection.executemany(f"DELETE FROM claims WHERE {IS_KEY}", [record.key for record in records])

    def claim(self, keys: Sequence[TaskKey], limits: Limits = NO_LIMITS, *, with_predictions: bool = False) -> Claim:
        """Keep other processes that share the store from doing these tasks, unless another does them or all are done.

        A claim ends with `append`, with `release`, and when this process ends, in whatever way.
        """
        with self._transaction() as connection:
            unfinished = [key for key in keys if not self._is_finished(key, limits, with_predictions)]
            if not unfinished:
                return Claim.FINISHED
            if self._owner is None:
                self._owner = Owner(self._home)
            search = f"SELECT 1 FROM claims WHERE {IS_KEY} AND owner != ?"
            if any(connection.execute(search, (*key, self._owner.name)).fetchone() for key in unfinished):
                return Claim.TAKEN
            rows = [(*key, self._owner.name) for key in unfinished]
            connection.executemany(f"INSERT OR REPLACE INTO claims VALUES ({_KEY_VALUES}, ?)", rows)
            return Claim.MINE

    def release(self) -> None:
        """Release all claims of this process."""
        if self._owner is not None:
            owner, self._owner = self._owner, None
            owner.leave()
            with self._transaction() as connection:
                connection.execute("DELETE FROM claims WHERE owner = ?", (owner.name,))

    def release_dead(self) -> None:
        """Release the claims of processes that have ended."""
        # Within a transaction, as is the creation of an owner: none is seen before its file is locked.
        with self._transaction() as connection:
            owners = {name for (name,) in connection.execute("SELECT DISTINCT owner FROM claims")}
            dead = [(name,) for name in remove_dead(self._home, owners)]
            connection.executemany("DELETE FROM claims WHERE owner = ?", dead)

    def holds(self, key: TaskKey, limits: Limits = NO_LIMITS) -> bool:
        """Whether this task is finished: done, or ended for exceeding limits at least as generous as these."""
        with self._reading():
            return self._is_finished(key, limits)

    def finished(
        self, table_ids: Iterable[str], limits: Limits = NO_LIMITS, *, with_predictions: bool = False
    ) -> set[TaskKey]:
        """The keys of all finished tasks of these tables; `with_predictions`, of those whose predictions were kept.

        A task that exceeded its limits has none, and is finished all the same.
        """
        # All without the few that are unfinished: indices answer both, and the records need not be read.
        every_key = f"SELECT {KEY} FROM records WHERE table_id = ?"
        unfinished = f"{every_key} AND status != 'done' AND {_IS_FINISHED} IS NOT TRUE"
        lacking = f"{every_key} AND status = 'done' AND NOT {kept.HAS_PREDICTIONS}"
        found: set[TaskKey] = set()
        with self._reading():
            for name in table_ids:
                found.update(map(TaskKey._make, self._connection.execute(every_key, (name,))))
                values = name, limits.seconds, limits.megabytes
                found.difference_update(map(TaskKey._make, self._connection.execute(unfinished, values)))
                if with_predictions:
                    found.difference_update(map(TaskKey._make, self._connection.execute(lacking, (name,))))
        return found

    def records(
        self, table_id: str | None = None, status: str = "done", problem: str | None = None, method: str | None = None
    ) -> Iterator[Record]:
        """Records with this status, of one table, problem and method or of all, in the order they were first kept."""
        columns = {"status": status, "table_id": table_id, "problem": problem, "method": method}
        given = {name: value for name, value in columns.items() if value is not None}
        condition = " AND ".join(f"{name} = ?" for name in given)
        command = f"SELECT {KEY}, {_VALUES} FROM records WHERE {condition} ORDER BY id"
        with self._reading():
            rows = self._connection.execute(command, tuple(given.values())).fetchall()
        return map(self._decode, rows)

    def predictions(self, keys: Iterable[TaskKey]) -> Iterator[Predictions]:
        """The predictions of these tasks, read one by one; tasks whose predictions were not kept are left out."""
        for key in keys:
            with self._reading():
                found = kept.select(self._connection, key)
            if found is not None:
                with report_errors("read", self.path):
                    predictions = Predictions.unpack(key, found)
                yield predictions

    def keys_of_predictions(self, table_ids: Iterable[str]) -> set[TaskKey]:
        """The tasks of these tables whose predictions were kept."""
        with self._reading():
            return {key for name in table_ids for key in kept.find_keys(self._connection, name)}

    def versions(self, table_ids: Iterable[str]) -> list[tuple[dict[str, str], int]]:
        """The versions that the finished tasks of these tables were run with, and the number of tasks of each."""
        names = list(table_ids)
        command = (
            f"SELECT versions, count(*) FROM records WHERE table_id IN ({', '.join('?' for _ in names)}) "
            "AND status = 'done' GROUP BY versions ORDER BY min(id)"
        )
        with self._reading():
            return [(json.loads(text), count) for text, count in self._connection.execute(command, names)]

    def __len__(self) -> int:
        with self._reading():
            return int(self._connection.execute("SELECT count(*) FROM records").fetchone()[0])

    def close(self) -> None:
        try:
            self.release()
        finally:
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _home(self) -> Path:
        """One name for one file: processes may reach it through different links."""
        return self.path.resolve()

    def _is_finished(self, key: TaskKey, limits: Limits, with_predictions: bool = False) -> bool:
        command = f"SELECT 1 FROM records WHERE {IS_KEY} AND {_IS_FINISHED}"
        if with_predictions:
            command += f" AND (status != 'done' OR {kept.HAS_PREDICTIONS})"
        return self._connection.execute(command, (*key, limits.seconds, limits.megabytes)).fetchone() is not None

    def _decode(self, row: tuple[Any, ...]) -> Record:
        key, (metrics, seconds, versions, status, *rest) = TaskKey._make(row[:7]), row[7:]
        with report_errors("read", self.path):
            return Record(key, status, json.loads(metrics), seconds, dict(_decode_versions(versions)), *rest)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with report_errors("read", self.path), self._lock:
            yield

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, and no other process writes meanwhile."""
        with report_errors("write to", self.path), self._lock, self._connection:  # which commits, or rolls back
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection


def _encode(record: Record) -> tuple[Any, ...]:
    metrics, versions = json.dumps(record.metrics), json.dumps(record.versions)
    seconds = record.fit_cpu_seconds, record.predict_cpu_seconds
    values = metrics, record.seconds, versions, record.status, *seconds, record.exceeded
    return (*record.key, *values, record.predictions is not None)


@lru_cache(maxsize=64)
def _decode_versions(text: str) -> dict[str, str]:
    # Cached: a store holds the same few texts a hundred thousand times.
    found: dict[str, str] = json.loads(text)
    return found
