"""`load`: from a name to a problem."""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic.datasets.catalogue import entry_of, rule_of
from emphatic.datasets.papers import binary_labels, check_published_counts, published_sizes
from emphatic.datasets.problem import Problem
from emphatic.datasets.sources import rows_of, slices_of
from emphatic.tables import TableTransformer


def load(name: str, paper: str | None = None, *, numeric: bool = False, random_state: Any = 0) -> Problem:
    """Load a data set, as it is or as a paper uses it.

    Parameters
    ----------
    name : str
        One of `names()`.
    paper : {"000", "001", "002"}, optional
        Make the labels +1 and -1, and take the split or the sizes, as this paper does; the counts are compared with the
        printed ones. Where a paper does not say which class is C1 (ripley, crabs), +1 is the last class in sorted
        order. The row of ionosphere in 000 is misprinted, so it takes the split of 001.
    numeric : bool, default=False
        Give X as a standardised float64 array without missing cells, made by `TableTransformer` and fitted on the
        training rows if there is a predefined split, else on all rows. (To draw partitions of a problem without a split
        cleanly, leave this False and fit a `TableTransformer` on each training part.) Nominal columns are coded as one
        column each under 000 and 001, which count them as one input, and as indicators otherwise.
    random_state : int, numpy.random.Generator or None, default=0
        For generated sets (ripley_mixture, waveform, five_gaussians_not_kwok); others do not depend on it.

    Returns
    -------
    Problem
        With arrays of its own: changing them changes no later `load`.

    Examples
    --------
    >>> from emphatic.datasets import load
    >>> problem = load("ionosphere", paper="001")
    >>> problem.X[problem.train].shape, problem.X[problem.test].shape, problem.positive
    ((201, 34), (150, 34), ('g',))
    >>> load("abalone", paper="000", numeric=True).X.shape
    (4177, 8)
    """
    entry = entry_of(name)
    rule = None if paper is None else rule_of(name, paper)
    X, y, feature_names, parts = rows_of(name, entry, paper, random_state)
    note, positive, sizes = entry["note"], None, None
    if rule is not None:
        positive = tuple(np.unique(y[np.isin(y.astype(str), rule["positive"])]).tolist())
        y = binary_labels(y, rule["positive"])
        check_published_counts(name, y, parts, rule)
        note = f"{note} Paper {paper}: {rule['note']}.".strip()
        sizes = published_sizes(rule) if rule["split"] == "random" else None
        parts = parts if rule["split"] == "predefined" else None
    train, test = (None, None) if parts is None else (np.flatnonzero(parts == part) for part in ("train", "test"))
    nominal = entry.get("nominal", [])
    if numeric:
        transformer = TableTransformer(nominal="ordinal" if paper in ("000", "001") else "one_hot")
        transformer.fit(X if train is None else _take(X, train))
        X, nominal = transformer.transform(X), []
        feature_names = transformer.get_feature_names_out(feature_names).tolist()
    return Problem(
        name=name,
        X=X,
        y=y,
        feature_names=tuple(map(str, feature_names)),
        feature_types=tuple("nominal" if feature in nominal else "numeric" for feature in feature_names),
        licence=entry["licence"],
        citation=entry["citation"],
        note=note,
        train=train,
        test=test,
        paper=paper,
        positive=positive,
        sizes=sizes,
        stand_in=entry.get("stand_in", False),
        views=slices_of(entry["views"]) if "views" in entry else None,
    )


def _take(X: Any, rows: np.ndarray) -> Any:
    return X[rows] if isinstance(X, np.ndarray) else X.iloc[rows]
