"""The members of a fusion: their check, their training on all rows or fold by fold, and what they support."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone

from emphatic.answers import name_errors, predict_probabilities
from emphatic.base import output_of
from emphatic.boosting.training import takes_sample_weight, weighted_bootstrap
from emphatic.check import FloatArray, IntArray
from emphatic.fusion.missing import find_missing, refuse_absent_classes
from emphatic.inputs import check_classifier, name_odd_column, take_rows
from emphatic.randomness import child_generator, seed_clone
from emphatic.threads import one_thread


class MemberTraining(NamedTuple):
    """One member to be trained: a classifier and its samples, of which it sees all or, fold by fold, some."""

    name: str
    classifier: Any
    view: Any
    y: IntArray
    classes: np.ndarray
    counts: FloatArray
    """How many samples each row counts as."""
    entropy: int
    number: int

    def fit(self, rows: IntArray, fold: int = 0) -> Any:
        """A clone trained on `rows`; `fold` gives each training its own random draws, 0 is for all rows.

        A classifier that refuses missing values is trained on the rows in which its view is not missing.
        """
        # one thread: several may differ in the last bit of a sum, and parallel trainings would slow each other down
        with one_thread():
            try:
                return self.fit_clone(rows, fold)
            except ValueError:
                kept = rows[~find_missing(take_rows(self.view, rows))]
                if len(kept) in (0, len(rows)):
                    raise
            if fold == 0:
                refuse_absent_classes(f"member {self.name!r}", self.classes[self.y[rows]], self.classes[self.y[kept]])
            return self.fit_clone(kept, fold)

    def fit_clone(self, rows: IntArray, fold: int = 0) -> Any:
        """`fit` for callers that have limited the threads, which takes time, once for many small trainings."""
        rng = child_generator(self.entropy, self.number, fold)
        classifier = seed_clone(clone(self.classifier), rng)
        X, y, counts = take_rows(self.view, rows), self.y[rows], self.counts[rows]
        weights = {}
        if takes_sample_weight(classifier) and (counts != 1).any():
            weights = {"sample_weight": counts}
        elif np.ptp(counts) > 0:
            bootstrap = weighted_bootstrap(y, counts / counts.sum(), rng)
            X, y = take_rows(X, bootstrap), y[bootstrap]
        with name_errors(self.name, classifier), name_odd_column(X):
            return classifier.fit(X, self.classes[y], **weights)

    def predict_fold(self, fold: int, train: IntArray, test: IntArray) -> FloatArray:
        """Supports for the rows `test` of a clone trained on the rows `train`."""
        return predict_supports(self.name, self.fit(train, fold), take_rows(self.view, test), self.classes)


def predict_supports(name: str, fitted: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """(n, K) probabilities of a fitted classifier, or its votes; 0 for a class that it never saw.

    Where a row has no value in X and the classifier refuses missing values, it knows nothing: all supports are 0.
    """
    try:
        return _ask(name, fitted, X, classes)
    except ValueError:
        missing = find_missing(X)
        if not missing.any():
            raise
    supports = np.zeros((len(missing), len(classes)))
    if not missing.all():
        supports[~missing] = _ask(name, fitted, take_rows(X, np.flatnonzero(~missing)), classes)
    return supports


def _ask(name: str, fitted: Any, X: Any, classes: np.ndarray) -> FloatArray:
    with name_errors(name, fitted):
        if not hasattr(fitted, "predict_proba"):
            support = (1.0 + output_of(fitted, X, classes)) / 2.0
            return np.column_stack([1.0 - support, support]) if support.ndim == 1 else support
        # not by way of output_of: 2p - 1 rounds away small probabilities, which a product must not lose
        probabilities = predict_probabilities(fitted, X)
    supports = np.zeros((len(probabilities), len(classes)))
    supports[:, np.searchsorted(classes, fitted.classes_)] = probabilities
    return supports


def select_valid_members(members: Any) -> list[tuple[str, Any, Any]]:
    """The (name, classifier, columns) among `members`, whose parameters can be read and set."""
    given = members if isinstance(members, list | tuple) else ()
    triples = [tuple(one) for one in given if isinstance(one, list | tuple) and len(one) == 3]
    return [(name, one, columns) for name, one, columns in triples if isinstance(one, BaseEstimator)]


def check_members(members: Any, reserved: Collection[str]) -> list[tuple[str, Any, Any]]:
    """Return `members`, or raise an error that says what is wrong; `reserved` are names that no member may have."""
    allowed = "a list of (name, classifier, columns)"
    if not isinstance(members, list | tuple) or not members:
        raise ValueError(f"members={members!r} is not allowed: members must be {allowed}, at least 1 of them.")
    for one in members:
        if not isinstance(one, list | tuple) or len(one) != 3 or not isinstance(one[0], str):
            raise ValueError(f"members holds {one!r}: members must be {allowed}.")
        if "__" in one[0] or one[0] in reserved:
            raise ValueError(
                f"members holds the name {one[0]!r}: it must not be the name of a parameter, nor contain '__'."
            )
        check_classifier(f"member {one[0]!r}", one[1])
    names = [one[0] for one in members]
    if len(set(names)) < len(names):
        raise ValueError(f"members has the names {', '.join(names)}: each name must be unique.")
    return list(members)
