"""Writing a file so that it is either the old one or the new one, never half of each."""

import errno
import os
from contextlib import suppress
from pathlib import Path


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write `content` (text as UTF-8) beside `path`, then rename: readers and crashes see a whole file.

    An OSError names `path`, not the file beside it.
    """
    check_writable(path)
    target = Path(path).resolve()  # a link stays a link
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
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
