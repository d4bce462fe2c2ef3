"""The catalogue: files, columns, class counts, licences, citations, and how each paper uses a data set."""

import functools
import json
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from emphatic.names import find_near

_KWOK = (
    "Kwok's data (1999) and their generator are not known, so they cannot be loaded. 'five_gaussians_not_kwok' is a "
    "stand-in with the published sizes but another distribution: never compare results on it with published figures."
)


def data_file(name: str) -> Traversable:
    """Path of a shipped file, even inside a zipped package."""
    return resources.files("emphatic.datasets") / "data" / name


@functools.cache
def catalogue() -> dict[str, Any]:
    """The whole catalogue. It is shared: do not modify it."""
    return json.loads(data_file("catalogue.json").read_text(encoding="utf-8"))


def names(paper: str | None = None) -> list[str]:
    """The names that `load` accepts, sorted; with `paper` only the data sets of that paper.

    Examples
    --------
    >>> from emphatic.datasets import names
    >>> names()[:3]
    ['abalone', 'autos', 'balance_scale']
    >>> names(paper="000")
    ['abalone', 'breast', 'five_gaussians_not_kwok', 'image', 'ionosphere', 'ripley']
    """
    sets = catalogue()["sets"]
    if paper is None:
        return sorted(sets)
    check_paper(paper)
    return sorted(name for name, entry in sets.items() if paper in entry.get("papers", {}))


def find_entry(name: str) -> dict[str, Any]:
    """The catalogue entry of a data set, or an error that suggests similar names."""
    sets = catalogue()["sets"]
    if isinstance(name, str) and name in sets:
        return sets[name]
    if str(name).lower() == "kwok":
        raise ValueError(_KWOK)
    similar = find_near(str(name), sets)
    guess = f" Did you mean {' or '.join(map(repr, similar))}?" if similar else ""
    raise ValueError(f"no data set is called {name!r}.{guess} emphatic.datasets.names() lists all {len(sets)}.")


def find_paper_rule(name: str, paper: str) -> dict[str, Any]:
    """How a paper makes a data set binary and splits it, or an error that lists the papers that use the set."""
    check_paper(paper)
    papers = find_entry(name).get("papers", {})
    if paper not in papers:
        used = f"used by {', '.join(map(repr, papers))}" if papers else "used by none of them"
        raise ValueError(
            f"paper {paper!r} does not use {name!r} ({used}); paper {paper!r} uses {', '.join(names(paper))}"
        )
    return papers[paper]


def check_paper(paper: str) -> None:
    """Raise ValueError for a paper whose data sets are not known."""
    known = catalogue()["papers"]
    if not isinstance(paper, str) or paper not in known:
        raise ValueError(f"paper={paper!r} is not allowed: paper must be None or one of {', '.join(map(repr, known))}")


def published_sizes(rule: dict[str, Any]) -> dict[str, dict[int, int]]:
    """Published class counts of both parts, with integer labels."""
    return {part: {int(label): n for label, n in rule[part].items()} for part in ("train", "test")}


def check_published_counts(name: str, y: np.ndarray, parts: np.ndarray | None, rule: dict[str, Any]) -> None:
    """Raise RuntimeError if the class counts differ from those published.

    Each part is compared for a predefined split, both parts together for a random split, and the share of the positive
    class, published with one decimal, for cross-validation.
    """
    found: dict[str, Any]
    expected: dict[str, Any]
    if rule["split"] == "cross-validation":
        positive, percent = int((y == 1).sum()), rule["percent_positive"]
        share = 100 * positive / len(y)
        agree = positive == rule["positive_rows"] and abs(share - percent) <= 0.05 + 1e-9
        found, expected = {"all rows": f"{share:.2f}% positive"}, {"all rows": f"{percent}% positive"}
    else:
        expected, rows = published_sizes(rule), {part: parts == part for part in ("train", "test")}
        if rule["split"] != "predefined" or parts is None:
            total = {label: expected["train"][label] + expected["test"][label] for label in (1, -1)}
            expected, rows = {"all rows": total}, {"all rows": np.ones(len(y), dtype=bool)}
        found = {part: {label: int((y[rows[part]] == label).sum()) for label in expected[part]} for part in rows}
        agree = found == expected
    if not agree:
        raise RuntimeError(
            f"the shipped data of {name!r} do not agree with the paper: found {found}, published {expected}; the file "
            "is damaged or was changed, reinstall the package"
        )
