"""Which labels of a table look wrong, and which samples are redundant, borderline or noisy.

`labels` holds the function that users call; it goes through `passes` (models of the `panel`), `judgement` and `result`.
`annotators` is for tables with the labels of several people.
"""

from emphatic.audit.annotators import AnnotatorAudit, audit_annotators
from emphatic.audit.labels import audit_labels
from emphatic.audit.result import AuditResult

__all__ = ["AnnotatorAudit", "AuditResult", "audit_annotators", "audit_labels"]
