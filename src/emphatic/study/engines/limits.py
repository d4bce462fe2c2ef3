"""Limits of a fit, so that one that never ends, or eats all memory, does not end a study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from emphatic import check

MEMORY_OF = "/proc/{}/statm"


@dataclass(frozen=True)
class Limits:
    """What one fit (with its transformer, predictions and measures) may take; None is as much as it likes.

    `seconds` are of the clock. `megabytes` are the resident memory of the process that fits, the interpreter and its
    libraries included (some 200); they can be watched on Linux only. Fits in step share the time of all.

    A fit that takes more is ended and kept in the store with the status "timeout" or "memory". It is not tried again
    until it may have more than it had.

    >>> Limits(seconds=60, megabytes=2000)
    Limits(seconds=60, megabytes=2000)
    """

    seconds: float | None = None
    megabytes: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "megabytes"):
            if getattr(self, name) is not None:
                check.real(name, getattr(self, name), 0, open_low=True)
        if self.megabytes is not None and not Path(MEMORY_OF.format("self")).exists():
            raise ValueError(
                f"megabytes={self.megabytes!r} is not allowed: this system does not tell the memory of a process."
            )


NO_LIMITS = Limits()
