"""What was found in a table, and the ways to look at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic import check
from emphatic.audit.troubles.finding import KINDS, Finding
from emphatic.check import FloatArray
from emphatic.report.grid import Grid
from emphatic.report.page import Section
from emphatic.wording import count

MOST_LISTED = 20
"""Findings of a kind that a page lists."""

MOST_ROWS = 10
"""Rows that a cell of the page names."""


@dataclass(frozen=True, eq=False)
class Troubles:
    """Findings of all kinds, in the order of `KINDS`, those with the highest score first.

    Attributes
    ----------
    findings : list of Finding
    index : array (n,)
        Names of the rows: those of a pandas table, otherwise 0 .. n-1.
    scores : dict of arrays (n,)
        For each kind that is about rows, the highest score of a row; 0 where nothing was found. Outliers and near
        duplicates have a score in every row.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic.audit import find_troubles
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> X.loc[7, "petal width (cm)"] = 20.0
    >>> found = find_troubles(X, y)
    >>> found.of("outliers")[0].rows
    (7,)
    """

    findings: Sequence[Finding]
    index: np.ndarray
    scores: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def kinds(self) -> list[str]:
        """The kinds of which there are findings."""
        present = {one.kind for one in self.findings}
        return [kind for kind in KINDS if kind in present]

    def of(self, kind: str) -> list[Finding]:
        """The findings of one kind."""
        check.one_of("kind", kind, list(KINDS))
        return [one for one in self.findings if one.kind == kind]

    def table(self) -> Any:
        """pandas DataFrame with the columns kind, score, rows (names), columns and explanation, a finding per row."""
        import pandas as pd

        records = [
            (one.kind, one.score, self.index[list(one.rows)].tolist(), list(one.columns), one.explanation)
            for one in self.findings
        ]
        return pd.DataFrame(records, columns=["kind", "score", "rows", "columns", "explanation"])

    def summary(self) -> str:
        """A line for each kind: how many findings, in how many rows, and the first of them."""
        if not self.findings:
            return "No other trouble was found."
        return "\n".join(f"{self._count(kind)}: {self.of(kind)[0].explanation}" for kind in self.kinds)

    def explain(self, most: int = 5) -> str:
        """All kinds that were found, what each means, and up to `most` findings of it with their scores."""
        check.integer("most", most, at_least=1)
        if not self.findings:
            return self.summary()
        parts = []
        for kind in self.kinds:
            found = self.of(kind)
            lines = [self._count(kind), KINDS[kind], *(f"  {one.score:.2f}  {one.explanation}" for one in found[:most])]
            if len(found) > most:
                lines.append(f"  and {len(found) - most:,} more")
            parts.append("\n".join(lines))
        return "\n\n".join(parts)

    def to_sections(self) -> list[Section]:
        """A section of a page for each kind that was found."""
        return [self._make_section(kind) for kind in self.kinds]

    def _make_section(self, kind: str) -> Section:
        found = self.of(kind)
        rows = [[f"{one.score:.2f}", self._name_rows(one), one.explanation] for one in found[:MOST_LISTED]]
        more = f"The first {MOST_LISTED} of {len(found):,}." if len(found) > MOST_LISTED else ""
        grid = Grid(["score", "rows", "what was found"], rows, more, frozenset({"score"}))
        return Section(f"trouble-{kind.replace(' ', '-')}", self._count(kind), [KINDS[kind]], [grid])

    def _name_rows(self, one: Finding) -> str:
        names = ", ".join(str(name) for name in self.index[list(one.rows[:MOST_ROWS])].tolist())
        return f"{names}, ... ({len(one.rows):,})" if len(one.rows) > MOST_ROWS else names

    def _count(self, kind: str) -> str:
        found = self.of(kind)
        rows = {row for one in found for row in one.rows}
        title = f"{kind[0].upper()}{kind[1:]} ({len(found):,}"
        return f"{title}, {count(len(rows), 'row')})" if len(rows) > len(found) else f"{title})"
