"""Labels of several annotators: what the true labels are, how good each annotator is, and where to ask once more.

`audit` holds the function that users call: `labels` reads the table of labels, `dawid_skene` estimates consensus and
annotators together, `classifier` lets the inputs help, `agreement` and `gain` measure, `result` and `page` show.
"""

from emphatic.audit.annotators.audit import audit_annotators
from emphatic.audit.annotators.result import AnnotatorAudit

__all__ = ["AnnotatorAudit", "audit_annotators"]
