"""Fits that are ended when they run over their limits: each is done in a child process that can be killed."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from emphatic.study.engines.child import Child, Died
from emphatic.study.engines.limits import Limits
from emphatic.study.versions import versions
from emphatic.study.work import Record, Task

_WATCH_SECONDS = 0.02  # between two looks at the memory of a child
_LONG_SECONDS = 3600.0  # between two looks at a child whose memory is not limited
_KEPT_SHARE = 0.1  # of the memory allowed: a child that keeps more of earlier fits makes way for a new one
_here = threading.local()  # one child a thread: a Dask worker may have several


@dataclass(frozen=True)
class FitWithin:
    """`fit_and_score` within limits; it travels to the workers as that does.

    A child that stays within its limits is used again, so that its start (a second or two) is paid once.
    """

    limits: Limits

    def __call__(self, tasks: Sequence[Task]) -> list[Record]:
        child = self._child()
        try:
            child.begin(tasks)
            started = time.monotonic()
            answer = self._watch(child, len(tasks))
        except BaseException:  # Ctrl-C: an answer to this must not be taken for one to the next question
            child.kill()
            raise
        if isinstance(answer, list):
            return answer
        child.kill()
        status, message, exceeded = _told(answer, self.limits)
        seconds = (time.monotonic() - started) / len(tasks)
        return [
            Record(task.work, status, {"message": message}, seconds, versions(), None, None, exceeded) for task in tasks
        ]

    def _child(self) -> Child:
        child: Child | None = getattr(_here, "child", None)
        if child is not None and child.is_alive():
            if self.limits.megabytes is None or child.kept_megabytes() <= _KEPT_SHARE * self.limits.megabytes:
                return child
            child.kill()
        _here.child = child = Child()
        return child

    def _watch(self, child: Child, n_tasks: int) -> list[Record] | Died | str:
        """The answer of the child, or which limit it ran over."""
        seconds, megabytes = self.limits.seconds, self.limits.megabytes
        until = float("inf") if seconds is None else time.monotonic() + seconds * n_tasks
        while True:
            look_again = _LONG_SECONDS if megabytes is None else _WATCH_SECONDS
            answer = child.answer(min(until - time.monotonic(), look_again))
            if answer is not None:
                return answer
            if time.monotonic() >= until:
                return "timeout"
            if megabytes is not None and child.megabytes() > megabytes:
                return "memory"


def _told(answer: Died | str, limits: Limits) -> tuple[str, str, float | None]:
    """Status, message and the limit that was exceeded, if one was."""
    if isinstance(answer, Died):
        return "failed", f"the process of the fit died with code {answer.code}", None
    if answer == "timeout":
        return answer, f"took more than {limits.seconds:g} seconds", limits.seconds
    return answer, f"took more than {limits.megabytes:g} megabytes", limits.megabytes
