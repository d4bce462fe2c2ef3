"""Studies: methods x settings x problems x splits, run once each and kept in a store."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from emphatic.progress import progress_bar
from emphatic.study.execute import Engine, in_processes
from emphatic.study.fit import fit_and_score
from emphatic.study.protocol import ProblemLike, SplitProtocol
from emphatic.study.store import Store
from emphatic.study.work import Method, Record, Task, Work, canonical


@dataclass(frozen=True)
class Summary:
    """What a run did: fits finished, fits failed, and why the first of these failed."""

    n_done: int = 0
    n_failed: int = 0
    first_failure: str = ""

    def __add__(self, other: Summary) -> Summary:
        first = self.first_failure or other.first_failure
        return Summary(self.n_done + other.n_done, self.n_failed + other.n_failed, first)


@dataclass(frozen=True)
class Study:
    """Every method with every setting on every split of every problem.

    `name` is the id of the table the records belong to, such as "000-II".

    >>> import tempfile
    >>> from emphatic.study.protocol import RepeatedKFold
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn.datasets import load_iris
    >>> from types import SimpleNamespace
    >>> X, y = load_iris(return_X_y=True)
    >>> iris = SimpleNamespace(name="iris", X=X, y=y, train=None, test=None)
    >>> def build(setting, random_state):
    ...     return DecisionTreeClassifier(random_state=random_state, **setting)
    >>> tree = Method("tree", build, [{"max_depth": 1}, {"max_depth": 3}], transformer=lambda: None)
    >>> study = Study("example", [tree], [iris], RepeatedKFold(n_folds=3, n_repeats=1))
    >>> with tempfile.TemporaryDirectory() as folder, Store(folder + "/study.sqlite") as store:
    ...     study.run(store).n_done, study.run(store).n_done  # the second time, there is nothing left to do
    (6, 0)
    """

    name: str
    methods: Sequence[Method]
    problems: Sequence[ProblemLike]
    protocol: SplitProtocol

    def tasks(self) -> Iterator[Task]:
        """All units of work, finished or not, always in the same order."""
        for problem in self.problems:
            for split in self.protocol.splits(problem):
                for method in self.methods:
                    for setting in method.settings:
                        names = (self.name, problem.name, method.name, canonical(setting))
                        yield Task(Work(*names, split.id, split.seed, split.fold), method, problem, split)

    def run(self, store: Store, n_jobs: int = 1, progress: bool = True) -> Summary:
        """Run what `store` does not hold yet."""
        return run_studies([self], store, in_processes(n_jobs), progress)


def run_studies(studies: Iterable[Study], store: Store, engine: Engine, progress: bool = True) -> Summary:
    """Run the missing work of several studies as one queue, so that no process waits at the end of each."""
    tasks = {task.work: task for study in studies for task in study.tasks()}
    finished = store.finished({work.table_id for work in tasks})
    pending = [batch for batch in batches(tasks.values()) if any(task.work not in finished for task in batch)]
    names = ", ".join(sorted({task.work.table_id for batch in pending for task in batch}))
    summary = Summary()
    with progress_bar(names, sum(map(len, pending)), progress) as advance:
        results = engine(fit_and_score, _still_missing(pending, store, advance))
        try:
            for records in results:
                store.append(*records)
                for record in records:
                    summary += _summary(record)
                advance(len(records))
        finally:
            results.close()  # after Ctrl-C: end the workers now, not at garbage collection
    return summary


def batches(tasks: Iterable[Task]) -> list[list[Task]]:
    """The tasks in batches that are done in step, and kept all at once: as many as their method says.

    They are made of all tasks, finished or not, so that a study which was interrupted makes the same ones again: in
    step with other networks a network may be rounded otherwise.
    """
    alike: dict[tuple[str, str, str], list[Task]] = {}
    for task in tasks:
        alike.setdefault((task.work.table_id, task.work.problem, task.work.method), []).append(task)
    return [
        group[start : start + group[0].method.together]
        for group in alike.values()
        for start in range(0, len(group), group[0].method.together)
    ]


def _still_missing(pending: list[list[Task]], store: Store, advance: Callable[..., None]) -> Iterator[list[Task]]:
    """The batches, without those that another process sharing the store has finished meanwhile.

    Each process begins at a place of its own, so that two of them seldom do the same fit at the same time. The order
    has no influence on any result.
    """
    start = random.SystemRandom().randrange(len(pending)) if pending else 0
    for batch in pending[start:] + pending[:start]:
        if all(store.holds(task.work) for task in batch):
            advance(len(batch))
        else:
            yield batch


def _summary(record: Record) -> Summary:
    if record.status == "done":
        return Summary(n_done=1)
    where = f"{record.work.problem}, {record.work.method} {record.work.setting}, {record.work.split}"
    return Summary(n_failed=1, first_failure=f"{where}: {record.metrics['message']}")
