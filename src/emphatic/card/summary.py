"""What `emphatic fit` prints of a model: the questions of a practitioner, answered in a screenful."""

from collections.abc import Iterator

import numpy as np

from emphatic.card.card import Card
from emphatic.card.wording import percent, shorten
from emphatic.wording import count

MAX_CLASSES, MAX_COLUMNS = 12, 10
"""Lines per table; the page of the model card has more."""

_NAME = 28
"""Characters of a name in a table."""


def summarise(card: Card) -> list[str]:
    """Summarise a card in lines of plain text, all of them safe to print."""
    return [
        *_describe_errors(card),
        "",
        *_tabulate_classes(card),
        "",
        *_tabulate_importances(card),
        "",
        *_tabulate_columns(card),
        *_list_warnings(card),
    ]


def _describe_errors(card: Card) -> Iterator[str]:
    found = card.evaluation
    target = f" of {shorten(card.target, _NAME)}" if card.target else ""
    time = "" if card.seconds is None else f" in {card.seconds:.1f} s"
    n_used = sum(note.used for note in card.columns)
    yield (
        f"{card.method}{time}: {count(found.n_rows, 'row')}, {n_used} of {count(len(card.columns), 'column')} used, "
        f"{count(len(found.classes), 'class', 'classes')}{target}"
    )
    low, high = found.interval
    yield (
        f"Out-of-fold error {percent(found.error)} ± {percent(found.standard_error)} (95% interval {percent(low)} to "
        f"{percent(high)}; always the most frequent class: {percent(found.base_error)})"
    )
    if found.probabilities is not None:
        yield (
            f"Log loss {found.log_loss:.4f}, Brier score {found.brier_score:.4f}, "
            f"calibration error {percent(found.calibration_error or 0.0)}"
        )
    yield f"Each row was predicted {card.origin}."


def _tabulate_classes(card: Card) -> Iterator[str]:
    found = card.evaluation
    order = np.arange(len(found.classes))
    if len(order) > MAX_CLASSES:
        order = np.argsort(found.recall, kind="stable")[:MAX_CLASSES]
    names = [shorten(found.classes[k], _NAME) for k in order]
    width = max(len("class"), *map(len, names))
    yield f"{'class':{width}}  {'rows':>8}  {'recall':>7}  {'precision':>9}  {'F1':>6}"
    for name, k in zip(names, order):
        yield (
            f"{name:{width}}  {found.rows[k]:>8,}  {percent(found.recall[k]):>7}  {percent(found.precision[k]):>9}  "
            f"{percent(found.f1[k]):>6}"
        )
    if len(order) < len(found.classes):
        yield f"and {len(found.classes) - len(order)} more with a better recall"


def _tabulate_importances(card: Card) -> Iterator[str]:
    found = card.importances
    yield f"Most important columns (increase of the {found.loss} when shuffled, on {found.n_rows:,} held-out rows)"
    order = [place for place in found.order[:MAX_COLUMNS] if found.values[place] > 0.0]
    if not order:
        yield "  none: shuffling a column makes the predictions no worse"
        return
    names = [shorten(found.names[place], _NAME) for place in order]
    width = max(map(len, names))
    for name, place in zip(names, order):
        yield f"  {name:{width}}  {found.values[place]:.4f} ± {found.spreads[place]:.4f}"


def _tabulate_columns(card: Card) -> Iterator[str]:
    yield "Columns"
    # What is left out, or needs a word, first; the rest is as expected.
    notes = sorted(card.columns, key=lambda note: (note.used, not note.decision.remark))
    shown = notes[: 2 * MAX_COLUMNS]
    width = max(len(shorten(note.name, _NAME)) for note in shown)
    for note in shown:
        yield f"  {shorten(note.name, _NAME):{width}}  {shorten(note.description, 110)}"
    if len(notes) > len(shown):
        yield f"  and {len(notes) - len(shown)} more"


def _list_warnings(card: Card) -> Iterator[str]:
    if card.warnings:
        yield ""
        for warning in card.warnings:
            yield f"Warning: {shorten(warning, 1_000)}"
