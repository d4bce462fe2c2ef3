"""The page of an audit: one HTML file that needs no network, in which a person reviews the suspicious labels.

What is in `web/` is put together here: `page.html` with the style, the scripts and the data inside it. A content
security policy names the style and the scripts by their hashes, so that a browser runs nothing else, whatever the
table holds, and fetches nothing.
"""

import hashlib
import html
import json
import math
from collections.abc import Iterator, Sequence
from functools import partial
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from emphatic.audit.judgement import KINDS, Findings
from emphatic.files import write_atomically
from emphatic.report.html import dump_for_script, fill_template, hash_for_policy, make_policy, read_part
from emphatic.report.page import Section, render_section

SCRIPTS = ("elements.js", "data.js", "marks.js", "rows.js", "overview.js", "grid.js", "sample.js", "review.js")
"""In the order of use; together they are one script."""

LARGEST_EXACT = 2**53
"""A browser's numbers are float64: a larger integer would lose its last digits, so it is passed as text."""


def write_page(findings: Findings, path: str | Path, sections: Sequence[Section] = ()) -> None:
    """Write the page; where it cannot be written, an OSError says why and no part of it is left behind."""
    write_atomically(path, render_page(findings, sections))


def render_page(findings: Findings, sections: Sequence[Section] = ()) -> str:
    """The page as text, with these sections below the review."""
    read = partial(read_part, "emphatic.audit")
    style = read("page.css") + read("troubles.css")
    script = f'(() => {{\n"use strict";\n{"".join(map(read, SCRIPTS))}}})();\n'
    parts = {
        "policy": make_policy(f"style-src {hash_for_policy(style)}", script),
        "style": style,
        "script": script,
        "summary": html.escape(findings.summary()),
        "troubles_link": _link_sections(sections),
        "troubles": _render_sections(sections),
        "data": dump_for_script(collect_data(findings)),
    }
    return fill_template(read("page.html"), parts)


def _link_sections(sections: Sequence[Section]) -> str:
    """A line in the head of the page, with a link to each section."""
    links = ", ".join(f'<a href="#{one.id}">{html.escape(one.title)}</a>' for one in sections)
    return f'<nav id="troubles-link" aria-label="Other troubles">Also found: {links}</nav>' if links else ""


def _render_sections(sections: Sequence[Section]) -> str:
    rendered = "\n".join(map(render_section, sections))
    return f'<div id="troubles">\n<h1>Other troubles of this table</h1>\n{rendered}\n</div>' if rendered else ""


def collect_data(findings: Findings) -> dict[str, Any]:
    """All that the scripts of the page read, as JSON can hold it; rows, classes and kinds are positions in lists."""
    place = {label: position for position, label in enumerate(findings.classes.tolist())}
    given = {
        "classes": [str(label) for label in place],
        "index": _row_labels(findings.index),
        "label": [place[label] for label in findings.y.tolist()],
        "features": [_describe_feature(name, cells) for name, cells in _iterate_columns(findings.X)],
    }
    return {
        # Only what the user gave makes the digest: marks stay valid when the same table is audited again.
        "digest": hashlib.sha256(json.dumps(given).encode()).hexdigest()[:32],
        **given,
        "kinds": list(KINDS),
        "suggested": [place[label] for label in findings.suggested.tolist()],
        "kind": [KINDS.index(kind) for kind in findings.kinds.tolist()],
        "suspicion": [round(value, 6) for value in findings.suspicion.tolist()],
        "probabilities": np.round(findings.probabilities, 4).tolist(),
        "neighbours": findings.neighbours.tolist(),
    }


def _iterate_columns(X: Any) -> Iterator[tuple[str, list[Any]]]:
    """Names and cells of the columns of a pandas or polars table, or of an array."""
    if hasattr(X, "iloc"):
        for j, name in enumerate(X.columns):  # by position: names need not be unique
            yield str(name), X.iloc[:, j].tolist()
    elif hasattr(X, "get_columns"):
        for series in X.get_columns():
            yield series.name, series.to_list()
    else:
        # As objects where it is a list: NumPy would turn the numbers of a mixed one into text.
        array = X if hasattr(X, "__array__") else np.array(X, dtype=object)
        for j, column in enumerate(np.asarray(array).T):
            yield f"x{j}", column.tolist()


def _describe_feature(name: str, cells: list[Any]) -> dict[str, Any]:
    """A column with None for missing values; the page measures differences of numbers in units of `spread`."""
    plain = [_as_json(cell) for cell in cells]
    known = [cell for cell in plain if cell is not None]
    numeric = all(isinstance(cell, (int, float)) for cell in known)
    spread = 0.0
    if numeric and known:
        with np.errstate(over="ignore", invalid="ignore"):
            spread = float(np.std(np.array(known, dtype=np.float64)))
    return {
        "name": name,
        "numeric": numeric,
        "spread": spread if math.isfinite(spread) and spread > 0.0 else None,
        "cells": plain if numeric else [cell if cell is None else str(cell) for cell in plain],
    }


def _as_json(cell: Any) -> int | float | str | None:
    """None for a missing value, a number where a browser has the same one, otherwise text."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):  # of pandas, without importing it
        return None
    if isinstance(cell, (bool, np.bool_)) or not isinstance(cell, Real):
        return str(cell)
    if isinstance(cell, (int, np.integer)):
        return int(cell) if abs(int(cell)) <= LARGEST_EXACT else str(cell)
    number = float(cell)
    if math.isnan(number):
        return None
    return number if math.isfinite(number) else str(number)


def _row_labels(index: np.ndarray) -> list[Any]:
    """Row labels: numbers if all of them are, so that they sort as such; otherwise text, with several levels joined."""
    plain = [_as_json(each) for each in index.tolist()]
    if all(isinstance(each, (int, float)) for each in plain):
        return plain
    return [", ".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in index.tolist()]
