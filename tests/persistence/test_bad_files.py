"""Files that are no models, and a disk that is full: one line says so, and what was there before is whole."""

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from emphatic import cli
from emphatic.persistence import ModelFileError, load, save
from tests.persistence.models import MODELS, assert_predicts, close_file, good_file, open_file

TABLE = "a,b,y\n" + "".join(f"{i % 7},{i % 5},{'no' if i % 7 < 3 else 'yes'}\n" for i in range(40))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "model").write_bytes(good_file("networks"))
    return tmp_path / "model"


@pytest.fixture
def command(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    Path("data.csv").write_text(TABLE)
    method = "RealAdaBoost of RBF networks"
    fit = ["fit", "data.csv", "--target", "y", "--model", "model", "--method", method, "--quiet"]
    return lambda *words: CliRunner().invoke(cli.build_app(), list(words) or fit)


def fill_disk(monkeypatch, place):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, place, full)


@pytest.mark.parametrize("place", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_whole(path, place, monkeypatch):
    fill_disk(monkeypatch, place)
    with pytest.raises(OSError, match="No space left on device") as raised:
        save(MODELS["prototypes"].fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]), path)
    assert raised.value.filename == str(path)
    assert os.listdir(path.parent) == ["model"]
    assert path.read_bytes() == good_file("networks")
    assert_predicts(load(path), "networks")


def test_a_file_that_may_not_grow_leaves_the_old_file_whole(path):
    """A write that the system really stops in the middle."""
    code = f"""
import resource, signal
from emphatic.persistence import load, save
model = load({str(path)!r})
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
save(model, {str(path)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "File too large" in done.stderr.splitlines()[-1]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000
    assert os.listdir(path.parent) == ["model"]
    assert path.read_bytes() == good_file("networks")


def test_the_command_says_in_one_line_that_the_disk_is_full(path, command, monkeypatch):
    fill_disk(monkeypatch, "fsync")
    done = command()
    assert done.exit_code == 1
    assert done.stderr == "emphatic: cannot write model: No space left on device\n"
    assert sorted(os.listdir()) == ["data.csv", "model"]
    assert path.read_bytes() == good_file("networks")


def write_newer(path):
    tree, arrays = open_file(good_file("networks"))
    path.write_bytes(close_file({**tree, "format": 99, "news": {}}, arrays))


BAD = {
    "missing": (lambda path: path.unlink(), "there is no file"),
    "folder": (lambda path: (path.unlink(), path.mkdir()), "it is a folder"),
    "empty": (lambda path: path.write_bytes(b""), "is not a model that emphatic saved"),
    "one byte": (lambda path: path.write_bytes(b"\0"), "is not a model that emphatic saved"),
    "half": (lambda path: path.write_bytes(good_file("networks")[:2000]), "is not a model that emphatic saved"),
    "without its last byte": (
        lambda path: path.write_bytes(good_file("networks")[:-1]),
        "is not a model that emphatic saved",
    ),
    "text": (lambda path: path.write_text(TABLE), "is not a model that emphatic saved"),
    "picture": (lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200)), "is not a model that emphatic saved"),
    "newer": (write_newer, "newer version of emphatic"),
    "changed": (
        lambda path: path.write_bytes(good_file("networks")[:-20] + bytes(20)),
        "was changed after it was written, or is damaged",
    ),
}


@pytest.mark.parametrize(("spoil", "message"), BAD.values(), ids=list(BAD))
def test_what_is_no_model_is_refused_in_one_line(path, command, spoil, message):
    spoil(path)
    with pytest.raises(ModelFileError, match=message) as raised:
        load(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)
    done = command("predict", "model", "data.csv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(path):
    path.chmod(0)
    with pytest.raises(ModelFileError, match="Permission denied"):
        load(path)


def test_a_pipe_is_not_waited_for_and_a_device_not_read_for_ever(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(ModelFileError, match="it is not a regular file"):
            load(path)
