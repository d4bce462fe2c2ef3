"""Which labels of a table look wrong, and which samples are redundant, borderline or noisy.

`labels` holds the function that users call; it goes through `passes` (models of the `panel`), `judgement` and `result`.
"""

from emphatic.audit.labels import audit_labels
from emphatic.audit.result import AuditResult

__all__ = ["AuditResult", "audit_labels"]
