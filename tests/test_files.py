"""A file that is written is the old one or the new one, never half of each."""

import errno
import os

import pytest

from emphatic.files import open_atomically, write_atomically


def test_the_file_appears_at_the_end(tmp_path):
    path = tmp_path / "rows"
    with open_atomically(path) as file:
        file.write(b"one ")
        assert not path.exists()
        file.write(b"two")
    assert path.read_bytes() == b"one two"
    assert os.listdir(tmp_path) == ["rows"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
def test_whatever_ends_the_block_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "rows"
    path.write_text("old")

    def stop_between():
        with open_atomically(path) as file:
            file.write(b"new")
            raise error

    with pytest.raises(error):
        stop_between()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["rows"]


def test_errors_of_writing_name_the_file_and_those_of_other_files_are_theirs(tmp_path):
    path = tmp_path / "rows"
    with pytest.raises(OSError) as full, open_atomically(path):
        raise OSError(errno.ENOSPC, "no space left on device")
    assert (full.value.filename, full.value.strerror) == (str(path), "no space left on device")
    with pytest.raises(FileNotFoundError) as other, open_atomically(path):
        (tmp_path / "missing").read_text()
    assert other.value.filename == str(tmp_path / "missing")
    assert not os.listdir(tmp_path)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_atomically(tmp_path / "link", "näh")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text(encoding="utf-8") == "näh"
