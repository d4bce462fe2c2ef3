"""Figures that a benchmark writes into a page of the documentation, between two marks of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from emphatic.files import write_atomically


def make_marks(benchmark: str) -> tuple[str, str]:
    """The comments that stand around the figures."""
    return f"<!-- figures: written by {benchmark} -->", f"<!-- end of figures of {benchmark} -->"


def fill_page(text: str, lines: Iterable[str], benchmark: str) -> str:
    """The page with new figures."""
    begin, end = make_marks(benchmark)
    between = re.compile(f"({re.escape(begin)}).*({re.escape(end)})", re.DOTALL)
    if not between.search(text):
        raise ValueError(f"the page has no place for the figures: it must hold the lines {begin} and {end}")
    figures = "\n".join(lines)
    return between.sub(lambda found: f"{found[1]}\n\n{figures}\n{found[2]}", text)


def write_figures(page: Path, lines: Iterable[str], benchmark: str) -> None:
    """In place, all or nothing."""
    write_atomically(page, fill_page(page.read_text(encoding="utf-8"), lines, benchmark))
