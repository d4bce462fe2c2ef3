"""All that a model card tells of a fitted model, measured: the summary in the terminal and the page only show it."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.card.columns import ColumnNote, describe_columns, read_values
from emphatic.card.dependence import Dependence, measure_dependence
from emphatic.card.evaluation import Evaluation, evaluate
from emphatic.card.importance import measure_importances
from emphatic.card.out_of_fold import OutOfFold, Predict, answer, predict_out_of_fold
from emphatic.card.warnings import find_warnings, suspect_labels
from emphatic.check import FloatArray, IntArray
from emphatic.importance import Importances
from emphatic.persistence.file import list_versions
from emphatic.randomness import as_generator
from emphatic.tables.decision import Decision

N_FOLDS, MANY_ROWS = 5, 50_000
"""A cross-validation of more rows has two folds: it takes as long as the fit, and half of so many rows are enough."""

N_LISTED = 20
"""Rows that are listed: the least certain predictions, and the most suspicious labels."""


@dataclass(frozen=True, eq=False)
class Card:
    """What is known of a fitted model and of the rows it was fitted to.

    Attributes
    ----------
    method, target, source : str
        Name of the method, of the target column, and of the file; empty if unknown.
    X, y : the rows and labels
    index : array (n,)
        Row labels of `X`.
    columns : list of ColumnNote
        What became of each column.
    evaluation : Evaluation
        Of out-of-fold predictions; `origin` says how these were made.
    importances : Importances
    dependences : list of Dependence
        Of the most important columns.
    suspicion : array (n,), or None
        How likely each label is wrong; None without probabilities.
    candidates : dict of lists, or None
        The search of an `EmphaticClassifier` (`search_results_`); `explanation` is its account in words.
    warnings : list of str
    seed, seconds, versions : how and when it was fitted; None or empty if unknown

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from emphatic.card import describe_model, summarise
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> card = describe_model(LogisticRegression(max_iter=300).fit(X, y), X, y)
    >>> print(summarise(card)[0])
    LogisticRegression: 150 rows, 4 of 4 columns used, 3 classes
    """

    method: str
    target: str
    source: str
    X: Any
    y: np.ndarray
    index: np.ndarray
    columns: list[ColumnNote]
    evaluation: Evaluation
    origin: str
    importances: Importances
    dependences: list[Dependence]
    suspicion: FloatArray | None
    candidates: dict[str, list[Any]] | None
    explanation: str
    warnings: list[str]
    seed: int | None
    seconds: float | None
    versions: dict[str, str]

    @property
    def unsure(self) -> IntArray:
        """Positions of the rows that the model is least sure about, the least certain first."""
        given = self.evaluation.probabilities
        return np.empty(0, dtype=np.intp) if given is None else np.argsort(given.max(axis=1), kind="stable")[:N_LISTED]

    @property
    def suspects(self) -> IntArray:
        """Positions of the most suspicious labels, the most suspicious first: those that the model contradicts."""
        if self.suspicion is None:
            return np.empty(0, dtype=np.intp)
        found = np.argsort(-self.suspicion, kind="stable")[:N_LISTED]
        return found[self.evaluation.predicted[found] != self.evaluation.codes[found]]


def describe_model(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    columns: Sequence[Decision] | None = None,
    method: str = "",
    target: str = "",
    source: str = "",
    seed: int | None = None,
    seconds: float | None = None,
    warnings: Sequence[str] = (),
    n_dependences: int = 6,
    random_state: Any = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Measure what a model card tells of a fitted classifier.

    Parameters
    ----------
    model : fitted classifier of raw tables
    X : pandas DataFrame
        The rows that it was fitted to.
    y : array (n,) of labels
    groups : array (n,), default=None
        Rows with equal values belong together: a model whose predictions are made by cross-validation is never trained
        on a row of the group that it predicts.
    columns : list of decisions, default=None
        What became of each column; None takes `columns_` of the model, or of the first step of a pipeline, or decides
        anew.
    method, target, source, seed, seconds : what to say of the model; optional
    warnings : list of str
        Further warnings, which come first.
    n_dependences : int, default=6
        Columns whose partial dependence is measured; 0 for none, where only the summary is wanted.
    random_state : int, generator or None, default=0
        For the folds, and for shuffling columns.
    progress : function, default=None
        Called as progress(done, total) after each fold of a cross-validation.
    """
    if not hasattr(X, "iloc"):
        raise TypeError(f"X is of type {type(X).__name__}: it must be a pandas DataFrame, such as pandas.DataFrame(X).")
    check.integer("n_dependences", n_dependences, at_least=0)
    rng = as_generator(random_state)
    labels = column_or_1d(y)
    n_folds = N_FOLDS if len(labels) <= MANY_ROWS else 2
    held_out = predict_out_of_fold(
        model, X, labels, n_folds=n_folds, groups=groups, random_state=rng, progress=progress
    )
    evaluation = evaluate(held_out.probabilities, held_out.classes, labels, held_out.predicted)
    notes = describe_columns(X, labels, _find_decisions(model) if columns is None else columns)
    predict = _choose_predict(model, held_out)
    if held_out.fold is None and hasattr(model, "measure_importances"):  # on rows that it was not trained on
        importances = model.measure_importances()
    else:
        importances = measure_importances(
            predict,
            X,
            evaluation.codes,
            rng=rng,
            has_probabilities=held_out.probabilities is not None,
            skip={j for j, note in enumerate(notes) if not note.used},
        )
    suspicion = suspect_labels(evaluation)
    candidates = getattr(model, "search_results_", None)
    return Card(
        method=method or type(model).__name__,
        target=target,
        source=source,
        X=X,
        y=labels,
        index=np.asarray(X.index),
        columns=notes,
        evaluation=evaluation,
        origin=held_out.origin,
        importances=importances,
        dependences=_measure_dependences(predict, X, notes, importances, n_dependences, rng),
        suspicion=suspicion,
        candidates=None if candidates is None else {name: list(candidates[name]) for name in candidates},
        explanation=model.explain() if hasattr(model, "explain") else "",
        warnings=[*warnings, *find_warnings(evaluation, notes, importances, suspicion)],
        seed=seed,
        seconds=seconds,
        versions={"Python": platform.python_version(), **list_versions()},
    )


def _find_decisions(model: Any) -> list[Decision] | None:
    first = model[0] if isinstance(model, Pipeline) else model
    return getattr(first, "columns_", None)


def _choose_predict(model: Any, held_out: OutOfFold) -> Predict:
    """The models that left a row out, where they were kept; otherwise the model itself, which has seen the row."""
    if held_out.fold is not None:
        return held_out.predict
    return lambda X, rows: answer(model, X, held_out.classes)


def _measure_dependences(
    predict: Predict,
    X: Any,
    notes: Sequence[ColumnNote],
    importances: Importances,
    n_wanted: int,
    rng: np.random.Generator,
) -> list[Dependence]:
    """Of the most important columns that have an order or few categories; free text has neither."""
    found: list[Dependence] = []
    for place in importances.order:
        j = int(importances.positions[place])
        if len(found) >= n_wanted or importances.values[place] <= 0.0:
            break
        decision = notes[j].decision
        if decision.kind == "text":
            continue
        kind, values = read_values(X, j, decision)
        dependence = measure_dependence(predict, X, j, kind, values, rng)
        found += [] if dependence is None else [dependence]
    return found
