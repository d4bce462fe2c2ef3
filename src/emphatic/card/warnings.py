"""What a person should know before trusting a model: rare classes, leakage, doubtful labels, poor probabilities."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from emphatic.audit.judgement import judge_labels
from emphatic.blending.noise import estimate_least_noise
from emphatic.card.columns import ColumnNote
from emphatic.card.curves import find_best, list_thresholds
from emphatic.card.evaluation import Evaluation
from emphatic.card.wording import percent, shorten
from emphatic.check import FloatArray
from emphatic.importance import Importances
from emphatic.wording import count

FEW_ROWS = 10
"""Recall and precision of a class with fewer rows than this are little more than chance."""

RARE_PART, LOW_RECALL = 0.5, 0.5
"""A class with less than this part of an even share of the rows is rare; with a lower recall, most of it is missed."""

LEAK_SHARE, LEAK_ERROR = 0.8, 0.1
"""One column with this share of all importance, in a model with this part of the error without any column."""

POOR_CALIBRATION, ENOUGH_ROWS = 0.1, 200
"""Probabilities that are off by this much on average, if there are enough rows to tell that from chance."""

DOUBTFUL_SHARE, LARGEST_ERROR = 0.01, 0.3
"""More wrong labels than this share are worth a look; but a model with a larger error cannot tell wrong labels from
classes that overlap."""

MAX_NAMED = 5


def find_warnings(
    evaluation: Evaluation, columns: Sequence[ColumnNote], importances: Importances, suspicion: FloatArray | None
) -> list[str]:
    """Find what to warn of, the gravest first; each warning is a sentence or two with the remedy."""
    return [
        *_warn_of_no_skill(evaluation),
        *_warn_of_rare_classes(evaluation),
        *_warn_of_leakage(evaluation, columns, importances),
        *_warn_of_doubtful_labels(evaluation, suspicion),
        *_warn_of_few_rows(evaluation),
        *_warn_of_calibration(evaluation),
        *_warn_of_columns(columns),
    ]


def suspect_labels(evaluation: Evaluation) -> FloatArray | None:
    """How likely each given label is wrong, as the label audit estimates it; None without probabilities."""
    found = evaluation.probabilities
    return None if found is None else judge_labels(found, evaluation.codes).suspicion


def _warn_of_no_skill(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.error >= evaluation.base_error:
        label = _quote(evaluation.classes[int(evaluation.rows.argmax())])
        yield (
            f"The model is no better than always predicting {label} ({percent(evaluation.base_error)} wrong): these "
            "columns may say nothing about the target."
        )


def _warn_of_rare_classes(evaluation: Evaluation) -> Iterator[str]:
    never = [k for k in range(len(evaluation.classes)) if evaluation.rows[k] and not evaluation.confusion[:, k].any()]
    shares = evaluation.rows / evaluation.n_rows
    seldom = [
        k
        for k in range(len(evaluation.classes))
        if k not in never and shares[k] < RARE_PART / len(shares) and evaluation.recall[k] < LOW_RECALL
    ]
    remedy = _advise_on_imbalance(evaluation)
    if never:
        yield f"{_name_classes(evaluation, never)} never predicted. {remedy}"
    if seldom:
        found = ", ".join(percent(evaluation.recall[k]) for k in seldom[:MAX_NAMED])
        yield f"{_name_classes(evaluation, seldom)} mostly missed (recall {found}). {remedy}"


def _advise_on_imbalance(evaluation: Evaluation) -> str:
    thresholds = list_thresholds(evaluation)
    if not thresholds:
        better = '`emphatic fit --decision f1`, or EmphaticClassifier(decision="f1"),'
        return f"More such rows would help; {better} predicts rare classes more often."
    best, label = find_best(thresholds, "f1"), shorten(evaluation.classes[evaluation.positive], 60)
    return (
        f"Predicting {label!r} from a probability of {best.value:.2f} on (`emphatic predict --threshold "
        f"{best.value:.2f} --positive {shlex.quote(label)}`) would find {percent(best.recall)} of its rows, and "
        f"{percent(best.precision)} of the rows so predicted would be right."
    )


def _warn_of_leakage(evaluation: Evaluation, columns: Sequence[ColumnNote], importances: Importances) -> Iterator[str]:
    """What the policy says of columns that give the target away, or that the model relies on one column alone."""
    warned = [note for note in columns if note.decision.warning]
    yield from (f"Column {_quote(note.name)} {note.decision.warning}." for note in warned)
    if warned or len(importances.names) < 2:
        return
    positive = np.maximum(importances.values, 0.0)
    top = int(positive.argmax())
    if evaluation.error <= LEAK_ERROR * evaluation.base_error and positive[top] > LEAK_SHARE * positive.sum():
        yield (
            f"Column {_quote(importances.names[top])} alone almost decides the target. If it is only known after the "
            "target is, the model will fail on new rows: leave the column out."
        )


def _warn_of_doubtful_labels(evaluation: Evaluation, suspicion: FloatArray | None) -> Iterator[str]:
    if suspicion is None or evaluation.probabilities is None or evaluation.error > LARGEST_ERROR:
        return
    if estimate_least_noise(evaluation.probabilities, evaluation.codes) > DOUBTFUL_SHARE:
        expected = count(round(suspicion.sum()), "label")
        yield (
            f"About {expected} of {len(suspicion):,} may be wrong: `emphatic audit` shows which, and helps to correct "
            "them."
        )


def _warn_of_few_rows(evaluation: Evaluation) -> Iterator[str]:
    few = [k for k, rows in enumerate(evaluation.rows.tolist()) if 0 < rows < FEW_ROWS]
    if few:
        names = ", ".join(
            f"{_quote(evaluation.classes[k])} ({count(int(evaluation.rows[k]), 'row')})" for k in few[:MAX_NAMED]
        )
        more = f" and {len(few) - MAX_NAMED} more" if len(few) > MAX_NAMED else ""
        kind = "Classes" if len(few) > 1 else "Class"
        yield f"{kind} with fewer than {FEW_ROWS} rows, whose figures mean little: {names}{more}."


def _warn_of_calibration(evaluation: Evaluation) -> Iterator[str]:
    found = evaluation.calibration_error
    if found is not None and found > POOR_CALIBRATION and evaluation.n_rows >= ENOUGH_ROWS:
        yield f"Probabilities are off by {percent(found)} on average: do not take them at their word."


def _warn_of_columns(columns: Sequence[ColumnNote]) -> Iterator[str]:
    """What is ambiguous about how columns are written, and which are ignored."""
    yield from (f"Column {_quote(note.name)}: {note.decision.doubt}." for note in columns if note.decision.doubt)
    ignored = [f"{_quote(note.name)} ({note.decision.reason})" for note in columns if not note.used]
    if ignored:
        more = f" and {len(ignored) - MAX_NAMED} more" if len(ignored) > MAX_NAMED else ""
        yield f"Ignored: {', '.join(ignored[:MAX_NAMED])}{more}."


def _name_classes(evaluation: Evaluation, chosen: list[int]) -> str:
    names = ", ".join(
        f"{_quote(evaluation.classes[k])} ({evaluation.rows[k]:,} of {count(evaluation.n_rows, 'row')})"
        for k in chosen[:MAX_NAMED]
    )
    if len(chosen) > MAX_NAMED:
        return f"Classes {names} and {len(chosen) - MAX_NAMED} more are"
    return f"Classes {names} are" if len(chosen) > 1 else f"Class {names} is"


def _quote(label: Any) -> str:
    return repr(shorten(label, 60))
