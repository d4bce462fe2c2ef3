import os
import sqlite3

import pytest

from emphatic.study import Record, Store, StoreError, Work

WORK = Work("t", "ripley", "mixed", '{"lam":0.5}', "predefined", 3, "1/5")


def test_record_comes_back_as_it_was(tmp_path):
    record = Record(WORK, "done", {"error": 0.1 + 0.2, "curve": [[1, 0.5]]}, 1.5, {"numpy": "2"})
    with Store(tmp_path / "s.sqlite") as store:
        store.append(record)
    with Store(tmp_path / "s.sqlite") as store:
        assert list(store.records("t")) == [record]
        assert store.finished(["t"]) == {WORK}
        assert list(store.records("other")) == []


def test_finished_record_is_never_replaced_and_failed_one_is(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        store.append(Record(WORK, "failed", {"message": "no"}))
        assert not store.holds(WORK)
        store.append(Record(WORK, "done", {"error": 0.1}))
        store.append(Record(WORK, "failed", {"message": "later"}))
        store.append(Record(WORK, "done", {"error": 0.9}))
        assert [record.metrics for record in store.records()] == [{"error": 0.1}]
        assert len(store) == 1


def test_fold_and_no_fold_are_different_work(tmp_path):
    outer = Work("t", "ripley", "mixed", '{"lam":0.5}', "predefined", 3)
    with Store(tmp_path / "s.sqlite") as store:
        for work in (WORK, outer, outer):
            store.append(Record(work, "done", {"error": 0.1}))
        assert len(store) == 2


def test_newer_store_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer emphatic"):
        Store(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["s.sqlite"]


def test_foreign_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "s.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a store of emphatic"):
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
            store.append(Record(WORK, "done", {"error": 0.1}))


def test_writes_ahead(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
