"""Audits look at pairs of rows: a Dask collection is refused by name, and never gathered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emphatic.audit import audit_annotators, audit_labels, find_troubles

da = pytest.importorskip("dask.array")

X, Y = np.arange(60.0).reshape(20, 3), np.arange(20) % 2


@pytest.mark.parametrize("audit", [audit_labels, find_troubles, audit_annotators], ids=lambda one: one.__name__)
@pytest.mark.parametrize("place", [0, 1], ids=["table", "labels"])
def test_a_dask_collection_is_refused(audit: Any, place: int) -> None:
    given = [X, np.column_stack([Y, Y]) if audit is audit_annotators else Y]
    given[place] = da.from_array(given[place], chunks=10)
    with pytest.raises(TypeError, match=rf"A Dask collection was passed, but {audit.__name__} takes tables in memory"):
        audit(*given)
