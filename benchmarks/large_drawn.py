"""Tables that are drawn, with as many rows as wished: each call with the same seed draws the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification

Drawn = tuple[pd.DataFrame, np.ndarray]


def _frame(X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(X).rename(columns=lambda j: f"x{j}")


def clusters(n: int, seed: int) -> Drawn:
    """Two classes of four clusters each in 20 columns, 5% of the labels flipped."""
    X, y = make_classification(
        n, 20, n_informative=10, n_redundant=4, n_clusters_per_class=4, flip_y=0.05, random_state=seed
    )
    return _frame(X), y


def many_clusters(n: int, seed: int) -> Drawn:
    """As Madelon: two classes on the corners of a cube in 5 of 50 columns, 15 that depend on them, 30 of noise."""
    X, y = make_classification(
        n, 50, n_informative=5, n_redundant=15, n_clusters_per_class=16, class_sep=1.5, flip_y=0.02, random_state=seed
    )
    return _frame(X), y


def friedman(n: int, seed: int) -> Drawn:
    """Thirds of Friedman's first function of 5 of 10 uniform columns, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 10))
    value = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    value += rng.normal(size=n)
    return _frame(X), np.digitize(value, [12.1, 16.6])


def sphere(n: int, seed: int) -> Drawn:
    """Hastie's ten normal columns: whether their squares sum to more than the median of chi-squared."""
    X = np.random.default_rng(seed).normal(size=(n, 10))
    return _frame(X), (np.sum(X**2, axis=1) > 9.34).astype(int)


def checkerboard(n: int, seed: int) -> Drawn:
    """A board of 6 by 6 fields in 2 of 8 columns, 10% of the labels flipped."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 8))
    y = np.floor(6 * X[:, :2]).sum(axis=1).astype(int) % 2
    return _frame(X), np.where(rng.random(n) < 0.1, 1 - y, y)


def spirals(n: int, seed: int) -> Drawn:
    """Three arms of a spiral in a plane that is turned into 12 columns, with noise in all of them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    radius = 0.5 + 3.5 * np.sqrt(rng.random(n))
    angle = 2.2 * radius + 2 * np.pi * y / 3
    plane = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(12, 12)))[0][:2]
    return _frame(plane @ turn + 0.25 * rng.normal(size=(n, 12))), y


def shops(n: int, seed: int) -> Drawn:
    """Two classes from two numbers and three nominal columns, one of 60 values, with interactions and gaps."""
    rng, effects = np.random.default_rng(seed), np.random.default_rng(1)
    town, product, day = rng.zipf(1.3, n) % 60, rng.integers(12, size=n), rng.integers(7, size=n)
    price, age = rng.lognormal(size=n), rng.normal(40, 12, size=n)
    score = effects.normal(size=60)[town] + effects.normal(size=(12, 7))[product, day] - 0.8 * np.log(price)
    score += np.where(product < 4, 0.08 * (age - 40), -0.03 * (age - 40))
    y = (score + rng.logistic(size=n) > 0).astype(int)
    age[rng.random(n) < 0.1] = np.nan
    names: dict[str, Any] = {"town": town, "product": product, "day": day}
    nominal = {name: pd.Categorical([f"{name} {code}" for code in codes]) for name, codes in names.items()}
    return pd.DataFrame({**nominal, "price": price, "age": age}), y


def forests(n: int, seed: int) -> Drawn:
    """As Covertype: seven kinds of trees, of which two make up most, by height, slope, light, distances and soil."""
    rng, effects = np.random.default_rng(seed), np.random.default_rng(2)
    height = rng.normal(size=n)
    soil = np.clip(np.floor(10 + 5 * height + 4 * rng.normal(size=n)), 0, 19).astype(int)
    other = rng.normal(size=(n, 8))
    other[:, 1] += 0.5 * other[:, 0] * height
    best = np.array([0.8, 0.2, -0.8, -2.2, 1.2, -1.2, 2.4])
    score = -1.5 * (height[:, None] - best) ** 2 + effects.normal(size=(20, 7))[soil]
    score += np.sin(2 * other[:, :2] @ effects.normal(size=(2, 7))) + 0.7 * other @ effects.normal(size=(8, 7))
    score += np.array([1.5, 2.0, 0.0, -1.0, -0.5, 0.0, -0.5]) + rng.gumbel(scale=0.5, size=(n, 7))
    frame = _frame(np.column_stack([height, other]))
    return frame.assign(soil=pd.Categorical([f"soil {code}" for code in soil])), np.argmax(score, axis=1)


DEVELOPMENT: dict[str, Callable[[int, int], Drawn]] = {
    "drawn_clusters": clusters,
    "drawn_friedman": friedman,
    "drawn_checkerboard": checkerboard,
    "drawn_shops": shops,
}

REPORTING: dict[str, Callable[[int, int], Drawn]] = {
    "drawn_many_clusters": many_clusters,
    "drawn_sphere": sphere,
    "drawn_spirals": spirals,
    "drawn_forests": forests,
}
