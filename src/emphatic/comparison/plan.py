"""What a comparison fits: contenders, each with the study of its fits on one table of the user's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from emphatic.comparison.contenders import list_contenders
from emphatic.comparison.measures import find_positive, measure
from emphatic.names import UnknownName, unknown
from emphatic.randomness import derive_seed
from emphatic.recipes import Recipe, sample_rows
from emphatic.study.findings.collecting import Entry, collect_outcome, measure_share
from emphatic.study.findings.outcome import Outcome
from emphatic.study.problem import OwnProblem
from emphatic.study.protocol import ProblemLike, Split, SplitProtocol
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.tasks import Method

if TYPE_CHECKING:
    import pandas as pd

TABLE_ID = "compare"


@dataclass(frozen=True)
class Capped:
    """The splits of `outer` with at most `n_rows` training rows, each class in proportion; all test rows."""

    outer: SplitProtocol
    n_rows: int

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        y = np.asarray(problem.y)
        for split in self.outer.splits(problem):
            rng = np.random.default_rng(derive_seed(problem.name, split.id, "at most", self.n_rows))
            rows = sample_rows(y[split.train], self.n_rows, rng)
            yield Split(split.id, split.seed, split.train[rows], split.test, split.fold)


@dataclass(frozen=True)
class Contender:
    """A recipe with the study of its fits; `note` says what is particular about them."""

    recipe: Recipe
    study: Study
    note: str = ""

    @property
    def name(self) -> str:
        return self.recipe.name

    @property
    def entry(self) -> Entry:
        return Entry(self.name, [task.key for task in self.study.tasks()], self.recipe.family, self.note)


def choose_recipes(names: Sequence[str], n_classes: int) -> tuple[list[Recipe], list[str]]:
    """Choose by name, in any case (without names: all that are installed); and a remark for each one left out."""
    known = {name.lower(): recipe for name, recipe in list_contenders().items()}
    for name in names:
        if name.lower() not in known:
            raise unknown("method", name, list_contenders())
        if not known[name.lower()].is_installed:
            recipe = known[name.lower()]
            raise UnknownName(f"{recipe.name} needs the package {recipe.package}, which is not installed")
    chosen = [known[name.lower()] for name in dict.fromkeys(names)]
    chosen = chosen or [recipe for recipe in known.values() if recipe.is_installed]
    able = [recipe for recipe in chosen if recipe.supports(n_classes)]
    if not able:
        raise UnknownName(f"none of these methods supports {n_classes} classes")
    return able, [f"{one.name} is left out: it supports two classes only" for one in chosen if one not in able]


def plan_fits(recipes: Sequence[Recipe], problem: OwnProblem, outer: SplitProtocol, max_rows: int) -> list[Contender]:
    """Give each recipe its study; those that are slow on many rows train on at most `max_rows`."""
    n_train = max(len(split.train) for split in outer.splits(problem))
    positive = find_positive(problem.y)
    contenders = []
    for recipe in recipes:
        capped = recipe.slow and n_train > max_rows
        # The cap is part of the name by which the store knows the fits.
        name = f"{recipe.name}, at most {max_rows} rows" if capped else recipe.name
        method = Method(name, recipe.build, transformer=leave_as_is, measure=partial(measure, positive=positive))
        study = Study(TABLE_ID, [method], [problem], Capped(outer, max_rows) if capped else outer)
        contenders.append(Contender(recipe, study, f"trained on {max_rows} of {n_train} rows" if capped else ""))
    return contenders


def collect_contenders(contenders: Sequence[Contender], store: Store) -> Outcome:
    """Collect all that the store holds of a comparison."""
    # The largest training parts: those of a method that trains on few rows overlap less.
    share = min(measure_share(one.study.tasks()) for one in contenders)
    return collect_outcome([one.entry for one in contenders], store, share)


def leave_as_is() -> None:
    """No preparation: contenders take the raw table."""


def name_problem(
    path: Path,
    target: str,
    X: pd.DataFrame,
    y: Any,
    seed: int = 0,
    columns: Mapping[str, Any] | None = None,
    groups: Any = None,
    order: Any = None,
) -> OwnProblem:
    """Make a problem of the user's table, named after its file, its target, its content, its columns and the seed.

    A store knows fits by the names of their problems: another table in the same file is another problem, and so is the
    same one with other groups or another order.
    """
    from pandas import Series
    from pandas.util import hash_pandas_object

    digest = hashlib.sha256(hash_pandas_object(X.assign(**{f"label {target}": y}), index=False).to_numpy().tobytes())
    digest.update("\0".join(map(str, X.columns)).encode())
    digest.update("\0".join(f"{name}={kind}" for name, kind in (columns or {}).items()).encode())
    for name, values in (("groups", groups), ("order", order)):
        if values is not None:
            digest.update(name.encode() + hash_pandas_object(Series(values), index=False).to_numpy().tobytes())
    name = f"{path.stem}, {target}, {digest.hexdigest()[:12]}, seed {seed}"
    return OwnProblem(name, X, y, groups=groups, order=order)
