"""When would several workers have finished? Tasks run one after another, and a made-up clock says it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from typing import Any

import numpy as np


class Replay:
    """An engine that runs all tasks here, and reckons when workers that work side by side would have done them.

    Workers are threads, which share memory and never wait for each other; each holds `n_held` items.
    """

    def __init__(self, n_workers: int, n_held: int = 1) -> None:
        self.n_workers, self.n_held = n_workers, n_held
        self.executed = self.waited = 0.0
        self._start = time.thread_time()

    def now(self) -> float:
        """Seconds on the made-up clock: what this thread did itself, and how long it waited for workers."""
        return time.thread_time() - self._start - self.executed + self.waited

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        free, asked = [self.now()] * self.n_workers, iter(items)
        held: list[tuple[float, Any]] = []
        while True:
            while len(held) < self.n_held * self.n_workers and (item := next(asked, None)) is not None:
                packed, worker = self.pack(item), int(np.argmin(free))
                sent, start = self.now(), time.thread_time()
                result = self.execute(function, packed, worker)
                seconds = time.thread_time() - start
                self.executed += seconds
                free[worker] = max(free[worker], sent) + seconds
                held.append((free[worker], result))
            if not held:
                return
            done = min(held, key=lambda one: one[0])
            held.remove(done)
            self.waited += max(0.0, done[0] - self.now())
            yield self.unpack(done[1])

    def pack(self, item: Any) -> Any:
        """What a worker is sent; takes time of this process."""
        return item

    def execute(self, function: Callable[[Any], Any], packed: Any, worker: int) -> Any:
        """What a worker does, and sends back; takes its time."""
        return function(packed)

    def unpack(self, result: Any) -> Any:
        """The result of what was sent back; takes time of this process."""
        return result


def replay(use: Callable[..., Any], n_workers: int, n_runs: int, make: Callable[[int], Replay] = Replay) -> float:
    """Seconds on the made-up clock of `use(engine=...)`, the shortest of several runs."""
    clocks = []
    for _ in range(n_runs):
        engine = make(n_workers)
        use(engine=engine)
        clocks.append(engine.now())
    return min(clocks)
