"""Where finished fits are kept: one SQLite file, one row a fit.

Every fit, or batch of fits that were done in step, is a transaction of its own in write-ahead mode. Killing the process
at any moment therefore loses only the fits it was in, and several processes may read and write the same file.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

from emphatic.study.work import Record, Work

SCHEMA_VERSION = 1
_APPLICATION_ID = 0x656D7068  # "emph": tells our files from other SQLite files
_KEY = "table_id, problem, method, setting, split, seed, fold"
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS records (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL, problem TEXT NOT NULL, method TEXT NOT NULL, setting TEXT NOT NULL,
    split TEXT NOT NULL, seed INTEGER NOT NULL,
    fold TEXT NOT NULL,      -- '' and not NULL: NULLs are never equal, so a UNIQUE key would not hold
    metrics TEXT NOT NULL, seconds REAL NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL,
    UNIQUE ({_KEY})
)"""


class StoreError(RuntimeError):
    """The store cannot be used; the message says which file and why."""


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
        if self.path.is_dir():
            raise StoreError(f"{self.path} is a folder; a store is a file")
        if not self.path.parent.is_dir():
            raise StoreError(f"cannot make the store {self.path}: the folder {self.path.parent} does not exist")
        try:
            self._connection = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise StoreError(f"cannot open the store {self.path}: {error}") from error
        try:
            self._check_origin()
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise StoreError(f"cannot use the store {self.path}: {error}") from error
        except StoreError:
            self._connection.close()
            raise

    def _check_origin(self) -> None:
        """Refuse foreign and newer files before anything is written."""
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        application = self._connection.execute("PRAGMA application_id").fetchone()[0]
        n_tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if n_tables and application != _APPLICATION_ID:
            raise StoreError(f"{self.path} is an SQLite file, but not a store of emphatic; choose another file")
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} was written by a newer emphatic (schema {version}, this one knows {SCHEMA_VERSION}); "
                "nothing was changed. Update emphatic or choose another file"
            )

    def _prepare(self) -> None:
        _patiently(self._connection, "PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")  # with WAL: safe against kill -9, never corrupt
        if self._connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
            return
        self._connection.execute("BEGIN IMMEDIATE")  # two processes may create the file at the same moment
        self._connection.execute(_SCHEMA)
        self._connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        self._connection.execute("COMMIT")

    def append(self, *records: Record) -> None:
        """Keep records, all of them or none. A finished one is never replaced; a failed one is, when tried again."""
        rows = [
            (
                *(one.work.table_id, one.work.problem, one.work.method, one.work.setting),
                *(one.work.split, one.work.seed, one.work.fold),
                *(json.dumps(one.metrics), one.seconds, json.dumps(one.versions), one.status),
            )
            for one in records
        ]
        command = (
            f"INSERT INTO records ({_KEY}, metrics, seconds, versions, status) VALUES (?,?,?,?,?,?,?,?,?,?,?) "
            f"ON CONFLICT ({_KEY}) DO UPDATE SET metrics = excluded.metrics, seconds = excluded.seconds, "
            "versions = excluded.versions, status = excluded.status WHERE records.status != 'done'"
        )
        try:
            with self._lock:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    self._connection.executemany(command, rows)
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to the store {self.path}: {error}") from error

    def holds(self, work: Work) -> bool:
        """Whether this fit is finished (a failed one is not)."""
        command = (
            "SELECT 1 FROM records WHERE table_id = ? AND problem = ? AND method = ? AND setting = ? AND split = ? "
            "AND seed = ? AND fold = ? AND status = 'done'"
        )
        key = (work.table_id, work.problem, work.method, work.setting, work.split, work.seed, work.fold)
        with self._lock:
            return self._connection.execute(command, key).fetchone() is not None

    def finished(self, table_ids: Iterable[str]) -> set[Work]:
        """All finished work of these tables."""
        return {record.work for table_id in table_ids for record in self.records(table_id)}

    def records(self, table_id: str | None = None, status: str = "done") -> Iterator[Record]:
        """Records with this status, of one table or of all, in the order they were finished."""
        command = f"SELECT {_KEY}, status, metrics, seconds, versions FROM records WHERE status = ?"
        arguments: tuple[str, ...] = (status,)
        if table_id is not None:
            command, arguments = command + " AND table_id = ?", (status, table_id)
        with self._lock:
            rows = self._connection.execute(command + " ORDER BY id", arguments).fetchall()
        for row in rows:
            work, (state, metrics, seconds, versions) = Work(*row[:7]), row[7:]
            yield Record(work, state, json.loads(metrics), seconds, json.loads(versions))

    def __len__(self) -> int:
        with self._lock:
            return int(self._connection.execute("SELECT count(*) FROM records").fetchone()[0])

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _patiently(connection: sqlite3.Connection, command: str, seconds: float = 10) -> None:
    """Execute, trying again while another process holds the file.

    Changing the journal mode ignores SQLite's own timeout.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            connection.execute(command)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
