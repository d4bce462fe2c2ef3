"""The rules of the papers: which classes are +1, and whether the counts agree with the printed ones."""

from __future__ import annotations

from typing import Any

import numpy as np


def binary_labels(y: np.ndarray, positive: list[str]) -> np.ndarray:
    """+1 for the positive classes, -1 for all others.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.datasets.papers import binary_labels
    >>> binary_labels(np.array(["saab", "bus", "van"]), ["saab"])
    array([ 1, -1, -1])
    """
    return np.where(np.isin(y.astype(str), positive), 1, -1)


def published_sizes(rule: dict[str, Any]) -> dict[str, dict[int, int]]:
    """Printed class counts of both parts, with integer labels."""
    return {part: {int(label): n for label, n in rule[part].items()} for part in ("train", "test")}


def check_published_counts(name: str, y: np.ndarray, parts: np.ndarray | None, rule: dict[str, Any]) -> None:
    """Raise if the rows at hand are not as many of each class as the paper prints.

    For a predefined split each part is counted; for a random one the two parts together; for cross-validation the share
    of the positive class, which the papers print with one decimal.
    """
    positive = int((y == 1).sum())
    if rule["split"] == "cross-validation":
        percent = 100 * positive / len(y)
        agrees = positive == rule["positive_rows"] and abs(percent - rule["percent_positive"]) <= 0.05 + 1e-9
        _expect(name, "all rows", agrees, f"{percent:.2f}% positive", f"{rule['percent_positive']}%")
        return
    sizes = published_sizes(rule)
    if rule["split"] == "predefined" and parts is not None:
        for part, expected in sizes.items():
            found = {label: int((y[parts == part] == label).sum()) for label in expected}
            _expect(name, part, found == expected, found, expected)
    else:
        total = {label: sizes["train"][label] + sizes["test"][label] for label in (1, -1)}
        found = {1: positive, -1: len(y) - positive}
        _expect(name, "all rows", found == total, found, total)


def _expect(name: str, part: str, agrees: bool, found: Any, expected: Any) -> None:
    if not agrees:
        raise RuntimeError(
            f"the shipped data of {name!r} do not agree with the paper: {part} has {found}, published is {expected}; "
            "the file is damaged or was changed, reinstall the package"
        )
