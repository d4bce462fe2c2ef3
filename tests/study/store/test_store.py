import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import numpy as np
import pytest

from emphatic.study import MixedVersionsWarning, Predictions, Record, Store, StoreError, TaskKey
from emphatic.study.fit import find_versions
from emphatic.study.store import schema
from emphatic.study.store.schema import SCHEMA_VERSION
from tests.study.fakes import make_study

KEY = TaskKey("t", "ripley", "mixed", '{"lam":0.5}', "predefined", 3, "1/5")
# As version 1 wrote it.
FIRST_VERSION = """
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL, problem TEXT NOT NULL, method TEXT NOT NULL, setting TEXT NOT NULL,
    split TEXT NOT NULL, seed INTEGER NOT NULL, fold TEXT NOT NULL,
    metrics TEXT NOT NULL, seconds REAL NOT NULL, versions TEXT NOT NULL, status TEXT NOT NULL,
    UNIQUE (table_id, problem, method, setting, split, seed, fold)
);
INSERT INTO records VALUES (
    1, 't', 'ripley', 'mixed',
    '{"lam":0.5}', 'predefined', 3, '1/5', '{"error": 0.25}', 1.5, '{"emphatic": "0.1"}', 'done'
);
PRAGMA application_id = 1701671016;
PRAGMA user_version = 1;
"""
# No file may grow beyond a hundred kilobytes, as on a disk that is nearly full.
FULL_DISK = """
import resource, sys
from emphatic.study import Record, Store, StoreError, TaskKey
with Store(sys.argv[1]) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        for seed in range(1000):
            keys = [TaskKey("t", "p", "m", str(k), "s", seed) for k in range(7)]
            store.append(*(Record(key, "done", {"x": "x" * 500}) for key in keys))
    except StoreError as error:
        print(error, len(store), sep="\\n")
        raise SystemExit(0)
raise SystemExit("it was not full")
"""
# Forked, so that all are ready before the race begins. Each keeps a record, so that the store they get is one store.
RACES = """
import os, sys, time
from emphatic.study import Record, Store, TaskKey
N_RACES, N_PROCESSES = 60, 4
n_refused, until = 0, time.monotonic() + 20
for race in range(N_RACES):
    path, begin, processes = f"{sys.argv[1]}/{race}.sqlite", time.monotonic() + 0.01, []
    for number in range(N_PROCESSES):
        processes.append(os.fork())
        if processes[-1] == 0:
            code = 1
            try:
                while time.monotonic() < begin:
                    pass
                with Store(path) as store:
                    store.append(Record(TaskKey("t", "p", "m", "{}", "s", number), "done"))
                code = 0
            finally:
                os._exit(code)
    n_refused += sum(os.waitpid(process, 0)[1] != 0 for process in processes)
    with Store(path) as store:
        assert n_refused or len(store) == N_PROCESSES
    if time.monotonic() > until:
        break
print(n_refused, "refused")
"""


def test_record_comes_back_as_it_was(tmp_path):
    record = Record(KEY, "done", {"error": 0.1 + 0.2, "curve": [[1, 0.5]]}, 1.5, {"numpy": "2"}, 1.25, 0.125)
    with Store(tmp_path / "s.sqlite") as store:
        store.append(record)
    with Store(tmp_path / "s.sqlite") as store:
        assert list(store.records("t")) == [record]
        assert store.finished(["t"]) == {KEY}
        assert list(store.records("other")) == []


