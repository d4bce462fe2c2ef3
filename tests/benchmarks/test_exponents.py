"""Growth as fitted exponents: exact where time is a power of the size."""

import numpy as np
import pytest
from scipy.stats import linregress

from benchmarks.exponents import fit_exponent


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.7])
@pytest.mark.parametrize("factor", [1e-6, 3.0])
def test_a_power_of_the_size_has_that_exponent_and_no_error(power, factor):
    sizes = np.array([100, 300, 700, 1600])
    found = fit_exponent(sizes, factor * sizes**power)
    assert found.value == pytest.approx(power, abs=1e-12)
    assert found.error == pytest.approx(0.0, abs=1e-12)


def test_the_units_of_time_and_size_make_no_difference():
    sizes, seconds = np.array([1.0, 2.0, 4.0, 8.0]), np.array([1.0, 2.5, 3.7, 9.0])
    one, other = fit_exponent(sizes, seconds), fit_exponent(1000 * sizes, 60 * seconds)
    assert (one.value, one.error) == pytest.approx((other.value, other.error))


def test_value_and_error_are_those_of_a_linear_regression():
    sizes, seconds = [1, 2, 4, 8, 16], [1.0, 2.1, 3.6, 9.0, 15.5]
    found, expected = fit_exponent(sizes, seconds), linregress(np.log(sizes), np.log(seconds))
    assert (found.value, found.error) == pytest.approx((expected.slope, expected.stderr))
    assert str(found) == f"{expected.slope:.2f} ± {expected.stderr:.2f}"


@pytest.mark.parametrize("sizes", [[1, 2], [5, 5, 5]])
def test_too_few_sizes_are_refused(sizes):
    with pytest.raises(ValueError, match="three different sizes"):
        fit_exponent(sizes, [1.0] * len(sizes))
