"""`audit_annotators`: consensus, quality of the annotators, and where to ask once more."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.audit.annotators.classifier import CrossPredictor
from emphatic.audit.annotators.dawid_skene import Consensus, choose_classes, find_consensus
from emphatic.audit.annotators.labels import Annotations, read_annotations
from emphatic.audit.annotators.result import AnnotatorAudit
from emphatic.audit.panel import choose_panel
from emphatic.check import FloatArray
from emphatic.engines import Shared, check_engine
from emphatic.inputs import check_classifier, refuse_deferred, rows_as_objects
from emphatic.randomness import as_generator, draw_entropy
from emphatic.tables import TableTransformer
from emphatic.user_warning import warn_user
from emphatic.wording import count

N_ROUNDS = 2
"""How often models are trained: on the consensus of the labels alone, then on that of labels and models."""


def audit_annotators(
    X: Any,
    labels: Any,
    estimator: Any = None,
    cv: int = 5,
    random_state: Any = 0,
    *,
    classes: ArrayLike | None = None,
    columns: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> AnnotatorAudit:
    """Estimate the true labels from those of several annotators, how good each annotator is, and where to ask again.

    1. Consensus and confusion matrices of the annotators are estimated together by Dawid and Skene's EM algorithm
       (`emphatic.audit.annotators.dawid_skene`), which starts from the majority vote.
    2. Models are trained on the consensus of the other rows, and what they predict takes the place of the class
       frequencies in a second estimate: the inputs help where labels are few. This is done twice.
    3. For each row, the information that one more label would bring says where to ask, and whom.

    Parameters
    ----------
    X : table (n, features) or None
        As in `audit_labels`. None: the labels alone count.
    labels : table (n, annotators)
        pandas or polars DataFrame, array or list of rows: text, numbers or booleans; None, NaN and NA are missing. A
        row may have no label at all: the models answer for it.
    estimator : classifier, default=None
        A scikit-learn classifier to use instead of the models of `audit_labels`. It gets the table as it is.
    cv : int, default=5
        Number of folds, at least 2 and at most the number of rows with a label.
    random_state : int, generator or None, default=0
        The same seed gives the same audit, for every `n_jobs` and `engine`. Without X nothing is random.
    classes : list, default=None
        The labels that are allowed; by default, all that occur.
    columns : dict, default=None
        What to make of columns of X, by name, as in `audit_labels`.
    n_jobs : int, default=None
        Number of threads, or of processes if `estimator` may be written in Python; -1 for one per core.
    engine : engine of `emphatic.engines`, default=None
        Where tasks run instead, such as ``on_dask(address)``; None: on the active Dask client, if there is one.
    progress : callable, default=None
        Called after each task with the number of finished tasks and the number of all tasks.

    Returns
    -------
    AnnotatorAudit

    Examples
    --------
    >>> from emphatic.audit import audit_annotators
    >>> ann, bob = ["cat", "dog", "cat", "dog", "cat", "dog"], ["cat", "dog", "cat", None, "cat", "dog"]
    >>> cem = ["dog", "dog", "dog", "cat", None, "cat"]
    >>> audit = audit_annotators(None, list(zip(ann, bob, cem)), classes=["cat", "dog"])
    >>> audit.consensus.tolist()
    ['cat', 'dog', 'cat', 'dog', 'cat', 'dog']
    >>> audit.annotator_table["annotator"].iloc[-1]
    'annotator 2'
    """
    for values in (X, labels):
        refuse_deferred("audit_annotators", values)
    check.integer("cv", cv, at_least=2)
    check.jobs(n_jobs)
    check_engine(engine)
    annotations = read_annotations(labels, classes)
    if estimator is not None:
        check_classifier("estimator", estimator)
    X = None if X is None else rows_as_objects(X)
    predictor = None if X is None else _prepare(X, annotations, estimator, columns, cv, random_state)
    _warn_about(annotations, alone=X is None)
    found, predictions = find_consensus(annotations.codes, len(annotations.classes)), None
    if predictor is not None:
        found, predictions = _learn(predictor, annotations, found, n_jobs, progress, engine)
    index = np.asarray(X.index) if hasattr(X, "index") else np.arange(len(annotations.codes))
    return AnnotatorAudit.judge(annotations, found, index, predictions)


def _prepare(
    X: Any, annotations: Annotations, estimator: Any, columns: Mapping[str, Any] | None, cv: int, random_state: Any
) -> CrossPredictor:
    transformer = TableTransformer(columns="useful" if columns is None else columns)
    inputs = transformer.fit_transform(X)
    if len(inputs) != len(annotations.codes):
        raise ValueError(
            f"X has {len(inputs)} rows but labels has {len(annotations.codes)}: the numbers must be equal. Without a "
            "table, X is None."
        )
    n_labelled = int(annotations.given.any(axis=1).sum())
    if cv > n_labelled:
        raise ValueError(
            f"cv={cv} is not allowed: there are only {count(n_labelled, 'row')} with a label to divide into folds."
        )
    panel = choose_panel(estimator, inputs.shape[1], len(annotations.classes))
    entropy = draw_entropy(as_generator(random_state))
    return CrossPredictor(Shared(X), transformer.columns_, annotations.classes, panel, cv, entropy)


def _learn(
    predictor: CrossPredictor,
    annotations: Annotations,
    found: Consensus,
    n_jobs: int | None,
    progress: Callable[[int, int], None] | None,
    engine: Any,
) -> tuple[Consensus, FloatArray]:
    """The consensus of labels and models, and what the models say alone."""
    labelled = np.flatnonzero(annotations.given.any(axis=1))
    finished = 0

    def advance() -> None:
        nonlocal finished
        finished += 1
        if progress is not None:
            progress(finished, N_ROUNDS * predictor.n_folds)

    for number in range(N_ROUNDS):
        codes = choose_classes(found.probabilities)
        weights = found.probabilities.max(axis=1)
        predictions = predictor.predict(codes, weights, labelled, number, n_jobs, advance, engine)
        found = find_consensus(annotations.codes, len(annotations.classes), predictions)
    return found, predictions


def _warn_about(annotations: Annotations, alone: bool) -> None:
    """Warn of annotators from whom little or nothing can be learnt, and of rows without labels."""
    for name, codes, given in zip(annotations.annotators, annotations.codes.T, annotations.given.T):
        if not given.any():
            warn_user(f"annotator {name!r} has given no label: nothing can be said about its quality.")
        elif given.sum() > 1 and len(np.unique(codes[given])) == 1:
            label = annotations.classes.tolist()[codes[given][0]]
            warn_user(
                f"annotator {name!r} has given the label {label!r} to all its {given.sum()} rows: this does not tell "
                "the classes apart, so these labels count little, and the quality is that of always giving this label."
            )
    if annotations.given.any(axis=0).sum() == 1:
        whose = "is not known" if alone else "rests on the models alone"
        warn_user(f"only one annotator has given labels: without others to compare with, the quality {whose}.")
    n_empty = int((~annotations.given.any(axis=1)).sum())
    if n_empty:
        first = int(annotations.given.any(axis=1).argmin())
        by = "the frequencies of the classes answer for them" if alone else "the models alone answer for them"
        warn_user(f"{count(n_empty, 'row')} without any label, the first at position {first}: {by}.")
