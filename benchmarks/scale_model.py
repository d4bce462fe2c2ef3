"""`python -m benchmarks.scale_model [--page docs/scale.md]`: a fit on clusters that are not here.

The constants are measured on this machine first. The expected time is a formula; the simulation adds what a formula
leaves out: workers that are slow for a round, workers that die and whose columns must be computed again, and one
scheduler that handles one message at a time. It is a discrete-event model: a heap of workers by the time at which they
are free.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.pages import write_figures
from benchmarks.scale import N_CENTRES, N_COLUMNS, N_ROUNDS
from benchmarks.scale_constants import Constants, measure_constants

LARGE_PARTITION = 1_000_000
BYTES_PER_ROW = 2 + 8 * 8
"""Kept on a worker: codes, and about eight columns (weights, score, output, margins and what they are made from)."""
NETWORK = 1e9
"""Bytes per second between two machines."""
RESTART_SECONDS = 60.0
SLOW_SHARE, SLOW_FACTOR = 0.01, 5.0
LOSSES_PER_HOUR = 1.0 / 24.0
"""Of one worker."""
SPREAD = 0.1
"""Standard deviation of the logarithm of a task's time."""


@dataclass(frozen=True)
class Job:
    """A table of so many rows on so many workers of one thread."""

    n_rows: float
    n_workers: int
    stragglers: bool = False
    losses: bool = False

    @property
    def n_partitions(self) -> int:
        return max(self.n_workers, round(self.n_rows / LARGE_PARTITION))

    @property
    def memory(self) -> float:
        """Bytes per worker: the columns that are kept, and two partitions in work."""
        return self.n_rows / self.n_workers * BYTES_PER_ROW + 2 * 8 * N_COLUMNS * self.n_rows / self.n_partitions


def expect_round(job: Job, constants: Constants) -> tuple[float, float, float]:
    """Seconds of a round by formula: of the workers, of the scheduler, and of what is neither."""
    work = job.n_rows / job.n_workers * sum(constants.passes)
    return work, job.n_partitions * constants.per_partition, constants.per_round


def count_sent(job: Job, constants: Constants) -> float:
    """Bytes that leave workers in a round: Gram matrices, merged 16 at a time, cells, arrivals and centres."""
    merged = job.n_partitions * (1 + 1 / 16 + 1 / 256)
    return merged * (constants.sum_bytes + 4 * 8 * N_CENTRES + 24 * N_CENTRES) + 8 * N_CENTRES * N_COLUMNS


def simulate(job: Job, constants: Constants, seed: int = 0) -> float:
    """Seconds of a whole fit, pass by pass: a pass ends when its last partition does, which is its barrier."""
    rng = np.random.default_rng(seed)
    rows = job.n_rows / job.n_partitions
    message = constants.per_partition / len(constants.passes)
    chance = LOSSES_PER_HOUR / 3600.0 if job.losses else 0.0
    clock = 0.0
    for n_rounds in range(N_ROUNDS):
        slow = (rng.random(job.n_workers) < SLOW_SHARE) & job.stragglers
        speed = np.where(slow, SLOW_FACTOR, 1.0)
        pause = constants.per_round / len(constants.passes)
        for cost in constants.passes:
            began = clock
            times = rows * cost * rng.lognormal(0.0, SPREAD, job.n_partitions)
            clock = run_pass(times, speed, message, clock) + pause
            lost = rng.poisson(chance * job.n_workers * (clock - began))
            clock += replace_columns(job, constants, n_rounds, int(lost), clock - began)
    return clock


def run_pass(times: np.ndarray, speed: np.ndarray, message: float, now: float) -> float:
    """When the last partition is done, if every worker that is free takes the next one, as with work stealing.

    Partitions are begun in the order in which the scheduler gets to them.
    """
    free = [(now, worker) for worker in range(len(speed))]
    heapq.heapify(free)
    last = now
    for number, seconds in enumerate(times):
        ready, worker = heapq.heappop(free)
        done = max(ready, now + number * message) + seconds * speed[worker]
        last = max(last, done)
        heapq.heappush(free, (done, worker))
    return max(last, now + len(times) * message)


def replace_columns(job: Job, constants: Constants, n_rounds: int, n_lost: int, elapsed: float) -> float:
    """Seconds until the columns of lost workers are there again.

    Dask computes them anew from the table, on all other workers: the response of every round so far, and the pass that
    was interrupted. Meanwhile the others wait at the barrier.
    """
    if not n_lost:
        return 0.0
    rows = job.n_rows / job.n_workers * n_lost
    again = (
        rows * (constants.read + n_rounds * constants.respond) / max(1, min(job.n_workers - n_lost, job.n_partitions))
    )
    partition = job.n_rows / job.n_partitions * (constants.read + n_rounds * constants.respond)
    return max(again, partition) + min(elapsed, RESTART_SECONDS)


def write_constants(constants: Constants) -> Iterator[str]:
    yield "| measured on this machine | |"
    yield "|---|---:|"
    for name in ("read", "draw", "cells", "gram", "respond"):
        yield f"| {name}, ns per row | {1e9 * getattr(constants, name):.0f} |"
    yield f"| Dask, ms per partition and round | {1e3 * constants.per_partition:.1f} |"
    yield f"| a round without rows, s | {constants.per_round:.2f} |"


def write_paper(constants: Constants) -> Iterator[str]:
    yield (
        "| rows | workers | partitions | work, s per round | scheduler, s per round | 20 rounds | memory of a worker | "
        "sent per round |"
    )
    yield "|---:|" + "---:|" * 7
    for job in list_jobs():
        work, scheduler, rest = expect_round(job, constants)
        yield (
            f"| {name_rows(job)} | {job.n_workers:,} | {job.n_partitions:,} | {work:.1f} | {scheduler:.1f} | "
            f"{describe(N_ROUNDS * (max(work, scheduler) + rest))} | {job.memory / 1e9:.1f} GB | "
            f"{count_sent(job, constants) / 1e6:.0f} MB |"
        )


def write_simulated(constants: Constants, n_runs: int = 3) -> Iterator[str]:
    yield "| rows | workers | 20 rounds simulated | with stragglers | with lost workers | with both |"
    yield "|---:|" + "---:|" * 5
    for job in list_jobs():
        cases = [replace(job, stragglers=slow, losses=lost) for lost in (False, True) for slow in (False, True)]
        means = [np.mean([simulate(one, constants, seed) for seed in range(n_runs)]) for one in cases]
        yield f"| {name_rows(job)} | {job.n_workers:,} | {' | '.join(describe(float(one)) for one in means)} |"


def list_jobs() -> list[Job]:
    return [Job(n_rows, n_workers) for n_rows in (1e8, 1e10) for n_workers in (10, 1000)]


def name_rows(job: Job) -> str:
    return f"{job.n_rows / 1e6:,.0f} million"


def describe(seconds: float) -> str:
    """A time in words.

    >>> describe(95), describe(9000)
    ('1.6 min', '2.5 h')
    """
    return f"{seconds / 60:.1f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=Path)
    arguments = parser.parse_args()
    constants = measure_constants()
    lines = [*write_constants(constants), "", *write_paper(constants), "", *write_simulated(constants), ""]
    print("\n".join(lines))
    if arguments.page is not None:
        write_figures(arguments.page, lines, "benchmarks.scale_model")


if __name__ == "__main__":
    main()
