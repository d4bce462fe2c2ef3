"""A loaded data set with everything that a study needs to know about it."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """A data set, its split and its origin. Made by `load`.

    Attributes
    ----------
    name : str
    X : ndarray or pandas.DataFrame
        A float64 array if all inputs are numeric, otherwise a data frame with nominal columns of dtype category.
        Missing values are NaN.
    y : ndarray
        Classes as in the file (strings or integers), or +1 and -1 if a paper was named.
    feature_names, feature_types : tuple of str
        One per column of X; the types are "numeric" or "nominal".
    licence, citation, note : str
        Of the data; the note includes remarks on the paper.
    train, test : ndarray of int or None
        Rows of the predefined split, if there is one.
    paper : str or None
        The paper whose rules were applied.
    positive : tuple or None
        Original classes that form +1 under that paper.
    sizes : dict or None
        ``{"train": {1: n, -1: n}, "test": ...}`` as published, if the split itself is random or lost.
    stand_in : bool
        True if the data are not those of the paper and results on them must not be compared with published ones.
    views : dict of slice or None
        Columns of X that belong together, by name.

    Examples
    --------
    >>> from emphatic.datasets import load
    >>> load("ripley", paper="000")
    Problem('ripley', paper='000': 1250 rows, 2 numeric features, classes -1 625, 1 625, split 250/1000)
    """

    name: str
    X: Any
    y: np.ndarray
    feature_names: tuple[str, ...]
    feature_types: tuple[str, ...]
    licence: str
    citation: str
    note: str = ""
    train: np.ndarray | None = None
    test: np.ndarray | None = None
    paper: str | None = None
    positive: tuple[Any, ...] | None = None
    sizes: dict[str, dict[int, int]] | None = None
    stand_in: bool = False
    views: dict[str, slice] | None = None

    def partition(self, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Rows for training and for testing.

        The predefined split if there is one, whatever `random_state`; otherwise a random one with the published numbers
        of rows per class, both parts shuffled.

        Examples
        --------
        >>> from emphatic.datasets import load
        >>> problem = load("breast", paper="001")
        >>> train, test = problem.partition(random_state=0)
        >>> len(train), len(test), int((problem.y[train] == 1).sum())
        (420, 279, 145)
        """
        if self.train is not None and self.test is not None:
            return self.train.copy(), self.test.copy()
        if self.sizes is None:
            reason = f"paper {self.paper} cross-validates on all rows" if self.paper else "no paper was named"
            raise ValueError(f"{self.name!r} has no split and no sizes to draw one ({reason}): use a splitter")
        rng = np.random.default_rng(random_state)
        train, test = [], []
        for label, size in self.sizes["train"].items():
            rows = rng.permutation(np.flatnonzero(self.y == label))
            train.append(rows[:size])
            test.append(rows[size:])
        return rng.permutation(np.concatenate(train)), rng.permutation(np.concatenate(test))

    def summary(self) -> str:
        """Everything but the data, as a few lines of text."""
        lines = [repr(self)]
        if self.stand_in:
            lines.append("STAND-IN: not the data of the paper; never compare results with published figures")
        if self.positive is not None:
            lines.append(f"+1 is: {', '.join(map(str, self.positive))}")
        if self.sizes is not None:
            lines += [f"published {part} sizes: {_counts(counts)}" for part, counts in self.sizes.items()]
        if self.views is not None:
            lines.append(f"views: {', '.join(f'{view} {c.stop - c.start}' for view, c in self.views.items())}")
        texts = {"note": self.note, "licence": self.licence, "cite": self.citation}
        return "\n".join(lines + [f"{label}: {text}" for label, text in texts.items() if text])

    def __repr__(self) -> str:
        n_nominal = self.feature_types.count("nominal")
        n_numeric = len(self.feature_types) - n_nominal
        kinds = [f"{n} {kind}" for n, kind in ((n_numeric, "numeric"), (n_nominal, "nominal")) if n]
        classes = Counter(self.y.tolist())
        parts = [f"{len(self.y)} rows", f"{' and '.join(kinds)} features", f"{len(classes)} classes"]
        if len(classes) <= 4:
            parts[-1] = f"classes {_counts(dict(sorted(classes.items())))}"
        if self.train is not None and self.test is not None:
            parts.append(f"split {len(self.train)}/{len(self.test)}")
        elif self.sizes is not None:
            train, test = (sum(self.sizes[part].values()) for part in ("train", "test"))
            parts.append(f"random split of {train}/{test}")
        paper = f", paper={self.paper!r}" if self.paper else ""
        stand_in = ", STAND-IN" if self.stand_in else ""
        return f"Problem({self.name!r}{paper}: {', '.join(parts)}{stand_in})"


def _counts(counts: dict[Any, int]) -> str:
    return ", ".join(f"{label} {count}" for label, count in counts.items())
