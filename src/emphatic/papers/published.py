"""The numbers that the five papers print, as data: `published.csv`, one row per number."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources


@dataclass(frozen=True)
class Published:
    """One printed number; `setting` holds the conditions, such as {"K%": "10", "T": "100"}."""

    paper: str
    table: str
    dataset: str
    method: str
    setting: Mapping[str, str]
    metric: str
    mean: float
    std: float | None


@lru_cache(maxsize=1)
def published_values() -> tuple[Published, ...]:
    """All of them, in the order of the file.

    >>> len(published_values())
    426
    """
    text = resources.files(__package__).joinpath("published.csv").read_text(encoding="utf-8")
    _, *rows = csv.reader(text.splitlines())
    return tuple(
        Published(paper, table, dataset, method, _conditions(setting), metric, float(mean), float(std) if std else None)
        for paper, table, dataset, method, setting, metric, mean, std in rows
    )


def find(
    paper: str,
    table: str,
    dataset: str | None = None,
    method: str | None = None,
    metric: str | None = None,
    setting: Mapping[str, str] | None = None,
) -> list[Published]:
    """The numbers that match all arguments given; `setting` may name only some of the conditions.

    >>> [value.mean for value in find("000", "II", "Ripley", "RA (lambda=0.5)")]
    [9.53, 9.01]
    """
    wanted = {"dataset": dataset, "method": method, "metric": metric}
    return [
        value
        for value in published_values()
        if (value.paper, value.table) == (paper, table)
        and all(getattr(value, name) == wish for name, wish in wanted.items() if wish is not None)
        and all(value.setting.get(name) == wish for name, wish in (setting or {}).items())
    ]


def lookup(
    paper: str, table: str, dataset: str, method: str, metric: str, setting: Mapping[str, str] | None = None
) -> tuple[float, float | None]:
    """Mean and standard deviation of the one number that matches; an error if there is none, or more than one.

    >>> lookup("000", "II", "Ripley", "RA (lambda=0.5)", "test_error_%", {"K%": "10"})
    (9.53, 0.34)
    """
    found = find(paper, table, dataset, method, metric, setting)
    if len(found) != 1:
        raise KeyError(
            f"{len(found)} published values, not one, for paper {paper}, table {table}, {dataset}, {method}, {metric}, "
            f"{dict(setting or {})}"
        )
    return found[0].mean, found[0].std


def _conditions(text: str) -> dict[str, str]:
    """'K%=10;T=100' -> {'K%': '10', 'T': '100'}; a part without '=' stands for itself."""
    pairs = (part.partition("=") for part in text.split(";") if part)
    return {name: value for name, _, value in pairs}
