"""`python -m benchmarks.combinations [repeats]`: rules of combination in batches, against who else has the rule.

py_dempster_shafer has the conjunctive and the cautious rule, pybelief (`pip install pybelief`) Yager's. No package of
the registry has Dubois and Prade's or PCR6 for sets of classes: these are timed against the plain Python of the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pybelief
import pyds

from benchmarks.timing import interleaved
from emphatic.fusion.evidence import Masses, combine
from tests.reference import evidence as slow

SAMPLES, CLASSES = 300, 10
CAUTIOUS_CLASSES = 5  # py_dempster_shafer goes through all pairs of sets
EIGHTHS = 8  # and refuses weights above 1, be it by rounding: of one set, and in eighths, there are none
SETS = 6
TIMES_FASTER = 5.0

Rows = list[list[Any]]
"""Per sample, a mass function of each source."""


def draw(rng: np.random.Generator, n_sources: int, n_classes: int, samples: int) -> list[Masses]:
    """Each source has six sets of its own, the same for all samples, and Theta."""
    values = rng.dirichlet(np.ones(SETS + 1), size=(n_sources, samples))
    theta = 2**n_classes - 1
    return [Masses.of([*rng.choice(theta - 1, SETS, replace=False) + 1, theta], one, n_classes) for one in values]


def draw_simple(rng: np.random.Generator, n_sources: int, n_classes: int, samples: int) -> list[Masses]:
    """Each source has one set, the same for all samples, and Theta."""
    shares = rng.integers(1, EIGHTHS, size=(n_sources, samples)) / EIGHTHS
    theta = 2**n_classes - 1
    return [
        Masses.of([code, theta], np.column_stack([one, 1 - one]), n_classes)
        for code, one in zip(rng.choice(theta - 1, n_sources, replace=False) + 1, shares, strict=True)
    ]


def as_rows(sources: list[Masses], make: Callable[[dict[Any, float]], Any], by_code: bool = False) -> Rows:
    """Mass functions of a peer for each sample and source: made beforehand, as our arrays are."""
    n_classes = sources[0].n_classes
    named = [frozenset(k for k in range(n_classes) if code >> k & 1) for code in range(2**n_classes)]
    keys = [one.sets[0].tolist() if by_code else [named[code] for code in one.sets[0]] for one in sources]
    return [
        [make(dict(zip(key, one.values[i].tolist()))) for key, one in zip(keys, sources, strict=True)]
        for i in range(len(sources[0].values))
    ]


def read(answer: Any, n_classes: int) -> list[float]:
    """The mass of every single class, of an answer of any peer."""
    if isinstance(answer, pybelief.MassFunction):
        return [answer.focal_elements().get(1 << k, 0.0) for k in range(n_classes)]
    return [float(answer.get(frozenset([k]), 0.0)) for k in range(n_classes)]


def list_cases(rng: np.random.Generator) -> dict[str, tuple[str, str, list[Masses], Callable[[list[Any]], Any], Rows]]:
    """Per line: our rule, the peer, the sources, what the peer does with one sample, and its samples."""
    two, four = (draw(rng, n_sources, CLASSES, SAMPLES) for n_sources in (2, 4))
    small = draw_simple(rng, 2, CAUTIOUS_CLASSES, SAMPLES)
    frame = [str(k) for k in range(CLASSES)]
    belief = as_rows(two, lambda masses: pybelief.MassFunction(frame, masses), by_code=True)
    return {
        "smets, 2 sources": ("smets", "pybelief", two, lambda each: each[0].combine_conjunctive(each[1]), belief),
        "yager, 2 sources": ("yager", "pybelief", two, lambda each: each[0].combine_yager(each[1]), belief),
        "cautious, 2 simple ones, 5 classes": (
            *("cautious", "py_dempster_shafer", small),
            lambda each: each[0].combine_cautious(each[1]),
            as_rows([_take(one, SAMPLES // 10) for one in small], pyds.MassFunction),
        ),
        "dubois_prade, 4 sources": (
            *("dubois_prade", "plain Python", four),
            lambda each: slow.dubois_prade(*each, n_classes=CLASSES),
            as_rows([_take(one, SAMPLES // 10) for one in four], dict),
        ),
        "pcr6, 4 sources": (
            *("pcr6", "plain Python", four),
            lambda each: slow.pcr6(*each, n_classes=CLASSES),
            as_rows([_take(one, SAMPLES // 10) for one in four], dict),
        ),
    }


def _take(masses: Masses, n: int) -> Masses:
    return Masses.of(masses.sets[0], masses.values[:n], masses.n_classes)


def main(repeats: int) -> None:
    cases = list_cases(np.random.default_rng(0))
    actions: dict[str, Callable[[], Any]] = {}
    for name, (rule, _, sources, theirs, rows) in cases.items():
        ours = combine(*sources, rule=rule).belief()
        for i, each in enumerate(rows[:5]):  # what is timed must be the same
            np.testing.assert_allclose(ours[i], read(theirs(each), sources[0].n_classes), atol=1e-12)
        actions[name] = lambda rule=rule, sources=sources: combine(*sources, rule=rule)
        actions[f"{name}: peer"] = lambda theirs=theirs, rows=rows: [theirs(each) for each in rows]
    seconds = interleaved(actions, repeats)
    print(f"{'per sample':36}{'ours, µs':>10}{'peer, µs':>10}{'times faster':>14}  peer")
    for name, (_, peer, sources, _, rows) in cases.items():
        mine, theirs_took = seconds[name] / len(sources[0].values), seconds[f"{name}: peer"] / len(rows)
        value = theirs_took / mine
        met = f"{peer}, target {TIMES_FASTER:g}: {'met' if value >= TIMES_FASTER else 'missed'}"
        print(f"{name:36}{1e6 * mine:10.1f}{1e6 * theirs_took:10.1f}{value:14.0f}  {met}")
    print(f"\n{SETS} sets and Theta, {CLASSES} classes if not said; one thread, shortest of {repeats} in turns.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
