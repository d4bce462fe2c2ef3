"""A uniform sample of rows that is the same however the table comes in chunks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from emphatic.tables.files.opened import Chunk

if TYPE_CHECKING:
    import pandas as pd


def sample_rows(chunks: Iterable[Chunk], max_rows: int, seed: int) -> tuple[list[pd.DataFrame], int]:
    """Keep the rows with the smallest of as many random numbers, in the order of the table; also count all rows."""
    rng = np.random.default_rng(seed)
    kept: list[pd.DataFrame] = []
    keys = np.empty(0)
    n_rows, limit = 0, np.inf
    for chunk in chunks:
        new = rng.random(len(chunk))
        n_rows += len(chunk)
        inside = np.flatnonzero(new <= limit)
        kept.append(chunk.take(inside))
        keys = np.concatenate([keys, new[inside]])
        if len(keys) > 2 * max_rows:  # not at every chunk, so that memory and time stay bounded
            kept, keys = _keep_smallest(kept, keys, max_rows)
            limit = keys.max()
    if len(keys) > max_rows:
        kept, keys = _keep_smallest(kept, keys, max_rows)
    return kept, n_rows


def _keep_smallest(kept: list[pd.DataFrame], keys: np.ndarray, max_rows: int) -> tuple[list[pd.DataFrame], np.ndarray]:
    import pandas as pd

    smallest = np.sort(np.argpartition(keys, max_rows)[:max_rows])
    return [pd.concat(kept, ignore_index=True).iloc[smallest]], keys[smallest]
