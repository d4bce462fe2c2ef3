"""A file opened in a process of its own: whether it crashes, its time and memory, what it imports and compiles."""

import contextlib
import multiprocessing
import resource
import sys
import tempfile
import time
import traceback
import tracemalloc
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from numba.extending import is_jitted

from emphatic.persistence import ModelFileError, load, read
from tests.persistence.models import MODELS, assert_compares, assert_predicts, good_file

FILE = "model.emphatic"
SECONDS = 2
MEMORY = 4
"""Times that of the good file; more for a file that is larger, in proportion."""
NEGLIGIBLE = 2**20
"""Bytes that are Python's own, such as those of a message."""


@dataclass
class Verdict:
    """What became of a file; `end` is "loaded", "refused", or what it must not be."""

    end: str
    text: str = ""
    seconds: float = 0.0
    memory: float = 0.0
    """The largest, in bytes, while it was loaded."""
    allowed: float = 0.0
    imported: tuple[str, ...] = ()
    compiled: tuple[str, ...] = ()
    """Kernels, with types that no good file has; compiling one takes seconds, unless it is in numba's cache by luck."""

    def demand(self) -> None:
        """Raise AssertionError unless the file was refused or became a model that predicts, within the limits."""
        assert self.end in ("loaded", "refused"), f"{self.end}: {self.text}"
        assert not self.compiled, f"compiled {', '.join(self.compiled)}: {self.text}"
        assert self.seconds <= SECONDS, f"{self.seconds:.1f} s: {self.text}"
        assert self.memory <= self.allowed, f"{self.memory:.0f} bytes, {self.allowed:.0f} are allowed: {self.text}"
        assert not self.imported, f"imported {', '.join(self.imported)}: {self.text}"


_folder = Path()
_needed: dict[str, tuple[float, int]] = {}
"""Of each good file, the memory in bytes that it takes to load, and its size."""


def prepare(files: dict[str, bytes]) -> None:
    """In the new process: limit its memory, and do with good files all that is done with others."""
    global _folder
    resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")  # sums of numbers that were made large overflow
    _folder = Path(tempfile.mkdtemp())
    for name, data in files.items():
        for _ in range(2):  # the first time modules are imported
            verdict = judge(name, data)
        verdict.demand()
        _needed[name] = verdict.memory, len(data)
    repr(load(_folder / FILE))  # messages show models, for which scikit-learn has a module of its own


def judge(name: str, data: bytes) -> Verdict:
    """In the new process: load the file, as one of the model of this name, and predict."""
    path = _folder / FILE
    path.write_bytes(data)
    before, kernels = set(sys.modules), list_kernels()
    memory, size = _needed.get(name, (1e9, 1))
    allowed = max(NEGLIGIBLE, MEMORY * memory * max(1.0, len(data) / size))
    verdict = Verdict("fault in loading", allowed=allowed)
    started = time.process_time()  # a busy machine is not the fault of the file
    try:
        saved = read(path)
        verdict.end = "fault in predicting"
        assert_predicts(saved.model, name)
        assert_compares(saved.profile, name)
        verdict.end = "loaded"
    except ModelFileError as error:
        verdict.end, verdict.text = "refused", str(error)
    except BaseException:
        verdict.text = traceback.format_exc(limit=-3)
    verdict.seconds = time.process_time() - started
    verdict.memory = measure_memory(path)
    verdict.imported = tuple(sorted(set(sys.modules) - before)) if _needed else ()
    verdict.compiled = tuple(sorted(list_kernels() - kernels)) if _needed else ()
    return verdict


def list_kernels() -> set[str]:
    """The kernels that are ready in this process, one for each mixture of types: compiled, or found in the cache."""
    modules = [module for name, module in sys.modules.items() if name.startswith("emphatic.kernels.")]
    kernels = [value for module in modules for value in vars(module).values() if is_jitted(value)]
    return {f"{kernel.__name__}{signature}" for kernel in kernels for signature in kernel.signatures}


def measure_memory(path: Path) -> float:
    """The largest memory while the file is loaded: once more, as measuring takes time."""
    tracemalloc.start()
    try:
        with contextlib.suppress(Exception):
            load(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Judge:
    """A process that judges files, replaced by a new one when a file ends it."""

    def __init__(self) -> None:
        self._files = {name: good_file(name) for name in MODELS}
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, name: str, data: bytes) -> Verdict:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, initializer=prepare, initargs=(self._files,))
            self._pool.submit(judge, name, self._files[name]).result(timeout=300).demand()
        try:
            return self._pool.submit(judge, name, data).result(timeout=60)
        except BrokenProcessPool:
            self.close()
            return Verdict("crash", "the process ended")
        except TimeoutError:
            self.close()
            return Verdict("hang", "more than a minute")

    def close(self) -> None:
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


@contextlib.contextmanager
def open_judge() -> Iterator[Judge]:
    judge = Judge()
    try:
        yield judge
    finally:
        judge.close()
