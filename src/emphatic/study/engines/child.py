"""A process that fits for another one, and can be killed without harm to it: both ends of the pipe.

`subprocess` and not `multiprocessing`, as a worker of Dask may be a daemon, which `multiprocessing` allows no children.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from joblib import wrap_non_picklable_objects

from emphatic.study.engines.limits import MEMORY_OF
from emphatic.study.engines.processes import EngineError
from emphatic.study.fit import fit_and_score
from emphatic.study.versions import versions
from emphatic.study.work import Record, Task
from emphatic.threads import one_thread

_PROGRAM = "from emphatic.study.engines.child import serve; serve()"
_MEGABYTE = 2**20


@dataclass(frozen=True)
class Died:
    """A child that ended without an answer."""

    code: int


class Child:
    """A Python process that does one batch of fits after another. It ends with this process, however that ends."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        environment = {**os.environ, "PYTHONPATH": paths}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        # By a thread, because reading from a pipe knows no timeout on all systems. It does not hold `self`, so that a
        # child that nobody needs any more is found to be so, and ended.
        threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True).start()
        self.kill = weakref.finalize(self, _end, self._process)
        ready = self._answers.get()
        if isinstance(ready, Died):
            raise EngineError(f"the process that was to fit within limits did not start (code {ready.code})")
        self._megabytes_at_start = self.megabytes()

    def begin(self, tasks: Sequence[Task]) -> None:
        """Returns when the child has begun: the import of modules is over, and a clock may run."""
        # joblib's wrapper also carries functions that were written in a script or a notebook.
        _write(self._process.stdin, pickle.dumps(wrap_non_picklable_objects(list(tasks), keep_wrapper=False)))
        begun = self._answers.get()
        if isinstance(begun, Died):
            self._answers.put(begun)

    def answer(self, seconds: float) -> list[Record] | Died | None:
        """The records, or how the child died; None if there is neither after waiting for `seconds`."""
        try:
            answer: list[Record] | Died = self._answers.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return None
        return answer

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def megabytes(self) -> float:
        """Resident memory; 0 on systems that do not tell."""
        try:
            pages = int(Path(MEMORY_OF.format(self._process.pid)).read_text().split()[1])
        except OSError:
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE

    def kept_megabytes(self) -> float:
        """What it holds more than at its start."""
        return self.megabytes() - self._megabytes_at_start


def _listen(process: subprocess.Popen[bytes], answers: queue.SimpleQueue[Any]) -> None:
    assert process.stdout is not None
    with process.stdout as stream, suppress(EOFError, pickle.UnpicklingError):  # killed in the middle of an answer
        while True:
            answers.put(pickle.load(stream))
    answers.put(Died(process.wait()))


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    with suppress(OSError):
        process.stdin.close()  # type: ignore[union-attr]


def _write(stream: IO[bytes] | None, message: Any) -> None:
    assert stream is not None
    with suppress(BrokenPipeError):  # nobody listens any more: the other end of the pipe has been read to its end, too
        pickle.dump(message, stream)
        stream.flush()


def serve() -> None:
    """The life of a child: read tasks, fit, write records, until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a fit prints must not get between the answers
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    with one_thread():  # what is looked up once a process must not be on the clock of the first fit
        versions()
    _write(answers, "ready")
    while True:
        tasks: list[Task] = pickle.loads(requests.get())
        _write(answers, "begun")
        _write(answers, fit_and_score(tasks))


def _read_requests(requests: queue.SimpleQueue[bytes]) -> None:
    with suppress(EOFError):
        while True:
            requests.put(pickle.load(sys.stdin.buffer))
    os._exit(0)  # the parent has ended, so must a fit that has not
