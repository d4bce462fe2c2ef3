"""Probabilities to test figures with."""

import numpy as np


def draw_probabilities(rng, n_rows, n_classes):
    """Probabilities in 64ths, whose rows sum to exactly 1, and labels that follow them; every class has a label."""
    probabilities = rng.multinomial(64, rng.dirichlet(np.ones(n_classes), n_rows)) / 64
    codes = np.array([rng.choice(n_classes, p=row) for row in probabilities])
    codes[:n_classes] = np.arange(n_classes)
    return probabilities, codes
