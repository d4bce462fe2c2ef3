"""Which columns of its table a model takes for text, and the categories it knows there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sklearn.pipeline import Pipeline

from emphatic.auto import EmphaticClassifier
from emphatic.auto.encoding import TableEncoder
from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.fusion import FusionClassifier
from emphatic.tables import TableTransformer

Categories = dict[int, set[str]]
"""By the position of a column of text."""


def find_categories(model: Any) -> Categories:
    """All categories that any part of the model knows; a column that is not named holds numbers."""
    if isinstance(model, TableTransformer):
        return {
            j: {name for name in names if name is not None}
            for j, names in enumerate(model.categories_)
            if names is not None
        }
    if isinstance(model, EmphaticClassifier):
        return find_categories(find_transformer(model))
    if isinstance(model, Pipeline):
        return find_categories(model.steps[0][1])
    if isinstance(model, AdditiveEnsemble):
        return _unite(find_categories(one) for one in model.estimators_)
    if isinstance(model, FusionClassifier):
        return _unite(
            {int(columns[j]): names for j, names in find_categories(member).items()}
            for member, columns in zip(model.members_, model.columns_, strict=True)
        )
    return {}


def find_transformer(model: EmphaticClassifier) -> TableTransformer:
    """The transformer of the model's table; a model of a sparse matrix has none, and is refused."""
    if not isinstance(model._encoder, TableEncoder):
        raise TypeError(
            "A model of a sparse matrix with many columns cannot be exported to ONNX: fit one to a dense table."
        )
    return model._encoder.transformer


def choose_text(categories: Categories, text: str) -> str:
    """A text that is no category of any column: this one, or if it is one, as many brackets around it as needed.

    >>> choose_text({0: {"a", ""}}, ""), choose_text({0: {"a"}}, "")
    ('()', '')
    """
    known: set[str] = set().union(*categories.values())
    while text in known:
        text = f"({text})"
    return text


def _unite(several: Iterable[Categories]) -> Categories:
    result: Categories = {}
    for one in several:
        for column, names in one.items():
            result.setdefault(column, set()).update(names)
    return result
