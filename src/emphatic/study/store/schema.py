"""The tables of a store, and opening its file: a new one is created, an old one updated, any other refused."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from emphatic.study.packed import Damaged

SCHEMA_VERSION = 3
KEY = "table_id, problem, method, setting, split, seed, fold"
IS_KEY = " AND ".join(f"{column} = ?" for column in KEY.split(", "))
_APPLICATION_ID = 0x656D7068  # "emph": distinguishes our files from other SQLite files
_KEY_COLUMNS = """
    table_id TEXT NOT NULL, problem TEXT NOT NULL, method TEXT NOT NULL, setting TEXT NOT NULL,
    split TEXT NOT NULL, seed INTEGER NOT NULL,
    fold TEXT NOT NULL      -- '' and not NULL: NULLs are never equal, so a UNIQUE key would not hold"""
# What each version added to the one before. Never change one: files of that version exist.
_ADDED_BY_VERSION = {
    1: (
        f"""CREATE TABLE records (
    id INTEGER PRIMARY KEY, {_KEY_COLUMNS}
    , metrics TEXT NOT NULL, seconds REAL NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL,
    UNIQUE ({KEY})
)""",
        f"PRAGMA application_id = {_APPLICATION_ID}",
    ),
    2: (
        "ALTER TABLE records ADD COLUMN fit_cpu_seconds REAL",
        "ALTER TABLE records ADD COLUMN predict_cpu_seconds REAL",
        "ALTER TABLE records ADD COLUMN exceeded REAL",  # the limit a fit exceeded: seconds or megabytes, see status
        "CREATE INDEX unfinished ON records (table_id) WHERE status != 'done'",
        f"CREATE TABLE claims ({_KEY_COLUMNS}\n    , owner TEXT NOT NULL, PRIMARY KEY ({KEY})) WITHOUT ROWID",
        "CREATE INDEX owners ON claims (owner)",
    ),
    3: (
        """CREATE TABLE predictions (
    record INTEGER PRIMARY KEY,     -- the id of a record that is done
    n_rows INTEGER NOT NULL, classes TEXT NOT NULL, kind TEXT NOT NULL, n_columns INTEGER NOT NULL,
    content BLOB NOT NULL, digest BLOB NOT NULL
)""",
    ),
}
_READ_AS_IT_IS = 2  # and later: a file that may not be written; what it lacks are tables, which are empty then


class StoreError(RuntimeError):
    """The store cannot be used; the message says which file and why."""


@contextmanager
def report_errors(doing: str, path: Path) -> Iterator[None]:
    """Raise a `StoreError` that names the file, whatever SQLite or the decoding of a damaged file raises."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"cannot {doing} the store {path}: {error}") from error
    except (UnicodeDecodeError, json.JSONDecodeError, Damaged) as error:
        raise StoreError(f"cannot {doing} the store {path}: the file is damaged ({error})") from error


def open_file(path: Path) -> sqlite3.Connection:
    """Connect to the store at `path`, and create or update its tables."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder; a store is a file")
    if not path.parent.is_dir():
        raise StoreError(f"cannot create the store {path}: the folder {path.parent} does not exist")
    with report_errors("open", path):
        connection = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        try:
            _refuse_foreign(connection, path)
            _update(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse foreign and newer files before anything is written."""
    with connection:
        # One transaction, so that all three are read from one state of the file. Otherwise another process may create
        # the tables between two of the reads, and the new store looks like a foreign file: tables, but not our id.
        connection.execute("BEGIN")
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        n_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        version = _read_version(connection)
    if n_tables and application != _APPLICATION_ID:
        raise StoreError(f"{path} is an SQLite file, but not an emphatic store; choose another file")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by a newer emphatic (schema {version}, this one reads {SCHEMA_VERSION}); "
            "nothing was changed. Update emphatic or choose another file"
        )


def _update(connection: sqlite3.Connection) -> None:
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = NORMAL")  # with WAL: safe against kill -9, never corrupt
    if _read_version(connection) == SCHEMA_VERSION:
        return
    try:
        connection.execute("BEGIN IMMEDIATE")
        # The version is read again, as another process may have updated the file meanwhile.
        for version in range(_read_version(connection) + 1, SCHEMA_VERSION + 1):
            for command in _ADDED_BY_VERSION[version]:
                connection.execute(command)
            connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorname", "")  # missing where not SQLite but Python's module refuses
        if not code.startswith("SQLITE_READONLY") or _read_version(connection) < _READ_AS_IT_IS:
            raise
        connection.rollback()
        _stand_in(connection)


def _stand_in(connection: sqlite3.Connection) -> None:
    """Create the tables that a read-only file lacks beside it, for this connection only."""
    for version in range(_read_version(connection) + 1, SCHEMA_VERSION + 1):
        for command in _ADDED_BY_VERSION[version]:
            connection.execute(command.replace("CREATE TABLE", "CREATE TEMPORARY TABLE"))


def _read_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _write_ahead(connection: sqlite3.Connection, seconds: float = 10) -> None:
    """Choose the journal mode, trying again while another process holds the file: SQLite's own timeout ignores it."""
    until = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
