"""Members of a fusion on a table in partitions: which can be fitted there, and the rows by which they are judged."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from emphatic.answers import name_errors
from emphatic.base import Learner
from emphatic.boosting.training import takes_sample_weight
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.partitions import Parts, RowSample, align
from emphatic.randomness import seed_clone
from emphatic.tables import TableTransformer


def fit_member(name: str, classifier: Any, view: Any, y: Any, sample_weight: Any, rng: np.random.Generator) -> Any:
    """A clone that is fitted to its columns of a collection, with the draws that it has in memory."""
    member = seed_clone(clone(classifier), rng)
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    if weights and not takes_sample_weight(member):
        raise TypeError(
            f"member {name!r}: {type(member).__name__} does not accept sample_weight, and a weighted bootstrap, on "
            "which it is trained in memory, would gather the rows: leave out sample_weight, or the member."
        )
    with name_errors(name, member):
        return member.fit(view, y, **weights)


def refuse_in_memory(name: str, classifier: Any) -> None:
    """Refuse a member that is not ours, and would gather the rows; ours refuse by themselves what they cannot do."""
    *preparing, last = [step for _, step in classifier.steps] if isinstance(classifier, Pipeline) else [classifier]
    strange = [one for one in preparing if not isinstance(one, TableTransformer)]
    if not isinstance(last, Learner):
        strange.append(last)
    if strange:
        raise TypeError(
            f"member {name!r}: {type(strange[0]).__name__} cannot be fitted to a Dask collection: it needs all rows at "
            "once. Members of a fusion of collections are classifiers of emphatic that can be fitted to them, such as "
            "RBFNetworkClassifier, alone or in a pipeline after TableTransformer."
        )


class Sample(NamedTuple):
    """Some rows in memory, or all of a small table: on them it is cross-validated how far members are trusted."""

    X: Any
    y: IntArray
    """Codes."""
    counts: FloatArray
    present: IntArray
    """Rows of positive weight, of classes that have several of them."""


def gather_sample(X: Any, y: Any, sample_weight: Any, classes: np.ndarray, rng: np.random.Generator) -> Sample:
    """Draw a sample of the rows of a collection; `classes` are those of all rows."""
    parts = Parts(X)
    n = len(parts)
    rows, numbers = parts.gather(RowSample(rng, n))
    beside = [align("y", y, parts.sizes)]
    if sample_weight is not None:
        beside.append(align("sample_weight", sample_weight, parts.sizes))
    labels, *weights = evaluate(*(values[numbers] for values in beside))
    codes = np.searchsorted(classes, labels)
    counts = np.asarray(weights[0], dtype=np.float64) if weights else np.ones(len(codes))
    present = np.flatnonzero(counts)
    if len(codes) < n:  # a rare class may have one row in the sample, which no fold could learn and test
        present = present[np.bincount(codes[present])[codes[present]] > 1]
    return Sample(rows, codes, counts, present)


def make_empty_table(X: Any) -> Any:
    """A table without rows that has the columns of a collection, for functions that choose among them."""
    if not hasattr(X, "columns"):
        return np.empty((0, X.shape[1]), dtype=X.dtype)
    import pandas

    return pandas.DataFrame({name: pandas.Series(dtype=dtype) for name, dtype in X.dtypes.items()})
