"""`audit_labels`: how likely each label is wrong, and which one would be more likely."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.audit.judgement import find_neighbours, judge_labels
from emphatic.audit.panel import choose_panel
from emphatic.audit.passes import LabelledTable, run_passes
from emphatic.audit.result import AuditResult
from emphatic.inputs import encode_labels, rows_as_objects
from emphatic.randomness import as_generator, draw_entropy
from emphatic.tables import TableTransformer


def audit_labels(
    X: Any,
    y: ArrayLike,
    estimator: Any = None,
    cv: int = 5,
    random_state: Any = 0,
    *,
    columns: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AuditResult:
    """Estimate for every sample how likely its label is wrong, and whether it is redundant, borderline or noisy.

    1. A panel of models judges every sample without having been trained on it, in two passes over the table
       (`emphatic.audit.passes`). Each model is brought to the same scale, and counts the more, the more it adds to what
       the others predict.
    2. Models of how labels become wrong (`emphatic.audit.noise_model`) make probabilities of the true classes of these
       probabilities of the labels. What they leave to other classes than the label is the suspicion; above one
       half, the most probable of these is suggested.
    3. The margin of the given label, and the suspicion, give the kind.

    Parameters
    ----------
    X : table (n, features)
        pandas or polars DataFrame, array or list of rows, with numbers, categories, dates, text and missing values.
    y : array (n,)
        Labels of one type, of at least two classes, none missing.
    estimator : classifier, default=None
        A scikit-learn classifier to use instead of the panel. It gets the table as it is, so that categories or missing
        values require a pipeline, such as ``make_pipeline(TableTransformer(), SVC())``.
    cv : int, default=5
        Number of folds, at least 2 and at most n. Classes may have fewer samples; the only sample of a class is judged
        by models that do not know the class, and is therefore suspicious.
    random_state : int, generator or None, default=0
        The same seed gives the same audit, for every `n_jobs`.
    columns : dict, default=None
        What to make of columns, by name, where the policy (`emphatic.tables.decide_columns`) would decide otherwise:
        "number", "category", "boolean", "date", "text" or "ignore", such as ``{"zip": "category"}``.
    n_jobs : int, default=None
        Number of processes; -1 for one per core.
    progress : callable, default=None
        Called after each task with the number of finished tasks and the number of all tasks.

    Returns
    -------
    AuditResult

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.audit import audit_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y[[3, 60]] = 2, 0  # a setosa labelled virginica, a versicolor labelled setosa
    >>> audit = audit_labels(X, y)
    >>> sorted(audit.order[:2].tolist()), audit.suggested[[3, 60]].tolist(), audit.kinds[[3, 60]].tolist()
    ([3, 60], [0, 1], ['noisy', 'noisy'])
    """
    check.integer("cv", cv, at_least=2)
    check.jobs(n_jobs)
    labels = _check_labels(y)
    X = rows_as_objects(X)
    transformer = TableTransformer(columns="useful" if columns is None else columns)
    inputs = transformer.fit_transform(X)
    if len(inputs) != len(labels):
        raise ValueError(f"X has {len(inputs)} rows but y has {len(labels)} labels: the numbers must be equal.")
    classes, codes = encode_labels(labels)
    transformer.find_copies(X, labels)
    if cv > len(codes):
        raise ValueError(f"cv={cv} is not allowed: there are only {len(codes)} samples to divide into folds.")
    panel = choose_panel(estimator, inputs.shape[1], len(classes))
    entropy = draw_entropy(as_generator(random_state))
    probabilities = run_passes(
        LabelledTable(X, transformer.columns_, inputs, codes, classes), panel, cv, entropy, n_jobs, progress
    )
    judged = judge_labels(probabilities, codes)
    return AuditResult(
        suspicion=judged.suspicion,
        suggested=classes[judged.suggested],
        kinds=judged.kinds,
        probabilities=probabilities,
        posterior=judged.posterior,
        classes=classes,
        X=X,
        y=labels,
        index=np.asarray(X.index) if hasattr(X, "index") else np.arange(len(codes)),
        neighbours=find_neighbours(inputs),
        columns=transformer.columns_,
    )


def _check_labels(y: ArrayLike) -> np.ndarray:
    """Labels as an array (n,), none missing."""
    shape = np.shape(y)
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"y should be a 1d array, but has {shape[1]} columns: for the labels of several annotators there is "
            "audit_annotators(X, labels)."
        )
    labels = np.asarray(column_or_1d(y, warn=True))
    if labels.dtype == object:
        missing = np.flatnonzero([label is None or label != label for label in labels.tolist()])
        if len(missing):
            where = f"{len(missing)}, first at position {missing[0]}"
            raise ValueError(f"y has missing labels ({where}): every label must be given.")
    return labels
