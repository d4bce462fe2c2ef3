"""What the policy for columns says is wrong with them: leaks, constants, identifiers; and their missing values."""

import numpy as np

from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding
from emphatic.tables.leakage import NEARLY_ALL
from emphatic.tables.policy import ASKED_FOR


def find_leaks(evidence: Evidence) -> list[Finding]:
    """Columns that the policy warns of; the score is the least share of labels that such a column tells."""
    return [
        Finding("leaking columns", NEARLY_ALL, f"{one.name} {one.warning}", columns=(one.name,))
        for one in evidence.decisions
        if one.warning
    ]


def find_left_out(evidence: Evidence) -> list[Finding]:
    """Columns that are not used, unless the user wants it so."""
    return [
        Finding("columns left out", 1.0, f"{one.name} is {one.describe()}.", columns=(one.name,))
        for one in evidence.decisions
        if one.left_out and one.reason != ASKED_FOR
    ]


def find_missing(evidence: Evidence) -> list[Finding]:
    """Columns with missing values, scored by their share."""
    found = []
    for one, values in zip(evidence.decisions, evidence.values):
        if isinstance(values, np.ndarray):
            missing = np.isnan(values)
        else:
            missing = np.array([value is None for value in values])
        share = float(missing.mean())
        if share > 0.0 and not one.left_out:
            text = f"{one.name} has no value in {missing.sum():,} of {len(missing):,} rows ({100 * share:.1f}%)."
            rows = tuple(np.flatnonzero(missing).tolist())
            found.append(Finding("missing values", share, text, rows, (one.name,)))
    return sorted(found, key=lambda finding: -finding.score)
