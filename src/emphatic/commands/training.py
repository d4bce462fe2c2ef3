"""What `emphatic fit` does between reading and writing: train a model, here or on a cluster, and judge it."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from emphatic.commands import console

if TYPE_CHECKING:
    import numpy as np

    from emphatic.card import Card
    from emphatic.commands.data import LabelledData
    from emphatic.commands.reading import TableOptions
    from emphatic.recipes import Recipe
    from emphatic.tables.files.pieces import PieceTable


class About(NamedTuple):
    """What is said about a fit, and how."""

    target: str
    source: str
    seed: int
    whole: bool
    """Whether a page is to be written; otherwise what the summary needs is enough."""
    quiet: bool


class Trained(NamedTuple):
    """A fitted model, the rows that it is judged by, and how many it learnt from in how many seconds."""

    model: Any
    X: Any
    y: np.ndarray
    groups: np.ndarray | None
    n_rows: int
    seconds: float


def train(recipe: Recipe, read: LabelledData, groups: np.ndarray | None, max_rows: int, about: About) -> Trained:
    """A model of the table in memory, or of a sample of it if the recipe is slow."""
    import numpy as np
    from sklearn.utils.validation import has_fit_parameter

    from emphatic.recipes import sample_rows, show_progress
    from emphatic.tables.policy import make_wishes

    X, y = read.used, read.y
    n_classes = len(set(y.tolist()))
    if not recipe.supports(n_classes):
        console.refuse(f"{recipe.name} supports two classes only, and the table has {n_classes}")
    rows = sample_rows(y, max_rows, np.random.default_rng(about.seed)) if recipe.slow else np.arange(len(y))
    if len(rows) < len(y) and not about.quiet:
        console.say(f"{recipe.name} is trained on {len(rows)} of {len(y)} rows")
    X, y = X.iloc[rows], y[rows]  # with the numbers of the rows in the file
    groups = None if groups is None else groups[rows]
    started = time.perf_counter()
    model = recipe.with_columns(make_wishes(read.decisions)).build({}, about.seed)
    with show_progress(model, f"fit {recipe.name}", not about.quiet):
        model.fit(X, y, **({"groups": groups} if has_fit_parameter(model, "groups") else {}))
    return Trained(model, X, y, groups, len(y), time.perf_counter() - started)


def train_on_cluster(
    recipe: Recipe, read: LabelledData, pieces: PieceTable, reading: TableOptions, address: str, about: About
) -> Trained:
    """A model of all rows of a table in pieces, on the Dask cluster at this address."""
    from emphatic.commands.collection import on_cluster, open_collection
    from emphatic.recipes import show_progress
    from emphatic.tables.policy import make_wishes

    with on_cluster(address, about.quiet):
        collection = open_collection(pieces, about.target, reading, read)
        started = time.perf_counter()
        model = recipe.with_columns(make_wishes(read.decisions)).build({}, about.seed)
        with show_progress(model, f"fit {recipe.name}", not about.quiet):
            model.fit(collection.X, collection.y)
        seconds = time.perf_counter() - started
        numbers = getattr(model, "held_out_rows_", None)  # none of a table that is small enough to be gathered
        X, y = collection.take(numbers)
    if numbers is not None:
        X.index = numbers
    return Trained(model, X, y, None, collection.n_rows, seconds)


def describe(recipe: Recipe, read: LabelledData, trained: Trained, about: About) -> Card:
    """The card of a fitted model: all of the page, or what the summary needs."""
    from emphatic.card import describe_model
    from emphatic.progress import follow_progress

    with warnings.catch_warnings(), follow_progress("evaluation, folds", not about.quiet) as advance:
        warnings.simplefilter("ignore")  # of models for single folds: the model itself has warned before
        return describe_model(
            trained.model,
            trained.X,
            trained.y,
            groups=trained.groups,
            columns=read.decisions,
            method=recipe.name,
            target=about.target,
            source=about.source,
            seed=about.seed,
            seconds=trained.seconds,
            warnings=read.of_target,
            n_dependences=6 if about.whole else 0,
            progress=advance,
        )
