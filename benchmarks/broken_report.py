"""What `benchmarks.broken_views` measured, as lines of a page: a line per table and kind of breaking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

OURS = "robust"
MEASURES = ("accuracy", "log loss")
TITLES = {
    "clean": ("as they are",),
    "noise": ("noise", "one is noise", "two are noise"),
    "other": ("other rows", "one of another row", "two of other rows"),
    "shifted": ("shifted", "one shifted", "two shifted"),
    "missing": ("missing", "one missing", "two missing"),
}
"""Of each way of breaking: its name, and what one and two broken views are called."""


class Kind(NamedTuple):
    """How many views of every test row are broken, how, and how some training rows are; "clean": none."""

    how: str
    number: int = 0
    training: str = "clean"

    @property
    def title(self) -> str:
        """In words, such as "two shifted"."""
        title = TITLES[self.how][self.number]
        return title if self.training == "clean" else f"{TITLES[self.training][0]} in training; {title}"


class Split(NamedTuple):
    """What was found on one split: accuracy in % and log loss of each contender, and what the conflict tells."""

    scores: Mapping[str, tuple[float, float]]
    told: Sequence[float] = ()


Found = Mapping[Kind, Sequence[Split]]
"""The splits of each kind, of one table."""


def write_header(contenders: Sequence[str], told: Sequence[str]) -> list[str]:
    titles = [f'"{name}" (standard errors)' if name == OURS else name for name in contenders]
    return ["| | " + " | ".join([*titles, *told]) + " |", "|---|" + "---:|" * (len(contenders) + len(told))]


def write_line(title: str, splits: Sequence[Split], n_told: int) -> str:
    """The means over the splits; those of the best contenders, and of those level with it, are in bold."""
    values = stack_scores(splits)
    means, errors = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))
    cells = []
    for name, own, error, level in zip(splits[0].scores, means, errors, find_level(values), strict=True):
        accuracy, loss = (
            f"**{text}**" if best else text for text, best in zip(_write_pair(own), level.tolist(), strict=True)
        )
        cells.append(f"{accuracy} / {loss}" + (" ({} / {})".format(*_write_pair(error)) if name == OURS else ""))
    told = [_without_zero(f"{one:.2f}") for one in np.mean([split.told for split in splits], axis=0)]
    return f"| {title} | " + " | ".join([*cells, *told, *[""] * (n_told - len(told))]) + " |"


def count_level(lines: Iterable[Sequence[Split]]) -> list[str]:
    """For each contender, in how many lines it is the best or level with it."""
    counts: Counter[tuple[str, str]] = Counter()
    n_lines = 0
    names: list[str] = []
    for splits in lines:
        n_lines, names = n_lines + 1, list(splits[0].scores)
        for name, level in zip(names, find_level(stack_scores(splits)), strict=True):
            counts.update((name, what) for what, is_level in zip(MEASURES, level, strict=True) if is_level)
            counts[name, "both"] += bool(level.all())
    return [
        f"{name}: first or level by "
        + ", by ".join(f"{what} in {counts[name, what]}" for what in (*MEASURES, "both"))
        + f" of {n_lines} lines"
        for name in names
    ]


def stack_scores(splits: Sequence[Split]) -> np.ndarray:
    """(splits, contenders, 2)."""
    return np.array([list(split.scores.values()) for split in splits])


def find_level(values: np.ndarray) -> np.ndarray:
    """(contenders, 2): whether a contender is the best, or behind it by at most one standard error of the difference.

    Accuracies are better the larger, log losses the smaller.

    >>> find_level(np.array([[[90.0, 0.3], [95.0, 0.3]], [[90.0, 0.1], [95.0, 0.4]]])).tolist()
    [[False, True], [True, True]]
    """
    better = values * [1.0, -1.0]
    best = better.mean(axis=0).argmax(axis=0)
    behind = np.take_along_axis(better, np.broadcast_to(best, (len(values), 1, 2)), axis=1) - better
    return np.asarray(behind.mean(axis=0) <= behind.std(axis=0, ddof=1) / np.sqrt(len(values)) + 1e-12)


def _write_pair(pair: np.ndarray) -> tuple[str, str]:
    return f"{pair[0]:.1f}", _without_zero(f"{pair[1]:.3f}")


def _without_zero(text: str) -> str:
    return text.removeprefix("0") if text.startswith("0.") else text