def test_finished_record_is_never_replaced_and_failed_one_is(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        store.append(Record(KEY, "failed", {"message": "no"}))
        assert not store.holds(KEY)
        store.append(Record(KEY, "done", {"error": 0.1}))
        store.append(Record(KEY, "failed", {"message": "later"}))
        store.append(Record(KEY, "done", {"error": 0.9}))
        assert [record.metrics for record in store.records()] == [{"error": 0.1}]
        assert len(store) == 1


def test_record_that_is_replaced_is_replaced_whole(tmp_path):
    done = Record(KEY, "done", {"error": 0.1}, 2.0, {"numpy": "2"}, 1.5, 0.5)
    with Store(tmp_path / "s.sqlite") as store:
        store.append(Record(KEY, "timeout", {"message": "too long"}, 9.0, {"numpy": "1"}, 8.0, 7.0, exceeded=6.0))
        store.append(done)
        assert list(store.records()) == [done]


def test_records_are_kept_all_or_none(tmp_path):
    other = KEY._replace(seed=4)
    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(TypeError, match="JSON"):
            store.append(Record(KEY, "done"), Record(other, "done", {"error": object()}))
        assert len(store) == 0
        store.append(Record(KEY, "done"), Record(other, "done"))  # and it goes on
        assert len(store) == 2


def test_finished_are_those_of_the_tables_asked_for(tmp_path):
    keys = [KEY._replace(table_id=table, seed=seed) for table in "abc" for seed in (0, 1)]
    with Store(tmp_path / "s.sqlite") as store:
        store.append(*(Record(key, "failed" if key.seed else "done", {"message": ""}) for key in keys))
        assert store.finished(["a", "b"]) == {keys[0], keys[2]}
        assert store.finished([]) == set()


def test_records_share_no_versions(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        store.append(*(Record(KEY._replace(seed=seed), "done", versions={"numpy": "2"}) for seed in (0, 1)))
        first, second = store.records()
        first.versions["numpy"] = "3"
        assert second.versions == next(store.records()).versions == {"numpy": "2"}


def test_fold_and_no_fold_are_different_tasks(tmp_path):
    outer = TaskKey("t", "ripley", "mixed", '{"lam":0.5}', "predefined", 3)
    with Store(tmp_path / "s.sqlite") as store:
        for key in (KEY, outer, outer):
            store.append(Record(key, "done", {"error": 0.1}))
        assert len(store) == 2


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, 99])
def test_newer_store_is_refused_and_left_alone(tmp_path, version):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer emphatic"):
        Store(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["s.sqlite"]


def test_store_of_the_first_version_is_brought_up_to_date(tmp_path):
    path = tmp_path / "s.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(FIRST_VERSION)
    connection.close()
    with Store(path) as store:
        assert list(store.records()) == [Record(KEY, "done", {"error": 0.25}, 1.5, {"emphatic": "0.1"})]
        other = TaskKey("t", "ripley", "mixed", "{}", "predefined", 4)
        store.append(Record(other, "done", {"error": 0.5}, 1.0, {}, 0.5, 0.25))
        assert [record.fit_cpu_seconds for record in store.records()] == [None, 0.5]
        assert store._connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_records_of_one_problem_and_method(tmp_path):
    keys = [TaskKey("t", problem, method, "{}", "s", 0) for problem in "ab" for method in "mn"]
    with Store(tmp_path / "s.sqlite") as store:
        store.append(*(Record(key, "done", {"error": number}) for number, key in enumerate(keys)))
        assert [record.metrics["error"] for record in store.records("t", problem="b")] == [2, 3]
        assert [record.key for record in store.records("t", problem="b", method="m")] == [keys[2]]
        assert [record.key for record in store.records(method="n")] == [keys[1], keys[3]]


def test_versions_are_counted_and_a_mixture_warns(tmp_path):
    study = make_study(n_runs=2)
    first, *_ = (task.key for task in study.tasks())
    old = find_versions() | {"emphatic": "0.0.1"}
    with Store(tmp_path / "s.sqlite") as store:
        store.append(Record(first, "done", {"error": 0.5}, versions=old))
        with pytest.warns(MixedVersionsWarning, match=r"1 by emphatic 0\.0\.1; this is") as warned:
            assert study.run(store, progress=False).n_done == 5
        assert [warning.filename for warning in warned] == [__file__]  # the user's line, not one of ours
        assert store.versions([study.name]) == [(old, 1), (find_versions(), 5)]
        assert store.versions(["other"]) == []
        store.append(Record(KEY._replace(table_id=study.name), "failed", {"message": "no"}, versions=old))
        assert store.versions([study.name]) == [(old, 1), (find_versions(), 5)]  # of finished tasks only


def test_foreign_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "s.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not an emphatic store"):
        Store(path)
    assert path.read_bytes() == before


def test_file_that_is_no_database(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, only a long enough text " * 10)
    with pytest.raises(StoreError, match=r"notes\.txt.*not a database"):
        Store(path)
    assert path.read_text().startswith("not a database")


def test_folder_instead_of_file(tmp_path):
    with pytest.raises(StoreError, match="is a folder"):
        Store(tmp_path)


def test_missing_folder(tmp_path):
    with pytest.raises(StoreError, match="does not exist"):
        Store(tmp_path / "missing" / "s.sqlite")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_folder_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match=r"s\.sqlite"):
        Store(tmp_path / "s.sqlite")


