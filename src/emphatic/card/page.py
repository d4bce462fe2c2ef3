"""The page of a model card: one HTML file that needs no network."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from emphatic.card.card import Card
from emphatic.card.figures import (
    choose_threshold,
    draw_calibration,
    draw_certainty,
    draw_dependence,
    draw_ranking_curves,
    tabulate_confusion,
    tabulate_dependence,
)
from emphatic.card.wording import percent, shorten
from emphatic.check import IntArray
from emphatic.missing import is_missing
from emphatic.report import Bar, Grid, Section, write_page
from emphatic.report.grid import Cell
from emphatic.wording import count

MAX_CLASSES, MAX_COLUMNS, MAX_SHOWN = 50, 200, 8
"""Classes and columns that are listed, and columns shown of a row: the most important."""


def write_card(card: Card, path: str | Path) -> None:
    """Write the page; if it cannot be written, an OSError says why and no part of it is left behind."""
    target = shorten(card.target, 60) or "the target"
    rows, classes = count(card.evaluation.n_rows, "row"), count(len(card.evaluation.classes), "class", "classes")
    origin = f" from {shorten(card.source)}" if card.source else ""
    lead = f"{card.method} for {target}, fitted to {rows} of {classes}{origin}."
    write_page(path, f"Model card: {target}", lead, make_sections(card))


def make_sections(card: Card) -> list[Section]:
    """Make the sections of the page, in the order in which a reader asks; those without content are left out."""
    made = [
        _summarise(card),
        _list_classes(card),
        _show_curves(card),
        _show_thresholds(card),
        _rank_columns(card),
        _show_dependences(card),
        _list_columns(card),
        _list_unsure(card),
        _list_suspects(card),
        _list_candidates(card),
        _list_origins(card),
    ]
    return [section for section in made if section is not None]


def _summarise(card: Card) -> Section:
    found = card.evaluation
    low, high = found.interval
    facts = [
        (f"error (± {percent(found.standard_error)})", percent(found.error)),
        ("baseline error", percent(found.base_error)),
        ("balanced accuracy", percent(found.balanced_accuracy)),
    ]
    if found.probabilities is not None:
        facts += [
            ("log loss", f"{found.log_loss:.4f}"),
            ("Brier score", f"{found.brier_score:.4f}"),
            ("calibration error", percent(found.calibration_error or 0.0)),
        ]
    text = [
        f"All figures are out of fold: each row was predicted {card.origin}. On new rows of the same kind expect an "
        f"error between {percent(low)} and {percent(high)} (95% interval). The baseline always predicts the most "
        "frequent class.",
    ]
    return Section("summary", "Summary", text, facts=facts, warnings=[shorten(one, 1_000) for one in card.warnings])


def _list_classes(card: Card) -> Section:
    found = card.evaluation
    order = np.arange(len(found.classes))
    text = ["Recall: share of the rows of a class that are predicted as it. Precision: share of the rows predicted as "
            "it that are right. F1: their harmonic mean."]  # fmt: skip
    if len(order) > MAX_CLASSES:
        order = np.argsort(found.recall, kind="stable")[:MAX_CLASSES]
        text.append(f"Of {len(found.classes):,} classes the {MAX_CLASSES} with the lowest recall are listed.")
    names = ["Class", "Rows", "Recall", "Precision", "F1"]
    names += [] if found.probabilities is None else ["Average precision", "ROC AUC"]
    rows = []
    for k in order:
        shares = map(percent, (found.recall[k], found.precision[k], found.f1[k]))
        areas = [found.average_precision, found.roc_auc]
        given = [format(area[k], ".3f") for area in areas if area is not None]
        rows.append([shorten(found.classes[k], 60), f"{found.rows[k]:,}", *shares, *given])
    grids = [Grid(names, rows, right=frozenset(names[1:])), tabulate_confusion(found)]
    return Section("classes", "Classes", text, grids)


def _show_curves(card: Card) -> Section | None:
    if card.evaluation.probabilities is None:
        return None
    charts = [*draw_ranking_curves(card.evaluation), draw_calibration(card.evaluation), draw_certainty(card.evaluation)]
    return Section("curves", "Probabilities", charts=charts)


def _show_thresholds(card: Card) -> Section | None:
    found = choose_threshold(card.evaluation)
    if found is None:
        return None
    chooser, text = found
    return Section("thresholds", "Thresholds", [text], chooser=chooser)


def _rank_columns(card: Card) -> Section:
    found = card.importances
    text = [
        f"How much the {found.loss} grows when the cells of one column are shuffled: mean ± standard deviation of "
        f"{count(found.n_repeats, 'shuffle')}, measured on {found.n_rows:,} rows that the models had not seen. "
        "Columns that say the same can stand in for each other: each of them then looks less important than it is.",
    ]
    if found.n_left:
        text.append(
            f"The table is too wide to measure every column: {count(found.n_left, 'column')} looked less important in "
            "groups."
        )
    largest = max(float((found.values + found.spreads).max(initial=0.0)), 1e-12)
    rows: list[list[Cell]] = [
        [
            shorten(found.names[place], 60),
            Bar(found.values[place] / largest, found.spreads[place] / largest),
            f"{found.values[place]:.4f} ± {found.spreads[place]:.4f}",
        ]
        for place in found.order[:MAX_COLUMNS]
    ]
    names = ("Column", "", "Increase")
    return Section("importances", "Important columns", text, [Grid(names, rows, right=frozenset(names[2:]))])


def _show_dependences(card: Card) -> Section | None:
    if not card.dependences:
        return None
    numbers = [one for one in card.dependences if one.kind != "category"]
    categories = [one for one in card.dependences if one.kind == "category"]
    text = (
        "The mean probability if every row had this value in the column and all else stayed as it is: what the model "
        "does, not what causes what. Ticks on the axis are the deciles of the column: between them lie a tenth of the "
        "rows each."
    )
    charts = [draw_dependence(one, card.evaluation, number) for number, one in enumerate(numbers)]
    grids = [tabulate_dependence(one, card.evaluation) for one in categories]
    return Section("dependence", "What the predictions depend on", [text], grids, charts)


def _list_columns(card: Card) -> Section:
    n_used = sum(note.used for note in card.columns)
    text = [f"{n_used} of {count(len(card.columns), 'column')} are used."]
    # What needs a word first; a table of thousands of columns is cut.
    notes = sorted(card.columns, key=lambda note: (note.used, not note.decision.remark))
    if len(notes) > MAX_COLUMNS:
        text.append(f"The first {MAX_COLUMNS} are listed.")
    rows = [[shorten(note.name, 60), _show(note.missing), shorten(note.description)] for note in notes[:MAX_COLUMNS]]
    names = ("Column", "Missing", "Used as")
    return Section("columns", "Columns", text, [Grid(names, rows, right=frozenset({"Missing"}))])


def _list_unsure(card: Card) -> Section | None:
    text = "The rows with the lowest probability of their predicted class."
    return _list_rows(card, card.unsure, "unsure", "Least certain predictions", text)


def _list_suspects(card: Card) -> Section | None:
    text = (
        "Rows whose label the model contradicts, by how likely the label is wrong. A rare but right row looks wrong "
        "too: look before you correct. `emphatic audit` judges with more models and shows all rows."
    )
    return _list_rows(card, card.suspects, "suspects", "Most suspicious labels", text)


def _list_rows(card: Card, rows: IntArray, id: str, title: str, text: str) -> Section | None:
    found = card.evaluation
    if found.probabilities is None or len(rows) == 0:
        return None
    shown = card.importances.positions[card.importances.order[:MAX_SHOWN]].tolist()
    columns = [shorten(card.X.columns[j], 60) for j in shown]
    names = ["Row", "Label", "Predicted", "p(label)", "p(predicted)", *columns]
    grid = []
    for i in rows.tolist():
        label, predicted = found.codes[i], found.predicted[i]
        cells = [_show_cell(card.X.iat[i, j]) for j in shown]
        shares = [f"{found.probabilities[i, k]:.3f}" for k in (label, predicted)]
        grid.append(
            [shorten(card.index[i], 60), *(shorten(found.classes[k], 60) for k in (label, predicted)), *shares, *cells]
        )
    return Section(id, title, [text], [Grid(_make_distinct(names), grid, right=frozenset(names[3:5]))])


def _show_cell(cell: Any) -> str:
    if is_missing(cell):
        return "missing"
    return f"{cell:.6g}" if isinstance(cell, (float, np.floating)) else shorten(cell)


def _make_distinct(names: Sequence[str]) -> list[str]:
    """Names of columns of a grid; a column of the table that is called as one of ours is marked."""
    return [f"{name} (column)" if name in names[:place] else name for place, name in enumerate(names)]


def _list_candidates(card: Card) -> Section | None:
    if card.candidates is None:
        return None
    names = ("Family", "Candidate", "Weight", "", "Log loss", "Error", "Seconds")
    found = card.candidates
    rows: list[list[Cell]] = [
        [
            str(found["family"][i]),
            str(found["candidate"][i]),
            f"{found['weight'][i]:.3f}",
            Bar(float(found["weight"][i])),
            f"{found['log_loss'][i]:.4f}",
            percent(found["error"][i]),
            f"{found['seconds'][i]:.2f}",
        ]
        for i in range(len(found["weight"]))
    ]
    text = [shorten(line, 1_000) for line in card.explanation.splitlines() if line.strip()]
    right = frozenset({"Weight", "Log loss", "Error", "Seconds"})
    return Section("candidates", "Candidates and weights", text, [Grid(names, rows, right=right)])


def _list_origins(card: Card) -> Section:
    missing = sum(note.missing or 0 for note in card.columns)
    facts: dict[str, Any] = {
        "Method": card.method,
        "File": shorten(card.source),
        "Target": shorten(card.target),
        "Rows": f"{card.evaluation.n_rows:,}",
        "Columns": f"{len(card.columns):,}",
        "Missing values": f"{missing:,}",
        "Seed": card.seed,
        "Seconds": None if card.seconds is None else f"{card.seconds:.1f}",
        **card.versions,
    }
    rows = [[name, str(value)] for name, value in facts.items() if value not in (None, "")]
    return Section("origin", "Data and versions", grids=[Grid(("What", "Value"), rows)])


def _show(number: int | None) -> str:
    return "" if number is None else f"{number:,}"
