"""Finished fits in one SQLite file that survives kill -9 and is shared by processes."""

from emphatic.study.store.schema import StoreError
from emphatic.study.store.store import Store

__all__ = ["Store", "StoreError"]
