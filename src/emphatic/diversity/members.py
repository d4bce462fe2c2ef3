"""What each member of a fitted ensemble predicts, in the labels of the ensemble; and which ensembles have members."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier, VotingClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.utils.validation import check_is_fitted, column_or_1d

from emphatic import check

CODED = (BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier, VotingClassifier)
"""They train their members on codes 0 .. K-1, of which a bootstrap may miss some."""
DIVIDED = (OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier)
"""Their members answer other questions than "which class?"."""


def member_predictions(ensemble: Any, X: Any) -> np.ndarray:
    """Labels that each member of a fitted ensemble predicts for the rows of `X`: an array (members, n).

    The members are `estimators_`; each sees the columns that `estimators_features_` gives it, if there are such, and
    may have been trained on the labels or on their codes 0 .. K-1. An ensemble that feeds its members otherwise offers
    a method of this name, `member_predictions(X)`, which is asked instead. Votes play no part: a member whose vote is
    negative is taken at its word.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> iris = load_iris()
    >>> forest = RandomForestClassifier(3, random_state=0).fit(iris.data, iris.target_names[iris.target])
    >>> member_predictions(forest, iris.data[[0, 50]]).tolist()
    [['setosa', 'versicolor'], ['setosa', 'versicolor'], ['setosa', 'versicolor']]
    """
    members = checked_members(ensemble)
    if hasattr(ensemble, "member_predictions"):
        return np.asarray(ensemble.member_predictions(X))
    coded = _are_coded(ensemble, members)
    columns = getattr(ensemble, "estimators_features_", [None] * len(members))
    said = np.stack([member.predict(_seen_by(member, X, own)) for member, own in zip(members, columns, strict=True)])
    return np.asarray(ensemble.classes_[said.astype(np.intp)] if coded else said)


def checked_members(ensemble: Any) -> list[Any]:
    """The members of a fitted ensemble in which each of them votes on the class; others are refused with the reason."""
    check.instance("ensemble", ensemble, BaseEstimator, "a fitted RandomForestClassifier()")
    check_is_fitted(ensemble)
    name = type(ensemble).__name__
    if not is_classifier(ensemble):
        raise TypeError(f"{name} is no classifier, and kappa is the agreement of classifiers.")
    if isinstance(ensemble, DIVIDED):
        raise TypeError(f"{name} divides the classes among its members: they do not answer the same question.")
    if hasattr(ensemble, "final_estimator_"):
        raise TypeError(f"{name} has a final estimator that was trained on the outputs of all members: it needs them.")
    if not hasattr(ensemble, "estimators_"):
        raise TypeError(
            f"{name} has no fitted members in estimators_: pass an ensemble, such as a RandomForestClassifier (of a "
            "pipeline its last step, with X as that step sees it)."
        )
    members = list(ensemble.estimators_)
    if any(isinstance(member, np.ndarray) or is_regressor(member) for member in members):
        raise TypeError(
            f"The members of {name} are regressors, each of which corrects the sum of those before it: they predict no "
            "class of their own, and none can be left out."
        )
    if not isinstance(ensemble.classes_, np.ndarray):
        raise TypeError(f"This {name} predicts several outputs, and kappa compares single labels.")
    if not members:
        raise ValueError(f"This {name} has no members in estimators_: nothing was learnt.")
    return members


def checked_labels(ensemble: Any, X: Any, y: ArrayLike) -> np.ndarray:
    """Labels `y` of the rows of `X`, which must be labels that the ensemble knows."""
    labels = column_or_1d(y)
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if len(labels) != n_rows:
        raise ValueError(f"X has {n_rows} rows but y has {len(labels)} labels: their numbers must agree.")
    unknown = sorted(set(labels.tolist()) - set(ensemble.classes_.tolist()), key=str)
    if unknown:
        raise ValueError(f"y holds labels that the ensemble was not trained on: {unknown[:5]}.")
    return labels


def _are_coded(ensemble: Any, members: list[Any]) -> bool:
    """Whether the members predict codes 0 .. K-1 instead of labels."""
    if isinstance(ensemble, CODED):
        return True
    labels = set(ensemble.classes_.tolist())
    known = {label for member in members for label in np.asarray(member.classes_).tolist()}
    if known == labels:
        return False
    if known == set(range(len(labels))):
        return True
    raise TypeError(
        f"The members of {type(ensemble).__name__} know the classes {sorted(known, key=str)[:10]}, the ensemble "
        f"{sorted(labels, key=str)[:10]}: members must vote on the classes of the ensemble (or on their codes)."
    )


def _seen_by(member: Any, X: Any, columns: Any) -> Any:
    """The table as the ensemble passes it on: by name only to a member that was trained with names."""
    if columns is None and hasattr(member, "feature_names_in_"):
        return X
    X = X.tocsr() if issparse(X) else np.asarray(X)
    return X if columns is None else X[:, columns]
