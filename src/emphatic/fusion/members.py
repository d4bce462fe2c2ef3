"""One member of a fusion: how it is trained on its columns, and what it then supports."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone

from emphatic.base import output_of
from emphatic.boosting.training import takes_sample_weight, weighted_bootstrap
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import check_classifier, take_rows
from emphatic.randomness import child_generator, seed_clone
from emphatic.threads import one_thread


class Task(NamedTuple):
    """A classifier and all that it is trained on, once or for several folds."""

    name: str
    classifier: Any
    view: Any
    y: IntArray
    classes: np.ndarray
    counts: FloatArray
    """How many samples each row counts as."""
    entropy: int
    number: int

    def fitted(self, rows: IntArray, fold: int = 0) -> Any:
        """A clone trained on `rows`; `fold` gives each training its own random draws."""
        # one thread: several may differ in the last bit of a sum, and trainings side by side would hinder each other
        with one_thread():
            return self.trained(rows, fold)

    def trained(self, rows: IntArray, fold: int = 0) -> Any:
        """The same for callers that limit the threads themselves: once for many small trainings, as it takes time."""
        rng = child_generator(self.entropy, self.number, fold)
        ready = seed_clone(clone(self.classifier), rng)
        X, y, counts = take_rows(self.view, rows), self.y[rows], self.counts[rows]
        weights = {}
        if takes_sample_weight(ready) and (counts != 1).any():
            weights = {"sample_weight": counts}
        elif np.ptp(counts) > 0:
            drawn = weighted_bootstrap(y, counts / counts.sum(), rng)
            X, y = take_rows(X, drawn), y[drawn]
        with _named(self.name, ready):
            return ready.fit(X, self.classes[y], **weights)

    def foretold(self, fold: int, train: IntArray, test: IntArray) -> FloatArray:
        """What a clone trained on the rows `train` supports for the rows `test`."""
        return supports_of(self.name, self.fitted(train, fold), take_rows(self.view, test), self.classes)


def supports_of(name: str, fitted: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """(n, K) probabilities of a fitted classifier, or its votes; 0 for a class that it never saw."""
    with _named(name, fitted):
        if not hasattr(fitted, "predict_proba"):
            support = (1.0 + output_of(fitted, X, classes)) / 2.0
            return np.column_stack([1.0 - support, support]) if support.ndim == 1 else support
        # not by way of output_of: 2p - 1 has no room for small probabilities, which a product must not lose
        said = np.asarray(fitted.predict_proba(X), dtype=np.float64)
    supports = np.zeros((len(said), len(classes)))
    supports[:, np.searchsorted(classes, fitted.classes_)] = said
    return supports


def well_formed(members: Any) -> list[tuple[str, Any, Any]]:
    """Those of `members` that are (name, classifier, columns)."""
    given = members if isinstance(members, list | tuple) else ()
    triples = [tuple(one) for one in given if isinstance(one, list | tuple) and len(one) == 3]
    return [(name, one, columns) for name, one, columns in triples if isinstance(one, BaseEstimator)]


def checked(members: Any, taken: Collection[str]) -> list[tuple[str, Any, Any]]:
    """`members`, or the error that says what is wrong with them; `taken` are names that a member cannot have."""
    allowed = "a list of (name, classifier, columns)"
    if not isinstance(members, list | tuple) or not members:
        raise ValueError(f"members={members!r} is not allowed: members must be {allowed}, with at least 1 in it.")
    for one in members:
        if not isinstance(one, list | tuple) or len(one) != 3 or not isinstance(one[0], str):
            raise ValueError(f"members holds {one!r}: members must be {allowed}.")
        if "__" in one[0] or one[0] in taken:
            raise ValueError(f"members holds the name {one[0]!r}: it must not be a parameter's, nor have '__' in it.")
        check_classifier(f"member {one[0]!r}", one[1])
    names = [one[0] for one in members]
    if len(set(names)) < len(names):
        raise ValueError(f"members has the names {', '.join(names)}: each must be there only once.")
    return list(members)


@contextmanager
def _named(name: str, classifier: Any) -> Iterator[None]:
    """Errors of a member, such as of NaN that it cannot take, say whose they are."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"member {name!r} ({type(classifier).__name__}): {error}") from error
