"""`audit_labels`: how likely is each label wrong, and what would be the right one?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.audit.kinds import kinds
from emphatic.audit.members import Panel, default_panel
from emphatic.audit.neighbours import nearest_rows
from emphatic.audit.result import AuditResult
from emphatic.audit.stages import Labelled, out_of_fold_probabilities
from emphatic.audit.suspicion import suspicion
from emphatic.inputs import check_classifier, encode_labels
from emphatic.randomness import as_generator, draw_entropy
from emphatic.tables import TableTransformer


def audit_labels(
    X: Any,
    y: ArrayLike,
    estimator: Any = None,
    cv: int = 5,
    random_state: Any = 0,
    *,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AuditResult:
    """Tell for every sample how likely its label is wrong, and whether it is redundant, borderline or noisy.

    1. Models judge every sample without having seen it, in two stages (`emphatic.audit.stages`). Each is brought to
       the same scale (`temperature`) and has the more to say, the better it predicts (`blend`).
    2. The probability of the given label makes the suspicion (`suspicion`); the most probable label is suggested.
    3. Its margin makes the kind (`kinds`).

    Parameters
    ----------
    X : table (n, features)
        pandas or polars DataFrame, array or list of rows; with numbers, categories and missing cells.
    y : array (n,)
        Labels of one type, of at least two classes, none missing.
    estimator : classifier, default=None
        A model of your own instead of the panel: any scikit-learn classifier. It gets the table as it is, so one with
        categories or missing cells needs a pipeline, such as ``make_pipeline(TableTransformer(), SVC())``.
    cv : int, default=5
        Number of folds, at least 2 and at most n. Classes may have fewer samples; the only sample of a class is judged
        by models that do not know the class, and so is suspicious.
    random_state : int, generator or None, default=0
        The same seed gives the same audit, for every `n_jobs`.
    n_jobs : int, default=None
        Processes; -1 for one a core.
    progress : callable, default=None
        Called with the number of tasks that are done and the number of all.

    Returns
    -------
    AuditResult

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.audit import audit_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y[[3, 60]] = 2, 0  # a setosa called virginica, a versicolor called setosa
    >>> audit = audit_labels(X, y)
    >>> sorted(audit.order[:2].tolist()), audit.suggested[[3, 60]].tolist(), audit.kinds[[3, 60]].tolist()
    ([3, 60], [0, 1], ['noisy', 'noisy'])
    """
    check.integer("cv", cv, at_least=2)
    labels = _given_labels(y)
    if not hasattr(X, "shape"):
        X = np.array(X, dtype=object)  # as objects: NumPy would turn the numbers of a mixed list into strings
    inputs = TableTransformer(columns="useful").fit_transform(X)
    if len(inputs) != len(labels):
        raise ValueError(f"X has {len(inputs)} rows but y has {len(labels)} labels: their numbers must agree.")
    classes, codes = encode_labels(labels)
    if cv > len(codes):
        raise ValueError(f"cv={cv} is not allowed: there are only {len(codes)} samples to share among the folds.")
    if estimator is None:
        panel = default_panel(inputs.shape[1], len(classes))
    else:
        panel = Panel((check_classifier("estimator", estimator),), prepares=False)
    entropy = draw_entropy(as_generator(random_state))
    table = Labelled(X, inputs, codes, classes)
    probabilities = out_of_fold_probabilities(table, panel, cv, entropy, n_jobs, progress)
    return AuditResult(
        suspicion=suspicion(probabilities, codes),
        suggested=classes[probabilities.argmax(axis=1)],
        kinds=kinds(probabilities, codes),
        probabilities=probabilities,
        classes=classes,
        X=X,
        y=labels,
        index=np.asarray(X.index) if hasattr(X, "index") else np.arange(len(codes)),
        neighbours=nearest_rows(inputs),
    )


def _given_labels(y: ArrayLike) -> np.ndarray:
    """Labels as an array (n,), none missing."""
    labels = np.asarray(column_or_1d(y, warn=True))
    if labels.dtype == object:
        missing = np.flatnonzero([label is None or label != label for label in labels.tolist()])
        if len(missing):
            first = missing[0]
            raise ValueError(
                f"y lacks {len(missing)} labels, the first at position {first}: every label must be given."
            )
    return labels
