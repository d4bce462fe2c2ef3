"""What a comparison has to know of a contender."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

from emphatic.study.tasks import Setting


@dataclass(frozen=True)
class Contender:
    """A classifier by name.

    `build(setting, random_state)` gives an unfitted classifier of raw tables; what the setting names is changed from
    the defaults, so that `{}` is the contender at its defaults. `package` is what has to be imported ("" if nothing
    beyond our own dependencies); `two_classes` says that it knows no more than two.
    """

    name: str
    family: Literal["ours", "peer"]
    package: str
    build: Callable[[Setting, int], Any]
    two_classes: bool = False

    @property
    def is_installed(self) -> bool:
        """Whether its package is there."""
        return not self.package or find_spec(self.package) is not None

    def takes(self, n_classes: int) -> bool:
        """Whether it can tell so many classes apart."""
        return n_classes == 2 or not self.two_classes
