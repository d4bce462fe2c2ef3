"""Rows unlike any other row, and rows unlike all others of their class."""

from dataclasses import replace

import numpy as np

from emphatic.audit.troubles.chance import LEAST_SCORE, score_large
from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding
from emphatic.audit.troubles.neighbours import Neighbourhood, find_neighbours
from emphatic.check import FloatArray, IntArray

LEAST_ROWS = 30
"""In fewer different rows, of the table or of a class, no row is called unusual."""

MOST_COLUMNS, MOST_OF_DISTANCE = 3, 0.9
"""Columns that are named: the first that make up this share of the squared distance, but no more than three."""


def score_outliers(evidence: Evidence) -> FloatArray:
    """(n,): how surely the mean distance of a row from its neighbours is too large to belong to those of the others.

    Equal rows count as one, and have the same score: an outlier that was entered twice stays one.
    """
    hood = evidence.neighbourhood
    if hood is None or len(hood.rows) < LEAST_ROWS:
        return np.zeros(evidence.n_rows)
    scores = np.zeros(evidence.copies.max() + 1)
    scores[evidence.copies[hood.rows]] = score_large(hood.distances.mean(axis=1))
    return np.asarray(scores[evidence.copies])


def find_outliers(evidence: Evidence) -> list[Finding]:
    """Rows unlike any other (`score_outliers`)."""
    hood, scores = evidence.neighbourhood, score_outliers(evidence)
    if hood is None:
        return []
    found = []
    for place in _rank(scores[hood.rows]):
        rows = np.flatnonzero(evidence.copies == evidence.copies[hood.rows[place]]).tolist()
        found.append(_describe(evidence, hood, int(place), float(scores[rows[0]]), rows, "outliers"))
    return found


def find_class_outliers(evidence: Evidence) -> list[Finding]:
    """The same among the rows of each class, for rows that are no outliers of the table.

    Most of the rows nearest to such a row must have other labels.
    """
    everywhere = score_outliers(evidence) >= LEAST_SCORE
    found: list[Finding] = []
    for code in range(len(evidence.classes)):
        members = np.flatnonzero(evidence.codes == code)
        first = members[np.sort(np.unique(evidence.copies[members], return_index=True)[1])]
        if len(first) < LEAST_ROWS:
            continue
        hood = find_neighbours(evidence.inputs, first, evidence.draw(2 + code))
        scores = score_large(hood.distances.mean(axis=1), len(evidence.classes))
        for place in _rank(scores):
            rows = members[evidence.copies[members] == evidence.copies[first[place]]].tolist()
            company = _count_company(evidence, rows[0])
            if everywhere[rows[0]] or 2 * company[code] >= company.sum():
                continue
            one = _describe(evidence, hood, int(place), float(scores[place]), rows, "class outliers")
            label = evidence.name_label(int(company.argmax()))
            text = f"{one.explanation} Of the {company.sum()} rows nearest to it, {company.max()} are labelled {label}."
            found.append(replace(one, explanation=text))
    return sorted(found, key=lambda one: -one.score)


def _count_company(evidence: Evidence, row: int) -> IntArray:
    """How many of the rows nearest to a row have each label."""
    hood = evidence.neighbourhood
    assert hood is not None
    place = int(np.flatnonzero(evidence.copies[hood.rows] == evidence.copies[row])[0])
    return np.bincount(evidence.codes[hood.neighbours[place]], minlength=len(evidence.classes))


def _rank(scores: FloatArray) -> np.ndarray:
    """Places of those that are reported, the highest score first."""
    order = np.argsort(-scores, kind="stable")
    return order[scores[order] >= LEAST_SCORE]


def share_distance(evidence: Evidence, hood: Neighbourhood, place: int) -> FloatArray:
    """The share that each column has in the squared distances between a row and its neighbours; they add up to 1."""
    gaps = evidence.inputs[hood.neighbours[place]] - evidence.inputs[hood.rows[place]]
    squares = (gaps**2).mean(axis=0)
    parts = np.bincount(evidence.owners, squares[: len(evidence.owners)], len(evidence.decisions))
    return np.asarray(parts / (parts.sum() or 1.0))


def _describe(evidence: Evidence, hood: Neighbourhood, place: int, score: float, rows: list[int], kind: str) -> Finding:
    shares = share_distance(evidence, hood, place)
    order = np.argsort(-shares, kind="stable")[:MOST_COLUMNS]
    n_named = 1 + int(np.searchsorted(np.cumsum(shares[order]), MOST_OF_DISTANCE))
    columns = [int(j) for j in order[:n_named] if shares[j] > 0.0]
    cells = "; ".join(_compare(evidence, hood, place, j) for j in columns)
    label = evidence.name_label(int(evidence.codes[rows[0]]))
    unlike = "any other" if kind == "outliers" else f"the others labelled {label}"
    usual = np.median(hood.distances.mean(axis=1))
    far = (
        f"{hood.distances[place].mean() / usual:.3g} times as far from the nearest rows as usual"
        if usual
        else "far off"
    )
    text = f"{evidence.name_rows(rows)} {'is' if len(rows) == 1 else 'are'} unlike {unlike}, {far}: {cells}."
    return Finding(kind, score, text, tuple(rows), tuple(evidence.decisions[j].name for j in columns))


def _compare(evidence: Evidence, hood: Neighbourhood, place: int, column: int) -> str:
    """The cell of a row beside those of its neighbours."""
    name, own = evidence.decisions[column].name, evidence.show(int(hood.rows[place]), column)
    neighbours = hood.neighbours[place].tolist()
    values = evidence.values[column]
    if isinstance(values, np.ndarray):
        known = sorted((row for row in neighbours if values[row] == values[row]), key=lambda row: values[row])
        ends = dict.fromkeys(evidence.show(row, column) for row in (known[0], known[-1])) if known else ["missing"]
        others = " to ".join(ends)
    else:
        cells = [evidence.show(row, column) for row in neighbours]
        others = f"{'mostly ' if len(set(cells)) > 1 else ''}{max(cells, key=cells.count)}"
    return f"{name} is {own} (in the nearest rows {others})"
