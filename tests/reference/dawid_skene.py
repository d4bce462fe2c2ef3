"""Slow plain twin of `emphatic.audit.annotators.dawid_skene`: one row, one annotator and one class at a time."""

import numpy as np


def find_consensus(codes, n_classes, priors=None, n_steps=20):
    """Probabilities (n, K) and confusion matrices after so many steps of EM, in plain products."""
    n_rows, n_annotators = np.shape(codes)
    classes = range(n_classes)
    p = np.zeros((n_rows, n_classes))
    labelled = [i for i in range(n_rows) if max(codes[i]) >= 0]
    for i in labelled:
        given = [code for code in codes[i] if code >= 0]
        for code in given:
            p[i, code] += 1 / len(given)
    shares = [(sum(p[i, k] for i in labelled) + 1 / n_classes) / (len(labelled) + 1) for k in classes]
    for i in set(range(n_rows)) - set(labelled):
        p[i] = shares
    for _ in range(n_steps):
        theta = np.zeros((n_annotators, n_classes, n_classes))
        for a in range(n_annotators):
            for k in classes:
                for l in classes:
                    theta[a, k, l] = 4 * 0.3 * shares[l] + (4 * 0.7 if k == l else 0)
                    theta[a, k, l] += sum(p[i, k] for i in range(n_rows) if codes[i][a] == l)
                theta[a, k] /= sum(theta[a, k])
        common = [shares[k] + sum(p[i, k] for i in labelled) for k in classes]
        for i in range(n_rows):
            for k in classes:
                p[i, k] = common[k] if priors is None else priors[i][k]
                for a in range(n_annotators):
                    if codes[i][a] >= 0:
                        p[i, k] *= theta[a, k, codes[i][a]]
            p[i] /= sum(p[i])
    return p, theta
