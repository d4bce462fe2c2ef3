"""Classes that have few rows."""

import numpy as np

from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding

FEW = 0.1
"""Of the rows that each class would have if all had equally many."""


def find_rare_classes(evidence: Evidence) -> list[Finding]:
    """Classes with less than a tenth of an even share; the score is 1 - rows / even share."""
    sizes = np.bincount(evidence.codes, minlength=len(evidence.classes))
    even = evidence.n_rows / len(sizes)
    found = []
    for code in np.argsort(sizes, kind="stable"):
        if sizes[code] < FEW * even:
            text = (
                f"{evidence.name_label(int(code))} is the label of {sizes[code]:,} of {evidence.n_rows:,} rows "
                f"({100 * sizes[code] / evidence.n_rows:.2g}%)."
            )
            rows = tuple(np.flatnonzero(evidence.codes == code).tolist())
            found.append(Finding("rare classes", 1.0 - float(sizes[code] / even), text, rows))
    return found
