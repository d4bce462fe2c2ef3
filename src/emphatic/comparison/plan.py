"""What a comparison fits: contenders, each with the study of its fits on one table of the user's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from emphatic.comparison.contenders import list_contenders
from emphatic.comparison.measures import measure
from emphatic.names import UnknownName, unknown
from emphatic.randomness import derive_seed
from emphatic.recipes import Recipe, sample_rows
from emphatic.study.problem import OwnProblem
from emphatic.study.protocol import ProblemLike, RepeatedKFold, Split, SplitProtocol
from emphatic.study.runner import Study
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


def plan_fits(
    recipes: Sequence[Recipe], problem: OwnProblem, n_folds: int, n_repeats: int, max_rows: int
) -> list[Contender]:
    """Give each recipe its study; those that are slow on many rows train on at most `max_rows`."""
    outer = RepeatedKFold(n_folds, n_repeats)
    n_train = len(problem.y) * (n_folds - 1) // n_folds
    contenders = []
    for recipe in recipes:
        capped = recipe.slow and n_train > max_rows
        # The cap is part of the name by which the store knows the fits.
        name = f"{recipe.name}, at most {max_rows} rows" if capped else recipe.name
        method = Method(name, recipe.build, transformer=leave_as_is, measure=measure)
        study = Study(TABLE_ID, [method], [problem], Capped(outer, max_rows) if capped else outer)
        contenders.append(Contender(recipe, study, f"trained on {max_rows} of {n_train} rows" if capped else ""))
    return contenders


def leave_as_is() -> None:
    """No preparation: contenders take the raw table."""


def name_problem(
    path: Path, target: str, X: pd.DataFrame, y: Any, seed: int = 0, columns: Mapping[str, Any] | None = None
) -> OwnProblem:
    """Make a problem of the user's table, named after its file, its target, its content, its columns and the seed.

    A store knows fits by the names of their problems: another table in the same file is another problem.
    """
    from pandas.util import hash_pandas_object

    digest = hashlib.sha256(hash_pandas_object(X.assign(**{f"label {target}": y}), index=False).to_numpy().tobytes())
    digest.update("\0".join(map(str, X.columns)).encode())
    digest.update("\0".join(f"{name}={kind}" for name, kind in (columns or {}).items()).encode())
    return OwnProblem(f"{path.stem}, {target}, {digest.hexdigest()[:12]}, seed {seed}", X, y)


def check_folds(y: Any, n_folds: int) -> None:
    """Every class needs a row in every fold, or some folds could not be measured."""
    classes, counts = np.unique(y, return_counts=True)
    smallest, count = classes[counts.argmin()], int(counts.min())
    if count < 2:
        raise ValueError(
            f"class {smallest} has a single row, which cannot be used for both training and testing: leave it out or "
            "merge it with another class"
        )
    if count < n_folds:
        raise ValueError(f"class {smallest} has {count} rows, fewer than the {n_folds} folds: use --folds {count}")
