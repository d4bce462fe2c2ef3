"""Packages that only some formats need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def need(module: str, package: str, what: str) -> Any:
    """Import a module of the extra `tables`, or say which package is missing and how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise ValueError(f'reading {what} needs {package}: pip install "emphatic[tables]"') from None
