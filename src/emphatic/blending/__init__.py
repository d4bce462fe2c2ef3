"""From out-of-fold scores to one blend: folds, temperature, noise of the labels, closed-form kernel ridge, weights.

There are three ways to weigh members, `by_loss`, `greedy` and `pool`; each says when it is used. For `audit` and `auto`
only.
"""
