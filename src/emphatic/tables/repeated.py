"""Cells that repeat: what is made of them is made once for each different one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np

from emphatic.check import IntArray


class Repeated(Sequence[Any]):
    """The cells of a column as a list of different ones, and which of them each row has.

    >>> cells = Repeated.of(["red", None, "red"])
    >>> list(cells.change(lambda texts: [text or "blue" for text in texts]))
    ['red', 'blue', 'red']
    >>> cells.look_up({"red": 7}, -1)
    array([ 7, -1,  7])
    """

    def __init__(self, different: list[Any], places: IntArray) -> None:
        self.different, self.places = different, places

    @classmethod
    def of(cls, cells: Sequence[Any]) -> Repeated:
        """Of cells among which those that are equal mean the same: 1 and True, say, do not."""
        numbers = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
        return cls(list(numbers), np.fromiter(map(numbers.__getitem__, cells), np.intp, len(cells)))

    def change(self, function: Callable[[list[Any]], list[Any]]) -> Repeated:
        """The cells that a function makes of them; it is given those that differ."""
        return Repeated(function(self.different), self.places)

    def look_up(self, numbers: Mapping[Any, int], unknown: int) -> IntArray:
        """The numbers of the cells, as whole numbers."""
        return np.array([numbers.get(cell, unknown) for cell in self.different], dtype=np.intp)[self.places]

    def take(self, rows: IntArray) -> Repeated:
        """The cells of some rows."""
        return Repeated(self.different, self.places[rows])

    def tally(self) -> Counter[Any]:
        """How often each cell occurs, in the order in which they appear; those that no row has are not there."""
        counts: Counter[Any] = Counter()
        if not len(self.places):
            return counts
        places = np.asarray(self.places, dtype=np.intp) % len(self.different)  # the place -1 is the last
        first = np.full(len(self.different), len(places))
        first[places[::-1]] = np.arange(len(places))[::-1]  # of several rows, the last one that is written stays
        times = np.bincount(places, minlength=len(first))
        for place in np.argsort(first)[: np.count_nonzero(times)].tolist():
            counts[self.different[place]] += int(times[place])  # two categories may be written alike
        return counts

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[Any]:
        return map(self.different.__getitem__, self.places.tolist())

    def __contains__(self, cell: object) -> bool:
        return cell in iter(self)

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Repeated: ...
    def __getitem__(self, place: int | slice) -> Any:
        found = self.places[place]
        return Repeated(self.different, found) if isinstance(place, slice) else self.different[found]


def tally(cells: Iterable[Any]) -> Counter[Any]:
    """How often each cell occurs, in the order in which they appear.

    >>> tally(Repeated.of(["red", None, "red"])) == tally(["red", None, "red"]) == {"red": 2, None: 1}
    True
    """
    return cells.tally() if isinstance(cells, Repeated) else Counter(cells)
