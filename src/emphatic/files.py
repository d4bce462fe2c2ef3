"""Writing a file so that it is either the old one or the new one, never half of each."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write `content` (text as UTF-8) to `path` as `open_atomically` does."""
    with open_atomically(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def open_atomically(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside `path` that becomes `path` at the end of the block: readers and crashes see a whole file.

    If the block raises anything, `path` stays as it was and nothing is left beside it. An OSError of writing names
    `path`, not the file beside it.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "rows.csv")
    >>> with open_atomically(path) as file:
    ...     for row in (b"1\\n", b"2\\n"):
    ...         _ = file.write(row)
    ...     print(path.exists())
    False
    >>> path.read_text()
    '1\\n2\\n'
    """
    check_writable(path)
    target = Path(path).resolve()  # a link stays a link
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    own = (None, str(temporary), temporary)  # an error names a file as it was named to the system
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if error.filename not in own:  # of another file, which the block works with
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def check_writable(path: str | Path) -> None:
    """Raise OSError if `path` cannot be written by a rename, as far as that is known without doing it.

    Call it before long work, so that the result is not lost at the end.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder does not exist", str(path))
    if Path(path).exists() and not Path(path).is_file():
        # A device or a pipe: a rename would replace it.
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if not os.access(target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "its folder is not writable", str(path))
