"""Slow plain-NumPy twin of `emphatic.kernels.softmax_mlp`, in double precision."""

import numpy as np


def gradients(x, targets, weights, masks, layers):
    """Log loss of a batch, and its gradients in the order of the layers."""
    hidden_weights, hidden_bias, output_weights, output_bias = layers
    before = x @ hidden_weights + hidden_bias
    hidden = np.maximum(before, 0) * masks
    scores = hidden @ output_weights + output_bias
    probabilities = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    shares = (weights / weights.sum())[:, None]
    loss = -(shares * targets * np.log(probabilities)).sum()
    delta = shares * (probabilities - targets)
    back = (delta @ output_weights.T) * masks * (before > 0)
    return loss, (x.T @ back, back.sum(axis=0), hidden.T @ delta, delta.sum(axis=0))


def train(X, targets, weights, batches, kept, step, decay, newest, layers):
    """The last weights and their running averages; weights decay, biases do not."""
    layers = [np.array(one, dtype=np.float64) for one in layers]
    averages = [one.copy() for one in layers]
    means, squares = ([np.zeros_like(one) for one in layers] for _ in range(2))
    scale = kept.size / kept.sum()
    for turn, batch in enumerate(batches, start=1):
        places = (np.arange(len(batch)) + (turn - 1) * 7) % len(kept)
        _, found = gradients(X[batch], targets[batch], weights[batch], scale * kept[places], layers)
        rate = step * np.sqrt(1 - 0.99**turn) / (1 - 0.9**turn)
        for k, gradient in enumerate(found):
            means[k] = 0.9 * means[k] + 0.1 * gradient
            squares[k] = 0.99 * squares[k] + 0.01 * gradient**2
            shrink = 1 - step * decay if k in (0, 2) else 1.0
            layers[k] = shrink * layers[k] - rate * means[k] / (np.sqrt(squares[k]) + 1e-8)
            averages[k] = averages[k] + newest * (layers[k] - averages[k])
    return layers, averages
