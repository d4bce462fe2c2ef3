"""Counting work: sums and multiples add up, least times grow with the work, and counts are those of the formulas."""

from dataclasses import replace

import pytest

from benchmarks import work
from benchmarks.limits import BYTES, LARGE, Limits
from benchmarks.work import Work

LIMITS = Limits({"float32": 200.0, "float64": 100.0}, {"float32": 20.0, "float64": 5.0}, 50.0, 10.0)


def test_arithmetic_adds_up_and_bytes_are_transferred_meanwhile():
    assert Work(flops=100).least_time(LIMITS) == 1.0
    assert Work(flops=100, exponentials=10).least_time(LIMITS) == 3.0
    assert Work(flops=100, exponentials=10, bytes=100).least_time(LIMITS) == 3.0
    assert Work(flops=100, exponentials=10, bytes=200).least_time(LIMITS) == 4.0
    assert Work(flops=100, exponentials=10, dtype="float32").least_time(LIMITS) == 1.0


@pytest.mark.parametrize("field", ["flops", "exponentials", "bytes"])
def test_more_work_takes_no_less_time(field):
    amounts = [0.0, 1.0, 100.0, BYTES[LARGE] - 1.0, BYTES[LARGE], 2.0 * BYTES[LARGE]]
    times = [replace(Work(10, 10, 10), **{field: amount}).least_time(LIMITS) for amount in amounts]
    assert times == sorted(times)
    assert times[-1] > times[0]


def test_twice_the_work_is_its_sum_and_takes_twice_the_time():
    one = work.count_rbf_round(2507, 8, 50)
    assert one + one == one * 2
    assert (one * 2).least_time(LIMITS) == pytest.approx(2 * one.least_time(LIMITS))
    with pytest.raises(ValueError, match="float32"):
        one + Work(1, dtype="float32")


def test_a_share_is_one_at_the_least_time(monkeypatch):
    monkeypatch.setattr(work, "measure_limits", lambda: LIMITS)
    assert work.share_of_limit(Work(100), 1.0) == 1.0
    assert work.share_of_limit(Work(100), 4.0) == 0.25


def test_a_round_has_an_exponential_per_activation_and_is_dominated_by_half_a_gram_matrix():
    n, d, k = 1_000_000, 3, 400
    one = work.count_rbf_round(n, d, k)
    assert one.exponentials == n * k
    assert one.flops == pytest.approx(n * k**2, rel=0.05)
    assert work.count_rbf_round(n, d, k, n_outputs=3).flops - one.flops == 2 * (4 * n * k + 2 * k**2)


def test_descent_visits_every_sample_in_every_epoch():
    counts = [work.count_descent_round(100, 8, 50, epochs).flops for epochs in (0, 1, 2)]
    assert counts[2] - counts[1] == counts[1] - counts[0] == 100 * 50 * 4


def test_an_epoch_that_only_judges_is_an_output():
    assert work.count_mlp_epoch(0, 100, 8, 10) == work.count_mlp_output(100, 8, 10)
    assert work.count_mlp_output(1, 8, 10).exponentials == 11
    trained, judged = work.count_mlp_epoch(100, 0, 8, 10), work.count_mlp_epoch(0, 100, 8, 10)
    steps, errors = judged.flops - 4 * judged.exponentials, 2 * 100 * 10  # a step costs what the product does
    assert trained.flops - judged.flops == steps + errors


def test_an_epoch_of_perceptrons_reads_the_table_twice_over():
    assert work.count_perceptron_epoch(100, 20, 3).flops == 2 * work.count_perceptrons(100, 20, 3).flops
    assert work.count_perceptrons(100, 20, 3).flops == 2 * 100 * 21 * 3


def test_evidence_counts_pairs_of_sets():
    assert work.count_orthogonal_sum(10, [3, 4], [3]).flops == 2 * 10 * 12
    assert work.count_orthogonal_sum(10, [3, 4, 2], [3, 7]).flops == 2 * 10 * (12 + 14)
    with pytest.raises(ValueError, match="zip"):
        work.count_orthogonal_sum(10, [3, 4, 2], [3])
