"""`python -m benchmarks.mlp [repeats]`: multilayer perceptrons, against scikit-learn's and against each other."""

from __future__ import annotations

import copy
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from benchmarks.speed import FEATURES, SAMPLES, abalone
from benchmarks.timing import interleaved
from benchmarks.work import count_mlp_epoch, share_of_limit
from emphatic import MLPNetworkClassifier
from emphatic.base import Lesson
from tools.cpu_code import describe_cpu_code

UNITS = 10
EPOCHS = 100
JUDGED = SAMPLES // 5
"""Samples that do not train but judge."""
TOGETHER = (16, 32, 64)
OURS, PEER = "an epoch of one network", "scikit-learn, batches of one sample"
TIMES_FASTER = 500.0
TIMES_FASTER_TOGETHER = 2.5


def ours() -> MLPNetworkClassifier:
    """As many epochs as asked for: it must not stall before."""
    return MLPNetworkClassifier(UNITS, max_epochs=EPOCHS, stall=EPOCHS)


def theirs() -> MLPClassifier:
    """One epoch, of plain steps as ours."""
    return MLPClassifier(UNITS, activation="tanh", solver="sgd", learning_rate_init=0.01, batch_size=1, max_iter=1)


def side_by_side(X: np.ndarray, y: np.ndarray, networks: int) -> Callable[[], Any]:
    learner = ours()
    learner.classes_, codes = np.unique(y, return_inverse=True)
    table, weights = learner.prepare(X, codes), np.full(len(y), 1.0 / len(y))

    def learn() -> None:
        lessons = [Lesson(table, codes, weights, np.random.default_rng(m)) for m in range(networks)]
        MLPNetworkClassifier.learn_many([copy.copy(learner) for _ in lessons], lessons)

    return learn


def seconds_an_epoch(repeats: int) -> dict[str, float]:
    """Of one network, whatever is trained beside it."""
    X, y = abalone()
    assert ours().fit(X, y).n_epochs_ == EPOCHS
    actions = {OURS: lambda: ours().set_params(random_state=0).fit(X, y), PEER: lambda: theirs().fit(X, y)}
    epochs = {OURS: EPOCHS, PEER: 1}
    for networks in TOGETHER:
        name = f"an epoch of each of {networks}"
        actions[name], epochs[name] = side_by_side(X, y, networks), networks * EPOCHS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # one epoch is what is timed
        seconds = interleaved(actions, repeats)
    return {name: seconds[name] / epochs[name] for name in actions}


def main(repeats: int) -> None:
    print(f"{describe_cpu_code()}\n")
    seconds, work = seconds_an_epoch(repeats), count_mlp_epoch(SAMPLES - JUDGED, JUDGED, FEATURES, UNITS)
    print(f"{'ours':30}{'peer':38}{'times faster':>14}{'of limit':>10}{'target':>8}")
    rows = [(OURS, PEER, TIMES_FASTER)]
    rows += [(f"an epoch of each of {networks}", OURS, TIMES_FASTER_TOGETHER) for networks in TOGETHER]
    for name, peer, target in rows:
        value, share = seconds[peer] / seconds[name], share_of_limit(work, seconds[name])
        print(f"{name:30}{peer:38}{value:14.2f}{share:10.0%}{target:8.1f}  {'met' if value >= target else 'missed'}")
    print(f"\nOne thread, shortest of {repeats} in turns; microseconds an epoch of {SAMPLES} samples")
    print("(of ours 20% only judge):")
    for name, value in seconds.items():
        print(f"  {name:38}{1e6 * value:12.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
