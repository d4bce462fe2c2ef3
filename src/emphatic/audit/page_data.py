"""What the scripts of the page read, as JSON can hold it.

All samples are listed. Cells, probabilities and neighbours take most of the room, and are there for all samples of a
table of moderate size; of a larger one, for the most suspicious samples and their neighbours.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from emphatic.audit.cells import Feature, as_plain, list_features, name_label, name_rows
from emphatic.audit.judgement import KINDS
from emphatic.audit.marks.digests import digest_rows, digest_table, write_rows
from emphatic.audit.marks.record import RIGHT, WRONG, Marks
from emphatic.audit.reviewed import Reviewed
from emphatic.check import IntArray
from emphatic.tables.columns import Column
from emphatic.tables.decision import Decision

MOST_LETTERS = 10_000_000
"""Of the cells, probabilities and neighbours on a page: about 10 MB."""

NUMBER_LETTERS = 7
"""Of a probability, or of the position of a neighbour, with its comma."""


def collect_data(findings: Reviewed) -> dict[str, Any]:
    """All that the scripts of the page read; rows, classes and kinds are positions in lists."""
    place = {label: position for position, label in enumerate(findings.classes.tolist())}
    features = list_features(findings.X)
    written = write_rows(features)
    rows = digest_rows(written)
    classes = [name_label(label) for label in place]
    codes = [place[label] for label in findings.y.tolist()]
    detailed = choose_detailed(findings, np.array([len(one) for one in written]))
    decisions = {one.name: one for one in findings.columns}
    return {
        # Only what the user gave makes the digest: marks stay valid when the same table is audited again.
        "digest": digest_table(features, rows, (classes[code] for code in codes)),
        "rows": "".join(rows),
        "classes": classes,
        "index": name_rows(findings.index),
        "label": codes,
        "kinds": list(KINDS),
        "suggested": [place[label] for label in findings.suggested.tolist()],
        "kind": [KINDS.index(kind) for kind in findings.kinds.tolist()],
        "suspicion": _round(findings.suspicion),
        "forecast": None if findings.forecast is None else _round(findings.forecast),
        "marks": _list_marks(findings.marks),
        "detailed": None if len(detailed) == len(codes) else detailed.tolist(),
        "features": [_describe_feature(one, decisions.get(one.name), detailed) for one in features],
        "probabilities": np.round(findings.probabilities[detailed], 4).tolist(),
        "neighbours": findings.neighbours[detailed].tolist(),
    }


def choose_detailed(findings: Reviewed, letters: IntArray) -> IntArray:
    """Positions of the samples that are shown with all their cells, of which these are the lengths.

    All of them, or as many of the most suspicious ones, each with its neighbours, as there is room for.
    """
    room = letters + NUMBER_LETTERS * (findings.probabilities.shape[1] + findings.neighbours.shape[1])
    if room.sum() <= MOST_LETTERS:
        return np.arange(len(room))
    chosen: set[int] = set()
    free = MOST_LETTERS
    for i in findings.order:
        more = {int(i), *findings.neighbours[i].tolist()} - chosen
        free -= room[list(more)].sum() if more else 0
        if free < 0:
            break
        chosen |= more
    return np.array(sorted(chosen), dtype=np.intp)


def _list_marks(marks: Marks) -> dict[str, Any]:
    """As the page stores them: "right", or "wrong" with the code of the right label, null if it is not known."""
    codes = [None if unknown else code for code, unknown in zip(marks.correct.tolist(), marks.unknown, strict=True)]
    lines = zip(marks.rows.tolist(), marks.wrong, codes, strict=True)
    return {str(row): [WRONG, code] if wrong else [RIGHT, code] for row, wrong, code in lines}


def _describe_feature(feature: Feature, decision: Decision | None, rows: IntArray) -> dict[str, Any]:
    """A column with None for missing values; the page measures differences of numbers in units of `spread`."""
    cells = _read_numbers(feature, decision)
    known = [cell for cell in cells if cell is not None]
    numeric = all(isinstance(cell, int | float) for cell in known)
    spread = 0.0
    if numeric and known:
        with np.errstate(over="ignore", invalid="ignore"):
            spread = float(np.std(np.array(known, dtype=np.float64)))
    shown = [cells[i] for i in rows]
    return {
        "name": feature.name,
        "numeric": numeric,
        "spread": spread if math.isfinite(spread) and spread > 0.0 else None,
        "cells": shown if numeric else [cell if cell is None else str(cell) for cell in shown],
    }


def _read_numbers(feature: Feature, decision: Decision | None) -> Sequence[Any]:
    """The cells; those of a file of text as numbers, where the audit takes them for numbers."""
    if decision is None or decision.kind != "number" or not any(isinstance(cell, str) for cell in feature.cells):
        return feature.cells
    numbers = decision.read(Column(feature.name, "cells", feature.cells))
    return [as_plain(number) for number in numbers.tolist()]


def _round(values: np.ndarray) -> list[float]:
    return [round(value, 6) for value in values.tolist()]
