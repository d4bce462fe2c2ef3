"""What a classifier says about every row, in a graph: the formulas of `emphatic.margins`.

Codes of classes and scores for two classes are one column, everything else has one column per class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from emphatic.export.graph import Value

ROUNDING_STEP = float(np.finfo(np.float64).eps)
TINY = float(np.finfo(np.float64).tiny)


class Answer(NamedTuple):
    """All that whoever asks a classifier may need; what nobody uses leaves no node in the model.

    Attributes
    ----------
    winner : code of the predicted class
    probabilities : one column per class
    output : the confidence in [-1, 1] of a `Learner`
    supports : evidence for each class, of those classifiers that can express ignorance
    """

    winner: Value
    probabilities: Value
    output: Value
    supports: Value | None = None


def answer_by_output(output: Value, n_classes: int, supports: Value | None = None) -> Answer:
    """Of a learner with this output: (rows, 1) for two classes."""
    winner = find_winner(output, n_classes)
    return Answer(winner, probabilities_of_output(output, n_classes), output, supports)


def answer_by_probabilities(probabilities: Value, n_classes: int, supports: Value | None = None) -> Answer:
    """Of a classifier that predicts the most probable class."""
    output = output_of_probabilities(probabilities, n_classes)
    return Answer(probabilities.argmax(), probabilities, output, supports)


def answer_by_score(score: Value, largest: float, n_classes: int) -> Answer:
    """Of an additive ensemble: its score, whose absolute value is at most `largest`."""
    winner = find_winner(score, n_classes)
    output = (score / largest).at_least(-1.0).at_most(1.0)
    return Answer(winner, probabilities_of_score(score, n_classes), output)


def find_winner(score: Value, n_classes: int) -> Value:
    """The class of the largest score; class 1 of two where it is exactly 0."""
    return (score >= 0.0).cast(np.int64) if n_classes == 2 else score.argmax()


def probabilities_of_score(score: Value, n_classes: int) -> Value:
    """softmax of (-f, f), or of the K columns."""
    columns = score.graph.concatenate([-score, score]) if n_classes == 2 else score
    return favour(find_winner(score, n_classes), softmax(columns), n_classes)


def probabilities_of_output(output: Value, n_classes: int) -> Value:
    """A confidence read as 2p - 1; K columns are scaled to sum 1."""
    winner, output = find_winner(output, n_classes), output.at_least(-1.0).at_most(1.0)
    if n_classes == 2:
        return favour(winner, output.graph.concatenate([(1.0 - output) / 2.0, (1.0 + output) / 2.0]), n_classes)
    return favour(winner, normalise_rows((1.0 + output) / 2.0, n_classes), n_classes)


def output_of_probabilities(probabilities: Value, n_classes: int) -> Value:
    """The confidence whose label is the most probable class, the first of several."""
    if n_classes > 2:
        return favour(probabilities.argmax(), probabilities * 2.0 - 1.0, n_classes)
    difference = probabilities.columns([1]) - probabilities.columns([0])
    return difference.equals(0.0).where(-TINY, difference)


def favour(winner: Value, columns: Value, n_classes: int) -> Value:
    """The same columns, the winner's lifted above the others where rounding or a tie hides that it won."""
    best = columns.max()
    lifted = best + (best.apply("Abs") * ROUNDING_STEP).at_least(TINY)
    hidden = ~columns.argmax().equals(winner)
    return (hidden & mark_class(winner, n_classes)).where(lifted, columns)


def mark_class(code: Value, n_classes: int) -> Value:
    """(rows, K): true in the column of the class."""
    return code.equals(np.arange(n_classes)[None, :])


def normalise_rows(supports: Value, n_classes: int) -> Value:
    """Rows divided by their sums; 1/K each where nothing supports any class."""
    total = supports.sum()
    some = total > 0.0
    return some.where(supports / some.where(total, 1.0), 1.0 / n_classes)


def softmax(scores: Value) -> Value:
    """exp(s), scaled to sum 1."""
    return scores.apply("Softmax", axis=1)


def log_at_least(value: Value, smallest: float) -> Value:
    """The logarithm, of numbers that are at least `smallest`."""
    return value.at_least(smallest).apply("Log")


def spread_columns(columns: Value, places: np.ndarray, n_classes: int, fill: float) -> Value:
    """One column per class, from those of the classes at `places`; `fill` for the other classes."""
    if np.array_equal(places, np.arange(n_classes)):
        return columns
    sources = np.full(n_classes, len(places))
    sources[places] = np.arange(len(places))
    filling = columns.columns([0]) * 0.0 + fill
    return columns.graph.concatenate([columns, filling]).columns(sources)
