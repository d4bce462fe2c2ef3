"""Tables prepared for learners: numbers scaled, categories as indicators, missing values filled in; and pipelines."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from emphatic.export.answer import Answer
from emphatic.export.conversion import TRANSFORMATIONS, convert, converts, transform
from emphatic.export.graph import ML, Value
from emphatic.export.table import Table
from emphatic.inputs import LARGEST_INPUT
from emphatic.tables import TableTransformer
from emphatic.tables.encodings.choice import name_encoding


@converts(Pipeline)
def _convert_pipeline(model: Pipeline, table: Table) -> Answer:
    for _, step in model.steps[:-1]:
        if step is not None and step != "passthrough":
            table = transform(step, table)
    return convert(model.steps[-1][1], table)


def _scale_standard(scaler: StandardScaler, table: Table) -> Table:
    numbers = table.numbers()
    if scaler.mean_ is not None and scaler.with_mean:
        numbers = numbers - scaler.mean_
    if scaler.scale_ is not None:
        numbers = numbers / scaler.scale_
    return Table([numbers], table.width)


def _scale_to_range(scaler: MinMaxScaler, table: Table) -> Table:
    numbers = table.numbers() * scaler.scale_ + scaler.min_
    if scaler.clip:
        numbers = numbers.at_least(scaler.feature_range[0]).at_most(scaler.feature_range[1])
    return Table([numbers], table.width)


def _prepare_table(transformer: TableTransformer, table: Table) -> Table:
    """The scaled columns and the indicators, brought into the order of the columns they come from."""
    _refuse_encodings(transformer)
    categories = transformer.categories_
    scaled = [j for j in range(table.width) if transformer._is_scaled(j)]
    blocks, sources = [], [(j, 0) for j in scaled]
    if scaled:
        blocks.append(_scale_numbers(transformer, table, scaled))
    for j, names in enumerate(categories):
        if j not in scaled and names:
            codes = _encode(table, j, names)
            blocks.append(codes.equals(np.arange(len(names))[None, :]).where(math.sqrt(0.5), 0.0))
            sources += [(j, k) for k in range(len(names))]
    if not blocks:  # nothing of the table is useful
        return Table([table.constant_column(0.0)], 1)
    result = blocks[0].graph.concatenate(blocks)
    order = sorted(range(len(sources)), key=lambda place: sources[place])
    return Table([result if order == list(range(len(order))) else result.columns(order)], len(order))


def _refuse_encodings(transformer: TableTransformer) -> None:
    """An ONNX graph has no n-grams of characters, and no calendar."""
    for decision in transformer.columns_:
        if name_encoding(decision) is not None:
            what = "many categories" if decision.many else f"{decision.kind}s"
            remedy = f'fit with columns={{{decision.name!r}: "ignore"}}, or make numbers of it before'
            raise ValueError(f"column {decision.name!r} holds {what}, which cannot be exported to ONNX: {remedy}")


def mark_indicators(transformer: TableTransformer) -> NDArray[np.bool_]:
    """Which columns of its result are indicators, of which each row has one at most for each of its columns."""
    marks: list[bool] = []
    for j, names in enumerate(transformer.categories_):
        marks += [False] if transformer._is_scaled(j) else [True] * len(names or ())
    return np.array(marks or [False])


def _scale_numbers(transformer: TableTransformer, table: Table, scaled: list[int]) -> Value:
    """(number / unit - offset) / spread, with the mean for what is missing."""
    scales = transformer._scales
    if all(transformer.categories_[j] is None for j in scaled):
        numbers = table.take(scaled).numbers()
    else:
        columns = [_read_number(transformer, table, j) for j in scaled]
        numbers = columns[0].graph.concatenate(columns)
    small = numbers / scales.unit
    small = small.apply("IsNaN", dtype=bool).where(np.broadcast_to(scales.mean, (1, len(scaled))), small)
    return ((small - scales.offset) / scales.spread).at_least(-LARGEST_INPUT).at_most(LARGEST_INPUT)


def _read_number(transformer: TableTransformer, table: Table, j: int) -> Value:
    """A column of numbers, or the codes of its categories, NaN for an unknown one."""
    names = transformer.categories_[j]
    if names is None:
        return table.column(j)
    codes = _encode(table, j, names)
    return (codes >= 0).where(codes.cast(np.float64), np.nan)


def _encode(table: Table, j: int, names: list[str | None]) -> Value:
    """Place of each text among the categories, -1 if it is none of them."""
    keys = [table.missing if name is None else name for name in names]
    return table.column(j).apply(
        "LabelEncoder",
        domain=ML,
        dtype=np.int64,
        keys_strings=keys,
        values_int64s=list(range(len(keys))),
        default_int64=-1,
    )


TRANSFORMATIONS[TableTransformer] = _prepare_table
TRANSFORMATIONS[StandardScaler] = _scale_standard
TRANSFORMATIONS[MinMaxScaler] = _scale_to_range
