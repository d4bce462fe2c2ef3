"""What is known of each set: file, columns, class counts, licence, citation and the rules of the papers."""

from __future__ import annotations

import difflib
import functools
import json
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

_KWOK = (
    "Kwok's data (1999) are not known, neither the samples nor how they were generated, so they cannot be loaded. "
    "'five_gaussians_not_kwok' stands in: the published sizes, another distribution; its results must never be "
    "compared with published figures of Kwok."
)


def data_file(name: str) -> Traversable:
    """Path of a shipped file, also inside a zipped package."""
    return resources.files("emphatic.datasets") / "data" / name


@functools.cache
def catalogue() -> dict[str, Any]:
    """The whole catalogue. It is shared: read it, do not change it."""
    return json.loads(data_file("catalogue.json").read_text(encoding="utf-8"))


def names(paper: str | None = None) -> list[str]:
    """Names that `load` knows, sorted; with `paper` only the sets of that paper.

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


def entry_of(name: str) -> dict[str, Any]:
    """What the catalogue says of a set, or an error with the names that come near."""
    sets = catalogue()["sets"]
    if isinstance(name, str) and name in sets:
        return sets[name]
    if str(name).lower() == "kwok":
        raise ValueError(_KWOK)
    near = difflib.get_close_matches(str(name).lower(), sets, n=3)
    guess = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise ValueError(f"no data set is called {name!r}.{guess} emphatic.datasets.names() lists all {len(sets)}.")


def rule_of(name: str, paper: str) -> dict[str, Any]:
    """How a paper makes a set binary and splits it, or an error with the papers that use the set."""
    check_paper(paper)
    papers = entry_of(name).get("papers", {})
    if paper not in papers:
        used = f"used by {', '.join(map(repr, papers))}" if papers else "used by none of them"
        raise ValueError(
            f"paper {paper!r} does not use {name!r} ({used}); paper {paper!r} uses {', '.join(names(paper))}"
        )
    return papers[paper]


def check_paper(paper: str) -> None:
    """Refuse a paper whose sets are not known."""
    known = catalogue()["papers"]
    if paper not in known:
        raise ValueError(f"paper={paper!r} is not allowed: paper must be None or one of {', '.join(map(repr, known))}")