def test_write_that_fails_names_the_file(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        store._connection.execute("PRAGMA query_only = ON")  # what a read-only disk does
        with pytest.raises(StoreError, match=r"cannot write.*s\.sqlite.*readonly"):
            store.append(Record(KEY, "done", {"error": 0.1}))


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is POSIX's")
def test_full_disk_loses_nothing_and_leaves_no_half(tmp_path):
    path = tmp_path / "s.sqlite"
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    message, count = done.stdout.splitlines()
    assert "cannot write to the store" in message and "s.sqlite" in message
    with Store(path) as store:
        assert len(store) == int(count) > 0
        assert len(store) % 7 == 0  # batches are whole
        assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        store.append(Record(KEY, "done", {"error": 0.1}))


def test_writes_ahead(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (1,)  # NORMAL: enough with write-ahead


def test_file_format(tmp_path):
    """Frozen: stores exist. What is added belongs to a new version of the schema."""
    path = tmp_path / "s.sqlite"
    key = [("table_id", "TEXT"), ("problem", "TEXT"), ("method", "TEXT"), ("setting", "TEXT")]
    key += [("split", "TEXT"), ("seed", "INTEGER"), ("fold", "TEXT")]
    values = [("metrics", "TEXT"), ("seconds", "REAL"), ("versions", "TEXT"), ("status", "TEXT")]
    values += [("fit_cpu_seconds", "REAL"), ("predict_cpu_seconds", "REAL"), ("exceeded", "REAL")]
    with Store(path) as store:
        found = {
            table: store._connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
            for table in ("records", "claims", "predictions")
        }
        indices = store._connection.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        assert sorted(name for (name,) in indices) == ["owners", "unfinished"]
        assert store._connection.execute("PRAGMA application_id").fetchone() == (0x656D7068,)
        assert store._connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,) == (3,)
    kept = [("record", "INTEGER"), ("n_rows", "INTEGER"), ("classes", "TEXT"), ("kind", "TEXT")]
    kept += [("n_columns", "INTEGER"), ("content", "BLOB"), ("digest", "BLOB")]
    records = [("id", "INTEGER"), *key, *values]
    assert found == {"records": records, "claims": [*key, ("owner", "TEXT")], "predictions": kept}


def test_a_store_to_which_another_process_writes_for_a_moment_is_waited_for(tmp_path):
    """An old file gets another journal mode, which SQLite refuses at once, whatever its timeout, while it is in use."""
    path = tmp_path / "s.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_VERSION)
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with closing(sqlite3.connect(path)) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
            schema._write_ahead(other, seconds=0.2)
        assert 0.2 <= time.monotonic() - began < 5
        release = threading.Timer(0.3, writer.execute, ("COMMIT",))
        release.start()
        with Store(path) as store:
            assert len(store) == 1
        release.join()


class Overtaken(sqlite3.Connection):
    """A connection that another process overtakes: after its first look at the file, the store has been created."""

    def execute(self, command, *values):
        found = super().execute(command, *values)
        if "application_id" in command:
            answer = found.fetchall()
            path = super().execute("PRAGMA database_list").fetchone()[2]
            Store(path).close()
            found = super().execute("SELECT ?", *answer)
        return found


def test_store_that_another_process_creates_between_two_looks_is_no_foreign_file(tmp_path):
    path = tmp_path / "s.sqlite"
    with closing(sqlite3.connect(path)) as empty:
        empty.execute("PRAGMA journal_mode = WAL")  # all that a process does before it creates the tables
    with closing(sqlite3.connect(path, isolation_level=None, factory=Overtaken)) as connection:
        schema._refuse_foreign(connection, path)
    with Store(path) as store:
        assert len(store) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_processes_that_open_one_new_store_at_once_all_get_it(tmp_path):
    """Of 250 such races of four processes, 9 ended with one of them refused."""
    done = subprocess.run([sys.executable, "-c", RACES, str(tmp_path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "0 refused\n")


def damage(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"NOT NULL", b"NOT \xa4ULL", "cannot open.*file is damaged"),  # ended in a UnicodeDecodeError
        (b'{"error"', b'{"err\xa4r"', "cannot read.*UTF-8"),
        (b'{"error"', b'{"error:', "cannot read.*file is damaged"),
    ],
)
def test_error_of_a_damaged_store_names_it(tmp_path, old, new, message):
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.append(Record(KEY, "done", {"error": 0.1}))
    damage(path, old, new)
    with pytest.raises(StoreError, match=rf"(?s){message}") as refused, Store(path) as store:
        list(store.records())
    assert str(path) in str(refused.value)


def use(store):
    list(store.records())
    list(store.records(status="failed"))
    store.finished(["t"])
    store.versions(["t"])
    for kept in store.predictions(store.keys_of_predictions(["t"])):
        assert kept.labels.tolist() == ["no", "yes"]
    store.holds(KEY)
    store.release_dead()
    store.claim([KEY])
    store.append(Record(KEY, "done"))
    len(store)


def test_store_damaged_anywhere_can_be_used_or_is_named(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        labels = np.array(["no", "yes"])
        for key in (KEY._replace(seed=seed) for seed in range(100)):
            kept = Predictions(key, np.arange(2), labels, labels, np.eye(2)).pack()
            store.append(Record(key, "done", {"error": 0.5}, versions={"numpy": "2"}, predictions=kept))
    good, rng, refused = path.read_bytes(), random.Random(0), []
    for _ in range(200):
        content = bytearray(good)
        for _ in range(rng.choice([1, 10, 100])):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path.write_bytes(content)
        try:
            with Store(path) as store:
                use(store)
        except StoreError as error:
            refused.append(str(error))
        for left in tmp_path.glob("s.sqlite-*"):  # of a store that could not be closed
            left.unlink()
    assert 0 < len(refused) < 200
    assert all(str(path) in message for message in refused)
