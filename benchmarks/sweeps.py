"""How the time of a fit grows with one size at a time, as fitted exponents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.exponents import fit_exponent
from benchmarks.timing import interleaved
from benchmarks.work import Work, count_rbf_round, share_of_limit
from emphatic import EmphaticClassifier, FuzzyBoostClassifier, RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Mixed
from emphatic.learners import SampledCentres


@dataclass(frozen=True)
class Size:
    """Of a table, and of the ensemble that is fitted to it."""

    samples: int = 2_500
    features: int = 8
    units: int = 50
    classes: int = 2
    rounds: int = 20


@dataclass(frozen=True)
class Sweep:
    """A model at some size, and the ranges over which one size at a time is changed.

    `count` is the work of a fit, or why it is not counted; what is `slow` is timed once.
    """

    name: str
    make: Callable[[Size], Any]
    base: Size
    ranges: dict[str, tuple[int, ...]]
    count: Callable[[Size], Work] | str
    slow: bool = False


def boost_networks(size: Size) -> RealAdaBoostClassifier:
    """Ridge RBF networks."""
    network = RBFNetworkClassifier(SampledCentres(n_centres=size.units))
    return RealAdaBoostClassifier(network, Mixed(0.5), n_estimators=size.rounds, random_state=0)


def boost_fuzzily(size: Size) -> FuzzyBoostClassifier:
    return FuzzyBoostClassifier(n_estimators=size.rounds, random_state=0)


def choose_model(size: Size) -> EmphaticClassifier:
    return EmphaticClassifier(random_state=0)


def count_networks(size: Size) -> Work:
    """Of two classes one output tells them apart."""
    n_outputs = 1 if size.classes == 2 else size.classes
    return count_rbf_round(size.samples, size.features, size.units, n_outputs) * size.rounds


TABLE = {"samples": (1_000, 2_000, 4_000, 8_000), "features": (8, 16, 32, 64)}
ENSEMBLE = {"classes": (2, 4, 8, 16), "rounds": (10, 20, 40, 80)}
NETWORKS = Sweep(
    "RealAdaBoost of RBF networks",
    boost_networks,
    Size(),
    {**TABLE, "samples": (2_500, 5_000, 10_000, 20_000, 40_000), "units": (25, 50, 100, 200), **ENSEMBLE},
    count_networks,
)
SWEEPS = (
    NETWORKS,
    Sweep("FuzzyBoost", boost_fuzzily, Size(samples=1_000), {**TABLE, **ENSEMBLE}, "trees compare"),
    Sweep(
        "EmphaticClassifier", choose_model, Size(), {"samples": (2_000, 4_000, 8_000, 16_000)}, "a search", slow=True
    ),
)


def draw_clouds(n: int, n_features: int, n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """One cloud per class, equally far apart for every number of features; a tenth of the labels are drawn anew."""
    rng = np.random.default_rng(0)
    centres = rng.normal(scale=4.0 / np.sqrt(n_features), size=(n_classes, n_features))
    y = rng.integers(n_classes, size=n)
    X = rng.normal(size=(n, n_features)) + centres[y]
    return X, np.where(rng.random(n) < 0.1, rng.integers(n_classes, size=n), y)


def fit_whole(model: Any, X: np.ndarray, y: np.ndarray) -> None:
    """All the rounds that were asked for: times do not compare otherwise."""
    model.fit(X, y)
    asked = model.get_params().get("n_estimators")
    assert asked is None or len(model.estimators_) == asked, f"growth ended early: {model.stop_reason_}"


def measure(sweep: Sweep, field: str, repeats: int) -> list[float]:
    """Seconds of a fit for each value of one size, the others as they are."""
    actions = {}
    for value in sweep.ranges[field]:
        size = replace(sweep.base, **{field: value})
        X, y = draw_clouds(size.samples, size.features, size.classes)
        actions[str(value)] = lambda size=size, X=X, y=y: fit_whole(sweep.make(size), X, y)
    return list(interleaved(actions, 1 if sweep.slow else repeats).values())


HEAD = f"{'time grows as size^p':30}{'size':10}{'from - to':>16}{'seconds':>16}{'p':>15}{'of limit':>20}"


def report(sweep: Sweep, field: str, seconds: list[float]) -> str:
    """One line: the range, times at its ends, the exponent, and shares of the limit at the ends of the range."""
    values = sweep.ranges[field]
    if isinstance(sweep.count, str):
        shares = f"no: {sweep.count}"
    else:
        ends = [replace(sweep.base, **{field: value}) for value in (values[0], values[-1])]
        low, high = (share_of_limit(sweep.count(size), taken) for size, taken in zip(ends, (seconds[0], seconds[-1])))
        shares = f"{low:.0%} - {high:.0%}"
    sizes = f"{values[0]:,} - {values[-1]:,}"
    times = f"{seconds[0]:.3f} - {seconds[-1]:.3f}"
    return f"{sweep.name:30}{field:10}{sizes:>16}{times:>16}{fit_exponent(values, seconds)!s:>15}{shares:>20}"
