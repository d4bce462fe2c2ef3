"""From out-of-fold scores to one blend: folds, temperature, noise of the labels, closed-form kernel ridge, weights.

There are two ways to weigh members, `by_loss` and `greedy`; each says when it is used. For `audit` and `auto` only.
"""
