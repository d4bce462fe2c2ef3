"""All that the searches for trouble look at: a table as it was read and as numbers, its labels, its neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from emphatic.audit.troubles.model import KernelModel
from emphatic.audit.troubles.neighbours import Neighbourhood, find_neighbours
from emphatic.check import FloatArray, IntArray
from emphatic.missing import is_missing
from emphatic.randomness import child_generator
from emphatic.tables import TableTransformer
from emphatic.tables.columns import read_columns
from emphatic.tables.decision import Decision
from emphatic.tables.policy import decide

MOST_NAMED = 5
"""Rows that a sentence names."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A labelled table.

    Attributes
    ----------
    decisions : what became of each column
    values : of each column, floats (NaN is missing) or a list of texts (None is missing)
    inputs : (n, inputs) the numbers that `TableTransformer` makes of the columns that are used
    owners : (inputs,) the column that each input was made of
    input_names : of each input
    codes, classes : labels, and what they stand for
    index : (n,) names of the rows
    entropy : of everything random
    probabilities : (n, K) of models that were not trained on the row, or None
    """

    decisions: Sequence[Decision]
    values: Sequence[Any]
    inputs: FloatArray
    owners: IntArray
    input_names: Sequence[str]
    codes: IntArray
    classes: np.ndarray
    index: np.ndarray
    entropy: int
    probabilities: FloatArray | None = None

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return len(self.codes)

    @cached_property
    def copies(self) -> IntArray:
        """(n,): a number for each row, the same for rows that are equal in every column that is used."""
        used = [_number_values(cells) for one, cells in zip(self.decisions, self.values) if not one.left_out]
        if not used:
            return np.arange(self.n_rows)
        return np.unique(np.column_stack(used), axis=0, return_inverse=True)[1].ravel()

    @cached_property
    def neighbourhood(self) -> Neighbourhood | None:
        """Neighbours of the first row of each set of equal ones; None where all rows are equal."""
        first = np.sort(np.unique(self.copies, return_index=True)[1])
        return find_neighbours(self.inputs, first, self.draw(0)) if len(first) > 1 else None

    @cached_property
    def model(self) -> KernelModel:
        """A cheap model of the labels, every row of which can be left out."""
        return KernelModel.fit(self.inputs, self.codes, len(self.classes), self.draw(1))

    @property
    def left_out_probabilities(self) -> FloatArray:
        """(n, K): those that were given, or else those of the cheap model."""
        return self.model.probabilities if self.probabilities is None else self.probabilities

    def draw(self, key: int) -> np.random.Generator:
        """The generator with this number."""
        return child_generator(self.entropy, key)

    def name_label(self, code: int) -> str:
        """The label with this code."""
        return str(self.classes[code])

    def name_rows(self, rows: Sequence[int]) -> str:
        """The rows by their names, at the beginning of a sentence; the first of them if they are many."""
        names = [str(name) for name in self.index[list(rows[:MOST_NAMED])].tolist()]
        if len(rows) == 1:
            return f"Row {names[0]}"
        if len(rows) > MOST_NAMED:
            return f"Rows {', '.join(names)} and {len(rows) - MOST_NAMED:,} more"
        return f"Rows {', '.join(names[:-1])} and {names[-1]}"

    def show(self, row: int, column: int) -> str:
        """A cell as text."""
        value = self.values[column][row]
        if is_missing(value):
            return "missing"
        if isinstance(value, str):
            return repr(value if len(value) <= 30 else f"{value[:27]}...")
        if self.decisions[column].kind == "date":
            return str(np.datetime64(round(float(value)), "s")).replace("T00:00:00", "")
        return f"{value:.6g}"


def read_evidence(
    X: Any,
    labels: np.ndarray,
    codes: IntArray,
    classes: np.ndarray,
    columns: Mapping[str, Any] | None,
    entropy: int,
    probabilities: FloatArray | None = None,
) -> Evidence:
    """Read a table; constants and identifiers are left out of arrays too, as if their columns had names."""
    read = read_columns(BaseEstimator(), X, reset=True)
    decisions = decide(read, labels, columns)
    transformer = TableTransformer(columns={one.name: one for one in decisions})
    inputs = transformer.fit_transform(X)
    owners = np.repeat(np.arange(len(decisions)), np.diff(transformer.starts))
    return Evidence(
        decisions=decisions,
        values=[decision.read(column) for decision, column in zip(decisions, read)],
        inputs=inputs,
        owners=owners,
        input_names=transformer.get_feature_names_out().tolist(),
        codes=codes,
        classes=classes,
        index=np.asarray(X.index) if hasattr(X, "index") else np.arange(len(codes)),
        entropy=entropy,
        probabilities=probabilities,
    )


def _number_values(values: Any) -> IntArray:
    """A number for each different value; missing ones are equal."""
    if isinstance(values, np.ndarray):
        return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.intp)
    places: dict[Any, int] = {}
    return np.array([places.setdefault(value, len(places)) for value in values], dtype=np.intp)
