"""The page of a comparison."""

from collections.abc import Sequence
from pathlib import Path

from emphatic.report import write_page
from emphatic.study.findings.outcome import Outcome
from emphatic.study.findings.page import make_chart_section, make_table_section


def write_comparison(outcome: Outcome, title: str, lead: str, remarks: Sequence[str], path: Path) -> None:
    """Write the page: the table first, the charts after it."""
    write_page(path, title, lead, [make_table_section(outcome, remarks), make_chart_section(outcome)])


def explain_measures(positive: object) -> str:
    """What F1, average precision and calibration error are here.

    >>> explain_measures("yes")[:65]
    'F1 and average precision are those of class yes, the rarer of two'
    """
    of_what = "means over the classes" if positive is None else f"those of class {positive}, the rarer of two"
    return (
        f"F1 and average precision are {of_what}; AUC is the mean over the classes. Calibration error: how far the "
        "probability of the predicted class is from the share of right predictions, on average."
    )
