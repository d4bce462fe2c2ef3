"""The vocabulary of a study: a method, a unit of work, the record of a finished fit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from emphatic.randomness import derive_seed
from emphatic.study.measure import score
from emphatic.study.protocol import ProblemLike, Split

Setting = Mapping[str, Any]


def table_transformer() -> Any:
    """The usual preparation of the inputs: nominal columns become one number, all columns are standardised."""
    from emphatic.tables import TableTransformer  # late: workers and the command line need not pay for it

    return TableTransformer(nominal="ordinal", scale="standard")


@dataclass(frozen=True)
class Method:
    """A name, how to build its estimator, and the settings to try.

    `build(setting, random_state)` returns an unfitted classifier; `transformer()` an unfitted transformer, or None
    for inputs as they are; `measure(estimator, X_test, y_test)` what is to be kept of a fitted classifier, by default
    its error, class accuracies and curve. They travel to other processes, so they must be module-level functions.
    `together` is the number of fits that are done in step (see `emphatic.boosting.together`): more than one is worth it
    for ensembles of networks.
    """

    name: str
    build: Callable[[Setting, int], Any]
    settings: Sequence[Setting] = ({},)
    transformer: Callable[[], Any] = table_transformer
    together: int = 1
    measure: Callable[[Any, Any, np.ndarray], dict[str, Any]] = score


class Work(NamedTuple):
    """One fit, by name: what a store knows it by, in the order of its columns.

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
    """A unit of work with all that a process needs to do it."""

    work: Work
    method: Method
    problem: ProblemLike
    split: Split


@dataclass(frozen=True)
class Record:
    """What came of a unit of work.

    `status` is "done" and `metrics` what was measured, or "failed", "timeout" or "memory" and `metrics` says why.
    Metrics are the same whenever the work is done again; times are not. `seconds` are of the clock and of all the
    work, the others of the processor, which counts no waiting for other processes: of the fit, and of predicting and
    measuring the test part. They are None where they were not taken. `exceeded` is the limit that a "timeout" (in
    seconds) or a "memory" (in megabytes) ran over.
    """

    work: Work
    status: str
    metrics: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    versions: dict[str, str] = field(default_factory=dict)
    fit_cpu_seconds: float | None = None
    predict_cpu_seconds: float | None = None
    exceeded: float | None = None


def canonical(setting: Setting) -> str:
    """One text for one setting, whatever the order of its keys.

    >>> canonical({"lam": 0.5, "fraction": 0.1})
    '{"fraction":0.1,"lam":0.5}'
    """
    return json.dumps(dict(setting), sort_keys=True, separators=(",", ":"))
