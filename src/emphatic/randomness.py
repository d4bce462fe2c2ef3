"""Everything random starts here: generators, their children, seeds of clones, and seeds made from names."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from emphatic import check
from emphatic.check import FloatArray


def as_generator(random_state: Any) -> np.random.Generator:
    """A generator from None, an integer, or a NumPy generator (of the new or the old kind)."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(check.integer("random_state", random_state, at_least=0))


def draw_entropy(rng: np.random.Generator) -> int:
    """The entropy from which `child_generator` makes any number of independent generators."""
    return int(rng.integers(2**63))


def child_generator(entropy: int, *key: int) -> np.random.Generator:
    """The generator number `key`: the same whatever else is drawn, and in whichever order.

    >>> child_generator(7, 0, 1).random() == child_generator(7, 0, 1).random()
    True
    >>> child_generator(7, 0, 1).random() == child_generator(7, 1, 0).random()
    False
    """
    return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=key))


class RowNoise:
    """Exponential noise for every row of a table: that of a row depends on its number, not on who asks for it.

    Up to 65,536 rows draw from `rng` itself. Of more rows, every block of so many draws from a child of its own: the
    noise of any rows can be drawn without that of the others, and only a seed is sent around.

    >>> noise = RowNoise(np.random.default_rng(0), 200_000)
    >>> bool((noise.between(0, 200_000)[150_000:] == noise.between(150_000, 200_000)).all())
    True
    """

    BLOCK = 2**16

    def __init__(self, rng: np.random.Generator, n: int) -> None:
        self._all = rng.standard_exponential(n) if n <= self.BLOCK else None
        self._entropy = draw_entropy(rng) if n > self.BLOCK else 0

    def between(self, start: int, stop: int) -> FloatArray:
        """The noise of the rows from `start` up to, but not including, `stop`."""
        numbers = range(start // self.BLOCK, -(-stop // self.BLOCK))
        blocks = [self._block(number) for number in numbers]
        joined = blocks[0] if len(blocks) == 1 else np.concatenate([np.empty(0), *blocks])
        begin = start - numbers.start * self.BLOCK
        return joined[begin : begin + stop - start]

    def _block(self, number: int) -> FloatArray:
        if self._all is not None:
            return self._all
        return child_generator(self._entropy, number).standard_exponential(self.BLOCK)


def unset_seeds(estimator: Any) -> list[str]:
    """Names of the parameters `random_state`, nested ones included, that the user left open."""
    parameters = estimator.get_params().items()
    return [name for name, value in parameters if name.rpartition("__")[2] == "random_state" and value is None]


def seed_clone(clone: Any, rng: np.random.Generator) -> Any:
    """Set a drawn seed wherever `random_state` was left open; one that the user set stays.

    An estimator with a `random_state` of its own seeds what is nested in it, so these are left open.

    >>> from sklearn.ensemble import BaggingClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seed_clone(DecisionTreeClassifier(random_state=3), np.random.default_rng(0)).random_state
    3
    >>> seed_clone(BaggingClassifier(DecisionTreeClassifier()), np.random.default_rng(0)).estimator.random_state is None
    True
    """
    parameters = clone.get_params()
    seeds = {name: int(rng.integers(2**31)) for name in unset_seeds(clone)}
    return clone.set_params(**{name: seed for name, seed in seeds.items() if not _has_seeded_parent(name, parameters)})


def _has_seeded_parent(name: str, parameters: Mapping[str, Any]) -> bool:
    """Whether an estimator around the one whose parameter `name` is has a `random_state` itself."""
    *path, _ = name.split("__")
    return any("__".join([*path[:depth], "random_state"]) in parameters for depth in range(len(path)))


def derive_seed(*parts: str | int | None) -> int:
    """A 32-bit seed for the thing named by `parts`, whenever, wherever and in whichever order it is run.

    The name is hashed by SHA-256 and the digest is the entropy of a `numpy.random.SeedSequence`: the same on every
    platform and in every process, which Python's own salted `hash` is not.

    >>> derive_seed("ripley", "predefined", 0, None) == derive_seed("ripley", "predefined", 0, None)
    True
    >>> derive_seed("ripley", "predefined", 0) == derive_seed("ripley", "predefined", 1)
    False
    """
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4")  # byte order fixed, or platforms would disagree
    return int(np.random.SeedSequence([int(word) for word in words]).generate_state(1, np.uint32)[0])
