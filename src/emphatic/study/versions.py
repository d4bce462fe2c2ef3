"""The versions a result depends on."""

from __future__ import annotations

import platform
import warnings
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from importlib import metadata
from typing import TYPE_CHECKING

from emphatic.version import __version__

if TYPE_CHECKING:
    from emphatic.study.store import Store

_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Of this library, of Python, and of the packages that compute.

    >>> sorted(versions())
    ['emphatic', 'numba', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    found = {"emphatic": str(__version__), "python": platform.python_version()}
    return found | {package: metadata.version(package) for package in _PACKAGES}


class MixedVersionsWarning(UserWarning):
    """A store holds fits that another version of this library has made."""


def warn_of_other_versions(store: Store, table_ids: Iterable[str]) -> None:
    """Warn if finished fits of these tables were made by another version of this library than the one that goes on."""
    ours = versions()["emphatic"]
    counts: Counter[str] = Counter()
    for found, count in store.versions(table_ids):
        counts[found.get("emphatic", ours)] += count
    others = ", ".join(f"{count} by emphatic {version}" for version, count in counts.items() if version != ours)
    if others:
        warnings.warn(
            f"{store.path} holds fits of other versions: {others}; this is {ours}. They are kept and not done again; "
            "choose another store to run all of them with this version",
            MixedVersionsWarning,
            stacklevel=3,
        )
