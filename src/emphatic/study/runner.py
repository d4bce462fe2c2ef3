"""Running studies: claim what is pending, fit it, keep the records in a store."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from emphatic import check
from emphatic.engines import Engine, Item, Lost, find_engine, in_processes
from emphatic.progress import progress_bar
from emphatic.study.fit import find_versions, fit_and_score, record_failure
from emphatic.study.kept_predictions import find_predictions
from emphatic.study.limits import NO_LIMITS, FitWithin, Limits
from emphatic.study.predictions import Predictions
from emphatic.study.protocol import ProblemLike, SplitProtocol
from emphatic.study.store import Claim, Store
from emphatic.study.summary import Summary, summarise
from emphatic.study.tasks import Method, Record, Setting, Task, TaskKey, canonical, make_batches, make_item, read_item
from emphatic.user_warning import warn_user
from emphatic.wording import count

if TYPE_CHECKING:
    from emphatic.study.findings import Findings

_WAIT_SECONDS = 0.2  # between two looks at what other processes have finished


class MixedVersionsWarning(UserWarning):
    """A store holds fits made by another version of this library."""


class FailedFitsWarning(UserWarning):
    """Fits of a study failed: what they would have shown is missing."""


@dataclass(frozen=True)
class Study:
    """Every method with every setting on every split of every problem.

    `name` is the id of the table the records belong to, such as "000-II". With `keep_predictions`, what each fit
    predicts for its test rows is kept as well: fusions, thresholds and other measures then need no further fit.

    >>> import tempfile
    >>> from emphatic.study.problem import OwnProblem
    >>> from emphatic.study.protocol import RepeatedKFold
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn.datasets import load_iris
    >>> iris = OwnProblem("iris", *load_iris(return_X_y=True))
    >>> def build(setting, random_state):
    ...     return DecisionTreeClassifier(random_state=random_state, **setting)
    >>> tree = Method("tree", build, [{"max_depth": 1}, {"max_depth": 3}], transformer=lambda: None)
    >>> study = Study("example", [tree], [iris], RepeatedKFold(n_folds=3, n_repeats=1), keep_predictions=True)
    >>> with tempfile.TemporaryDirectory() as folder, Store(folder + "/study.sqlite") as store:
    ...     study.run(store).n_done, study.run(store).n_done  # the second time, there is nothing left to do
    ...     [kept.probabilities.shape for kept in study.predictions(store, setting={"max_depth": 1})]
    (6, 0)
    [(50, 3), (50, 3), (50, 3)]
    """

    name: str
    methods: Sequence[Method]
    problems: Sequence[ProblemLike]
    protocol: SplitProtocol
    keep_predictions: bool = False

    def __post_init__(self) -> None:
        check.one_of("keep_predictions", self.keep_predictions, (True, False))
        for kind, named in (("methods", self.methods), ("problems", self.problems)):
            twice = sorted(name for name, count in Counter(each.name for each in named).items() if count > 1)
            if twice:
                raise ValueError(f"two {kind} have the same name: {', '.join(twice)}. Records are kept by name")

    def tasks(self) -> Iterator[Task]:
        """All tasks, finished or not, always in the same order."""
        for problem in self.problems:
            for split in self.protocol.splits(problem):
                for method in self.methods:
                    for setting in method.settings:
                        names = (self.name, problem.name, method.name, canonical(setting))
                        key = TaskKey(*names, split.id, split.seed, split.fold)
                        yield Task(key, method, problem, split, self.keep_predictions)

    def run(
        self,
        store: Store,
        n_jobs: int = 1,
        progress: bool = True,
        limits: Limits | None = None,
        *,
        add_predictions: bool = False,
        engine: Engine | None = None,
    ) -> Summary:
        """Run the tasks that `store` does not hold yet; a `FailedFitsWarning` says if some of them failed.

        They run on `engine`, otherwise on the active Dask client, otherwise in `n_jobs` processes. With
        `add_predictions`, tasks that are finished but whose predictions were not kept are fitted again, too.
        """
        chosen = find_engine(engine) or in_processes(n_jobs)
        summary = run_studies([self], store, chosen, progress, limits, add_predictions=add_predictions)
        if summary.n_failed:
            warn_user(
                f"{count(summary.n_failed, 'fit')} of study {self.name} failed; run again to retry. The first: "
                f"{summary.first_failure}",
                FailedFitsWarning,
            )
        return summary

    def collect(self, store: Store) -> Findings:
        """All that `store` holds of this study: as a table, in words, and as a page."""
        from emphatic.study.findings import Findings  # late: workers need none of it

        return Findings.of_tasks(self.name, self.tasks(), store)

    def predictions(
        self,
        store: Store,
        *,
        problem: str | None = None,
        method: str | None = None,
        setting: Setting | None = None,
        split: str | None = None,
    ) -> Iterator[Predictions]:
        """What the fits of this study predicted for their test rows, read one by one, in the order of the tasks.

        Of one problem, method, setting or split, or of all. A `StoreError` says if `store` holds none.
        """
        wanted = {"problem": problem, "method": method, "setting": setting, "split": split}
        return find_predictions(self.name, (task.key for task in self.tasks()), store, wanted)


def run_studies(
    studies: Iterable[Study],
    store: Store,
    engine: Engine,
    progress: bool = True,
    limits: Limits | None = None,
    *,
    add_predictions: bool = False,
) -> Summary:
    """Run the unfinished tasks of several studies together, so that no process is idle at the end of each study.

    Processes that share a store share the work: none does what another is doing. A process with nothing left to do
    waits for the others, and takes over the tasks of one that dies.
    """
    studies = list(studies)
    forgetful = [study.name for study in studies if not study.keep_predictions]
    if check.one_of("add_predictions", add_predictions, (True, False)) and forgetful:
        raise ValueError(f"add_predictions=True needs keep_predictions=True, which {', '.join(forgetful)} lacks")
    tasks = {task.key: task for study in studies for task in study.tasks()}
    table_ids = {key.table_id for key in tasks}
    _warn_about_other_versions(store, table_ids)
    finished = store.finished(table_ids, limits or NO_LIMITS, with_predictions=add_predictions)
    pending = [batch for batch in make_batches(tasks.values()) if any(task.key not in finished for task in batch)]
    fit = fit_and_score if limits is None else FitWithin(limits)
    label = ", ".join(sorted({task.key.table_id for batch in pending for task in batch}))
    claim = partial(store.claim, limits=limits or NO_LIMITS, with_predictions=add_predictions)
    summary = Summary()
    with progress_bar(label, sum(map(len, pending)), progress) as advance:
        try:
            while pending:
                taken: list[list[Task]] = []
                store.release_dead()
                claimed = claim_batches(pending, taken, claim, advance)
                # after Ctrl-C, closing ends the workers at once
                with closing(engine(partial(_fit_item, fit), map(make_item, claimed))) as results:
                    for result in results:
                        records = _record_loss(result) if isinstance(result, Lost) else result
                        store.append(*records)
                        advance(len(records))
                        summary = sum(map(summarise, records), start=summary)
                if pending:  # the engine stopped asking, because its time is up
                    break
                pending = taken
                if pending:
                    time.sleep(_WAIT_SECONDS)
        finally:
            store.release()
    return summary


def claim_batches(
    pending: list[list[Task]],
    taken: list[list[Task]],
    claim: Callable[[Sequence[TaskKey]], Claim],
    advance: Callable[..., None],
) -> Iterator[list[Task]]:
    """Yield those batches of `pending` that this process is to fit, each claimed when an engine asks for it.

    Batches that another process has claimed move to `taken`; those that another process has finished count as
    progress. A batch leaves `pending` when the engine asks for the next one: what an engine gives back by not asking
    again is still there.
    """
    while pending:
        answer = claim([task.key for task in pending[0]])
        if answer is Claim.MINE:
            yield pending[0]
        elif answer is Claim.TAKEN:
            taken.append(pending[0])
        else:
            advance(len(pending[0]))
        del pending[0]


def _fit_item(fit: Callable[[Sequence[Task]], list[Record]], item: Item) -> list[Record]:
    return fit(read_item(item))


def _record_loss(lost: Lost) -> list[Record]:
    """What a fit raises is a record: this is about its worker."""
    return [record_failure(task, lost.error) for task in read_item(lost.item)]


def _warn_about_other_versions(store: Store, table_ids: Iterable[str]) -> None:
    """Warn if finished fits of these tables were made by another version of this library than this one."""
    ours = find_versions()["emphatic"]
    counts: Counter[str] = Counter()
    for versions, n_fits in store.versions(table_ids):
        counts[versions.get("emphatic", ours)] += n_fits
    others = ", ".join(f"{n_fits} by emphatic {version}" for version, n_fits in counts.items() if version != ours)
    if others:
        warn_user(
            f"{store.path} holds fits made by other versions: {others}; this is {ours}. They are kept and not "
            "repeated; choose another store to run everything with this version",
            MixedVersionsWarning,
        )
