"""Which rows of a table the lines of a file of marks mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.audit.cells import list_features, name_label, name_rows
from emphatic.audit.marks.digests import digest_rows, digest_table, write_rows
from emphatic.audit.marks.entries import Entry
from emphatic.audit.marks.record import UNKNOWN, Marks
from emphatic.names import unknown
from emphatic.user_warning import warn_user
from emphatic.wording import count


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a table as marks name them: the digest of their features, their labels, their index; all as text."""

    digests: Sequence[str]
    labels: Sequence[str]
    index: Sequence[str]
    classes: Sequence[str]
    table: str

    @classmethod
    def of(cls, X: Any, y: np.ndarray, index: np.ndarray, classes: np.ndarray) -> Rows:
        """Those of a labelled table."""
        features = list_features(X)
        digests, labels = digest_rows(write_rows(features)), [name_label(label) for label in y.tolist()]
        names = [name_label(label) for label in classes.tolist()]
        return cls(digests, labels, list(map(str, name_rows(index))), names, digest_table(features, digests, labels))


def find_marked(entries: Sequence[Entry], rows: Rows, force: bool = False) -> Marks:
    """The marked rows of a table, wherever they stand in it now.

    A row is found by the digest of its features; of several equal ones the first that has the label (and the index, if
    possible) is taken. A row that has the correct label by now is right. With `force`, rows that are not found are
    taken by their index if they have the label there; those that have not are left out, with a warning.

    Raises
    ------
    ValueError
        If rows are not found, or a correct label is none of the classes.
    """
    for one in entries:
        for label in (one.label, one.correct):
            if label and label not in rows.classes:
                raise unknown("label", label, rows.classes)
    by_digest, by_index = _group(rows.digests), _group(rows.index)
    codes = {label: code for code, label in enumerate(rows.classes)}
    found: dict[int, tuple[bool, int]] = {}
    lost: list[Entry] = []
    for one in entries:
        place = _choose(one, by_digest[one.row], rows, found)
        if place is None and force and len(by_index[one.index]) == 1:
            place = _choose(one, by_index[one.index], rows, found)
        if place is None:
            lost.append(one)
        else:
            wrong = one.wrong and rows.labels[place] == one.label
            found[place] = (wrong, codes.get(one.correct, UNKNOWN) if wrong else codes[rows.labels[place]])
    if lost:
        _tell_lost(lost, len(entries), all(one.table != rows.table for one in lost), force)
    return Marks.of(found)


def _group(names: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        places[name].append(place)
    return places


def _choose(entry: Entry, places: Sequence[int], rows: Rows, taken: dict[int, Any]) -> int | None:
    """The place that still has the label, or has the correct one already; with the same index, if there are several."""
    free = [place for place in places if place not in taken]
    free.sort(key=lambda place: rows.index[place] != entry.index)
    for label in (entry.label, *([entry.correct] if entry.correct else [])):
        for place in free:
            if rows.labels[place] == label:
                return place
    return None


def _tell_lost(lost: Sequence[Entry], n_entries: int, other_table: bool, force: bool) -> None:
    which = f"{len(lost):,} of {count(n_entries, 'marked row')} (the first has index {lost[0].index})"
    if force:
        warn_user(f"{which} are left out: neither their cells nor their index and label are found in this table")
        return
    if other_table and len(lost) == n_entries:
        reason = "these are the marks of another table, or its columns were changed since"
    else:
        reason = "their cells or labels were changed since the review, or they were removed"
    raise ValueError(
        f"{which} are not in this table: {reason}. Review the table as it is now, or use force=True (--force), which "
        "takes rows by their index where it has the same label, and leaves out the others"
    )
