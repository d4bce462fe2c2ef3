"""The bytes of a file, of standard input or of a compressed file, in blocks, as often as they are needed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from emphatic.tables.files.needs import need

BLOCK = 1 << 20
STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0")
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}


def name_source(path: Path) -> str:
    """What messages call a file."""
    return "standard input" if str(path) in STANDARD_INPUT else path.name


class Source:
    """A file that can be read several times; what cannot be read again (a pipe) is first copied to a temporary file.

    `name` is what messages call it; `on_bytes` is told how many bytes of the file have been read since the last call.
    Close it in the end, or use it as a context manager.
    """

    def __init__(self, path: Path) -> None:
        self.name = "standard input" if str(path) in STANDARD_INPUT else str(path)
        self.on_bytes: Callable[[int], None] = lambda n_bytes: None
        self._copy: Any = None
        try:
            self._path = self._find(path)
            with open(self._path, "rb") as file:
                start, self.size = file.read(8), file.seek(0, 2)
        except OSError as error:
            self.close()
            raise ValueError(f"cannot read {self.name}: {error.strerror or error}") from None
        if not self.size:
            self.close()
            raise ValueError(f"{self.name} is empty")
        self.compression = next((name for magic, name in _MAGIC.items() if start.startswith(magic)), None)

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete the temporary copy, if there is one."""
        if self._copy is not None:
            self._copy.close()
            self._copy = None

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """The bytes, decompressed, in blocks."""
        with open(self._path, "rb") as raw, self._explain(), _decompress(raw, self.compression) as file:
            told = 0
            while block := file.read(size):
                yield block
                at = raw.tell()
                self.on_bytes(at - told)
                told = at

    def read_start(self, size: int) -> bytes:
        """The first bytes, decompressed."""
        with open(self._path, "rb") as raw, self._explain(), _decompress(raw, self.compression) as file:
            return bytes(file.read(size))

    @contextmanager
    def open_file(self) -> Iterator[IO[bytes]]:
        """Open a file for readers that jump about, as those of Parquet do: a compressed one is unpacked to disk."""
        if self.compression is None:
            with open(self._path, "rb") as file:
                yield file
            return
        with tempfile.TemporaryFile() as unpacked:
            for block in self.blocks():
                unpacked.write(block)
            unpacked.seek(0)
            yield unpacked

    def _find(self, path: Path) -> Path:
        """The path, or that of a copy if it can be read only once."""
        if str(path) in STANDARD_INPUT:
            return self._keep(sys.stdin.buffer)
        if not path.exists():
            raise ValueError(f"there is no file {path}")
        if path.is_dir():
            raise ValueError(f"{path} is a folder, not a file")
        if path.is_file():
            return path
        with open(path, "rb") as pipe:
            return self._keep(pipe)

    def _keep(self, pipe: IO[bytes]) -> Path:
        self._copy = tempfile.NamedTemporaryFile()  # noqa: SIM115 (close deletes it)
        shutil.copyfileobj(pipe, self._copy, BLOCK)
        self._copy.flush()
        return Path(self._copy.name)

    @contextmanager
    def _explain(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            reason = getattr(error, "strerror", None) or error
            if self.compression:
                reason = f"it is compressed by {self.compression} and damaged or cut off ({reason}); get it again"
            raise ValueError(f"cannot read {self.name}: {reason}") from None


def _decompress(raw: IO[bytes], compression: str | None) -> Any:
    if compression == "zstd":
        # zstandard's own reader says nothing about a file that is cut off; pyarrow's does.
        arrow = need("pyarrow", "pyarrow", "zstd")
        return arrow.CompressedInputStream(arrow.PythonFile(raw, mode="r"), "zstd")
    openers: dict[str | None, Any] = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
    return openers[compression](raw) if compression else raw
