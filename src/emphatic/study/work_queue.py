"""The batches of a study that nobody else is at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from emphatic.study.engines.limits import Limits
from emphatic.study.store import Store
from emphatic.study.store.claims import Claim
from emphatic.study.work import Task

Batch = list[Task]


class Queue(Iterator[Batch]):
    """Gives out batches after claiming them, and leaves those aside that another process has claimed.

    Those that another process has finished meanwhile are reported to `advance`.
    """

    def __init__(self, pending: list[Batch], store: Store, limits: Limits, advance: Callable[..., None]) -> None:
        store.release_dead()
        self.pending = pending
        self.is_asked_out = False
        self._rest = iter(pending)
        self._taken: list[Batch] = []
        self._store, self._limits, self._advance = store, limits, advance

    def __next__(self) -> Batch:
        for batch in self._rest:
            claim = self._store.claim([task.work for task in batch], self._limits)
            if claim is Claim.MINE:
                return batch
            elif claim is Claim.TAKEN:
                self._taken.append(batch)
            else:
                self._advance(len(batch))
        self.is_asked_out = True
        raise StopIteration

    def of_others(self) -> Queue:
        """A queue of the batches that were taken."""
        return Queue(self._taken, self._store, self._limits, self._advance)
