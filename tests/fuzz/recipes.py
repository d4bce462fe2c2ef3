"""From a recipe, which is plain JSON, to the value that is passed in a fuzzed call.

A recipe is a number, a text, true, false, null or a list of recipes, which mean themselves, or an object with one key
that begins with `$`, which names a maker of this file: `{"$float": "nan"}`, `{"$table": {"rows": 20, "as": "polars"}}`.
So a failing call can be printed in a few lines, kept in the corpus, and made again.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from tests.fuzz import tables
from tests.fuzz.classes import CLASSES

MAKERS: dict[str, Callable[[Any], Any]] = {
    "$array": lambda one: np.array(build(one["values"]), dtype=one.get("dtype")),
    "$bytes": lambda text: text.encode("latin-1"),
    "$class": lambda name: CLASSES[name],
    "$complex": lambda parts: complex(*parts),
    "$decimal": Decimal,
    "$dict": lambda items: {key: build(value) for key, value in items.items()},
    "$fitted": lambda _: CLASSES["RBFNetworkClassifier"]().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]),
    "$float": float,
    "$fraction": Fraction,
    "$function": lambda _: len,
    "$generator": np.random.default_rng,
    "$iterator": lambda values: iter(build(values)),
    "$labels": lambda one: tables.make_labels(**one),
    "$make": lambda one: CLASSES[one[0]](**{name: build(value) for name, value in one[1].items()}),
    "$matrix": lambda one: tables.make_matrix(**one),
    "$numpy": lambda one: np.dtype(one[0]).type(one[1]),
    "$object": lambda _: object(),
    "$random_state": np.random.RandomState,
    "$range": range,
    "$set": lambda values: set(build(values)),
    "$slice": lambda ends: slice(*ends),
    "$table": lambda one: tables.make_table(**one),
    "$tuple": lambda values: tuple(build(values)),
    "$weights": lambda one: tables.make_weights(**one),
}


def build(recipe: Any) -> Any:
    """The value of a recipe, a new one at each call."""
    if isinstance(recipe, list):
        return [build(one) for one in recipe]
    if isinstance(recipe, dict):
        ((maker, what),) = recipe.items()
        return MAKERS[maker](what)
    return recipe
