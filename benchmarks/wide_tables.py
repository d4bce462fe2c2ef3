"""Generated tables with more columns than rows: sparse ones (words, categories) and dense ones (signals, genes)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

N_TEST = 2000

Draw = Callable[[int, np.random.Generator], tuple[Any, np.ndarray]]


class Table(NamedTuple):
    """How many rows are trained on, and how rows are drawn."""

    n: int
    draw: Draw


def draw_words(n: int, rng: np.random.Generator, n_words: int, n_topics: int) -> tuple[Any, np.ndarray]:
    """Counts of words: frequencies like 1 / rank, half of them those of the topic, texts of about 60 words."""
    world = np.random.default_rng(2001)
    common = 1.0 / (np.arange(n_words) + 5.0)
    tilts = np.where(world.random((n_topics, n_words)) < 0.2, world.normal(size=(n_topics, n_words)), 0.0)
    sums = [np.cumsum(common * np.exp(tilt)) for tilt in [*tilts, np.zeros(n_words)]]
    y = rng.integers(n_topics, size=n)
    lengths = np.maximum(5, rng.lognormal(np.log(60.0), 0.6, n)).astype(int)
    rows = np.repeat(np.arange(n), lengths)
    topics = np.where(rng.random(len(rows)) < 0.5, y[rows], n_topics)
    place, words = rng.random(len(rows)), np.empty(len(rows), dtype=np.int32)
    for topic, total in enumerate(sums):
        words[topics == topic] = np.searchsorted(total / total[-1], place[topics == topic])
    counts = sparse.coo_array((np.ones(len(rows)), (rows.astype(np.int32), words)), shape=(n, n_words)).tocsr()
    return counts, y


def draw_categories(n: int, rng: np.random.Generator, n_fields: int, n_categories: int) -> tuple[Any, np.ndarray]:
    """Indicators of ten fields with many categories, whose effects add up; two fields also work together."""
    world = np.random.default_rng(2002)
    effects = world.normal(size=(n_fields, n_categories)) * (world.random((n_fields, 1)) < 0.6)
    pairs = 1.5 * world.normal(size=(20, 20))
    shares = 1.0 / (np.arange(n_categories) + 3.0)
    chosen = rng.choice(n_categories, size=(n, n_fields), p=shares / shares.sum())
    score = effects[np.arange(n_fields), chosen].sum(axis=1) + pairs[chosen[:, 0] % 20, chosen[:, 1] % 20]
    columns = (chosen + n_categories * np.arange(n_fields)).astype(np.int32).ravel()
    starts = (n_fields * np.arange(n + 1)).astype(np.int32)
    table = sparse.csr_array((np.ones(n * n_fields), columns, starts), shape=(n, n_fields * n_categories))
    return table, (score + rng.logistic(size=n) > 0).astype(int)


def draw_few_signals(n: int, rng: np.random.Generator) -> tuple[Any, np.ndarray]:
    """Ten of 2,000 columns decide, and nothing is said of the others."""
    X = rng.normal(size=(n, 2000))
    return X, (2.0 * X[:, :10].sum(axis=1) + rng.logistic(size=n) > 0).astype(int)


def draw_weak_signals(n: int, rng: np.random.Generator) -> tuple[Any, np.ndarray]:
    """Each of 2,000 columns says a little."""
    shift = 0.06 * np.random.default_rng(2003).normal(size=2000)
    y = rng.integers(2, size=n)
    return rng.normal(size=(n, 2000)) + np.outer(2 * y - 1, shift), y


def draw_genes(n: int, rng: np.random.Generator) -> tuple[Any, np.ndarray]:
    """Three classes; 2,000 skewed columns in 40 correlated blocks, some of which differ between the classes."""
    world = np.random.default_rng(2004)
    y = rng.integers(3, size=n)
    shifts = world.normal(size=(3, 40)) * (world.random(40) < 0.3)
    loads = np.repeat(np.eye(40), 50, axis=1) * world.uniform(0.3, 1.0, 2000)
    return 100.0 * np.exp(0.5 * ((rng.normal(size=(n, 40)) + shifts[y]) @ loads + rng.normal(size=(n, 2000)))), y


SPARSE = {
    "500 texts, 5,000 words": Table(500, lambda n, rng: draw_words(n, rng, 5_000, 4)),
    "2,000 texts, 20,000 words": Table(2_000, lambda n, rng: draw_words(n, rng, 20_000, 6)),
    "3,000 x 2,500 indicators": Table(3_000, lambda n, rng: draw_categories(n, rng, 10, 250)),
}
DENSE = {
    "100 x 2,000, few signals": Table(100, draw_few_signals),
    "100 x 2,000, weak signals": Table(100, draw_weak_signals),
    "100 x 2,000, genes": Table(100, draw_genes),
}


def draw_table(table: Table, seed: int) -> tuple[Any, np.ndarray, Any, np.ndarray]:
    """Training and test rows of one world."""
    rng = np.random.default_rng(seed)
    X, y = table.draw(table.n, rng)
    X_test, y_test = table.draw(N_TEST, rng)
    return X, y, X_test, y_test
