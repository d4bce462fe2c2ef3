"""One chain of FuzzyBoost as the slides of paper 004 write it: a loop over samples, no arrays, no log space."""

from math import exp, log, log2


def info(mu):
    """Fuzzy entropy of one sample."""
    return -sum(m * log2(m) for m in mu if m > 0)


def chain(memberships, y, order, reward, n_rounds, train):
    """Weights, entropies and predictions of every round, and the memberships in the end.

    `train(weights, t)` trains the learner of round t and says what it predicts for every sample.
    """
    mu = [list(row) for row in memberships]
    n, c = len(mu), len(mu[0])
    counts = [[0] * c for _ in range(n)]
    right = [False] * n
    history = []
    for t in range(n_rounds):
        entropies = [info(row) for row in mu]
        weights = []
        for i in range(n):
            floored = max(entropies[i], 1e-3 * log2(c))
            if order == "hard":
                weights.append(floored)
            else:
                z = 1 / floored
                weights.append(z / exp(z) if right[i] else z)
        weights = [w / sum(weights) for w in weights]
        said = train(weights, t)
        history.append((weights, entropies, list(said)))
        for i in range(n):
            counts[i][said[i]] += 1
            majority = counts[i].index(max(counts[i]))
            right[i] = majority == y[i]
            for k in range(c):
                if right[i] and k == y[i]:
                    mu[i][k] += reward * (1 - mu[i][k])
                elif right[i]:
                    mu[i][k] -= reward * mu[i][k]
                else:
                    mu[i][k] -= reward * (mu[i][k] - 1 / c)
    return history, mu


def vote(predictions, y, n_classes):
    """alpha of every learner, and the class that the pool chooses for every sample of `predictions` (learners, n)."""
    n = len(y)
    alphas = []
    for said in predictions:
        error = sum(a != b for a, b in zip(said, y, strict=True)) / n
        error = min(max(error, 1 / (2 * n)), 1 - 1 / (2 * n))
        alphas.append(max(0.5 * log((1 - error) / error), 0.0))
    chosen = []
    for i in range(n):
        votes = [0.0] * n_classes
        for alpha, said in zip(alphas, predictions, strict=True):
            votes[said[i]] += alpha
        chosen.append(votes.index(max(votes)))
    return alphas, chosen
