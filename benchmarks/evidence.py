"""`python -m benchmarks.evidence [repeats]`: Dempster's rule in batches, against py_dempster_shafer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pyds

from benchmarks.timing import interleaved
from benchmarks.work import Work, count_orthogonal_sum, count_simple_masses, share_of_limit
from emphatic.fusion import dempster_shafer
from emphatic.fusion.evidence import Masses, orthogonal_sum
from tools.cpu_code import describe_cpu_code

SAMPLES, SOURCES, CLASSES = 300, 5, 10
THETA = 2**CLASSES - 1
GENERAL = 6
RELIABILITY = 0.9
TIMES_FASTER = 100.0


def probabilities(rng: np.random.Generator) -> np.ndarray:
    """(sources, samples, classes), as of classifiers."""
    return rng.dirichlet(np.full(CLASSES, 0.5), size=(SOURCES, SAMPLES))


def shared_sets(rng: np.random.Generator) -> list[Masses]:
    """Each source has six sets of its own, the same for all samples, and Theta: as the nodes of a class tree have."""
    values = rng.dirichlet(np.ones(GENERAL + 1), size=(SOURCES, SAMPLES))
    return [Masses.of([*rng.integers(1, THETA, GENERAL), THETA], one, CLASSES) for one in values]


def own_sets(rng: np.random.Generator) -> list[Masses]:
    """Each source has six sets of its own for every sample, and Theta: as predictions of several classes have."""
    values = rng.dirichlet(np.ones(GENERAL + 1), size=(SOURCES, SAMPLES))
    sets = rng.integers(1, THETA, size=values.shape)
    sets[..., -1] = THETA
    return [Masses.of(focal, one, CLASSES) for focal, one in zip(sets, values, strict=True)]


def as_theirs(sources: list[Masses]) -> list[list[Any]]:
    """A mass function of py_dempster_shafer for each sample and source: made beforehand, as our arrays are."""
    named = [frozenset(k for k in range(CLASSES) if code >> k & 1) for code in range(THETA + 1)]
    rows = [(np.broadcast_to(one.sets, one.values.shape).tolist(), one.values.tolist()) for one in sources]
    return [
        [pyds.MassFunction([(named[code], mass) for code, mass in zip(sets[i], values[i])]) for sets, values in rows]
        for i in range(SAMPLES)
    ]


def theirs(samples: list[list[Any]]) -> list[Any]:
    return [reduce(lambda one, other: one.combine_conjunctive(other, normalization=False), each) for each in samples]


def check(sources: list[Masses], samples: list[list[Any]]) -> None:
    """What is timed must be the same: the beliefs in every class, and the conflict, of the first samples."""
    ours, beliefs = orthogonal_sum(*sources), orthogonal_sum(*sources).belief()
    for i, combined in enumerate(theirs(samples[:10])):
        np.testing.assert_allclose(ours.conflict[i], combined[frozenset()], atol=1e-12)
        np.testing.assert_allclose(beliefs[i], [combined[{k}] for k in range(CLASSES)], atol=1e-12)


def count_work(sources: list[Masses]) -> Work:
    """Of the orthogonal sum, source by source."""
    partial_sums = [orthogonal_sum(*sources[:count]) for count in range(1, SOURCES)]
    focal = [np.count_nonzero(one.values) / SAMPLES for one in partial_sums]
    return count_orthogonal_sum(SAMPLES, [one.values.shape[1] for one in sources], focal)


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    rng = np.random.default_rng(0)
    supports = probabilities(rng)
    cases = {
        "classes and Theta": [Masses.of_supports(one, RELIABILITY) for one in supports],
        "6 sets and Theta": shared_sets(rng),
        "6 sets and Theta, a sample's own": own_sets(rng),
    }
    actions: dict[str, Callable[[], Any]] = {}
    for name, sources in cases.items():
        samples = as_theirs(sources)
        check(sources, samples)
        actions[name] = lambda sources=sources: orthogonal_sum(*sources)
        actions[f"{name}: peer"] = lambda samples=samples: theirs(samples)
    closed = "classes and Theta, closed form"
    actions[closed] = lambda: dempster_shafer(supports, RELIABILITY)
    work = {name: count_work(sources) for name, sources in cases.items()}
    work[closed] = count_simple_masses(SAMPLES, SOURCES, CLASSES)
    seconds = interleaved(actions, repeats)
    print(f"{'masses on':36}{'ours, ms':>10}{'peer, ms':>10}{'times faster':>14}{'of limit':>10}{'target':>8}")
    for name in (*cases, closed):
        peer = seconds[f"{name.removesuffix(', closed form')}: peer"]
        value, share = peer / seconds[name], share_of_limit(work[name], seconds[name])
        met = "met" if value >= TIMES_FASTER else "missed"
        found = f"{1e3 * seconds[name]:10.2f}{1e3 * peer:10.1f}{value:14.0f}{share:10.1%}"
        print(f"{name:36}{found}{TIMES_FASTER:8.0f}  {met}")
    print(f"\n{SAMPLES} samples, {SOURCES} sources, {CLASSES} classes; one thread, shortest of {repeats} in turns.")
    print("The limit counts products of masses; finding out which sets are equal is no arithmetic.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
