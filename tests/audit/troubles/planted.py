"""Tables with planted troubles, and the evidence of any table."""

from __future__ import annotations

import numpy as np

from emphatic.audit.troubles.evidence import read_evidence
from emphatic.inputs import encode_labels


def evidence_of(X, y, columns=None, probabilities=None):
    y = np.asarray(y)
    classes, codes = encode_labels(y)
    return read_evidence(X, y, codes, classes, columns, 0, probabilities)


def blobs(n=300, n_columns=5, seed=0):
    """Two overlapping clouds, in an order that says nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    return rng.normal(size=(n, n_columns)) + 2.0 * y[:, None] * (np.arange(n_columns) < 2), y
