"""Engines that could be: their results come in another order than the items."""

import random


class Hasty:
    """Runs at once what it may hold, and hands over any of the results; keeps a list of what it was asked to run."""

    def __init__(self, n_held, seed=0):
        self.n_held, self.seed, self.begun = n_held, seed, []

    def __call__(self, function, items):
        chance, items, held = random.Random(self.seed), iter(items), []
        while True:
            while len(held) < self.n_held and (item := next(items, None)) is not None:
                self.begun.append(item)
                held.append(function(item))
            if not held:
                return
            yield held.pop(chance.randrange(len(held)))
