"""Large tables as problems of a study, and contenders as its methods."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import emphatic
from benchmarks.large_tables import load_table
from benchmarks.peers_methods import OrFrequencies, as_it_is
from benchmarks.peers_results import OURS
from emphatic.comparison.contenders import list_contenders
from emphatic.comparison.measures import measure
from emphatic.study.problem import OwnProblem
from emphatic.study.protocol import ProblemLike, Split
from emphatic.study.tasks import Method, Setting


class Cell(NamedTuple):
    """A table at a size."""

    table: str
    n_train: int

    @property
    def name(self) -> str:
        return f"{self.table}, {self.n_train:,}"


@lru_cache(maxsize=2)
def read_problem(cell: Cell, seed: int) -> OwnProblem:
    """Training rows, then test rows."""
    parted = load_table(cell.table, cell.n_train, seed)
    X = pd.concat([parted.X_train, parted.X_test], ignore_index=True)
    y = np.concatenate([parted.y_train, parted.y_test])
    train, test = np.split(np.arange(len(y)), [cell.n_train])
    return OwnProblem(cell.name, X, y, train, test)


@dataclass(frozen=True)
class TablePartition:
    """The partition that `load_table` draws with a seed: `read_problem` has made it."""

    seed: int

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        yield Split(f"partition-{self.seed}", self.seed, problem.train, problem.test)


@cache
def hash_code() -> str:
    """Eight digits that change with the code of the package: they tell results of ours apart."""
    digest = hashlib.sha256()
    for file in sorted(Path(emphatic.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


def at_defaults(name: str) -> Method:
    """A contender; the setting of ours is its code."""
    setting = {"code": hash_code()} if name == OURS else {}
    return Method(name, partial(_build, name), [setting], as_it_is, measure=_measure)


def _build(name: str, setting: Setting, random_state: int) -> OrFrequencies:
    return OrFrequencies(list_contenders()[name].build({}, random_state))


def _measure(estimator: OrFrequencies, X: Any, y: Any) -> dict[str, Any]:
    refusal = {"refusal": estimator.refusal_} if estimator.refusal_ else {}
    return {**measure(estimator, X, y), **refusal}
