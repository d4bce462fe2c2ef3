"""Why one row is predicted as it is: contributions of its columns as a table, in words, as a figure, in a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emphatic.auto.why.shapley import Contributions, name_players
from emphatic.auto.why.tabulation import as_table
from emphatic.missing import is_missing
from emphatic.names import unknown
from emphatic.wording import as_one_line

MOST_NAMED, MOST_SHOWN = 5, 15
"""Columns of the sentence, and of the figure and the table in a notebook."""

LONGEST = 40
"""Characters of a cell."""

RAISES, LOWERS = "#0067a8", "#c04c00"


@dataclass(frozen=True, eq=False)
class RowExplanation:
    """How much each cell of a row raises or lowers the probability of a class.

    Attributes
    ----------
    label : the class that is explained
    predicted : the class that the model predicts
    base : float
        Mean probability of `label` over the background rows.
    prediction : float
        Probability of `label` for the row: `base` plus all contributions.
    table : DataFrame, or a dict of columns where pandas is not installed
        column, value, contribution, and the standard error of the contribution, which is 0 where it is exact; the
        largest contribution first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from emphatic import EmphaticClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = EmphaticClassifier(random_state=0).fit(X, y).explain(X.iloc[[0]])
    >>> int(found.label), bool(abs(found.base + found.table["contribution"].sum() - found.prediction) < 1e-6)
    (0, True)
    """

    names: Sequence[str]
    cells: Sequence[Any]
    classes: np.ndarray
    predicted: Any
    label: Any
    found: Contributions

    def of(self, label: Any) -> RowExplanation:
        """The same for another class."""
        if label not in self.classes.tolist():
            raise ValueError(f"{unknown('class', str(label), [str(one) for one in self.classes.tolist()])}.")
        return replace(self, label=label)

    @property
    def base(self) -> float:
        """Mean probability of the class over the background rows."""
        return float(self.found.base[self._place])

    @property
    def prediction(self) -> float:
        """Probability of the class for the row."""
        return float(self.found.prediction[self._place])

    @property
    def table(self) -> Any:
        """One row per column; columns that are ignored, or the same in all background rows, contribute 0."""
        return as_table(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        known = {j for player in self.found.players for j in player}
        idle = [j for j in range(len(self.names)) if j not in known]
        names = [*name_players(self.found.players, self.names), *(self.names[j] for j in idle)]
        cells = [*(self.cells[one[0]] if len(one) == 1 else None for one in self.found.players)]
        values = [*self.found.values[:, self._place].tolist(), *[0.0] * len(idle)]
        errors = [*self.found.errors[:, self._place].tolist(), *[0.0] * len(idle)]
        order = sorted(range(len(names)), key=lambda place: -abs(values[place]))
        columns = {
            "column": names,
            "value": [*cells, *(self.cells[j] for j in idle)],
            "contribution": values,
            "standard_error": errors,
        }
        return {title: [column[place] for place in order] for title, column in columns.items()}

    @property
    def _place(self) -> int:
        return self.classes.tolist().index(self.label)

    def __str__(self) -> str:
        rows = self._list_rows(MOST_NAMED)
        label = as_one_line(repr(self.label))
        what = f"Predicted {label}" if self.label == self.predicted else f"Class {label}"
        lines = [f"{what} with probability {self.prediction:.3f}; on average it is {self.base:.3f}."]
        for verb, sign in (("raise", 1.0), ("lower", -1.0)):
            listed = [f"{what} ({value:+.3f})" for what, value in rows if sign * value > 0]
            lines += [f"These {verb} it: {', '.join(listed)}."] if listed else []
        rest = self.prediction - self.base - sum(value for _, value in rows)
        n_rest = sum(value != 0.0 for value in self._columns()["contribution"]) - len(rows)
        lines += [f"All others together: {rest:+.3f}."] if n_rest > 0 else []
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<RowExplanation of class {self.label!r}: {self.base:.3f} to {self.prediction:.3f}>"

    def _list_rows(self, most: int) -> list[tuple[str, float]]:
        """Columns with their cells, and contributions, the largest first, as far as they contribute."""
        columns = self._columns()
        rows = list(zip(columns["column"], columns["value"], columns["contribution"], strict=True))
        return [(_write(name, cell), value) for name, cell, value in rows[:most] if value != 0.0]

    def plot(self) -> Any:
        """A plotly Figure of the largest contributions."""
        from emphatic.auto.why.plot import make_figure

        rows = self._list_rows(MOST_SHOWN)[::-1]
        return make_figure(
            {
                "data": [
                    {
                        "type": "bar",
                        "orientation": "h",
                        "y": list(range(len(rows))),
                        "x": [value for _, value in rows],
                        "text": [f"{value:+.3f}" for _, value in rows],
                        "hovertext": [html.escape(what) for what, _ in rows],
                        "hoverinfo": "text+x",
                        "marker": {"color": [RAISES if value > 0 else LOWERS for _, value in rows]},
                    }
                ],
                "layout": {
                    "template": "plotly_white",
                    "title": {"text": html.escape(self._head())},
                    "xaxis": {"title": {"text": "change of the probability"}},
                    "yaxis": {
                        "tickvals": list(range(len(rows))),
                        "ticktext": [html.escape(what) for what, _ in rows],
                        "automargin": True,
                    },
                },
            }
        )

    def _head(self) -> str:
        return f"{as_one_line(str(self.label))}: {self.prediction:.3f} (on average {self.base:.3f})"

    def _repr_html_(self) -> str:
        rows = self._list_rows(MOST_SHOWN)
        largest = max((abs(value) for _, value in rows), default=1.0)
        lines = "".join(
            f"<tr><td>{html.escape(what)}</td><td style='text-align:right'>{value:+.3f}</td>"
            f"<td style='min-width:10em'><div style='height:.8em;width:{100 * abs(value) / largest:.0f}%;"
            f"background:{RAISES if value > 0 else LOWERS}'></div></td></tr>"
            for what, value in rows
        )
        return f"<table><caption>{html.escape(self._head())}</caption><tbody>{lines}</tbody></table>"


def _write(name: str, cell: Any) -> str:
    """`column = cell`, cut to a length that can be read."""
    if cell is None and name.endswith("other columns"):
        return name
    shown = f"{cell:.6g}" if isinstance(cell, float | np.floating) else str(cell)
    if is_missing(cell):
        shown = "missing"
    line = as_one_line(shown[: 10 * LONGEST])
    return f"{as_one_line(name)} = {line if len(line) <= LONGEST else line[: LONGEST - 1] + '…'}"
