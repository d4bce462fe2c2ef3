"""The store: finished tasks in one SQLite file that survives kill -9 and may be shared by processes.

The runner writes to it; whoever evaluates a study reads from it.
"""

from emphatic.study.store.claims import Claim
from emphatic.study.store.schema import StoreError
from emphatic.study.store.store import Store

__all__ = ["Claim", "Store", "StoreError"]
