"""How classes are predicted, and how long the search may take, as options of `emphatic fit`."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emphatic.recipes import Recipe


def choose_decision(
    recipe: Recipe, decision: str, costs: Path | None, budget: float | None, labels: Sequence[Any]
) -> Recipe:
    """The recipe with what the options --decision, --costs and --budget say; `labels` are those of the table."""
    given: dict[str, Any] = {"decision": decision} if decision else {}
    if budget is not None:
        given = {**given, "time_budget": budget}
    if costs is not None:
        given = {**given, "costs": read_costs_file(costs, labels)}
    if not given:
        return recipe
    if recipe.name != "EmphaticClassifier":
        raise ValueError(f"--decision, --costs and --budget are for EmphaticClassifier, not for {recipe.name}")
    chosen = replace(recipe, parameters={**recipe.parameters, **given})
    chosen.build({}, 0).check_parameters()  # before the work begins
    return chosen


def read_costs_file(path: Path, labels: Sequence[Any]) -> dict[Any, dict[Any, float]]:
    """Costs by true and predicted label, from a CSV with true classes in the first column and predicted ones on top."""
    known = {str(label): label for label in labels}
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            header, *rows = [row for row in csv.reader(file) if row] or [[]]
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"cannot read {path}: it is no CSV in UTF-8") from error
    costs: dict[Any, dict[Any, float]] = {}
    for true, *cells in rows:
        if len(cells) != len(header) - 1:
            raise ValueError(f"{path}: the row of {true!r} has {len(cells)} costs, and {len(header) - 1} are expected")
        costs[known.get(true, true)] = {
            known.get(predicted, predicted): _read_number(path, true, predicted, cell)
            for predicted, cell in zip(header[1:], cells, strict=True)
        }
    if not costs:
        raise ValueError(f"{path}: there are no costs; needed is a CSV with a row per true class and a header")
    return costs


def _read_number(path: Path, true: str, predicted: str, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise ValueError(f"{path}: the cost of predicting {predicted!r} for {true!r} is {cell!r}, no number") from None
