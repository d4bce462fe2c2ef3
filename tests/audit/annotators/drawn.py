"""Labels of annotators of known quality, drawn."""

import numpy as np


def draw_labels(true, accuracies, missing, rng):
    """Codes (n, A): each annotator is right with its accuracy, otherwise gives any other class; -1 is missing."""
    n_classes = true.max() + 1
    codes = np.empty((len(true), len(accuracies)), dtype=int)
    for a, accuracy in enumerate(accuracies):
        wrong = (true + rng.integers(1, n_classes, len(true))) % n_classes
        codes[:, a] = np.where(rng.random(len(true)) < accuracy, true, wrong)
    codes[rng.random(codes.shape) < missing] = -1
    return codes


def name_labels(codes, names=("ape", "bee", "cow")):
    """The codes as labels, None where there is none."""
    return np.array([*names, None], dtype=object)[codes]
