"""Members with views of their own, and the rules by which their supports become one distribution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from emphatic.export.answer import (
    Answer,
    answer_by_probabilities,
    favour,
    log_at_least,
    mark_class,
    normalise_rows,
    softmax,
)
from emphatic.export.conversion import convert, converts, spread_probabilities
from emphatic.export.graph import Value, add_up
from emphatic.export.table import Table
from emphatic.fusion import FusionClassifier
from emphatic.fusion.correction import LEAST_PROBABILITY
from emphatic.fusion.evidence import ROUNDING
from emphatic.fusion.rules import LEAST_SUPPORT


@converts(FusionClassifier)
def _convert_fusion(model: FusionClassifier, table: Table) -> Answer:
    n_classes = len(model.classes_)
    supports = [
        spread_probabilities(convert(member, table.take(columns)), member, model.classes_)
        for member, columns in zip(model.members_, model.columns_, strict=True)
    ]
    if model.fusion == "dempster_shafer" and model.weights_ is not None and model.corrections_ is not None:
        fused = _fuse_by_weights(supports, n_classes, model.reliabilities_.tolist(), model.weights_.tolist())
        added = add_up([given @ matrix for given, matrix in zip(supports, model.corrections_, strict=True)])
        fused = softmax(log_at_least(fused, LEAST_PROBABILITY) + added)
    else:
        fused = fuse(model.fusion, supports, n_classes, model.reliabilities_.tolist())
    return answer_by_probabilities(fused, n_classes)


def fuse(rule: str, supports: Sequence[Value], n_classes: int, reliabilities: Sequence[float] | None = None) -> Value:
    """(rows, K): what `emphatic.fusion.rules` makes of the supports of all members."""
    if rule == "majority":
        return _fuse_by_majority(supports, n_classes)
    if rule == "product":
        return softmax(add_up([log_at_least(one, LEAST_SUPPORT) for one in supports]))
    if rule == "dempster_shafer":
        return _fuse_by_evidence(supports, n_classes, reliabilities or [1.0] * len(supports))
    if rule == "mean":
        return normalise_rows(add_up(supports) / float(len(supports)), n_classes)
    if rule == "minimum":
        return normalise_rows(supports[0].apply("Min", *supports[1:]).at_least(LEAST_SUPPORT), n_classes)
    if rule == "maximum":
        return normalise_rows(supports[0].apply("Max", *supports[1:]), n_classes)
    raise ValueError(f"the rule of fusion {rule!r} cannot be exported to ONNX.")


def _fuse_by_majority(supports: Sequence[Value], n_classes: int) -> Value:
    """Shares of the votes; of classes with equally many, the one with the largest mean support wins."""
    ballots = [mark_class(one.argmax(), n_classes) & (one.max() > 0.0) for one in supports]
    votes = add_up([one.cast(np.float64) for one in ballots])
    mean = add_up(supports) / float(len(supports))
    winner = votes.equals(votes.max()).where(mean, -1.0).argmax()
    return favour(winner, normalise_rows(votes, n_classes), n_classes)


def _fuse_by_evidence(supports: Sequence[Value], n_classes: int, reliabilities: Sequence[float]) -> Value:
    """Dempster's rule for masses on single classes and on the set of all, scaled after each member."""
    single: Value | None = None
    ignorance: Value | None = None
    for given, trust in zip(supports, reliabilities, strict=True):
        mass, unknown = _discount(given, trust)
        if single is None or ignorance is None:
            single, ignorance = mass, unknown
        else:
            single, ignorance = single * (mass + unknown) + ignorance * mass, ignorance * unknown
        whole = single.sum() + ignorance
        some = whole > 0.0
        scale = some.where(1.0 / some.where(whole, 1.0), 0.0)
        single, ignorance = single * scale, ignorance * scale
    assert single is not None and ignorance is not None  # there is at least one member
    return normalise_rows(single + ignorance / float(n_classes), n_classes)


def _fuse_by_weights(
    supports: Sequence[Value], n_classes: int, reliabilities: Sequence[float], weights: Sequence[float]
) -> Value:
    """Dempster's rule for members that count more or less than once: `emphatic.fusion.weighting`."""
    discounted = [_discount(given, trust) for given, trust in zip(supports, reliabilities, strict=True)]
    products = add_up(
        [(mass + unknown).apply("Log") * weight for (mass, unknown), weight in zip(discounted, weights, strict=True)]
    )
    ignorance = add_up(
        [unknown.apply("Log") * weight for (_, unknown), weight in zip(discounted, weights, strict=True)]
    )
    largest = products.max()
    whole, rest = (products - largest).apply("Exp"), (ignorance - largest).apply("Exp") * (1.0 - 1.0 / n_classes)
    return normalise_rows(whole - rest, n_classes)


def _discount(supports: Value, reliability: float) -> tuple[Value, Value]:
    """Masses on single classes, and ignorance: `emphatic.fusion.evidence.simple_masses`."""
    total = supports.sum()
    complete = total >= 1.0 - ROUNDING
    return supports * (reliability / complete.where(total, 1.0)), 1.0 - complete.where(1.0, total) * reliability
