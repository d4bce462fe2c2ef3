"""`python -m benchmarks.wrong_labels`: log loss on test labels that are clean or as noisy as those of the training.

A share of the labels of small development problems is flipped, each to another class at random. Ours is fitted once,
and corrected for the noise in the three ways of `label_noise`; "one pass" is "auto" without the second pass, in which
labels that look wrong weigh less. The peers are at their defaults.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.peers_methods import flipped
from benchmarks.peers_problems import DEVELOPMENT, StratifiedPartition, problem
from emphatic import EmphaticClassifier
from emphatic.auto.searching import attempt
from emphatic.auto.searching.blend import CLEAN_CHANCES
from emphatic.blending.by_loss import log_loss
from emphatic.comparison.contenders import list_contenders
from emphatic.inputs import take_rows

PEERS = ("CatBoost", "SVC", "LightGBM", "RandomForest")
LEFT_OUT = ("autos", "mfeat", "splice")
SHARES = (0.0, 0.1, 0.2, 0.3)
ONE_PASS = "auto, one pass"
MOST_ROWS = 1500

Losses = dict[tuple[str, float, bool], float]
"""By the contender, the share of flipped labels, and whether those of the test are flipped, too."""


def measure(name: str, part: int, share: float, peers: Sequence[str]) -> Iterator[tuple[str, float, float]]:
    """Each contender with its log loss on clean and on noisy test labels, of one partition."""
    given = problem(name)
    codes = np.unique(given.y, return_inverse=True)[1]
    (split,) = StratifiedPartition(part, MOST_ROWS).splits(given)
    X, X_test = take_rows(given.X, split.train), take_rows(given.X, split.test)
    y, clean = flipped(codes[split.train], share, part), codes[split.test]
    noisy = flipped(clean, share, part + 1000)

    def judge(contender: str, classes: np.ndarray, probabilities: np.ndarray) -> tuple[str, float, float]:
        weights = np.ones(len(clean))
        on_clean, on_noisy = (
            log_loss(probabilities, np.searchsorted(classes, labels), weights) for labels in (clean, noisy)
        )
        return contender, on_clean, on_noisy

    model = EmphaticClassifier(random_state=part, n_jobs=1).fit(X, y)
    inputs, blend = model._encoder.encode(X_test), model.best_model_
    for how, chance in CLEAN_CHANCES.items():
        corrected = replace(blend, noise=blend.noise if chance else 0.0, clean_chance=chance)
        yield judge(how, model.classes_, corrected.probabilities(*inputs))
    with patch.object(attempt, "USUAL_PASSES", 1):
        model = EmphaticClassifier(random_state=part, n_jobs=1).fit(X, y)
    yield judge(ONE_PASS, model.classes_, model.predict_proba(X_test))
    for peer in peers:
        other: Any = list_contenders()[peer].build({}, part).fit(X, y)
        yield judge(peer, other.classes_, other.predict_proba(X_test))


def collect(names: Sequence[str], n_partitions: int, peers: Sequence[str]) -> dict[str, Losses]:
    """Mean losses over the partitions, by problem."""
    found = {}
    for name in names:
        sums: Losses = {}
        for part in range(n_partitions):
            for share in SHARES:
                for contender, *losses in measure(name, part, share, peers):
                    for is_noisy, loss in zip((False, True), losses, strict=True):
                        key = contender, share, is_noisy
                        sums[key] = sums.get(key, 0.0) + loss / n_partitions
        found[name] = sums
        print(f"{name} done", file=sys.stderr, flush=True)
    return found


def report(found: dict[str, Losses]) -> list[str]:
    """A line per contender: means over the problems, and over how many of them it is better than CatBoost."""
    contenders = list(dict.fromkeys(key[0] for losses in found.values() for key in losses))
    heads = [*(f"{100 * share:.0f}%" for share in SHARES), *(f"noisy test: {100 * share:.0f}%" for share in SHARES[1:])]
    lines = [f"| log loss | {' | '.join(heads)} | better than {PEERS[0]} at 20% |", "|---" * (len(heads) + 2) + "|"]
    for one in contenders:
        keys = [(one, share, is_noisy) for is_noisy in (False, True) for share in SHARES[is_noisy:]]
        means = [f"{np.mean([losses[key] for losses in found.values()]):.3f}" for key in keys]
        pairs = [(losses[one, 0.2, False], losses.get((PEERS[0], 0.2, False), np.nan)) for losses in found.values()]
        lines.append(f"| {one} | {' | '.join(means)} | {sum(ours < its for ours, its in pairs)} of {len(pairs)} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = [name for name in DEVELOPMENT if name not in LEFT_OUT]
    parser.add_argument("--problems", nargs="+", default=usual, choices=DEVELOPMENT, metavar="NAME")
    parser.add_argument("--partitions", type=int, default=3, metavar="N")
    parser.add_argument("--peers", nargs="*", default=PEERS, choices=PEERS, metavar="NAME")
    options = parser.parse_args(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print("\n".join(report(collect(options.problems, options.partitions, options.peers))))


if __name__ == "__main__":
    main()
