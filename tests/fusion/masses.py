"""Random masses, and their comparison with the plain-Python twin."""

import numpy as np
import pytest

from emphatic.fusion.evidence import Masses
from tests.reference import evidence as slow


def drawn(rng, n_classes, n=4, n_sets=5, own=False, empty=False):
    """Random masses; some sets occur twice, some masses are 0."""
    shape = (n, n_sets) if own else (n_sets,)
    sets = rng.integers(0 if empty else 1, 2**n_classes, size=shape)
    values = rng.dirichlet(np.ones(n_sets), size=n) * (rng.random((n, n_sets)) < 0.8)
    values[:, 0] += 1e-3
    return Masses.of(sets, values / values.sum(axis=1, keepdims=True), n_classes)


def row(masses, i):
    """One sample in the language of the twin."""
    return slow.of(masses.sets[min(i, len(masses.sets) - 1)].tolist(), masses.values[i].tolist(), masses.n_classes)


def same(masses, others):
    """All that can be asked of masses agrees with the dicts of the twin."""
    n_classes = masses.n_classes
    asked = np.arange(2**n_classes)
    beliefs, plausibilities, bets = masses.belief(asked), masses.plausibility(asked), masses.pignistic()
    for i, other in enumerate(others):
        found = row(masses, i)
        for focal in found.keys() | other.keys():
            assert slow.mass_of(found, focal) == pytest.approx(slow.mass_of(other, focal), abs=1e-13)
        queries = [frozenset(k for k in range(n_classes) if code >> k & 1) for code in asked]
        np.testing.assert_allclose(beliefs[i], [slow.belief(other, query) for query in queries], atol=1e-13)
        np.testing.assert_allclose(
            plausibilities[i], [slow.plausibility(other, query) for query in queries], atol=1e-13
        )
        np.testing.assert_allclose(bets[i], slow.pignistic(other, n_classes), atol=1e-12)
