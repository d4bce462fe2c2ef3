"""How the rows of each partition are read or made, as data that travel to where their labels and weights are.

To Dask, a partition of a table that is read anew in every pass is a task of its own, which runs on any worker; labels
and weights, which are smaller and are kept, would then be sent after it, or the rows to them. A recipe of a few
kilobytes is sent instead: it is carried out inside the task that needs the rows, on the worker that holds their labels.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from emphatic.cluster import is_kept
from emphatic.deferred import evaluate

LARGEST_RECIPE = 2**16
"""Bytes. A larger one holds rows, as that of an array in this process does, and is left to Dask."""

Recipe = tuple[dict[Any, Any], Any]
"""A Dask graph, and its key that stands for the rows."""


def find_recipes(X: Any) -> Any:
    """A Dask array with the recipe of every partition of `X`, kept on the workers; None where there are none.

    There are none where partitions are kept on a cluster, where several partitions need the same intermediate result,
    and where a recipe would hold rows.
    """
    import cloudpickle
    import dask
    import dask.array
    from dask.optimization import cull

    if is_kept(X):
        return None
    (optimised,) = dask.optimize(X)
    graph = dict(optimised.__dask_graph__())
    keys = [key[0] if X.ndim == 2 else key for key in optimised.__dask_keys__()]
    recipes = [(cull(graph, [key])[0], key) for key in keys]
    shared = sum(len(one) for one, _ in recipes) > len({name for one, _ in recipes for name in one})
    if shared or len(cloudpickle.dumps(recipes[0])) > LARGEST_RECIPE:
        return None
    boxes = np.empty(len(recipes), dtype=object)
    for number, recipe in enumerate(recipes):
        boxes[number] = Made(number, recipe)
    return dask.array.from_array(boxes, chunks=1, name=False).persist()


class Made:
    """Rows that are made when they are needed."""

    def __init__(self, number: int, recipe: Recipe) -> None:
        self.number, self.recipe = number, recipe

    def make(self) -> np.ndarray:
        import dask

        graph, key = self.recipe
        try:
            rows: np.ndarray = dask.get(graph, key)
        except Exception as error:  # of whatever reads or makes the rows
            files = find_files(self.recipe)
            where = f" ({', '.join(files)})" if files else ""
            text = f"Partition {self.number}{where} cannot be read: {type(error).__name__}: {error}"
            raise ValueError(text) from error
        return rows


def check_readable(X: Any) -> None:
    """Read a collection once; ValueError names the first partition that cannot be read, and its file."""
    recipes = find_recipes(X)
    if recipes is not None:
        evaluate(recipes.map_blocks(_read, dtype=np.int64))


def _read(recipe: np.ndarray) -> np.ndarray:
    return np.array([len(make_rows(recipe))])


def find_files(recipe: Recipe) -> list[str]:
    """Names of data files that stand in a recipe, wherever Dask has put them.

    >>> find_files(({"rows": (len, "data/part.3.parquet")}, "rows"))
    ['data/part.3.parquet']
    """
    import cloudpickle

    found = re.findall(
        rb"[\w./\\: -]+\.(?:parquet|pq|csv|tsv|txt)(?:\.gz|\.bz2|\.xz|\.zst)?\b", cloudpickle.dumps(recipe)
    )
    return sorted({one.decode().strip() for one in found if not one.startswith(b"dask.")})  # modules are no files


def make_rows(X: np.ndarray) -> np.ndarray:
    """The rows themselves, also of an array with one recipe."""
    return X[0].make() if X.dtype == object and len(X) == 1 and isinstance(X[0], Made) else X
