"""Real AdaBoost with the mixed emphasis as paper 000 writes it: labels +-1, one line an equation, no log space."""

import numpy as np


def multiplicative_weights(outputs, alphas, d):
    """Equation 2: D is multiplied by exp(-alpha o d) and normalised, round after round."""
    D = np.full(len(d), 1 / len(d))
    for o, alpha in zip(outputs, alphas, strict=True):
        D = D * np.exp(-alpha * o * d)
        D = D / D.sum()
    return D


def mixed_weights(f, d, lam):
    """Equation 11."""
    D = np.exp(lam * (f - d) ** 2 - (1 - lam) * f**2)
    return D / D.sum()


def vote(o, d, D):
    """Equations 4 and 5."""
    r = (D * o * d).sum()
    return 0.5 * np.log((1 + r) / (1 - r))
