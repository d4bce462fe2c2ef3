"""What the papers claim, judged by what was measured."""

from collections.abc import Sequence
from dataclasses import dataclass

from emphatic.report.grid import Grid
from emphatic.report.page import Section

COLUMNS = ("Where", "Claim", "Verdict", "Measured", "Command")


@dataclass(frozen=True)
class Claim:
    """One claim or figure of a paper, in our words, and what the measurements say about it.

    `place` is where the paper makes it, such as "Table II" or "Figure 1". `holds` is None where nothing can be
    measured, or the store lacks it; `evidence` gives the numbers, or says why there are none.

    >>> Claim("Table II", "The best λ is not always 0.5.", True, "better on 4 of 10 rows").verdict
    'holds'
    """

    place: str
    text: str
    holds: bool | None
    evidence: str

    @property
    def verdict(self) -> str:
        return {True: "holds", False: "does not hold", None: "cannot be judged"}[self.holds]


def tabulate_claims(by_table: Sequence[tuple[str, Sequence[Claim]]]) -> Grid:
    """One row per claim, with the command that shows it; `by_table` pairs the id of a table with its claims."""
    rows = [
        [claim.place, claim.text, claim.verdict, claim.evidence, f"emphatic reproduce {table_id}"]
        for table_id, claims in by_table
        for claim in claims
    ]
    return Grid(COLUMNS, rows)


def write_claims(by_table: Sequence[tuple[str, Sequence[Claim]]]) -> list[Section]:
    """The claims of all tables, one table of them per paper; no section where there are none."""
    papers = sorted({table_id[:3] for table_id, claims in by_table if claims})
    grids = []
    for paper in papers:
        own = [(table_id, claims) for table_id, claims in by_table if table_id.startswith(paper)]
        grid = tabulate_claims(own)
        grids.append(Grid(grid.columns, grid.rows, f"Paper {paper}"))
    if not grids:
        return []
    text = (
        "What the papers claim, in our words, and whether it was seen here. A claim is judged by the figures in the "
        "column “Measured”, on the data and with the interpretations that the captions of the tables name.",
    )
    return [Section("claims", "What the papers claim", text, grids)]
