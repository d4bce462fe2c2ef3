"""What goes into an exported model: how its columns are named, and how any table becomes its inputs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from emphatic.export.categories import choose_text, find_categories
from emphatic.export.graph import TEXT, Graph
from emphatic.export.table import Table
from emphatic.names import unknown
from emphatic.tables.columns import Column, read_columns, read_numbers
from emphatic.tables.decision import read_cells
from emphatic.tables.spelling import read_truth_values

MATRIX = "X"
"""The one input of a model of numbers."""

_PREFIX = "emphatic."


@dataclass(frozen=True)
class Inputs:
    """The columns of a model's table.

    Attributes
    ----------
    names : of the columns, or None if the training table had none
    kinds : "numbers", "booleans" or "text", of each
    inputs : the name of the input that holds each column
    missing : the text that stands for a missing one: no category of any column
    unknown : another text that is no category, for a text in a table that happens to be `missing`
    """

    names: Sequence[str] | None
    kinds: Sequence[str]
    inputs: Sequence[str]
    missing: str
    unknown: str

    @classmethod
    def declare(cls, graph: Graph, model: Any) -> tuple[Inputs, Table]:
        """The inputs of a graph for a fitted model, and the table that they make up."""
        categories, width = find_categories(model), model.n_features_in_
        names = [str(name) for name in getattr(model, "feature_names_in_", ())] or None
        kinds = [_name_kind(categories.get(j)) for j in range(width)]
        if categories:
            shown = names or [f"x{j}" for j in range(width)]
            types = [np.float64 if kind == "numbers" else TEXT for kind in kinds]
            values = [graph.input(name, dtype, ["rows", 1]) for name, dtype in zip(shown, types, strict=True)]
            inputs = [value.name for value in values]
        else:
            values = [graph.input(MATRIX, np.float64, ["rows", width])]
            inputs = [MATRIX] * width
        missing = choose_text(categories, "")
        return cls(names, kinds, inputs, missing, choose_text(categories, "unknown")), Table(values, width, missing)

    def to_metadata(self) -> dict[str, str]:
        """All of it as text, for the file."""
        return {
            f"{_PREFIX}columns": json.dumps(self.names),
            f"{_PREFIX}kinds": json.dumps(self.kinds),
            f"{_PREFIX}inputs": json.dumps(self.inputs),
            f"{_PREFIX}missing": self.missing,
            f"{_PREFIX}unknown": self.unknown,
        }

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, str]) -> Inputs:
        """What `to_metadata` wrote; a ValueError if it was not us who exported the model."""
        if f"{_PREFIX}inputs" not in metadata:
            raise ValueError("the model was not exported by emphatic: its metadata do not describe its columns")
        names, kinds, inputs = (json.loads(metadata[f"{_PREFIX}{key}"]) for key in ("columns", "kinds", "inputs"))
        return cls(names, kinds, inputs, metadata[f"{_PREFIX}missing"], metadata[f"{_PREFIX}unknown"])

    def feed(self, table: Any) -> dict[str, np.ndarray]:
        """The inputs for the rows of a table, by name."""
        columns = self._read(table)
        cells = [self._fill(column, kind) for column, kind in zip(columns, self.kinds, strict=True)]
        if set(self.kinds) <= {"numbers"}:
            return {self.inputs[0]: np.ascontiguousarray(np.column_stack(cells))}
        return {name: values[:, None] for name, values in zip(self.inputs, cells, strict=True)}

    def _read(self, table: Any) -> list[Column]:
        if self.names is not None and hasattr(table, "columns"):
            given = list(map(str, table.columns))
            for name in self.names:
                if name not in given:
                    raise unknown("column", name, given)
            table = table[list(self.names)]
        columns = read_columns(BaseEstimator(), table, reset=True)
        if len(columns) != len(self.kinds):
            raise ValueError(f"the table has {len(columns)} columns, but the model takes {len(self.kinds)}")
        return columns

    def _fill(self, column: Column, kind: str) -> np.ndarray:
        """Numbers, NaN where one is missing; or texts, `missing` where one is."""
        if kind == "numbers":
            return read_numbers(column)
        stand_in = {None: self.missing, self.missing: self.unknown}
        texts = read_cells(column)
        texts = read_truth_values(texts) if kind == "booleans" else texts
        return np.array([stand_in.get(text, text) for text in texts], dtype=object)


def _name_kind(categories: set[str] | None) -> str:
    if categories is None:
        return "numbers"
    return "booleans" if categories and categories <= {"True", "False"} else "text"


def make_feed(exported: Any, table: Any) -> dict[str, np.ndarray]:
    """The inputs of an exported model for the rows of a table: what `InferenceSession.run` of onnxruntime takes.

    Parameters
    ----------
    exported : ModelProto that `to_onnx` made, or the InferenceSession of its file
    table : pandas or polars DataFrame, array or list of rows
        Of a DataFrame, columns are taken by name, in any order, if the model was trained on one.

    Returns
    -------
    dict of arrays by the names of the inputs

    Examples
    --------
    >>> import pandas as pd
    >>> from emphatic import EmphaticClassifier
    >>> from emphatic.export import make_feed, to_onnx
    >>> table = pd.DataFrame({"colour": ["red", "blue", None, "red"] * 5, "size": range(5, 25)})
    >>> model = EmphaticClassifier(random_state=0).fit(table, [0, 1] * 10)
    >>> make_feed(to_onnx(model), table[1:3])
    {'colour': array([['blue'], ['']], dtype=object), 'size': array([[6.], [7.]])}
    """
    if hasattr(exported, "get_modelmeta"):
        metadata = dict(exported.get_modelmeta().custom_metadata_map)
    elif hasattr(exported, "metadata_props"):
        metadata = {one.key: one.value for one in exported.metadata_props}
    else:
        kind = type(exported).__name__
        raise TypeError(f"a {kind} is not allowed: pass what to_onnx returned, or an InferenceSession of onnxruntime")
    return Inputs.from_metadata(metadata).feed(table)
