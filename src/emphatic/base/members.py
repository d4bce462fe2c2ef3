"""Members of ensembles, ours or any other classifier: what they say of a table, and whether they fit together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from emphatic.answers import check_finite, name_errors, predict_labels, predict_probabilities
from emphatic.base.learner import Learner
from emphatic.check import FloatArray, IntArray
from emphatic.margins import labels


def n_outputs(classes: np.ndarray) -> int:
    """Outputs of a learner: one for two classes, one per class for more."""
    return 1 if len(classes) == 2 else len(classes)


def check_saved_member(member: Any, classes: np.ndarray, n_features: int) -> None:
    """Raise ValueError unless a member read from a file learnt so many features, and classes among these."""
    if member.n_features_in_ != n_features:
        raise ValueError(f"a member has {member.n_features_in_} features, and {n_features} are expected")
    own = member.classes_
    known = own.dtype.kind == classes.dtype.kind and np.isin(own, classes).all()
    if not known or (isinstance(member, Learner) and len(own) != len(classes)):
        raise ValueError(f"a member has the classes {own.tolist()}, and {classes.tolist()} are expected")


def check_saved_names(member: Any, names: np.ndarray | None) -> None:
    """Raise ValueError if a member read from a file expects other names of columns than those that it is given."""
    own = getattr(member, "feature_names_in_", None)
    if own is not None and names is not None and own.tolist() != names.tolist():
        raise ValueError(f"a member has the columns {own.tolist()}, and {names.tolist()} are expected")


def output_of(learner: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """Confidence of any fitted classifier on a checked table, in [-1, 1].

    A `Learner` gives soft scores, probabilities p become 2p - 1, any other classifier votes +-1. A class that a learner
    never saw gets -1. A classifier that answers NaN, or not for every row, is refused.

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> output_of(tree, np.array([[0.0], [1.0]]), np.array(["no", "yes"]))
    array([-1.,  1.])
    """
    if isinstance(learner, Learner):
        return check_finite(learner, "output", learner.respond(X))
    if hasattr(learner, "predict_proba"):
        probabilities = predict_probabilities(learner, X)
        output = np.full((len(probabilities), len(classes)), -1.0)
        output[:, np.searchsorted(classes, learner.classes_)] = 2.0 * probabilities - 1.0
    else:
        voted = predict_labels(learner, X)
        codes = np.searchsorted(classes, voted).clip(max=len(classes) - 1)
        if (classes[codes] != voted).any():
            name, label = type(learner).__name__, voted[classes[codes] != voted].tolist()[0]
            raise ValueError(f"{name}.predict returned {label!r}, which is none of the classes {classes.tolist()}.")
        output = np.full((len(codes), len(classes)), -1.0)
        output[np.arange(len(codes)), codes] = 1.0
    return output[:, 1] if len(classes) == 2 else output


def outputs_of(members: Sequence[Any], X: Any, classes: np.ndarray) -> Iterator[FloatArray]:
    """`output_of` every member of an ensemble, one after another; an error begins with the number of the member."""
    for number, member in enumerate(members):
        with name_errors(number, member):
            output = output_of(member, X, classes)
        yield output


def choose_classes(learner: Any, output: FloatArray) -> IntArray:
    """Codes of the classes that a learner itself would predict, given its `output_of` some rows.

    Where two classes are equally likely, our learners predict the second (sign(0) = +1), others the first.

    >>> from emphatic import RBFNetworkClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tie = np.array([0.0])
    >>> choose_classes(RBFNetworkClassifier(), tie), choose_classes(DecisionTreeClassifier(), tie)
    (array([1]), array([0]))
    """
    if output.ndim == 1 and not isinstance(learner, Learner):
        return (output > 0).astype(np.intp)
    return labels(output)
