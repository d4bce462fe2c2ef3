"""What a notebook shows below the diagram of a fitted model: a few lines and two small tables, without a script."""

import html
from collections.abc import Iterable

from emphatic.auto.searching.blend import Blend
from emphatic.importance import Importances
from emphatic.wording import as_one_line, count

MOST_SHOWN = 10


def summarise_as_html(blend: Blend, n_classes: int, n_columns: int, importances: Importances | None) -> str:
    """The error, the members, and the columns: with importances where these are known."""
    head = (
        f"Out of fold: error {100 * blend.error:.1f}%, log loss {blend.loss:.4f}. "
        f"{count(len(blend.members), 'member')}, {count(n_columns, 'column')}, {count(n_classes, 'class', 'classes')}."
    )
    members = [(str(one), f"{100 * one.weight:.1f}%") for one in blend.members[:MOST_SHOWN]]
    parts = [f"<p>{html.escape(head)}</p>", _make_table("member", "weight", members)]
    if importances is not None:
        top = importances.order[:MOST_SHOWN]
        rows = [(importances.names[place], f"{importances.values[place]:.4f}") for place in top]
        parts.append(_make_table("column", "importance", rows))
    return f"<div class='emphatic-summary'>{''.join(parts)}</div>"


def _make_table(first: str, second: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = "".join(
        f"<tr><td style='text-align:left'>{html.escape(as_one_line(one))}</td><td>{html.escape(other)}</td></tr>"
        for one, other in rows
    )
    return f"<table><thead><tr><th>{first}</th><th>{second}</th></tr></thead><tbody>{lines}</tbody></table>"
