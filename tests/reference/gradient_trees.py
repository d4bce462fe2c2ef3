"""Slow twin of `emphatic.kernels.gradient_trees` without draws: lists of rows, sums in Python's whole numbers."""

import numpy as np

FINEST = 2**15


def derive(score, codes, weights):
    """Derivatives (outputs, n) of the log loss by the scores."""
    if len(score) == 1:
        p = 1.0 / (1.0 + np.exp(-score))
        return weights * (p - codes), weights * p * (1.0 - p)
    powers = np.exp(score - score.max(axis=0))
    p = powers / powers.sum(axis=0)
    targets = np.arange(len(score))[:, None] == codes
    return weights * (p - targets), weights * len(score) / (len(score) - 1.0) * p * (1.0 - p)


def round_to_steps(values):
    """Whole numbers, and what one of them is worth."""
    scale = min(FINEST, (2**31 - 1) // len(values)) / np.abs(values).max()
    return [int(value) for value in np.rint(values * scale)], 1.0 / scale


def find_split(bins, rows, g, h, ridge, least):
    """(gain, feature, last bin, first rows, second rows), or None."""
    ridge, least = np.float32(ridge), np.float32(least)
    G, H = np.float32(sum(g[i] for i in rows)), np.float32(sum(h[i] for i in rows))
    best = None
    for feature in range(bins.shape[1]):
        for last in range(bins[:, feature].max()):
            first = [i for i in rows if bins[i, feature] <= last]
            a, b = np.float32(sum(g[i] for i in first)), np.float32(sum(h[i] for i in first))
            if b < least or H - b < least:
                continue
            gain = a * a / (b + ridge) + (G - a) * (G - a) / (H - b + ridge)
            if gain > 0 and (best is None or gain > best[0]):
                best = gain, feature, last, first, [i for i in rows if bins[i, feature] > last]
    if best is None or not best[0] - G * G / (H + ridge) > 0:
        return None
    return best[0] - G * G / (H + ridge), *best[1:]


def grow(bins, gradient, second, rules):
    """What the tree says about each row: leaves of the largest gain are split first."""
    (g, step), (h, second_step) = round_to_steps(gradient), round_to_steps(second)
    limits = rules.ridge / second_step, rules.least / second_step
    everything = list(range(len(bins)))
    leaves = [(everything, find_split(bins, everything, g, h, *limits))]
    while len(leaves) < rules.leaves and any(split for _, split in leaves):
        place = max((k for k in range(len(leaves)) if leaves[k][1]), key=lambda k: leaves[k][1][0])
        _, (_, _, _, *children) = leaves.pop(place)
        leaves += [(rows, find_split(bins, rows, g, h, *limits)) for rows in children]
    value = np.zeros(len(bins))
    for rows, _ in leaves:
        total, seconds = step * sum(g[i] for i in rows), second_step * sum(h[i] for i in rows)
        value[rows] = -rules.rate * total / (seconds + rules.ridge)
    return value


def boost(bins, codes, weights, n_rounds, rules, score):
    """The scores (outputs, n) after some rounds."""
    score = score.copy()
    for _ in range(n_rounds):
        gradient, second = derive(score, codes, weights)
        for k in range(len(score)):
            score[k] += grow(bins, gradient[k], second[k], rules)
    return score
