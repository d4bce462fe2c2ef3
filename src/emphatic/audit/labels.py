"""`audit_labels`: how likely each label is wrong, and which one would be more likely."""

from collections.abc import Callable, Mapping
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.audit.budget import Budget, keep_to_budget
from emphatic.audit.costs import Size
from emphatic.audit.forecast import Forecast, measure_pace
from emphatic.audit.judgement import judge_labels
from emphatic.audit.marks.learning import correct_table, hold_weights, spread_classes
from emphatic.audit.marks.record import NO_MARKS
from emphatic.audit.marks.taking import take_marks
from emphatic.audit.neighbours import find_neighbours
from emphatic.audit.panel import Panel, choose_panel
from emphatic.audit.passes import N_PASSES, LabelledTable, run_passes
from emphatic.audit.result import AuditResult
from emphatic.audit.reviewed import settle
from emphatic.engines import check_engine, count_jobs
from emphatic.inputs import ROWS_PER_CLASS, encode_labels, refuse_deferred, rows_as_objects
from emphatic.randomness import as_generator, child_generator, draw_entropy
from emphatic.tables import TableTransformer
from emphatic.user_warning import warn_user

MANY_CLASSES = 20
"""More classes than this, with few rows each, may be a measurement."""


def audit_labels(
    X: Any,
    y: ArrayLike,
    estimator: Any = None,
    cv: int = 5,
    random_state: Any = 0,
    *,
    columns: Mapping[str, Any] | None = None,
    marks: Any = None,
    n_jobs: int | None = None,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
    time_budget: float | None = None,
    announce: Callable[[float], None] | None = None,
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
        The same seed gives the same audit, for every `n_jobs` and `engine`.
    columns : dict, default=None
        What to make of columns, by name, where the policy (`emphatic.tables.decide_columns`) would decide otherwise:
        "number", "category", "boolean", "date", "text" or "ignore", such as ``{"zip": "category"}``.
    marks : path, DataFrame or dict, default=None
        What is known about labels from a review, as `AuditResult.update` takes it.
    n_jobs : int, default=None
        Number of threads, or of processes if `estimator` may be written in Python; -1 for one per core.
    engine : engine of `emphatic.engines`, default=None
        Where tasks run instead, such as ``on_dask(address)``; None: on the active Dask client, if there is one.
    progress : callable, default=None
        Called after each task with the number of finished tasks and the number of all tasks.
    time_budget : float, default=None
        Seconds that the audit should take at most. Models, and the second pass, are left out if a forecast, for this
        machine as it is now, says that there is no time for them; `AuditResult.notes` says which. One model is used in
        any case. The result then depends on the machine, and on what else it does.
    announce : callable, default=None
        Called before the models are trained with the seconds that the audit is expected to take; not for an
        `estimator`, of which nobody knows what it takes.

    Returns
    -------
    AuditResult

    Notes
    -----
    A table is large if it has more than 20,000 rows, or more than 5,000 rows and a million numbers once categories are
    columns. Its panel has fewer members, which are trained on samples of at most 100,000 rows
    (`emphatic.audit.panel.large_panel`).

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
    for values in (X, y):
        refuse_deferred("audit_labels", values)
    check.integer("cv", cv, at_least=2)
    check.jobs(n_jobs)
    check_engine(engine)
    if time_budget is not None:
        check.real("time_budget", time_budget, 0, open_low=True)
    budget = Budget(time_budget)
    labels = _check_labels(y)
    X = rows_as_objects(X)
    transformer = TableTransformer(columns="useful" if columns is None else columns)
    inputs = transformer.fit_transform(X)
    if len(inputs) != len(labels):
        raise ValueError(f"X has {len(inputs)} rows but y has {len(labels)} labels: the numbers must be equal.")
    classes, codes = encode_labels(labels)
    transformer.find_copies(X, labels)
    _warn_about_classes(len(classes), len(codes))
    if cv > len(codes):
        raise ValueError(f"cv={cv} is not allowed: there are only {len(codes)} samples to divide into folds.")
    panel, n_passes = choose_panel(estimator, inputs.shape[1], len(classes), len(codes)), N_PASSES
    if time_budget is not None or announce is not None:
        size = Size(len(codes), len(codes), inputs.shape[1], len(classes))
        tell = announce if estimator is None else None
        panel, n_passes = _keep_to_time(panel, size, cv, count_jobs(n_jobs, engine), budget, tell)
    entropy = draw_entropy(as_generator(random_state))
    index = np.asarray(X.index) if hasattr(X, "index") else np.arange(len(codes))
    known = NO_MARKS if marks is None else take_marks(marks, X, labels, index, classes)
    table, left = correct_table(LabelledTable(X, transformer.columns_, inputs, codes, classes), known)
    held = hold_weights(known, len(codes))
    found = run_passes(
        table, panel, cv, entropy, n_jobs, progress, budget=budget, n_passes=n_passes, held=held, engine=engine
    )
    probabilities = spread_classes(found, left, len(classes))
    seed = random_state if isinstance(random_state, Integral) else entropy  # a generator has moved on since
    judged = judge_labels(probabilities, codes)
    result = AuditResult(
        suspicion=judged.suspicion,
        suggested=classes[judged.suggested],
        kinds=judged.kinds,
        probabilities=probabilities,
        posterior=judged.posterior,
        classes=classes,
        X=X,
        y=labels,
        index=index,
        neighbours=find_neighbours(inputs, child_generator(entropy, N_PASSES)),
        columns=transformer.columns_,
        notes=(*panel.describe_samples(len(codes) - len(codes) // cv), *budget.notes),
        repeat=partial(
            audit_labels,
            estimator=estimator,
            cv=cv,
            random_state=seed,
            columns=columns,
            n_jobs=n_jobs,
            engine=engine,
            time_budget=time_budget,
        ),
    )
    return settle(result, known) if len(known) else result


def _keep_to_time(
    panel: Panel, size: Size, n_folds: int, n_jobs: int, budget: Budget, announce: Callable[[float], None] | None
) -> tuple[Panel, int]:
    """The members and the passes that there is time for; `announce` is told how long they are expected to take."""
    forecast = Forecast(size, n_folds, n_jobs, measure_pace())
    panel, n_passes = keep_to_budget(panel, N_PASSES, budget, forecast.total_seconds)
    if announce is not None:
        announce(forecast.total_seconds(panel, n_passes))
    return panel, n_passes


def _warn_about_classes(n_classes: int, n_rows: int) -> None:
    """`encode_labels` refuses what must be a measurement; what may be one is told."""
    if n_classes > MANY_CLASSES and n_classes * ROWS_PER_CLASS > n_rows:
        warn_user(
            f"y has {n_classes} classes in {n_rows} rows: with fewer than {ROWS_PER_CLASS} rows of a class, hardly any "
            "label can be judged. If y is a measurement, cut it into classes first, for example with pandas.qcut."
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
