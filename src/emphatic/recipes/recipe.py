"""How to build a classifier of raw tables, and what has to be known to choose one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any, Literal

import numpy as np
from sklearn.pipeline import Pipeline

from emphatic.recipes.preparation import Numbers


@dataclass(frozen=True)
class Recipe:
    """A classifier by name.

    `place` is its class, as "module:name", which is imported when it is built; `parameters` are those that are not at
    their defaults. `prepare()` makes the transformer of raw tables in front of it, None if it needs none; `adapt` wraps
    a model that does not follow the conventions of scikit-learn. `two_classes` says that it knows no more than two,
    `slow` that its time or memory grows faster than the rows, or that ten thousand of them take minutes.
    """

    name: str
    family: Literal["ours", "peer"]
    place: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    prepare: Callable[..., Any] | None = Numbers
    adapt: Callable[[Any], Any] | None = None
    seed: str = "random_state"
    two_classes: bool = False
    slow: bool = False

    def build(self, setting: Mapping[str, Any], random_state: int) -> Any:
        """Build an unfitted classifier; what `setting` names is changed from the defaults of the recipe."""
        # Deep copies: a setting may reach into an estimator or emphasis among the parameters.
        model = resolve_name(self.place)(**deepcopy(dict(self.parameters)), **{self.seed: random_state})
        model.set_params(**setting)
        model = model if self.adapt is None else self.adapt(model)
        return model if self.prepare is None else Pipeline([("table", self.prepare()), ("model", model)])

    def with_columns(self, columns: Mapping[str, Any]) -> Recipe:
        """The recipe with a say about what columns become (see `emphatic.tables.decide_columns`)."""
        if self.prepare is None:
            return replace(self, parameters={**self.parameters, "columns": dict(columns)})
        return replace(self, prepare=partial(self.prepare, columns=dict(columns)))

    @property
    def package(self) -> str:
        """The package that has to be installed."""
        return self.place.partition(":")[0].partition(".")[0]

    @property
    def is_installed(self) -> bool:
        """Whether its package is there."""
        return find_spec(self.package) is not None

    def supports(self, n_classes: int) -> bool:
        """Whether it can tell so many classes apart."""
        return n_classes == 2 or not self.two_classes


def sample_rows(y: np.ndarray, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """Draw about `n_rows` row numbers in rising order: each class in proportion, at least one row per class.

    >>> sample_rows(np.array([0] * 90 + [1] * 9 + [2]), 10, np.random.default_rng(0)).shape
    (11,)
    """
    share = min(1.0, n_rows / len(y))
    by_class = [np.flatnonzero(y == label) for label in np.unique(y)]
    return np.sort(np.concatenate([rng.permutation(rows)[: max(1, round(share * len(rows)))] for rows in by_class]))
