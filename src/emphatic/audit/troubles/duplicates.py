"""Exact duplicates, near duplicates, and either with different labels."""

from collections.abc import Sequence

import numpy as np

from emphatic.audit.troubles.copies import CopySet, find_exact_sets, find_near_sets
from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding
from emphatic.wording import count

MOST_SHOWN = 3
"""Columns that a sentence shows."""

COMMON = 0.5
"""Where more than this share of the rows have copies, they are told in one sentence."""


def find_duplicates(evidence: Evidence) -> list[Finding]:
    """Findings of all three kinds; the score of a set is that of its likeness (`copies`)."""
    exact, near = find_exact_sets(evidence), find_near_sets(evidence)
    return [
        *_report(evidence, exact, "exact duplicates"),
        *_report(evidence, near, "near duplicates"),
        *_report_conflicts(evidence, [*exact, *near]),
    ]


def _report(evidence: Evidence, sets: Sequence[CopySet], kind: str) -> list[Finding]:
    if _are_common(evidence, sets):
        return [_report_common(evidence, sets, kind)]
    describe = _describe_exact if kind == "exact duplicates" else _describe_near
    return [describe(evidence, one) for one in sets]


def _are_common(evidence: Evidence, sets: Sequence[CopySet]) -> bool:
    return sum(len(one.rows) for one in sets) > COMMON * evidence.n_rows


def _report_common(evidence: Evidence, sets: Sequence[CopySet], kind: str) -> Finding:
    rows = np.sort(np.concatenate([one.rows for one in sets]))
    share = len(rows) / evidence.n_rows
    like = "an equal" if kind == "exact duplicates" else "a nearly equal"
    text = f"{100 * share:.0f}% of the rows have {like} one, in {count(len(sets), 'set')}: the columns take few values."
    return Finding(kind, 1.0 - share, text, tuple(rows.tolist()))


def _describe_exact(evidence: Evidence, one: CopySet) -> Finding:
    first, other = one.rows[0], one.rows[1:]
    differing = [
        decision.name
        for decision, cells in zip(evidence.decisions, evidence.values)
        if decision.left_out and any(cells[row] != cells[first] for row in other)
    ]
    apart = f" (but for {', '.join(differing[:MOST_SHOWN])}, which is not used)" if differing else ""
    text = f"{evidence.name_rows(one.rows.tolist())} are equal{apart}."
    return Finding("exact duplicates", one.score, text, tuple(one.rows.tolist()), tuple(differing))


def _describe_near(evidence: Evidence, one: CopySet) -> Finding:
    differing = _find_differing(evidence, one)
    first, last = int(one.rows[0]), int(one.rows[-1])
    cells = [f"{evidence.decisions[j].name} ({_show_two(evidence, first, last, j)})" for j in differing[:MOST_SHOWN]]
    more = f" and {count(len(differing) - MOST_SHOWN, 'more column')}" if len(differing) > MOST_SHOWN else ""
    where = f": they differ in {', '.join(cells)}{more}" if cells else ""
    text = (
        f"{evidence.name_rows(one.rows.tolist())} are nearly equal{where}; their distance is {one.distance:.3g}, where "
        f"the tenth nearest row is {one.usual:.3g} away."
    )
    names = tuple(evidence.decisions[j].name for j in differing)
    return Finding("near duplicates", one.score, text, tuple(one.rows.tolist()), names)


def _find_differing(evidence: Evidence, one: CopySet) -> list[int]:
    """Columns in which the rows of a set differ, those with the largest spread of their inputs first."""
    spread = np.ptp(evidence.inputs[one.rows], axis=0)
    widest = np.zeros(len(evidence.decisions))
    np.maximum.at(widest, evidence.owners, spread[: len(evidence.owners)])
    return [int(j) for j in np.argsort(-widest, kind="stable") if widest[j] > 0.0]


def _show_two(evidence: Evidence, first: int, last: int, column: int) -> str:
    return f"{evidence.show(first, column)}, {evidence.show(last, column)}"


def _report_conflicts(evidence: Evidence, sets: Sequence[CopySet]) -> list[Finding]:
    conflicts = [one for one in sets if np.ptp(evidence.codes[one.rows]) > 0]
    if _are_common(evidence, conflicts):
        rows = np.unique(np.concatenate([one.rows for one in conflicts]))
        text = (
            f"{100 * len(rows) / evidence.n_rows:.0f}% of the rows have an equal one, or nearly, with another label: "
            "the columns do not suffice to tell the classes apart."
        )
        return [Finding("conflicting duplicates", 1.0, text, tuple(rows.tolist()))]
    found = []
    for one in conflicts:
        codes, counts = np.unique(evidence.codes[one.rows], return_counts=True)
        labels = ", ".join(f"{evidence.name_label(code)} ({n})" for code, n in zip(codes.tolist(), counts.tolist()))
        like = "nearly equal" if one.usual else "equal"
        text = f"{evidence.name_rows(one.rows.tolist())} are {like} but have the labels {labels}."
        found.append(Finding("conflicting duplicates", one.score, text, tuple(one.rows.tolist())))
    return found
