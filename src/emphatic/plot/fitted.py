"""What plots of a fit take: an ensemble with rounds, and rows with labels that it knows."""

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, column_or_1d

from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.check import FloatArray, IntArray


def check_ensemble(model: Any) -> AdditiveEnsemble:
    """Return `model`, which must be a fitted ensemble of ours with at least one round."""
    if not isinstance(model, AdditiveEnsemble):
        remedy = " Of a pipeline pass the last step, and X as that step sees it." if hasattr(model, "steps") else ""
        raise TypeError(
            f"model={model!r:.60} is not allowed: model must be a fitted ensemble that adds up its learners, such as "
            f"RealAdaBoostClassifier.{remedy}"
        )
    check_is_fitted(model)
    if not len(model.alphas_):
        raise ValueError("model has no rounds, as no learner had an edge: there is nothing to draw.")
    return model


def encode_known(model: AdditiveEnsemble, y: ArrayLike, name: str = "y") -> IntArray:
    """Codes of the labels `y`, each of which must be a class of the model."""
    labels = column_or_1d(y).tolist()
    places = {label: place for place, label in enumerate(model.classes_.tolist())}
    codes = [places.get(label, -1) if isinstance(label, Hashable) else -1 for label in labels]
    if -1 in codes:
        raise ValueError(
            f"{name} holds {labels[codes.index(-1)]!r}, which is not among the classes of the model: {list(places)}."
        )
    return np.array(codes, dtype=np.intp)


def staged_outputs(model: AdditiveEnsemble, X: Any, codes: IntArray, names: str = "X y") -> Iterator[FloatArray]:
    """The output of the model on the rows `X` after each round; there must be as many rows as codes of labels."""
    table, labels = names.split()
    for output in model.staged_output(X):
        if len(output) != len(codes):
            raise ValueError(
                f"{table} has {len(output)} rows but {labels} has {len(codes)} labels: their numbers must agree."
            )
        yield output
