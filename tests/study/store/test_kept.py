"""The table of predictions in a store: written with a record, of one fit with it, and never read wrong."""

import functools
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from emphatic.study import Predictions, Record, Store, StoreError, TaskKey
from emphatic.study.store import Claim, schema
from tests.study.store.test_store import FIRST_VERSION

KEY = TaskKey("t", "ripley", "mixed", '{"lam":0.5}', "predefined", 3, "1/5")
# As version 2 wrote it.
SECOND_VERSION = """
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL, problem TEXT NOT NULL, method TEXT NOT NULL, setting TEXT NOT NULL,
    split TEXT NOT NULL, seed INTEGER NOT NULL, fold TEXT NOT NULL,
    metrics TEXT NOT NULL, seconds REAL NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL,
    fit_cpu_seconds REAL, predict_cpu_seconds REAL, exceeded REAL,
    UNIQUE (table_id, problem, method, setting, split, seed, fold)
);
CREATE INDEX unfinished ON records (table_id) WHERE status != 'done';
CREATE TABLE claims (
    table_id TEXT NOT NULL, problem TEXT NOT NULL, method TEXT NOT NULL, setting TEXT NOT NULL,
    split TEXT NOT NULL, seed INTEGER NOT NULL, fold TEXT NOT NULL, owner TEXT NOT NULL,
    PRIMARY KEY (table_id, problem, method, setting, split, seed, fold)
) WITHOUT ROWID;
CREATE INDEX owners ON claims (owner);
INSERT INTO records VALUES (
    1, 't', 'ripley', 'mixed',
    '{"lam":0.5}', 'predefined', 3, '1/5', '{"error": 0.25}', 1.5, '{"emphatic": "0.1"}', 'done', 1.0, 0.5, NULL
);
PRAGMA application_id = 1701671016;
PRAGMA user_version = 2;
PRAGMA journal_mode = WAL;
"""


def make_record(value=0.5, key=KEY, status="done", n=40):
    """A record whose error and probabilities are both `value`."""
    labels = np.array(["no", "yes"])
    numbers = np.column_stack([np.full(n, value), np.linspace(0, 1, n)])
    kept = Predictions(key, np.arange(n), labels, labels[np.arange(n) % 2], numbers).pack()
    return Record(key, status, {"error": value, "message": ""}, predictions=kept)


def write_second_version(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SECOND_VERSION)


def kept_values(store):
    """The error of every record, and the value of its predictions or None."""
    found = {kept.key: float(kept.probabilities[0, 0]) for kept in store.predictions(store.finished(["t"]))}
    return [(record.metrics["error"], found.get(record.key)) for record in store.records()]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        yield store


def test_predictions_are_kept_with_their_record(store, tmp_path):
    other = KEY._replace(seed=4)
    store.append(make_record(), Record(other, "done", {"error": 0.25}))
    with Store(tmp_path / "s.sqlite") as again:
        assert kept_values(again) == [(0.5, 0.5), (0.25, None)]
        assert again.keys_of_predictions(["t"]) == {KEY}
        assert again.keys_of_predictions(["other"]) == set()
        assert [kept.key for kept in again.predictions([other, KEY])] == [KEY]


def test_a_record_and_its_predictions_are_always_of_one_fit(store):
    store.append(Record(KEY, "done", {"error": 0.1}))
    store.append(make_record(0.9, status="failed"))
    assert kept_values(store) == [(0.1, None)]
    store.append(make_record(0.25))  # brings what the first lacks
    assert kept_values(store) == [(0.25, 0.25)]
    store.append(make_record(0.75))
    store.append(Record(KEY, "done", {"error": 0.6}))
    assert kept_values(store) == [(0.25, 0.25)]


def test_a_failed_record_keeps_no_predictions(store):
    store.append(make_record(status="failed"))
    assert store.keys_of_predictions(["t"]) == set()
    store.append(make_record(0.75))
    assert kept_values(store) == [(0.75, 0.75)]


