"""Results of audits, made by hand: known figures without the work of an audit."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors

from emphatic.audit.cells import list_features
from emphatic.audit.marks.digests import digest_rows, write_rows
from emphatic.audit.page_data import collect_data
from emphatic.audit.result import AuditResult


def made_result(table, y, suspicion, suggested, index=None, n_neighbours=2):
    """A result with these figures; kinds follow from the suspicion, neighbours from the positions of the rows."""
    y, suggested, suspicion = np.asarray(y), np.asarray(suggested), np.asarray(suspicion, dtype=float)
    n = len(y)
    classes, codes = np.unique(np.concatenate([y, suggested]), return_inverse=True)
    probabilities = np.zeros((n, len(classes)))
    probabilities[np.arange(n), codes[n:]] += suspicion
    probabilities[np.arange(n), codes[:n]] += 1.0 - suspicion
    rows = np.arange(float(n)).reshape(-1, 1)
    return AuditResult(
        suspicion=suspicion,
        suggested=suggested,
        kinds=np.array(["redundant", "borderline", "noisy"])[np.digitize(suspicion, [0.3, 0.7])],
        probabilities=probabilities,
        posterior=probabilities,
        classes=classes,
        X=table,
        y=y,
        index=np.arange(n) if index is None else np.asarray(index),
        neighbours=NearestNeighbors(n_neighbors=n_neighbours).fit(rows).kneighbors(return_distance=False),
    )


def marks_file(result, marks):
    """What the page would download; `marks` holds the mark and the right label (None: not known) by position."""
    rows = digest_rows(write_rows(list_features(result.X)))
    table = collect_data(result)["digest"]
    lines = []
    for i, (mark, correct) in marks.items():
        found = {"index": result.index[i], "label": result.y[i], "suggested": result.suggested[i]}
        found |= {"suspicion": result.suspicion[i], "mark": mark, "correct": correct}
        lines.append(found | {"row": f"row-{rows[i]}", "table": f"table-{table}"})
    return pd.DataFrame(lines)


def fruits():
    """Six samples of two classes with a nominal column and missing cells; row 11 is the most suspicious."""
    table = pd.DataFrame(
        {"colour": ["red", "green", None, "red", "red", "green"], "weight": [150.0, 7, 160, np.nan, 9, 8.25]}
    )
    y = ["apple", "apple", "apple", "apple", "grape", "grape"]
    suggested = ["apple", "grape", "apple", "apple", "grape", "grape"]
    return made_result(table, y, [0.1, 0.9, 0.25, 0.5, 0.05, 0.02], suggested, index=[10, 11, 12, 13, 14, 15])
