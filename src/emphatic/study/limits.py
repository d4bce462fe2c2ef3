"""Limits of a fit, and the child process that can be killed when a fit exceeds them.

`subprocess` and not `multiprocessing`, because a Dask worker may be a daemon, and `multiprocessing` allows daemons no
children.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from joblib import wrap_non_picklable_objects

from emphatic import check
from emphatic.cluster import EngineError
from emphatic.study.fit import find_versions, fit_and_score
from emphatic.study.tasks import Record, Task
from emphatic.threads import one_thread

_MEMORY_FILE = "/proc/{}/statm"
_MEGABYTE = 2**20
_WATCH_SECONDS = 0.02  # between two looks at the memory of a child
_LONG_SECONDS = 3600.0  # between two looks at a child whose memory is not limited
_KEPT_SHARE = 0.1  # of the memory limit: a child that retains more from earlier fits is replaced by a new one
_PROGRAM = "from emphatic.study.limits import serve; serve()"
_thread = threading.local()  # one child per thread: a Dask worker may have several


@dataclass(frozen=True)
class Limits:
    """What one fit (with its transformer, predictions and measures) may use; None for no limit.

    `seconds` is wall-clock time. `megabytes` is the resident memory of the process that fits, including the interpreter
    and its libraries (about 200); it can be watched on Linux only. Fits in step share the time of all of them.

    A fit that exceeds a limit is ended and kept in the store with the status "timeout" or "memory". It is not tried
    again until the limit is raised.

    >>> Limits(seconds=60, megabytes=2000)
    Limits(seconds=60, megabytes=2000)
    """

    seconds: float | None = None
    megabytes: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "megabytes"):
            if getattr(self, name) is not None:
                check.real(name, getattr(self, name), 0, open_low=True)
        if self.megabytes is not None and not Path(_MEMORY_FILE.format("self")).exists():
            raise ValueError(
                f"megabytes={self.megabytes!r} is not allowed: this system does not report the memory of a process."
            )


NO_LIMITS = Limits()


@dataclass(frozen=True)
class FitWithin:
    """`fit_and_score` within limits; it travels to the workers in the same way.

    A child that stays within its limits is used again, so that its start (a second or two) is paid for once.
    """

    limits: Limits

    def __call__(self, tasks: Sequence[Task]) -> list[Record]:
        child = self._find_child()
        try:
            child.begin(tasks)
            started = time.monotonic()
            outcome = self._wait(child, len(tasks))
        except BaseException:  # Ctrl-C: the answer to this batch must not be taken for the answer to the next
            child.kill()
            raise
        if isinstance(outcome, list):
            return outcome
        child.kill()
        seconds = (time.monotonic() - started) / len(tasks)
        status, message, exceeded = outcome
        failure = {"message": message}
        return [Record(task.key, status, failure, seconds, find_versions(), exceeded=exceeded) for task in tasks]

    def _find_child(self) -> Child:
        child: Child | None = getattr(_thread, "child", None)
        if child is not None and child.is_alive():
            if self.limits.megabytes is None or child.retained_megabytes() <= _KEPT_SHARE * self.limits.megabytes:
                return child
            child.kill()
        _thread.child = child = Child()
        return child

    def _wait(self, child: Child, n_tasks: int) -> list[Record] | tuple[str, str, float | None]:
        """The records; or status, message and, if one was exceeded, the limit."""
        seconds, megabytes = self.limits.seconds, self.limits.megabytes
        until = float("inf") if seconds is None else time.monotonic() + seconds * n_tasks
        look_again = _LONG_SECONDS if megabytes is None else _WATCH_SECONDS
        while True:
            answer = child.wait_for_answer(min(until - time.monotonic(), look_again))
            if isinstance(answer, int):
                return "failed", f"the process of the fit died with code {answer}", None
            if answer is not None:
                return answer
            if time.monotonic() >= until:
                return "timeout", f"took more than {seconds:g} seconds", seconds
            if megabytes is not None and child.megabytes() > megabytes:
                return "memory", f"took more than {megabytes:g} megabytes", megabytes


class Child:
    """A Python process that fits one batch after another. It ends with this process, however that ends."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        environment = {**os.environ, "PYTHONPATH": paths}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        # In a thread, because not every system can read from a pipe with a timeout. The thread does not hold `self`, so
        # that a child nobody needs any more is collected, and ended.
        threading.Thread(target=_read_answers, args=(self._process, self._answers), daemon=True).start()
        self.kill = weakref.finalize(self, _end, self._process)
        ready = self._answers.get()
        if isinstance(ready, int):
            raise EngineError(f"the child process for fits within limits did not start (code {ready})")
        self._megabytes_at_start = self.megabytes()

    def begin(self, tasks: Sequence[Task]) -> None:
        """Send the tasks; returns when the child has imported what they need, and the clock may start."""
        # joblib's wrapper also carries functions that were written in a script or a notebook.
        _write(self._process.stdin, pickle.dumps(wrap_non_picklable_objects(list(tasks), keep_wrapper=False)))
        begun = self._answers.get()
        if isinstance(begun, int):
            self._answers.put(begun)

    def wait_for_answer(self, seconds: float) -> list[Record] | int | None:
        """The records, or the exit code of a child that ended without any; None if there is neither after `seconds`."""
        try:
            answer: list[Record] | int = self._answers.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return None
        return answer

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def megabytes(self) -> float:
        """Resident memory; 0 on systems that do not report it."""
        try:
            pages = int(Path(_MEMORY_FILE.format(self._process.pid)).read_text().split()[1])
        except OSError:
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE

    def retained_megabytes(self) -> float:
        """Resident memory beyond that at the start."""
        return self.megabytes() - self._megabytes_at_start


def _read_answers(process: subprocess.Popen[bytes], answers: queue.SimpleQueue[Any]) -> None:
    assert process.stdout is not None
    with process.stdout as stream, suppress(EOFError, pickle.UnpicklingError):  # killed in the middle of an answer
        while True:
            answers.put(pickle.load(stream))
    answers.put(process.wait())


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    with suppress(OSError):
        process.stdin.close()  # type: ignore[union-attr]


def _write(stream: IO[bytes] | None, message: Any) -> None:
    assert stream is not None
    with suppress(BrokenPipeError):  # the reader has ended; that is noticed where its answers are read
        pickle.dump(message, stream)
        stream.flush()


def serve() -> None:
    """The life of a child: read tasks, fit, write records, until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a fit prints must not get between the answers
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    with one_thread():  # what is looked up once per process must not count as time of the first fit
        find_versions()
    _write(answers, "ready")
    while True:
        tasks: list[Task] = pickle.loads(requests.get())
        _write(answers, "begun")
        _write(answers, fit_and_score(tasks))


def _read_requests(requests: queue.SimpleQueue[bytes]) -> None:
    with suppress(EOFError):
        while True:
            requests.put(pickle.load(sys.stdin.buffer))
    os._exit(0)  # the parent has ended, so a fit in progress must end too
