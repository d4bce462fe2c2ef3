"""`python -m benchmarks.limits`: limits are the best rates, and what is timed does the work that is stated."""

import numpy as np
import pytest

from benchmarks.limits import (
    BYTES,
    CACHED,
    EXPONENTIALS,
    FLOP,
    LARGE,
    STEPS,
    TYPES,
    Limits,
    Rate,
    evaluate_chains,
    find_shortest,
    list_products,
)


def rates(exponentials: float = 1.0) -> list[Rate]:
    """Two measurements of each kind, the second of them the better one."""
    found = {FLOP: (100.0, 320.0), EXPONENTIALS: (0.5 * exponentials, exponentials), CACHED: (5, 50), LARGE: (2, 20)}
    return [Rate(kind, str(one), dtype, one) for dtype in TYPES for kind, both in found.items() for one in both]


def test_limits_are_the_best_rates():
    limits = Limits.of(rates())
    assert limits.flops == {"float32": 320.0, "float64": 320.0}
    assert (limits.cached_bytes, limits.large_bytes) == (50, 20)


def test_exponentials_are_limited_by_multiply_adds_not_by_a_slow_library():
    assert Limits.of(rates()).exponentials == {"float32": 320.0 / 2 / 10, "float64": 320.0 / 2 / 16}
    assert Limits.of(rates(exponentials=99.0)).exponentials == {"float32": 99.0, "float64": 99.0}


def test_the_rate_of_bytes_depends_on_whether_a_cache_could_hold_them():
    limits = Limits.of(rates())
    assert limits.find_bandwidth(BYTES[CACHED]) == 50
    assert limits.find_bandwidth(BYTES[LARGE]) == 20


@pytest.mark.parametrize("dtype", TYPES)
def test_chains_are_polynomials(dtype):
    values, coefficients = np.linspace(-1, 1, 5, dtype=dtype), np.linspace(0.1, 1, STEPS + 1, dtype=dtype)
    results = np.empty_like(values)
    evaluate_chains(values, coefficients, results)
    np.testing.assert_allclose(results, np.polyval(coefficients, values), rtol=1e-5)


@pytest.mark.parametrize("dtype", TYPES)
def test_products_state_two_operations_per_entry_and_term(dtype):
    for _, name, flops, multiply in list_products(dtype):
        product = multiply()
        assert product.dtype == dtype
        if name.startswith("GEMM"):
            inner = int(name.split()[3])
            assert flops == 2 * product.size * inner
        else:  # one triangle, with its diagonal
            inner = int(name.split()[-1])
            assert flops == 2 * inner * np.count_nonzero(np.triu(np.ones(product.shape)))


def test_the_shortest_time_is_that_of_one_call(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("benchmarks.limits.process_time", lambda: now[0])

    def action() -> None:
        now[0] += 1e-5

    assert find_shortest(action) == pytest.approx(1e-5)
