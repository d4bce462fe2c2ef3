"""Which labels of a table look wrong, and which samples are redundant, borderline or noisy.

Names are imported when first used, because the command line must answer quickly.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emphatic.audit.labels import audit_labels
    from emphatic.audit.result import AuditResult

__all__ = ["AuditResult", "audit_labels"]

_HOMES = {"AuditResult": "result", "audit_labels": "labels"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
