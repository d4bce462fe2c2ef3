"""The benchmark of audits of large tables, on a few rows."""

import numpy as np

from benchmarks import audit_large
from emphatic.audit import panel, scoring


def test_flips_change_a_tenth_of_the_labels_and_only_those():
    y = np.random.default_rng(0).integers(3, size=5000)
    given, wrong = audit_large.flip(y, seed=0)
    assert ((given != y) == wrong).all() and set(given) == {0, 1, 2}
    assert abs(wrong.mean() - 0.1) < 0.02


def test_a_measurement_limits_samples_and_gives_the_limits_back():
    before = scoring.MOST_KERNEL_ROWS, panel.MOST_GROWN
    row = audit_large.measure("drawn_friedman", 120, seed=0, training=60, n_jobs=1)
    assert (scoring.MOST_KERNEL_ROWS, panel.MOST_GROWN) == before
    assert 0.0 < row.precision <= 1.0 and row.seconds > 0.0
    assert row.format().startswith("| friedman | 120 | 60 | 0.")
