"""Which labels of a table look wrong, and which samples are redundant, borderline or noisy.

`labels` holds the function that users call; it goes through `passes` (models of the `panel`), `judgement` and `result`.
`forecast` says how long that takes, from `costs`, and `budget` limits it.
`marks` are what a reviewer found out: they correct labels, and the next audit learns from them (`reviewed`).
`annotators` is for tables with the labels of several people.
`troubles` looks for what else may be wrong with a table: duplicates, outliers, leaks, drift and the like.
"""

from emphatic.audit.annotators import AnnotatorAudit, audit_annotators
from emphatic.audit.labels import audit_labels
from emphatic.audit.marks import Correction, Review
from emphatic.audit.result import AuditResult
from emphatic.audit.troubles import Finding, Troubles, find_troubles

__all__ = [
    "AnnotatorAudit",
    "AuditResult",
    "Correction",
    "Finding",
    "Review",
    "Troubles",
    "audit_annotators",
    "audit_labels",
    "find_troubles",
]
