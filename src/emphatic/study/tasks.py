"""The vocabulary of a study: a method, a task and its key, the record of a finished task."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast

import numpy as np

from emphatic.engines.contract import Item
from emphatic.randomness import derive_seed
from emphatic.study.packed import Packed
from emphatic.study.protocol import ProblemLike, Split

Setting = Mapping[str, Any]


def table_transformer() -> Any:
    """The default preparation of the inputs: categories become numbers, all columns are standardised."""
    from emphatic.tables import TableTransformer  # late: workers and the command line need not pay for it

    return TableTransformer(nominal="ordinal", scale="standard")


@dataclass(frozen=True)
class Method:
    """A name, how to build its estimator, and the settings to try.

    `build(setting, random_state)` returns an unfitted classifier; `transformer()` an unfitted transformer, or None
    to leave the inputs as they are; `measure(estimator, X_test, y_test)` what to keep of a fitted classifier, by
    default `emphatic.study.fit.score`: its error, class accuracies and curve. They travel to other processes, so they
    must be module-level functions. `together` is the number of fits that are done in step (see
    `emphatic.boosting.together`): more than one is worth it for ensembles of networks.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> def nearest(setting, random_state):
    ...     return KNeighborsClassifier(setting["k"])
    >>> Method("nearest", nearest, [{"k": 1}, {"k": 5}]).name
    'nearest'
    """

    name: str
    build: Callable[[Setting, int], Any]
    settings: Sequence[Setting] = ({},)
    transformer: Callable[[], Any] = table_transformer
    together: int = 1
    measure: Callable[[Any, Any, np.ndarray], dict[str, Any]] | None = None


class TaskKey(NamedTuple):
    """What identifies a task in a store, in the order of its columns.

    `setting` is canonical JSON; `fold` is empty outside cross-validation.
    """

    table_id: str
    problem: str
    method: str
    setting: str
    split: str
    seed: int
    fold: str = ""

    @property
    def random_state(self) -> int:
        """The seed of the fit. It ignores the setting: all candidates are compared on common random numbers."""
        return derive_seed(self.problem, self.split, self.seed, self.fold)


@dataclass(frozen=True)
class Task:
    """One unit of a study, one fit: its key, and all that a process needs to do it."""

    key: TaskKey
    method: Method
    problem: ProblemLike
    split: Split
    keep_predictions: bool = False


@dataclass(frozen=True)
class Record:
    """The outcome of a task.

    `status` is "done", and `metrics` holds what was measured; or it is "failed", "timeout" or "memory", and `metrics`
    says why. Metrics are the same whenever the task is repeated; times are not. `seconds` is wall-clock time of the
    whole task. The other two are processor time, which does not count waiting for other processes: of the fit, and of
    predicting and measuring the test rows; None where they were not taken. `exceeded` is the limit that a "timeout"
    (in seconds) or a "memory" (in megabytes) exceeded. `predictions` are on their way into a store: records that are
    read from one come without them.
    """

    key: TaskKey
    status: str
    metrics: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    versions: dict[str, str] = field(default_factory=dict)
    fit_cpu_seconds: float | None = None
    predict_cpu_seconds: float | None = None
    exceeded: float | None = None
    predictions: Packed | None = field(default=None, repr=False)


def canonical(setting: Setting) -> str:
    """One text for one setting, whatever the order of its keys.

    >>> canonical({"lam": 0.5, "fraction": 0.1})
    '{"fraction":0.1,"lam":0.5}'
    """
    return json.dumps(dict(setting), sort_keys=True, separators=(",", ":"))


def make_batches(tasks: Iterable[Task]) -> list[list[Task]]:
    """The tasks in batches that are fitted in step, and kept all at once: as many as their method says.

    They are made of all tasks, finished or not, so that an interrupted study makes the same batches again: a network
    that is fitted in step with others may differ in the last digit.
    """
    groups: dict[tuple[str, str, str], list[Task]] = {}
    for task in tasks:
        groups.setdefault((task.key.table_id, task.key.problem, task.key.method), []).append(task)
    return [
        group[start : start + group[0].method.together]
        for group in groups.values()
        for start in range(0, len(group), group[0].method.together)
    ]


def make_item(tasks: Sequence[Task]) -> Item:
    """A batch as an item of an engine: the problems, which tasks share, apart from the rest."""
    return Item([replace(task, problem=cast(Any, None)) for task in tasks], tuple(task.problem for task in tasks))


def read_item(item: Item) -> list[Task]:
    """The batch again."""
    return [replace(task, problem=problem) for task, problem in zip(item.own, item.shared, strict=True)]
