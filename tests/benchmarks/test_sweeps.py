"""`python -m benchmarks.growth`: sizes change one at a time, over a range of at least eight, and fits are whole."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from benchmarks.sweeps import NETWORKS, SWEEPS, Size, boost_networks, count_networks, draw_clouds, fit_whole, report


@pytest.mark.parametrize("sweep", SWEEPS, ids=lambda sweep: sweep.name)
def test_every_range_is_wide_enough_for_an_exponent(sweep):
    for field, values in sweep.ranges.items():
        assert hasattr(sweep.base, field)
        assert values[-1] >= 8 * values[0]
        assert list(values) == sorted(set(values))


def test_a_report_states_the_exponent_and_why_work_is_not_counted():
    uncounted = replace(NETWORKS, count="trees compare")
    line = report(uncounted, "units", [0.01 * (units / 25) ** 2 for units in NETWORKS.ranges["units"]])
    assert "2.00 ± 0.00" in line
    assert "25 - 200" in line
    assert line.endswith("no: trees compare")


def test_a_model_that_ended_early_is_not_timed():
    X, y = draw_clouds(100, 2)
    fit_whole(boost_networks(Size(units=5, rounds=3)), X, y)
    fit_whole(DummyClassifier(), X, y)  # has no rounds
    with pytest.raises(AssertionError, match="growth ended early"):
        fit_whole(boost_networks(Size(units=5, rounds=3)).set_params(min_ess=len(y) - 1), X, y)


def test_clouds_of_every_number_of_classes_can_be_told_apart():
    for n_classes in (2, 16):
        X, y = draw_clouds(2_000, 8, n_classes)
        means = np.array([X[y == one].mean(axis=0) for one in range(n_classes)])
        nearest = ((X[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
        assert 0.6 < (nearest == y).mean() < 0.97


def test_counted_work_grows_with_every_size():
    base = count_networks(Size())
    for field in vars(Size()):
        twice = count_networks(replace(Size(), **{field: 2 * getattr(Size(), field)}))
        assert base.flops < twice.flops < 4 * base.flops
    assert count_networks(Size(rounds=40)) == count_networks(Size(rounds=20)) * 2
