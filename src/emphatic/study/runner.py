"""Studies: methods x settings x problems x splits, run once each and kept in a store."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from emphatic.progress import progress_bar
from emphatic.study.engines.bounded import FitWithin
from emphatic.study.engines.limits import NO_LIMITS, Limits
from emphatic.study.engines.processes import Engine, in_processes
from emphatic.study.fit import fit_and_score
from emphatic.study.protocol import ProblemLike, SplitProtocol
from emphatic.study.store import Store
from emphatic.study.versions import warn_of_other_versions
from emphatic.study.work import Method, Record, Task, Work, canonical
from emphatic.study.work_queue import Queue

_WAIT_SECONDS = 0.2  # between two looks at what other processes have finished


@dataclass(frozen=True)
class Summary:
    """What a run did: fits finished, fits failed and why the first of these failed, fits that ran over their limits."""

    n_done: int = 0
    n_failed: int = 0
    first_failure: str = ""
    n_over_limits: int = 0

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            self.n_done + other.n_done,
            self.n_failed + other.n_failed,
            self.first_failure or other.first_failure,
            self.n_over_limits + other.n_over_limits,
        )


@dataclass(frozen=True)
class Study:
    """Every method with every setting on every split of every problem.

    `name` is the id of the table the records belong to, such as "000-II".

    >>> import tempfile
    >>> from emphatic.study.problem import OwnProblem
    >>> from emphatic.study.protocol import RepeatedKFold
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn.datasets import load_iris
    >>> iris = OwnProblem("iris", *load_iris(return_X_y=True))
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

    def __post_init__(self) -> None:
        for kind, named in (("methods", self.methods), ("problems", self.problems)):
            names = [each.name for each in named]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"two {kind} of one name: {', '.join(twice)}. Records are kept by name")

    def tasks(self) -> Iterator[Task]:
        """All units of work, finished or not, always in the same order."""
        for problem in self.problems:
            for split in self.protocol.splits(problem):
                for method in self.methods:
                    for setting in method.settings:
                        names = (self.name, problem.name, method.name, canonical(setting))
                        yield Task(Work(*names, split.id, split.seed, split.fold), method, problem, split)

    def run(self, store: Store, n_jobs: int = 1, progress: bool = True, limits: Limits | None = None) -> Summary:
        """Run what `store` does not hold yet."""
        return run_studies([self], store, in_processes(n_jobs), progress, limits)


def run_studies(
    studies: Iterable[Study], store: Store, engine: Engine, progress: bool = True, limits: Limits | None = None
) -> Summary:
    """Run the missing work of several studies as one queue, so that no process waits at the end of each.

    Processes that share a store share the work: none does what another is doing. Who has nothing left to do waits for
    the others, and takes over the work of one that dies.
    """
    tasks = {task.work: task for study in studies for task in study.tasks()}
    table_ids = {work.table_id for work in tasks}
    warn_of_other_versions(store, table_ids)
    finished = store.finished(table_ids, limits or NO_LIMITS)
    pending = [batch for batch in batches(tasks.values()) if any(task.work not in finished for task in batch)]
    fit = fit_and_score if limits is None else FitWithin(limits)
    names = ", ".join(sorted({task.work.table_id for batch in pending for task in batch}))
    summary = Summary()
    with progress_bar(names, sum(map(len, pending)), progress) as advance:
        try:
            queue = Queue(pending, store, limits or NO_LIMITS, advance)
            while queue.pending:
                batch = next(queue, None)
                if batch is not None:
                    summary += _keep(engine(fit, chain([batch], queue)), store, advance)
                if not queue.is_asked_out:  # the engine wants no more
                    break
                queue = queue.of_others()
                if batch is None and queue.pending:
                    time.sleep(_WAIT_SECONDS)
        finally:
            store.release()
    return summary


def _keep(results: Generator[list[Record], None, None], store: Store, advance: Callable[..., None]) -> Summary:
    summary = Summary()
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


def _summary(record: Record) -> Summary:
    if record.status == "done":
        return Summary(n_done=1)
    if record.exceeded is not None:
        return Summary(n_over_limits=1)
    where = f"{record.work.problem}, {record.work.method} {record.work.setting}, {record.work.split}"
    return Summary(n_failed=1, first_failure=f"{where}: {record.metrics['message']}")
