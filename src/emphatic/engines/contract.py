"""What an engine is: it runs a function on items, somewhere, and yields the results as they come."""

from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple

Engine = Callable[[Callable[[Any], Any], Iterable[Any]], Generator[Any, None, None]]
"""`(function, items) -> generator of results`, in any order.

It asks for an item when it can use one soon, so that it never holds more than a few, and it may stop asking. Closing
the generator gives up what is not finished. An engine that loses an item yields `Lost` in place of its result.
"""


class Shared:
    """A value for the items of several runs: a cluster keeps it for as long as this object lives.

    It must not be changed meanwhile.
    """

    def __init__(self, value: Any) -> None:
        self.value = value


class Item(NamedTuple):
    """One call of a function.

    Attributes
    ----------
    own : what this call alone needs
    shared : values that other items need, too, such as a table; a cluster is sent each of them once per run, or once
        for all runs if it is `Shared`
    """

    own: Any
    shared: tuple[Any, ...] = ()

    @property
    def values(self) -> tuple[Any, ...]:
        """What is shared, as the function gets it."""
        return tuple(one.value if isinstance(one, Shared) else one for one in self.shared)


class Lost(NamedTuple):
    """An item without a result, and why: what the function raised elsewhere, or what happened to its worker."""

    item: Any
    error: BaseException


def in_turn(function: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
    """The engine that runs items in this process, one after another.

    >>> list(in_turn(len, ["a", "bcd"]))
    [1, 3]
    """
    for item in items:
        yield function(item)
