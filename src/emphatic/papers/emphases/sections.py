"""What the page of the emphasis study shows beside its lines."""

from __future__ import annotations

from collections.abc import Sequence

from emphatic.papers.emphases.outcome import Outcome
from emphatic.report.page import Section


def write_sections(outcomes: Sequence[Outcome]) -> list[Section]:
    """One section for each condition."""
    return []
