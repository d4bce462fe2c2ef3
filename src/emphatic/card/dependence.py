"""How the predictions change with one column: its partial dependence."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.card.out_of_fold import Predict
from emphatic.card.shuffling import predict_changed
from emphatic.check import FloatArray, IntArray

MAX_ROWS, FEWEST_ROWS, MAX_CELLS = 200, 50, 1_000_000
"""Rows over which the predictions are averaged: enough for a curve. Fewer in a wide table, to read fewer cells."""

N_POINTS = 21
"""Of a curve, at quantiles of the column."""

N_CATEGORIES = 10
"""The most frequent ones are shown."""

INNER = (0.02, 0.98)
"""A curve runs between these quantiles: beyond them a model knows few rows."""


@dataclass(frozen=True, eq=False)
class Dependence:
    """Mean probability of each class when all rows have the same value in one column.

    Attributes
    ----------
    name : str
    kind : "number", "date" (values are seconds since 1970) or "category"
    values : list
        Numbers in rising order, or categories (None is a missing value), the most frequent first.
    means : array (number of values, K)
    deciles : array
        Where the rows lie: the 10%, 20% .. 90% quantiles of the column; empty for categories.
    counts : list of int
        Rows of each category; empty for numbers.
    """

    name: str
    kind: str
    values: list[Any]
    means: FloatArray
    deciles: FloatArray
    counts: list[int]


def measure_dependence(
    predict: Predict, X: Any, position: int, kind: str, values: Sequence[Any], rng: np.random.Generator
) -> Dependence | None:
    """Measure the dependence on the column of a pandas table at this position; None where its values do not differ.

    Parameters
    ----------
    predict : function
        `predict(table, rows)` gives probabilities (n, K) for a table that holds these rows of `X`.
    kind : "number", "date" or "category"
    values : array of floats (NaN is missing) or list of texts (None is missing)
        What the cells of the column mean. The cells themselves, which the model reads, may be written differently.
    """
    if kind == "category":
        found = Counter(values).most_common(N_CATEGORIES)
        first = {value: row for row, value in reversed(list(enumerate(values)))}
        shown, counts = [value for value, _ in found], [count for _, count in found]
        examples, deciles = np.array([first[value] for value in shown], dtype=np.intp), np.empty(0)
    else:
        numbers = np.asarray(values, dtype=np.float64)
        examples = _choose_examples(numbers)
        shown, counts = numbers[examples].tolist(), []
        known = numbers[np.isfinite(numbers)]
        deciles = np.quantile(known, np.arange(1, 10) / 10) if len(known) else np.empty(0)
    if len(examples) < 2:
        return None
    n_rows = min(MAX_ROWS, max(FEWEST_ROWS, MAX_CELLS // (len(examples) * X.shape[1])))
    rows = np.sort(rng.permutation(X.shape[0])[:n_rows])
    changes = [{position: np.full(len(rows), example)} for example in examples]
    means = [answers.mean(axis=0) for answers in predict_changed(predict, X, rows, changes)]
    return Dependence(str(X.columns[position]), kind, shown, np.array(means), deciles, counts)


def _choose_examples(numbers: FloatArray) -> IntArray:
    """Rows whose values are evenly spaced quantiles, in rising order, each value once."""
    rising = np.argsort(numbers, kind="stable")[: int(np.isfinite(numbers).sum())]
    if len(rising) == 0:
        return rising
    places = np.unique(np.round(np.linspace(*INNER, N_POINTS) * (len(rising) - 1)).astype(np.intp))
    _, firsts = np.unique(numbers[rising[places]], return_index=True)
    return rising[places[firsts]]
