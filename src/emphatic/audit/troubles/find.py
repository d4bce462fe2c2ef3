"""`find_troubles`: what else may be wrong with a labelled table."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.audit.troubles.columns import find_leaks, find_left_out, find_missing
from emphatic.audit.troubles.confusions import find_confusions
from emphatic.audit.troubles.copies import score_copies
from emphatic.audit.troubles.disagreement import find_disagreement
from emphatic.audit.troubles.drift import find_drift
from emphatic.audit.troubles.duplicates import find_duplicates
from emphatic.audit.troubles.evidence import Evidence, read_evidence
from emphatic.audit.troubles.finding import KINDS, Finding
from emphatic.audit.troubles.imbalance import find_rare_classes
from emphatic.audit.troubles.influence import find_influential
from emphatic.audit.troubles.outliers import find_class_outliers, find_outliers, score_outliers
from emphatic.audit.troubles.result import Troubles
from emphatic.audit.troubles.sides import read_names, read_side, read_times
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import encode_labels, refuse_deferred, rows_as_objects
from emphatic.randomness import as_generator, draw_entropy
from emphatic.threads import one_thread

SEARCHES = (
    find_duplicates,
    find_outliers,
    find_class_outliers,
    find_confusions,
    find_leaks,
    find_left_out,
    find_missing,
    find_rare_classes,
    find_influential,
)
"""Those that need nothing but the table and its labels."""


def find_troubles(
    X: Any,
    y: ArrayLike,
    *,
    groups: ArrayLike | str | None = None,
    annotators: ArrayLike | str | None = None,
    time: ArrayLike | str | None = None,
    probabilities: ArrayLike | None = None,
    columns: Mapping[str, Any] | None = None,
    random_state: Any = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Troubles:
    """Look for duplicates, outliers, confused classes, leaks, drift, disagreeing groups and rows that weigh too much.

    Each finding has a kind, the rows or columns concerned, a score from 0 to 1 and an explanation. `KINDS` says what
    each kind means, and the searches (`emphatic.audit.troubles`) how it is measured.

    Parameters
    ----------
    X : table (n, features)
        pandas or polars DataFrame, array or list of rows, with numbers, categories, dates, text and missing values.
    y : array (n,)
        Labels of at least two classes, none missing.
    groups : array (n,) or str, default=None
        To which group each row belongs (a clinic, a device, a batch), or the name of the column of X that says so,
        which then is not used otherwise. At least two groups, none missing.
    annotators : array (n,) or str, default=None
        Who labelled each row, likewise.
    time : array (n,) or str, default=None
        When each row was recorded, as numbers or dates, or the name of the column that says so; none missing. Without
        it, drift is looked for along the order of the rows.
    probabilities : array (n, K), default=None
        Of each class in sorted order, by models that were not trained on the row: `AuditResult.probabilities`.
        Without them a kernel ridge classifier that leaves out each row tells which classes are confused.
    columns : dict, default=None
        What to make of columns, by name, as in `audit_labels`.
    random_state : int, generator or None, default=0
        Draws the rows that are looked at in large tables: neighbours are looked for among 10,000 rows, and the kernel
        ridge classifier has at most 1,000 units. Smaller tables leave nothing to chance.
    progress : callable, default=None
        Called after each search with the number of finished ones and the number of all.

    Returns
    -------
    Troubles

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.audit import find_troubles
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> X.loc[7, "petal width (cm)"] = 20.0
    >>> found = find_troubles(X, y)
    >>> found.of("outliers")[0].rows, found.of("outliers")[0].columns
    ((7,), ('petal width (cm)',))
    >>> print(found.of("exact duplicates")[0].explanation)
    Rows 101 and 142 are equal.
    """
    for values in (X, y):
        refuse_deferred("find_troubles", values)
    X = rows_as_objects(X)
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if len(shape) != 2:
        raise ValueError(f"X must be a table of rows and columns; got {type(X).__name__} of shape {shape}.")
    labels = np.asarray(column_or_1d(y, warn=True))
    classes, codes = encode_labels(labels)
    n_rows = shape[0]
    if n_rows != len(codes):
        raise ValueError(f"X has {n_rows} rows but y has {len(codes)} labels: the numbers must be equal.")
    sides = {"groups": groups, "annotators": annotators}
    wishes = {**(columns or {}), **{name: "ignore" for name in sides.values() if isinstance(name, str)}}
    given = None if probabilities is None else _check_probabilities(probabilities, len(codes), len(classes))
    entropy = draw_entropy(as_generator(random_state))
    with one_thread():
        evidence = read_evidence(X, labels, codes, classes, wishes or None, entropy, given)
        searches: list[Callable[[Evidence], list[Finding]]] = list(SEARCHES)
        searches.append(partial(find_drift, time=None if time is None else read_times(evidence, time)))
        for name, values in sides.items():
            if values is not None:
                numbers, names = read_names(name, read_side(evidence, values), len(codes))
                searches.append(partial(find_disagreement, groups=numbers, names=names, kind=f"disagreeing {name}"))
        found = []
        for done, search in enumerate(searches, start=1):
            found += search(evidence)
            if progress is not None:
                progress(done, len(searches))
        scores = _score_rows(evidence, found)
    order = list(KINDS)
    return Troubles(sorted(found, key=lambda one: (order.index(one.kind), -one.score)), evidence.index, scores)


def _score_rows(evidence: Evidence, found: list[Finding]) -> dict[str, FloatArray]:
    scores = {"near duplicates": score_copies(evidence), "outliers": score_outliers(evidence)}
    graded = tuple(scores)
    for one in found:
        if one.rows and one.kind not in graded:
            best = scores.setdefault(one.kind, np.zeros(evidence.n_rows))
            rows: IntArray = np.array(one.rows)
            best[rows] = np.maximum(best[rows], one.score)
    return scores


def _check_probabilities(probabilities: ArrayLike, n_rows: int, n_classes: int) -> FloatArray:
    values = check.numbers("probabilities", probabilities)
    if values.shape != (n_rows, n_classes):
        raise ValueError(
            f"probabilities has shape {values.shape}: it must be ({n_rows}, {n_classes}), a row for each row of X and "
            "a column for each class."
        )
    if not (np.isfinite(values).all() and (values >= 0.0).all()):
        raise ValueError("probabilities holds values that are negative, NaN or infinite: all must be from 0 to 1.")
    return values
