"""The table of predictions: those of a record that is done, if they were kept."""

import sqlite3
from collections.abc import Sequence

from emphatic.study.packed import Packed
from emphatic.study.store.schema import IS_KEY, KEY
from emphatic.study.tasks import Record, TaskKey

HAS_PREDICTIONS = "EXISTS (SELECT 1 FROM predictions WHERE predictions.record = records.id)"
_COLUMNS = ", ".join(Packed._fields)


def insert(connection: sqlite3.Connection, records: Sequence[Record]) -> None:
    """Keep the predictions that records which are done bring, unless the store holds some of the same task."""
    values = ", ".join("?" for _ in Packed._fields)
    command = f"INSERT OR IGNORE INTO predictions (record, {_COLUMNS}) SELECT id, {values} FROM records WHERE {IS_KEY}"
    for record in records:
        if record.status == "done" and record.predictions is not None:
            connection.execute(command, (*record.predictions, *record.key))


def select(connection: sqlite3.Connection, key: TaskKey) -> Packed | None:
    """The predictions of this task, or None."""
    command = f"SELECT {_COLUMNS} FROM predictions JOIN records ON record = id WHERE {IS_KEY}"
    found = connection.execute(command, key).fetchone()
    return None if found is None else Packed._make(found)


def find_keys(connection: sqlite3.Connection, table_id: str) -> set[TaskKey]:
    """The tasks of a table whose predictions are kept."""
    command = f"SELECT {KEY} FROM records WHERE table_id = ? AND {HAS_PREDICTIONS}"
    return {TaskKey._make(row) for row in connection.execute(command, (table_id,))}
