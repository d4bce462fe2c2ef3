"""How many training samples are redundant, noisy, near noisy and borderline."""

import numpy as np

from emphatic.emphasis.pattern_type import TYPES
from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.problems import POLICIES, PROBLEMS
from emphatic.report.grid import Grid


def tabulate_types(found: Measured) -> list[Grid]:
    """Shares in balanced boosting, by problem; no table while none is known."""
    rows = []
    for problem, name in PROBLEMS.items():
        runs = found.metrics.get((problem, POLICIES["balanced"]), [])
        shares = [run["type_shares"] for run in runs if "type_shares" in run]
        if shares:
            means = [100 * float(np.mean([own.get(kind, 0.0) for own in shares])) for kind in TYPES]
            rows.append([name, *(f"{mean:.1f}" for mean in means)])
    heads = ("Problem", *(kind.replace("_", " ") for kind in TYPES))
    caption = "Types of training samples in %, means over the rounds of balanced boosting and over all fits."
    return [Grid(heads, rows, caption, frozenset(heads[1:]))] if rows else []
