"""How claims of paper 000 are judged: by which rule, and when everything that it needs is finished."""

from collections.abc import Callable, Sequence
from typing import Any

from emphatic.papers.claims import Claim
from emphatic.papers.p000.outcome import Outcome
from emphatic.papers.p000.rows import STAND_IN, printed_rows

SIGNIFICANT = 0.1
"""The paper's own limit for p of the rank-sum test."""
NOT_FINISHED = "not finished"
UNKNOWN_DATA = "Kwok's data cannot be made again"

Verdict = tuple[bool, str]
"""Whether a claim holds, and the evidence."""


def judge(place: str, text: str, finished: bool, rule: Callable[[Any], Verdict], found: Any) -> Claim:
    """Judge what was found by a rule, if everything is finished."""
    holds, evidence = rule(found) if finished else (None, NOT_FINISHED)
    return Claim(place, text, holds, evidence)


def judge_rows(
    place: str,
    text: str,
    outcomes: Sequence[Outcome],
    keys: set[tuple[str, int]],
    rule: Callable[[Sequence[Outcome]], Verdict],
) -> Claim:
    """Judge the rows with these problems and percentages of centres only."""
    own = [one for one in outcomes if (one.row.problem, one.row.percent) in keys and one.is_finished]
    return judge(place, text, len(own) == len(keys), rule, own)


def has_all_rows(printed: str, outcomes: Sequence[Outcome]) -> bool:
    """Whether every printed row with real data is finished."""
    wanted = {row for row in printed_rows(printed) if row.problem != STAND_IN}
    return {one.row for one in outcomes if one.is_finished and not one.stand_in} == wanted