def test_a_task_without_predictions_is_finished_unless_they_are_asked_for(store):
    bare, slow = KEY._replace(seed=1), KEY._replace(seed=2)
    store.append(make_record(), Record(bare, "done"), Record(slow, "timeout", exceeded=float("inf")))
    assert store.finished(["t"]) == {KEY, bare}
    assert store.finished(["t"], with_predictions=True) == {KEY}
    assert store.claim([KEY, bare]) is Claim.FINISHED
    assert store.claim([KEY], with_predictions=True) is Claim.FINISHED
    assert store.claim([KEY, bare], with_predictions=True) is Claim.MINE


def test_predictions_that_were_changed_are_not_read(store):
    store.append(make_record(), make_record(key=KEY._replace(seed=4)))
    changes = ["content = zeroblob(length(content))", "content = 'text'", "n_rows = n_rows + 1", "kind = 'scores'"]
    changes += ["classes = '[1, 2]'", "classes = 'no JSON'", "n_columns = 'two'", "digest = zeroblob(16)"]
    for change in changes:
        store._connection.execute("BEGIN")
        store._connection.execute(f"UPDATE predictions SET {change} WHERE record = 1")
        with pytest.raises(StoreError, match=r"cannot read the store .*s\.sqlite: the file is damaged"):
            list(store.predictions([KEY]))
        assert len(list(store.predictions([KEY._replace(seed=4)]))) == 1  # the others can be read
        store._connection.execute("ROLLBACK")


def test_predictions_of_another_fit_are_not_read(store):
    store.append(make_record(), make_record(key=KEY._replace(seed=4)))
    store._connection.execute("DELETE FROM predictions WHERE record = 1")
    store._connection.execute("UPDATE predictions SET record = 1")
    with pytest.raises(StoreError, match="changed after they were kept"):
        list(store.predictions([KEY]))


def test_bytes_of_the_file_that_were_changed_are_noticed(tmp_path):
    path = tmp_path / "s.sqlite"
    record = make_record(n=2000)
    with Store(path) as store:
        store.append(record)
    content, part = path.read_bytes(), record.predictions.content[-200:-100]
    assert content.count(part) == 1
    path.write_bytes(content.replace(part, bytes(100)))
    with Store(path) as store:
        assert [one.metrics["error"] for one in store.records()] == [0.5]
        with pytest.raises(StoreError, match="damaged"):
            list(store.predictions([KEY]))


def test_a_store_of_the_second_version_is_brought_up_to_date(tmp_path):
    path = tmp_path / "s.sqlite"
    write_second_version(path)
    with Store(path) as store:
        assert kept_values(store) == [(0.25, None)]
        store.append(make_record(0.5))
        assert kept_values(store) == [(0.5, 0.5)]
        assert store._connection.execute("PRAGMA user_version").fetchone() == (3,)


def test_a_store_that_may_not_be_written_is_read_as_it_is(tmp_path, monkeypatch):
    old, new, first = tmp_path / "old.sqlite", tmp_path / "new.sqlite", tmp_path / "first.sqlite"
    write_second_version(old)
    with Store(new) as store:
        store.append(make_record())
    with closing(sqlite3.connect(first)) as connection:
        connection.executescript(FIRST_VERSION + "PRAGMA journal_mode = WAL")
    before = old.read_bytes()
    connect = sqlite3.connect
    read_only = functools.partial(connect, uri=True)  # root may write anywhere, so permissions would not do
    monkeypatch.setattr(schema.sqlite3, "connect", lambda path, **given: read_only(f"file:{path}?mode=ro", **given))
    with Store(old) as store:
        assert kept_values(store) == [(0.25, None)]
        assert store.holds(KEY)
        assert store.keys_of_predictions(["t"]) == set()
        with pytest.raises(StoreError, match="cannot write"):
            store.append(make_record())
    assert old.read_bytes() == before
    with Store(new) as store:
        assert kept_values(store) == [(0.5, 0.5)]
    with pytest.raises(StoreError, match="readonly"):  # its records lack columns
        Store(first)
